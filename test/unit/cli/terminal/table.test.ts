// Tables at any width: no line is wider than the terminal, no id, address or e-mail is cut.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPaint, PLAIN } from '../../../../src/cli/terminal/color.ts';
import { awayInWords, localTime } from '../../../../src/cli/terminal/local-time.ts';
import { drawTable } from '../../../../src/cli/terminal/table.ts';
import { createRuler } from '../../../../src/cli/terminal/text-width.ts';

const ID = '01a1f91f-5cbf-74eb-a7af-b5b0692e9cd4';
const EMAIL = 'grace.hopper@navy.example.com';
const COLUMNS = ['ID', 'NAME', 'E-MAIL', 'COMPANY'];
const row = (name: string, company: string) => [ID, name, EMAIL, company];

const { widthOf, shortened } = await createRuler();

describe('a table', () => {
  test('fits the terminal, and what must stay whole is whole', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom('日本太郎'.repeat(9), 'é'.repeat(30), '🖊️ 👩‍🚀 pen', 'Zoë Ångström', ''),
    );
    const printable = text.map((one) => one.replace(/[\p{C}\p{Z}]/gu, ' '));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(printable, printable), { minLength: 1, maxLength: 5 }),
        fc.constantFrom(20, 60, 100, 200),
        async (pairs, width) => {
          const rows = pairs.map(([name, company]) => row(name, company));
          const lines = (await drawTable({ columns: COLUMNS, rows }, PLAIN, width)).split('\n');
          expect(lines.filter((line) => line.includes(ID))).toHaveLength(rows.length);
          expect(lines.filter((line) => line.includes(EMAIL))).toHaveLength(rows.length);
          if (width >= 100) for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('long text loses its end, short columns nothing', async () => {
    const drawn = await drawTable(
      { columns: COLUMNS, rows: [row('Grace', 'United States Navy and all who sail in her')] },
      PLAIN,
      100,
    );
    expect(drawn.split('\n')[1]).toBe(`${ID}  Grace  ${EMAIL}  United States Navy and…`);
  });

  test('too narrow for what must stay whole: a block a row, the mark before the first value', async () => {
    const columns = ['', 'NAME', 'E-MAIL', 'NOTE'];
    const rows = [
      ['›', 'Grace', EMAIL, ''],
      ['·', 'Ada', EMAIL, 'x'],
    ];
    expect(await drawTable({ columns, rows }, PLAIN, 30)).toBe(
      `NAME    › Grace\nE-MAIL  ${EMAIL}\n\nNAME    · Ada\nE-MAIL  ${EMAIL}\nNOTE    x`,
    );
  });

  test.each([undefined, 0])('a terminal of unknown width (%s) shortens nothing', async (width) => {
    const long = 'x y '.repeat(200).trim();
    expect(await drawTable({ columns: ['A'], rows: [[long]] }, PLAIN, width)).toContain(long);
  });

  test('the mark carries the colour, the words carry the meaning', async () => {
    const paint = await createPaint(1);
    const drawn = await drawTable({ columns: ['', 'WHO'], rows: [['✓', 'Ada']], tones: ['good'] }, paint, 80);
    expect(drawn).toContain('\u001b[32m✓\u001b[39m  Ada');
  });
});

describe('width', () => {
  test.each([
    ['日本', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['abc', 3],
  ])('%s takes %d columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  test('no character is cut in two', () => {
    expect(shortened('日本太郎', 4)).toBe('日…');
    expect(shortened('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…');
    expect(shortened('👍🏽👍🏽👍🏽', 3)).toBe('👍🏽…');
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('abc', 0)).toBe('…');
  });
});

describe('times for a person', () => {
  test.each([
    ['Europe/Berlin', '2026-11-20 10:00:00 CET'],
    ['Europe/Berlin', '2026-07-20 11:00:00 CEST'],
    ['Asia/Kolkata', '2026-11-20 14:30:00 GMT+5:30'],
    ['UTC', '2026-11-20 09:00:00 UTC'],
  ])('in %s', (zone, shown) => {
    expect(localTime(`${shown.slice(0, 10)}T09:00:00.000Z`, zone)).toBe(shown);
  });

  test('what is no time stays as it is', () => {
    expect(localTime('soon')).toBe('soon');
    expect(awayInWords('soon', 0)).toBeUndefined();
  });

  test.each([
    [3 * 86_400_000 - 5000, 'in 3 days'],
    [86_400_000, 'in 24 hours'],
    [2 * 3_600_000, 'in 2 hours'],
    [60_000, 'in 1 minute'],
    [10_000, 'in less than a minute'],
    [-3_600_000 * 5, '5 hours ago'],
  ])('%d ms away: %s', (ms, words) => {
    const now = Date.parse('2026-11-20T10:00:00.000Z');
    expect(awayInWords(new Date(now + ms).toISOString(), now)).toBe(words);
  });
});
