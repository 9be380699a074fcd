// Every folder of tests has the name of a folder of src, or is a kind of test that test/README.md explains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LONGEST } from '../support/longest-first.ts';
import { SLOW_FILES } from '../support/slow-files.ts';
import { filesOfOtherLandings } from '../support/turns.ts';

const TEST = new URL('../', import.meta.url);
const SRC = new URL('../../src/', import.meta.url);
const readme = readFileSync(new URL('README.md', TEST), 'utf8');

/** Returns the names in the first cell of a row, or at the beginning of the line "Beside them". */
const namedIn = (from: string, to: string): string[] => {
  const part = readme.slice(readme.indexOf(from), readme.indexOf(to));
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `') || line.startsWith('Beside them'))
    .flatMap((line) => [
      ...(line.startsWith('|') ? (line.split('|')[1] ?? '') : line).matchAll(/`([\w.-]+\/?)`/g),
    ])
    .map(([, name = '']) => name);
};

const folders = (of: URL, within = ''): string[] =>
  readdirSync(new URL(within, of), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => `${within}${entry.name}/`);

const kinds = namedIn('## Where', '## Helpers of tests');
const support = namedIn('## Helpers of tests', '## How');

test('a folder of tests has the name of a folder of src, at every depth, or is a kind of its own', () => {
  const mirrored = (within: string): string[] =>
    folders(TEST, within).flatMap((folder) => (kinds.includes(folder) ? [] : [folder, ...mirrored(folder)]));
  const found = mirrored('');
  expect(found.length).toBeGreaterThan(30);
  expect(found.filter((folder) => !existsSync(new URL(folder, SRC)))).toEqual([]);
});

test('test/README.md names folders and files that exist', () => {
  expect(kinds.length).toBeGreaterThan(12);
  expect(kinds.filter((kind) => !existsSync(new URL(kind, TEST)))).toEqual([]);
  expect(support.filter((name) => !existsSync(new URL(`support/${name}`, TEST)))).toEqual([]);
});

test('test/README.md names everything in test/support that tests import', () => {
  const there = readdirSync(new URL('support/', TEST), { withFileTypes: true });
  const names = there.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
  /** One is named by the configuration, the other is a detail of `browser/`. */
  const others = ['setup.ts', 'reporter.ts', 'chromium.ts'];
  expect(names.filter((name) => !support.includes(name) && !others.includes(name))).toEqual([]);
});

test('lists of test files name files that exist, and each file has one turn', () => {
  const turns = [...filesOfOtherLandings(0), ...filesOfOtherLandings(1)];
  const listed = [...SLOW_FILES, ...turns, ...LONGEST.map((name) => `test/${name}.test.ts`)];
  expect(listed.filter((name) => !existsSync(new URL(`../${name}`, TEST)))).toEqual([]);
  expect(new Set(turns).size).toBe(turns.length);
});
