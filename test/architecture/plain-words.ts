// Reads a source file for its language: the comments, the identifiers and the titles of tests in it, and the functions in it that do
// something. A file is only parsed, nothing in it is resolved.
import ts from 'typescript';

/** Words that no reader searches for, and expressions that need a second look. */
export const BANNED =
  /\b(whoever|whom|somebody|everybody|anybody|nobody|is told|are told|told by|asks nobody|service inside|left out|made up|once more|going on|goes on|go on with|cut off|what is named|as it came|come of|speaks? to|spoken to|be had|e-mails?|colour|whether it may|behind it|hold[s]? this|the own|here and now)\b/i;

/** `line` counts from 1. */
export type Phrase = { line: number; text: string };

/** The comments of a source file, each in one line, its identifiers as separate words, and its titles of tests. */
export function phrasesOf(source: string): Phrase[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const phrases: Phrase[] = [];
  const seen = new Set<number>();
  const add = (at: number, text: string) =>
    phrases.push({ line: file.getLineAndCharacterOfPosition(at).line + 1, text });
  const addComments = (ranges: readonly ts.CommentRange[] = []) => {
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      add(pos, source.slice(pos, end).replaceAll(/\s*\n\s*(?:\/\/|\*(?!\/))?\s*/g, ' '));
    }
  };
  const visit = (node: ts.Node): void => {
    addComments(ts.getLeadingCommentRanges(source, node.getFullStart()));
    addComments(ts.getTrailingCommentRanges(source, node.getEnd()));
    // Names such as `left_out` are those of JSON, columns and error codes.
    if (ts.isIdentifier(node) && !/_[a-z]/.test(node.text)) add(node.getStart(), separated(node.text));
    if (ts.isCallExpression(node) && /^(?:test|describe)\b/.test(node.expression.getText())) {
      const [title] = node.arguments;
      if (title && ts.isStringLiteralLike(title)) add(title.getStart(), title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  addComments(ts.getLeadingCommentRanges(source, file.endOfFileToken.getFullStart()));
  return phrases;
}

/** `cutOffAt` as `cut off at`. */
const separated = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .replaceAll('_', ' ')
    .toLowerCase();

/** The names of functions that are asynchronous or give nothing back: they do something. */
export function actionsOf(source: string): { line: number; name: string }[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const actions: { line: number; name: string }[] = [];
  const visit = (node: ts.Node): void => {
    const [name, code] = namedFunction(node) ?? [];
    if (name && code && isAction(code))
      actions.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, name });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return actions;
}

function namedFunction(node: ts.Node): [name: string, code: ts.SignatureDeclaration] | undefined {
  if (ts.isFunctionDeclaration(node) && node.name) return [node.name.text, node];
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return undefined;
  const isFunction = ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
  return isFunction ? [node.name.text, node.initializer] : undefined;
}

function isAction(code: ts.SignatureDeclaration): boolean {
  const isAsync = ts
    .getModifiers(code as ts.FunctionDeclaration)
    ?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  return isAsync || /^(?:void|undefined|never|Promise<|asserts )/.test(code.type?.getText() ?? '');
}

const NOT_VERBS =
  /^(?:again|all|as|at|by|drawn|each|every|everybody|from|given|in|into|kept|known|lost|made|more|no|none|nothing|of|on|one|only|or|own|plain|sent|taken|told|unless|until|what|when|which|while|why|written)$/;
/** Verbs that end like a participle. */
const VERBS = /^(?:embed|feed|need|proceed|seed|shed|speed)$/;

/** Whether a name begins with something other than a verb, as far as a program can tell: a participle, a question or a preposition. */
export function isNoVerb(name: string): boolean {
  const [first = ''] = separated(name).split(' ');
  return NOT_VERBS.test(first) || (first.endsWith('ed') && !VERBS.test(first));
}

const EXPORTED = /^export (?:async )?(?:function|const|type|class|interface) (\w+)/gm;

/** The names that a source file declares and exports, each once. */
export const exportsOf = (source: string): string[] => [
  ...new Set([...source.matchAll(EXPORTED)].map(([, name = '']) => name)),
];
