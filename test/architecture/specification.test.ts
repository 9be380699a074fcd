// The specification and the tests, held together: no statement without a test, no test that is only said to exist.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ASSUMED_POINTS } from '../../src/cli/describe/assumed-points.ts';
import { needsSpecification, SPECIFICATION } from '../support/needs.ts';
import { unitsOf } from './sentences.ts';
import { chosen, specification } from './specification.ts';

const ROOT = new URL('../../', import.meta.url);
const need = needsSpecification();

const rows = specification();

/** Titles as they stand in the source of a test: what follows `it(`, `test(` or the table of an `each`. */
function titlesIn(source: string): string[] {
  const titles = source.matchAll(
    /(?:\b(?:it|test)\(|\)\()\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g,
  );
  return [...titles].map(([, single, double, back]) =>
    (single ?? double ?? back ?? '').replaceAll(/\\(.)/g, '$1'),
  );
}

const titles = new Map<string, string[]>();

function titlesOf(file: string): string[] {
  const known = titles.get(file);
  if (known) return known;
  const path = new URL(file, ROOT);
  const found = existsSync(path) ? titlesIn(readFileSync(path, 'utf8')) : [];
  titles.set(file, found);
  return found;
}

describe('the table of the specification', () => {
  test('has rows that can be read, each with a number of its own', () => {
    expect(
      rows.filter(
        ({ id, hash, says }) => !/^S\d+\.\d+$/.test(id) || !/^[0-9a-f]{10}$/.test(hash) || says === '',
      ),
    ).toEqual([]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.hash)).size).toBe(rows.length);
  });

  test('names a test that exists for every statement that can be held', () => {
    const missing = rows.flatMap(({ id, held }) =>
      held.by === 'test' && !titlesOf(held.file).includes(held.title)
        ? [`${id}: ${held.file} › ${held.title}`]
        : [],
    );
    expect(missing).toEqual([]);
  });

  test('names a test that exists for every choice of ours that it has a row for', () => {
    const missing = chosen().filter(
      ({ point, says, file, title }) =>
        says === '' || !Object.hasOwn(ASSUMED_POINTS, point) || !titlesOf(file).includes(title),
    );
    expect(missing).toEqual([]);
    expect(chosen().length).toBeGreaterThan(0);
  });

  test('gives a reason for every other one, and waits only for what is not there yet', () => {
    const others = rows.filter(({ held }) => held.by !== 'test');
    expect(others.filter(({ held }) => held.by !== 'test' && held.reason.length < 5)).toEqual([]);
    const awaited = others.filter(({ held }) => held.by === 'later').map((row) => row.id);
    expect(awaited).toEqual(['S1.8', 'S6.1', 'S6.2']);
  });

  test.skipIf(need.skip)(`covers every statement once${need.why}`, () => {
    const units = unitsOf(readFileSync(SPECIFICATION, 'utf8'));
    const known = new Map(rows.map((row) => [row.hash, row]));
    expect(
      units
        .filter((unit) => !known.has(unit.hash))
        .map(({ section, text, hash }) => `${section}: ${text} (${hash})`),
    ).toEqual([]);
    const said = new Set(units.map((unit) => unit.hash));
    expect(rows.filter((row) => !said.has(row.hash)).map((row) => `${row.id} ${row.says}`)).toEqual([]);
    expect(units).toHaveLength(rows.length);
    expect(rows.map((row) => row.hash)).toEqual(units.map((unit) => unit.hash));
  });
});
