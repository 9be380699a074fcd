// Finds parameters that a docstring names and its function does not have. A file is only parsed, not resolved: the
// parameters of a function are in the same declaration as its docstring.
import ts from 'typescript';

/** `line` counts from 1. */
export type UnknownParameter = { name: string; line: number };

// Read from the text: the parser knows a tag only at the beginning of a line.
const NAMED = /@param\s+(?:\{[^}]*\}\s*)?([\w$]+)/g;

/** Returns every `@param NAME` of a file that is not a parameter of the documented function. */
export function unknownParameters(text: string): UnknownParameter[] {
  const source = ts.createSourceFile('docstrings.ts', text, ts.ScriptTarget.Latest, true);
  const known = new Set<number>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc)) {
      const parameters = parametersOf(node);
      for (const { index, 1: name = '' } of text.slice(pos, end).matchAll(NAMED))
        if (parameters.has(name)) known.add(pos + index);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...text.matchAll(NAMED)]
    .filter(({ index }) => !known.has(index))
    .map(({ index, 1: name = '' }) => ({
      name,
      line: source.getLineAndCharacterOfPosition(index).line + 1,
    }));
}

/** Returns the parameter names of a declaration; for a function that returns a function, those of both. */
function parametersOf(node: ts.Node | undefined): ReadonlySet<string> {
  if (!node) return new Set();
  if (ts.isVariableStatement(node)) return parametersOf(node.declarationList.declarations[0]?.initializer);
  if (ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) return parametersOf(node.initializer);
  if (ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node)) return parametersOf(node.type);
  if (!isFunction(node)) return new Set();
  const returned = 'body' in node ? node.body : node.type;
  return new Set([...node.parameters.flatMap(({ name }) => namesIn(name)), ...parametersOf(returned)]);
}

const isFunction = (node: ts.Node): node is ts.SignatureDeclaration & { body?: ts.Node } =>
  ts.isFunctionLike(node);

/** Returns the names in a binding: dpi and first for `{ dpi, marks: [first] }`. */
const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));
