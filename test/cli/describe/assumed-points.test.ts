// The list of assumed points is the one the code goes by.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/contract/operations.ts';
import { ASSUMED_POINTS } from '../../../src/cli/describe/assumed-points.ts';

const source = new URL('../../../src/', import.meta.url);
const numbers = Object.keys(ASSUMED_POINTS);

test('every number, in order, with what was chosen', () => {
  expect(numbers).toEqual(Array.from({ length: 48 }, (_, index) => `A${index + 1}`));
  for (const { about, choice } of Object.values(ASSUMED_POINTS)) {
    expect(about.length).toBeGreaterThan(3);
    expect(choice.length).toBeGreaterThan(10);
  }
});

test('every number that the code names is in the list', () => {
  const named = new Set<string>();
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }))
    if (/\.(ts|md)$/.test(name))
      for (const [, list = ''] of readFileSync(new URL(name, source), 'utf8').matchAll(
        /assumed: ((?:A\d+(?:, )?)+)/g,
      ))
        for (const [number] of list.matchAll(/A\d+/g)) named.add(number);
  for (const { assumed = [] } of Object.values(OPERATIONS) as { assumed?: readonly string[] }[])
    for (const number of assumed) named.add(number);
  expect(named.size).toBeGreaterThan(20);
  expect([...named].filter((number) => !numbers.includes(number))).toEqual([]);
});
