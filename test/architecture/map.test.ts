// The map of the code (`src/README.md`) names existing folders and files, and its rows are short.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const map = readFileSync(join(SRC, 'README.md'), 'utf8');
const rows = map.split('\n').filter((line) => line.startsWith('|'));

/** Paths in the first column: folders end with a slash. A second name is in the folder of the first. */
const named = rows.flatMap((row) => {
  const names = [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return names.map((name, index) => (index === 0 ? name : join(dirname(names[0] ?? ''), name)));
});

const isThere = (path: string): boolean => statSync(join(SRC, path), { throwIfNoEntry: false }) !== undefined;

test('every room and file that has a row is there', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !isThere(path))).toEqual([]);
});

test('every room of the first two floors has a row', () => {
  const folders = (path: string) =>
    readdirSync(join(SRC, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${path}${entry.name}/`);
  const rooms = folders('').flatMap((room) => [room, ...folders(room)]);
  expect(rooms.filter((room) => !named.includes(room) && room !== 'decisions/')).toEqual([]);
});

test('no row is longer than 160 characters', () => {
  expect(rows.filter((row) => row.length > 160)).toEqual([]);
});
