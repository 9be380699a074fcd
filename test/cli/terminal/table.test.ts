// Tables at any width: no line is wider than the terminal, and what identifies a thing is there as a whole.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Column } from '../../../src/cli/command/outcome.ts';
import { createPaint, PLAIN } from '../../../src/cli/terminal/color.ts';
import { formatDistance, formatLocalTime } from '../../../src/cli/terminal/local-time.ts';
import { drawTable } from '../../../src/cli/terminal/table.ts';
import { createRuler } from '../../../src/cli/terminal/text-width.ts';

const ID = '01a1f91f-5cbf-74eb-a7af-b5b0692e9cd4';
const EMAIL = 'grace.hopper@navy.example.com';
const COLUMNS = ['ID', { name: 'NAME', fit: 'cuts' }, 'E-MAIL', { name: 'COMPANY', fit: 'cuts' }] as const;
const row = (name: string, company: string) => [ID, name, EMAIL, company];

const { widthOf, shortened, wrapped } = await createRuler();

/** What was broken to fit is put together again. */
const joined = (text: string) => text.replace(/\s+/g, '');

describe('a table', () => {
  test('fits the terminal, and what identifies a thing is whole', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 90 }),
      fc.constantFrom(
        '日本太郎'.repeat(9),
        'é'.repeat(30),
        '🖊️ 👩‍🚀 pen',
        'Zoë Ångström',
        '',
        'see https://example.com/a/rather/long/address now',
      ),
    );
    const printable = text.map((one) => one.replace(/[\p{C}\p{Z}]/gu, ' '));
    const column = fc.record({
      name: fc.constantFrom('', 'ID', 'E-MAIL', 'A LONG NAME'),
      fit: fc.constantFrom<Column['fit']>(undefined, undefined, 'cuts', 'wraps'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(column, { minLength: 1, maxLength: 6 }),
        fc.array(fc.array(printable, { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(60, 80, 100, 200),
        async (some, cells, width) => {
          const columns = some.map(({ name, fit }, index) => ({
            name,
            ...(fit !== undefined && (fit === 'cuts' || index === some.length - 1) && { fit }),
          }));
          const drawn = await drawTable({ columns, rows: cells }, PLAIN, width);
          for (const line of drawn.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(width);
          for (const [at, { fit }] of columns.entries())
            if (fit !== 'cuts')
              for (const cell of cells) expect(joined(drawn)).toContain(joined(cell[at] ?? ''));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('empty columns are counted as wide as they are drawn', async () => {
    const columns = ['', '', '', { name: '', fit: 'cuts' }] as const;
    const drawn = await drawTable({ columns, rows: [['x', '', '', 'y'.repeat(99)]] }, PLAIN, 60);
    expect(widthOf(drawn)).toBe(60);
  });

  test('long text loses its end, short columns nothing', async () => {
    const drawn = await drawTable(
      { columns: COLUMNS, rows: [row('Grace', 'United States Navy and all who sail in her')] },
      PLAIN,
      100,
    );
    expect(drawn.split('\n')[1]).toBe(`${ID}  Grace  ${EMAIL}  United States Navy and…`);
  });

  test('what does not fit on the line stands below it, and so does its head', async () => {
    const rows = [row('Grace', 'Navy'), row('Ada', '')];
    expect(await drawTable({ columns: COLUMNS, rows }, PLAIN, 60)).toBe(
      [
        'ID                                    NAME',
        '  E-MAIL                         COMPANY',
        `${ID}  Grace`,
        `  ${EMAIL}  Navy`,
        `${ID}  Ada`,
        `  ${EMAIL}`,
      ].join('\n'),
    );
  });

  test('columns that the page of the thing shows are omitted before anything is folded', async () => {
    const columns = ['ID', { name: 'LATER', leaveOut: 2 }, { name: 'FIRST', leaveOut: 1 }];
    const drawn = (width: number) =>
      drawTable({ columns, rows: [[ID, 'b'.repeat(10), 'c'.repeat(20)]] }, PLAIN, width);
    expect(await drawn(70)).toContain('ccc');
    expect(await drawn(69)).toBe(`ID                                    LATER\n${ID}  bbbbbbbbbb`);
    expect(await drawn(45)).toBe(`ID\n${ID}`);
  });

  test('sentences are wrapped in their column', async () => {
    const columns = ['', 'CHECK', { name: '', fit: 'wraps' as const }];
    const rows = [['ok', 'node', 'one two three four five six seven eight nine ten']];
    expect(await drawTable({ columns, rows }, PLAIN, 44)).toBe(
      '    CHECK\nok  node   one two three four five six seven\n           eight nine ten',
    );
  });

  test('too narrow for what must stay whole: a block a row, the mark before the first value', async () => {
    const columns = ['', 'NAME', 'E-MAIL', 'NOTE', 'OTHER'];
    const rows = [
      ['›', 'Grace', EMAIL, '', 'o'.repeat(20)],
      ['·', 'Ada', EMAIL, 'x y '.repeat(8).trim(), ''],
    ];
    expect(await drawTable({ columns, rows }, PLAIN, 30)).toBe(
      `NAME    › Grace\nE-MAIL\n${EMAIL}\nOTHER   ${'o'.repeat(20)}\n\n` +
        `NAME    · Ada\nE-MAIL\n${EMAIL}\nNOTE    x y x y x y x y x y x\n        y x y x y`,
    );
  });

  test('an address that no line holds stays in one piece, on a line of its own', () => {
    const address = `https://example.com/sign?token=${'x'.repeat(50)}`;
    expect(wrapped(`open ${address} now`, 60)).toEqual(['open', address, 'now']);
    expect(wrapped('x'.repeat(70), 60)).toEqual(['x'.repeat(60), 'x'.repeat(10)]);
  });

  test.each([undefined, 0])('a terminal of unknown width (%s) shortens nothing', async (width) => {
    const long = 'x y '.repeat(200).trim();
    expect(await drawTable({ columns: ['A'], rows: [[long]] }, PLAIN, width)).toContain(long);
  });

  test('the mark carries the color, the words carry the meaning', async () => {
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
    expect(formatLocalTime(`${shown.slice(0, 10)}T09:00:00.000Z`, zone)).toBe(shown);
  });

  test('what is no time stays as it is', () => {
    expect(formatLocalTime('soon')).toBe('soon');
    expect(formatDistance('soon', 0)).toBeUndefined();
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
    expect(formatDistance(new Date(now + ms).toISOString(), now)).toBe(words);
  });
});
