// The table of error codes, and what the sentences and hints of errors say where they are thrown.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import {
  type CodeRow,
  ERROR_CODES,
  type ErrorCode,
  RETRYABLE,
} from '../../../src/cli/command/error-codes.ts';
import { reportOf } from '../../../src/cli/command/error-report.ts';
import { cliError } from '../../../src/cli/command/errors.ts';
import { EXIT } from '../../../src/cli/command/exit-codes.ts';
import { GLOBAL_OPTIONS } from '../../../src/cli/command/global-options.ts';
import { ANSWER_HINTS, SERVICE_HINTS } from '../../../src/cli/command/service-errors.ts';
import { describeTree } from '../../../src/cli/describe/describe.ts';
import {
  documentServiceErrors,
  errorsOfEsign,
  errorsOfTheService,
} from '../../../src/cli/describe/topics/error-codes.ts';
import { parseWords } from '../../../src/cli/program.ts';
import { TREE } from '../../../src/cli/tree.ts';
import { sampleOf } from '../../support/tier.ts';

const ROWS = Object.entries(ERROR_CODES) as [ErrorCode, CodeRow][];

const SRC = new URL('../../../src/', import.meta.url);
const SOURCES = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);
const textOf = (path: string): string => readFileSync(new URL(path, SRC), 'utf8');

describe('the table of error codes', () => {
  test('gives each code an exit code, and a meaning and a hint in sentences', () => {
    const exits = new Set<number>(Object.values(EXIT));
    for (const [code, [exit, meaning, hint]] of ROWS) {
      expect(exits, code).toContain(exit);
      expect(meaning, code).toMatch(SENTENCE);
      expect(hint ?? 'None.', code).toMatch(SENTENCE);
    }
    for (const { exit } of documentServiceErrors()) expect(exits).toContain(exit);
  });

  test('has no code that nothing throws', () => {
    const table = join('cli', 'command', 'error-codes.ts');
    const sources = SOURCES.filter((path) => path !== table)
      .map(textOf)
      .join('\n');
    expect(ROWS.map(([code]) => code).filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
  });

  test('is what the list of error codes shows', () => {
    const rows = [...errorsOfEsign(), ...errorsOfTheService()];
    for (const code of [...Object.keys(ERROR_CODES), ...Object.keys(SERVICE_HINTS)])
      expect(rows).toContainEqual([code, expect.stringMatching(/^Exit \d+[ ,.].*\.$/)]);
    for (const code of RETRYABLE)
      expect(rows).toContainEqual([code, expect.stringMatching(/Retrying may help\.$/)]);
    expect(rows.flat().join(' ')).not.toMatch(/undefined|\[object/);
  });

  test('is typed: its codes', () => {
    // @ts-expect-error there is no such code
    expect(() => cliError('no_such_code', { sentence: 'No.' })).toThrow();
    // @ts-expect-error an error has a sentence
    expect(() => cliError('file_not_found', { hint: 'Look.' })).not.toThrow();
  });
});

// ── what is said where errors are thrown ────────────────────────────────────────────────────────────────────────

/** It may begin with a name, a code or a quoted value. */
const SENTENCE = /^["`=\p{L}\p{N}-].*[.?]$/su;

type Thrown = { place: string; code: string; sentence: string[]; hint: string[]; next: string[] };

/** What is filled in while the program runs. */
const VALUE = 'VALUE';

/** Reads the forms of a text from its expression: both of a conditional one; what the source does not show is a value. */
function formsOf(node: ts.Expression | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isParenthesizedExpression(node)) return formsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [...formsOf(node.whenTrue), ...formsOf(node.whenFalse)];
  if (ts.isBinaryExpression(node))
    return [node.left, node.right].flatMap(formsOf).filter((form) => form !== '');
  if (ts.isTemplateExpression(node)) return [spansOf(node)];
  if (ts.isCallExpression(node) && node.expression.getText() === 'didYouMean')
    return formsOf(node.arguments[1]);
  return [];
}

const spansOf = ({ head, templateSpans }: ts.TemplateExpression): string =>
  head.text + templateSpans.map(({ literal }) => VALUE + literal.text).join('');

function propertyOf(facts: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const property of facts.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name) return property.initializer;
  return undefined;
}

/** Lists the texts of all commands in what leads on from an error. */
function textsIn(node: ts.Node | undefined): string[] {
  if (!node) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) return [spansOf(node)];
  const texts: string[] = [];
  ts.forEachChild(node, (child) => {
    texts.push(...textsIn(child));
  });
  return texts;
}

const THROWN: Thrown[] = SOURCES.filter((path) => path.startsWith('cli')).flatMap((path) => {
  const text = textOf(path);
  if (!text.includes('cliError(')) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const thrown: Thrown[] = [];
  const visit = (node: ts.Node): void => {
    const [code, facts] =
      ts.isCallExpression(node) && node.expression.getText() === 'cliError' ? node.arguments : [];
    if (code && facts && ts.isObjectLiteralExpression(facts))
      thrown.push({
        place: `${path}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
        code: code.getText(),
        sentence: formsOf(propertyOf(facts, 'sentence')),
        hint: formsOf(propertyOf(facts, 'hint')),
        next: textsIn(propertyOf(facts, 'next')),
      });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return thrown;
});

const HINTS = [
  ...THROWN.flatMap(({ hint, next }) => [...hint, ...next]),
  ...ROWS.map(([, [, , hint = '']]) => hint),
  ...Object.values({ ...SERVICE_HINTS, ...ANSWER_HINTS }).map((hint) => hint ?? ''),
];

describe('every error', () => {
  test('is said in sentences where it is thrown', () => {
    expect(THROWN.length).toBeGreaterThan(150);
    for (const { place, sentence, hint } of THROWN)
      for (const form of [...sentence, ...hint]) {
        expect(form, place).toMatch(form.endsWith(VALUE) ? /^\S/ : SENTENCE);
        expect(form, place).not.toMatch(/undefined|\[object|NaN|null| {2}|\$\{/);
      }
  });
});

// ── what hints say to type ──────────────────────────────────────────────────────────────────────────────────────

/** The lines that hints quote, and the commands that lead on. */
const LINES = new Set(
  HINTS.flatMap((hint) => [
    ...[...hint.matchAll(/`(esign[^`]*)`/g)].map(([, line = '']) => line),
    ...(/^esign /.test(hint) ? [hint] : []),
  ]).filter((line) => line !== 'esign'),
);

/** As a shell would part them, without what is redirected. */
const wordsOf = (line: string): string[] =>
  [...(line.split(' < ')[0] ?? '').matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, bare]) => quoted ?? bare ?? '')
    .slice(1);

describe('what a hint says to type', () => {
  test.each(sampleOf([...LINES], 6))('%s is understood', async (line) => {
    const words = wordsOf(line);
    // A command that is named without what it needs is named, not quoted in full.
    const parsed = parseWords(words, { tree: TREE, version: '0' }).catch(
      (error: unknown) => reportOf(error).code,
    );
    expect(['object', 'argument_missing', 'option_missing'].map(String)).toContain(
      await parsed.then((outcome) => (typeof outcome === 'string' ? outcome : 'object')),
    );
  });

  test('names options that exist', async () => {
    const known = new Set(['--help', '--version', ...Object.keys(GLOBAL_OPTIONS).map((name) => `--${name}`)]);
    for (const { options } of await describeTree(TREE))
      for (const { name } of options) known.add(`--${name}`);
    const placeholders = new Set(['--OPTION', '--OTHER']);
    const named = HINTS.flatMap((hint) => hint.match(/(?<![\w-])--[A-Za-z][\w-]*/g) ?? []);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((option) => !known.has(option) && !placeholders.has(option))).toEqual([]);
  });
});
