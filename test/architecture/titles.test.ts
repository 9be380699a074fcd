// Titles of tests follow the rules of test/README.md, as far as a program can check them.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const TEST = new URL('../', import.meta.url);
const files = readdirSync(TEST, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const textOf = (name: string): string => readFileSync(new URL(name, TEST), 'utf8');

/** Matches the title after `test(`, or after the table of an `each`, at the beginning of a call. */
const TITLE = /(?:\btest(?:\.\w+)*\(|^ *\]\)\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/gm;

const titles = files.flatMap((name) =>
  [...textOf(name).matchAll(TITLE)].map(([, , title = '']) => ({ name, title })),
);
const storyTitles = readdirSync(new URL('stories/', TEST), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.txt'))
  .map((name) => ({
    name: `stories/${name}`,
    title: textOf(`stories/${name}`).split('\n')[0]?.slice(2) ?? '',
  }));

const thatFail = (all: typeof titles, isWrong: (title: string) => boolean): string[] =>
  all.filter(({ title }) => isWrong(title)).map(({ name, title }) => `${name}: ${title}`);

test('a test is called test in every file', () => {
  const others = /import \{[^}]*\bit\b[^}]*\} from 'vitest'/;
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((name) => others.test(textOf(name)))).toEqual([]);
});

test('a title says what is, not what should be', () => {
  expect(titles.length).toBeGreaterThan(1500);
  expect(thatFail(titles, (title) => /^should\b/i.test(title))).toEqual([]);
});

test('a title has no full stop', () => {
  expect(thatFail([...titles, ...storyTitles], (title) => /[^.]\.$/.test(title))).toEqual([]);
});

test('a title begins in lower case, or with a name', () => {
  const names = ['Hebrew', 'LibreOffice', 'Node', 'UserUnit'];
  const isSentence = (title: string) => /^[A-Z][a-z]/.test(title);
  const isName = (title: string) => names.some((name) => title.startsWith(name));
  expect(thatFail(titles, (title) => isSentence(title) && !isName(title))).toEqual([]);
});

test('a story has a title of its own', () => {
  const all = storyTitles.map(({ title }) => title);
  expect(all.length).toBeGreaterThan(100);
  expect(all.filter((title, index) => title === '' || all.indexOf(title) !== index)).toEqual([]);
});
