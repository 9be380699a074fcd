// No function has more lines than fit on a screen. Those that are longer today are named with their length, and may not grow.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = new URL('../../src/', import.meta.url);
const MOST_LINES = 80;

/** The last two are a list of tables and a style sheet. */
const LONGER: Record<string, number> = {
  'cli/app.ts createApp': 206,
  'service/service.ts createService': 139,
  'service/web/sign/browser/guide.ts startGuide': 105,
  'service/store/migrations/0001-to-0009.ts createTables': 191,
  'service/web/sign/style.ts signStyle': 192,
};

/** Returns the names of functions with more lines than allowed, each with the lines it has. */
function longFunctions(name: string, text: string): [string, number][] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const long: [string, number][] = [];
  const visit = (node: ts.Node): void => {
    const lines = lineOf(node.end) - lineOf(node.getStart()) + 1;
    if (ts.isFunctionLike(node) && 'body' in node && node.body && lines > MOST_LINES)
      long.push([`${name} ${nameOf(node)}`, lines]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return long;
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'without a name';
}

test(`a function of more than ${MOST_LINES} lines is found`, () => {
  const body = '\n'.repeat(MOST_LINES);
  expect(longFunctions('a.ts', `function one() {${body}}`)).toEqual([['a.ts one', 81]]);
  expect(longFunctions('a.ts', `const two = () => {${body}};`)).toEqual([['a.ts two', 81]]);
  expect(longFunctions('a.ts', `class A { three() {${body}} }`)).toEqual([['a.ts three', 81]]);
  expect(longFunctions('a.ts', `function four() {${body.slice(1)}}`)).toEqual([]);
});

test(`no function has more than ${MOST_LINES} lines, except those that are named here`, () => {
  const names = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(names.length).toBeGreaterThan(500);
  const long = names.flatMap((name) => longFunctions(name, readFileSync(new URL(name, SRC), 'utf8')));
  expect(long.filter(([name, lines]) => lines > (LONGER[name] ?? MOST_LINES))).toEqual([]);
  // A function that has become shorter is removed from the list.
  expect(Object.keys(LONGER).filter((name) => !long.some(([one]) => one === name))).toEqual([]);
});
