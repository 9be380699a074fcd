// Lines to write on: rules, thin boxes, underscores and dots are found where they are displayed; lines with something on them, borders
// and lines that cannot be seen are not.
import { describe, expect, test } from 'vitest';
import { findBlanks } from '../../../../src/pdf/text/blanks/find-blanks.ts';
import { helvetica, showAt, streamOf, textPdf } from '../../../support/documents/text-pdf.ts';
import { SLOW } from '../../../support/tier.ts';

type Found = { x: number; y: number; width: number };

const text = (x: number, y: number, words: string, size = 12): string =>
  showAt(x, y, helvetica.encode(words), size);

async function blanksOn(content: string, pieces: { page?: string; tree?: string } = {}): Promise<Found[]> {
  const result = await findBlanks(textPdf({ contents: [content], fonts: [helvetica], ...pieces }), {
    from: 0,
    to: 1,
  });
  if (!result.ok) throw new Error(result.reason);
  return result.pages.flatMap(({ blanks }) =>
    blanks.map(({ x, y, width }) => ({ x: Math.round(x), y: Math.round(y), width: Math.round(width) })),
  );
}

const LABEL = text(40, 80, 'Signature');

/** The page has 400 × 300 points. */
const LINE: Found[] = [{ x: 100, y: 200, width: 150 }];

describe('a line to write on', () => {
  test.each([
    ['a stroke', '1 w 100 100 m 250 100 l S'],
    ['a stroke that leans a little', '1 w 100 99.8 m 250 100.2 l S'],
    ['a thin box', '100 99.5 150 1 re f'],
    ['pieces drawn one by one', '1 w 100 100 m 150 100 l S 152 100 m 250 100 l S'],
    ['a stroke in scaled space', 'q .5 0 0 .5 0 0 cm 2 w 200 200 m 500 200 l S Q'],
    ['a dashed stroke', '[2 2] 0 d 1 w 100 100 m 250 100 l S'],
  ])('is %s', async (_, content) => {
    expect(await blanksOn(`${LABEL} ${content}`)).toEqual(LINE);
  });

  test('is drawn inside a form XObject', async () => {
    const form = streamOf(
      '1 w 0 0 m 150 0 l S',
      '/Type/XObject/Subtype/Form/BBox[0 -5 200 5]/Matrix[1 0 0 1 90 100]',
    );
    const pdf = textPdf({ contents: [`${LABEL} q 1 0 0 1 10 0 cm /Line Do Q`], fonts: [helvetica] });
    // The font is the last object; the form comes after it.
    const number = pdf.toString('latin1').match(/\d+ 0 obj/g)?.length ?? 0;
    const withForm = pdf
      .toString('latin1')
      .replace('/Resources<<', `/Resources<</XObject<</Line ${number + 1} 0 R>>`)
      .replace('xref', `${number + 1} 0 obj\n${form}\nendobj\nxref`);
    const result = await findBlanks(Buffer.from(withForm, 'latin1'), { from: 0, to: 1 });
    expect(
      result.ok && result.pages[0]?.blanks.map(({ x, width }) => [Math.round(x), Math.round(width)]),
    ).toEqual([[100, 150]]);
  });

  test.each([
    ['underscores', '_'.repeat(20)],
    ['dots', '.'.repeat(40)],
    ['middle dots', '\u00b7'.repeat(40)],
  ])('is made of %s', async (_, letters) => {
    const [result, ...others] = await blanksOn(`${LABEL} ${text(100, 100, letters)}`);
    expect(others).toEqual([]);
    expect(result?.x).toBe(100);
    expect(Math.abs((result?.y ?? 0) - 199)).toBeLessThan(4);
    expect(Math.abs((result?.width ?? 0) - 134)).toBeLessThan(4);
  });

  test('is as wide as its underscores that are apart', async () => {
    const [result] = await blanksOn(`${LABEL} ${text(100, 100, '_ _ _ _ _ _ _ _')}`);
    expect(result).toMatchObject({ x: 100 });
    expect(result!.width).toBeGreaterThan(70);
  });

  test.each([
    ['90', { x: 100, y: 100, width: 150 }],
    ['180', { x: 150, y: 100, width: 150 }],
    ['270', { x: 200, y: 100, width: 150 }],
  ])('stands where a page turned by %s° shows it', async (turn, expected) => {
    // Along the edges of the page as it is displayed.
    const lines: Record<string, string> = {
      90: '300 100 m 300 250 l S',
      180: '100 100 m 250 100 l S',
      270: '100 50 m 100 200 l S',
    };
    const result = await blanksOn(`1 w ${lines[turn]} ${LABEL}`, { page: `/Rotate ${turn}` });
    expect(result).toHaveLength(1);
    expect(result[0]!.width).toBe(expected.width);
    const size = turn === '180' ? { width: 400, height: 300 } : { width: 300, height: 400 };
    expect(result[0]!.x + result[0]!.width).toBeLessThanOrEqual(size.width);
    expect(result[0]!.y).toBeLessThanOrEqual(size.height);
  });

  test('is measured from the crop box', async () => {
    const result = await blanksOn(`${LABEL} 1 w 100 100 m 250 100 l S`, { page: '/CropBox[20 30 400 280]' });
    expect(result).toEqual([{ x: 80, y: 180, width: 150 }]);
  });
});

test('of two lines close to each other the upper one is to be written on', async () => {
  const result = await blanksOn(`${LABEL} 1 w 100 100 m 250 100 l S 100 104 m 250 104 l S`);
  expect(result).toEqual([{ x: 100, y: 196, width: 150 }]);
});

describe('not a line to write on', () => {
  test.each([
    ['a line under text', '', `${text(100, 101, 'a deposit of two rents')} .5 w 100 100 m 220 100 l S`],
    ['a short stroke', LABEL, '1 w 100 100 m 120 100 l S'],
    ['two underscores', LABEL, text(100, 100, '__')],
    ['the end of a sentence', LABEL, text(100, 100, 'and so on ...')],
    ['a stroke in the color of paper', LABEL, '1 1 1 RG 1 w 100 100 m 250 100 l S'],
    ['an upright stroke', LABEL, '1 w 100 100 m 100 250 l S'],
    ['a slanting stroke', LABEL, '1 w 100 100 m 250 130 l S'],
    ['a curve', LABEL, '1 w 100 100 m 150 101 200 101 250 100 c S'],
    ['a box that is filled', LABEL, '.9 g 100 100 150 40 re f'],
    ['a path that is only a clip', LABEL, '100 100 150 1 re W n'],
    ['a stroke beyond the page', LABEL, '1 w 100 -50 m 250 -50 l S'],
    [
      'a border of a table',
      `${text(110, 126, 'Price')} ${text(110, 106, 'Sum')}`,
      '1 w 100 100 150 40 re S 100 120 m 250 120 l S',
    ],
  ])('is %s', async (_, label, content) => {
    expect(await blanksOn(`${label} ${content}`)).toEqual([]);
  });

  test('is turned text', async () => {
    const turned = `BT /F0 12 Tf 0 1 -1 0 100 100 Tm ${helvetica.encode('_'.repeat(20))} Tj ET`;
    expect(await blanksOn(`${LABEL} ${turned}`)).toEqual([]);
  });
});

test('words come without the letters that are lines', async () => {
  const pdf = textPdf({
    contents: [text(40, 100, `Name: ${'_'.repeat(20)} Date: ${'.'.repeat(30)}`, 10)],
    fonts: [helvetica],
  });
  const result = await findBlanks(pdf, { from: 0, to: 1 });
  expect(result.ok && result.pages[0]?.words.map((word) => word.text)).toEqual(['Name:', 'Date:']);
  expect(result.ok && result.pages[0]?.blanks).toHaveLength(2);
});

test('an empty cell of a table is one, and a cell with words is none', async () => {
  const grid = '1 w 100 100 200 40 re S 100 120 m 300 120 l S 200 100 m 200 140 l S';
  const content = `${text(110, 126, 'Name')} ${text(210, 126, 'Signature')} ${text(110, 106, 'Ada')} ${grid}`;
  const result = await findBlanks(textPdf({ contents: [content], fonts: [helvetica] }), { from: 0, to: 1 });
  expect(result.ok && result.pages[0]?.blanks).toMatchObject([
    { x: 200, y: 200, width: 100, room: 20, isCell: true },
  ]);
});

test('a line that is filled in is a rule', async () => {
  const content = `${text(110, 102, 'Ada Lovelace')} 1 w 100 100 m 250 100 l S`;
  const result = await findBlanks(textPdf({ contents: [content], fonts: [helvetica] }), { from: 0, to: 1 });
  expect(result.ok && result.pages[0]).toMatchObject({ blanks: [], rules: [{ x: 100, y: 200, width: 150 }] });
});

test('pages without a line are omitted, except for the first ones, where the parties are introduced', async () => {
  const line = `${LABEL} 1 w 100 100 m 250 100 l S`;
  const contents = [...Array.from({ length: 6 }, () => LABEL), line, LABEL];
  const result = await findBlanks(textPdf({ contents, fonts: [helvetica] }), { from: 0, to: 8 });
  expect(result.ok && result.pages.map(({ page }) => page)).toEqual([0, 1, 2, 3, 4, 6]);
});

test.skipIf(!SLOW)('a page of many thousand lines ends early, with what was found until then', async () => {
  const many = Array.from(
    { length: 40_000 },
    (_, index) => `${index % 300} ${index % 290} m 350 ${index % 290} l S`,
  );
  const result = await findBlanks(textPdf({ contents: [many.join('\n')], fonts: [helvetica] }), {
    from: 0,
    to: 1,
  });
  expect(result.ok).toBe(true);
});
