// Every decision page is complete for a later reader: what was decided, when, whether it is still in force, and which
// alternatives were considered.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const FOLDER = new URL('../../src/decisions/', import.meta.url);
const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md'));

const HEAD =
  /^# (\d{4}) · \S.*\n\n\*\*Status:\*\* (?:accepted|proposed|superseded by (\d{4})) · \*\*Date:\*\* \d{4}-\d\d-\d\d\n\n/;

describe('decision pages', () => {
  test.each(pages)('%s has a title, a status, a date and the alternatives that were considered', (name) => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    const [, number, successor] = HEAD.exec(text) ?? [];
    expect(number, 'The first lines have to be as in 0001-assumed-points.md.').toBe(name.slice(0, 4));
    if (successor) expect(pages.some((page) => page.startsWith(successor))).toBe(true);
    const alternatives = text.split(/^(?:## |\*\*)Alternatives considered\.?(?:\*\*)?/m);
    expect(alternatives, 'A page needs one paragraph "**Alternatives considered.**".').toHaveLength(2);
    expect(alternatives[1]?.trim().length).toBeGreaterThan(80);
  });

  test('have numbers of their own', () => {
    const numbers = pages.map((name) => name.slice(0, 4));
    expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
  });
});
