// Reading the file of what this machine has seen, with lines of any origin.
import { expect, test } from 'vitest';
import { mergeEntries, type RecentEntry } from '../../../src/cli/recent/store.ts';

const SOUND = {
  kind: 'transaction',
  id: 'T1',
  service: 'sandbox',
  atMs: 1_780_000_000_000,
  name: 'Agreement',
  outcome: 'started',
  people: ['ada@example.com'],
  names: ['Ada'],
  pending: null,
  updated: '2026-11-22T10:00:00.000Z',
} satisfies RecentEntry;

const ODD = JSON.parse('{"toString":1,"length":2,"map":1}');

test.each([
  ['kind', 'invoice'],
  ['kind', 1],
  ['id', 1],
  ['service', null],
  ['atMs', 'now'],
  ['atMs', 1e308],
])('a line whose %s is %j is omitted, those around it are read', (property, value) => {
  const lines = [SOUND, { ...SOUND, id: 'T2', [property]: value }, { ...SOUND, id: 'T3' }];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  expect(mergeEntries(text).map(({ id }) => id)).toEqual(['T3', 'T1']);
});

test.each([
  ['name', ODD],
  ['outcome', [ODD]],
  ['updated', 5],
  ['pending', ODD],
  ['people', null],
  ['people', 'ada@example.com'],
  ['people', [null]],
  ['names', ODD],
  ['stays', 'yes'],
  ['isGone', 1],
  ['toString', 1],
])('of a line whose %s is %j the rest is read', (property, value) => {
  const { [property]: _, ...rest } = SOUND as Record<string, unknown>;
  expect(mergeEntries(JSON.stringify({ ...SOUND, [property]: value }))).toEqual([rest]);
});

test.each(['', 'null', '[]', '{"kind":"transaction"', '"x"', '7'])('%j is no entry', (line) => {
  expect(mergeEntries(`${line}\n${JSON.stringify(SOUND)}\n${line}`)).toEqual([SOUND]);
});
