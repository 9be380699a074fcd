// Every rule of docs/service.md has a test, and every test that the table names exists. If the API's
// own description is available, each of its statements has a rule as well.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ASSUMED_POINTS } from '../../src/cli/describe/assumed-points.ts';
import { unitsOf } from './sentences.ts';
import { chosen, specification } from './specification.ts';

const ROOT = new URL('../../', import.meta.url);
/** The operator's description of the API, if ESIGN_SPECIFICATION names it: the rules are compared with it. */
const DESCRIPTION = process.env.ESIGN_SPECIFICATION ?? '';

const rows = specification();
const service = readFileSync(new URL('docs/service.md', ROOT), 'utf8');

/** The numbers of rules in the order of the page: in the first cell of a row, or in bold at the beginning of an item. */
const rules = [...service.matchAll(/^(?:\| |- \*\*)(\d+\.\d+)(?: \||\*\* \S)/gm)].map(
  ([, number = '']) => number,
);
const choices = [...service.matchAll(/^\| (A\d+) \|/gm)].map(([, number = '']) => number);

/** Returns the titles in the source of a test: the text after `test(` or the table of an `each`. */
function titlesIn(source: string): string[] {
  const titles = source.matchAll(
    /(?:\btest\(|\)\()\s*(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)"|`((?:\\.|[^`\\])*)`)/g,
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

describe('docs/service.md', () => {
  test('has a test for each of its rules, and a rule for each of those tests, in order', () => {
    expect(rules).toEqual(rows.flatMap(({ id, held }) => (held.by === 'test' ? [id] : [])));
    expect(rules.length).toBeGreaterThan(200);
  });

  test('has a test for each of its choices, and no others', () => {
    expect(choices).toEqual(Object.keys(ASSUMED_POINTS));
    expect([...new Set(chosen().map(({ point }) => point))]).toEqual(choices);
  });

  test('has every rule and choice that it refers to', () => {
    const named = [...service.matchAll(/\b(?:as |to )(\d+\.\d+)\b|\b(A\d+)\b/g)];
    const known = new Set([...rules, ...choices]);
    expect(named.map(([, rule, choice]) => rule ?? choice).filter((name) => !known.has(name ?? ''))).toEqual(
      [],
    );
  });

  test.runIf(DESCRIPTION)('has no sentence of the description as it is', () => {
    const flat = service.replaceAll(/\s+/g, ' ').toLowerCase();
    const sentences = unitsOf(readFileSync(DESCRIPTION, 'utf8'))
      .flatMap(({ text }) => text.split(/ ?\| ?/))
      .filter((text) => text.split(/\s+/).length > 7);
    expect(sentences.length).toBeGreaterThan(50);
    expect(sentences.filter((text) => flat.includes(text.toLowerCase()))).toEqual([]);
  });
});

describe('the table of rules', () => {
  test('has rows that can be read, each with a number of its own', () => {
    expect(
      rows.filter(
        ({ id, hash, says }) => !/^\d+\.\d+$/.test(id) || !/^[0-9a-f]{10}$/.test(hash) || says === '',
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
      ({ says, file, title }) => says === '' || !titlesOf(file).includes(title),
    );
    expect(missing).toEqual([]);
  });

  test('gives a reason for every other one', () => {
    expect(rows.filter(({ held }) => held.by !== 'test' && held.reason.length < 5)).toEqual([]);
  });

  test.runIf(DESCRIPTION)('covers every statement of the description once', () => {
    const units = unitsOf(readFileSync(DESCRIPTION, 'utf8'));
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
