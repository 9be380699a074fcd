// Boxes drawn over the picture of a page: cut to their box whatever is written in them, every character visible, and the
// picture elsewhere is the one without boxes.
import { describe, expect, test } from 'vitest';
import { DOCUMENT_LIMITS } from '../../../src/pdf/limits.ts';
import type { FieldOverlay } from '../../../src/pdf/render/field-overlays.ts';
import { renderPage } from '../../../src/pdf/render/render.ts';
import { pagesPdf, pdfOf } from '../../support/documents/pdf.ts';
import { type Picture, pngOfPage, readPixels } from '../../support/documents/pixels.ts';
import { boundsOf } from '../../support/documents/turned-pages.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const DPI = 144;
const PAGE = pagesPdf(['/MediaBox[0 0 300 200]']);
const BLUE = [0, 0, 255] as const;

const mark = (input: Partial<FieldOverlay> = {}): FieldOverlay => ({
  ...{ x: 50, y: 60, width: 120, height: 40 },
  ...{ color: BLUE, title: 'Ada', subtitle: 'signature', isRequired: true },
  ...input,
});

const drawn = async (marks: readonly FieldOverlay[], pdf: Uint8Array = PAGE): Promise<Picture> =>
  readPixels(await pngOfPage(pdf, 0, { dpi: DPI, maxPixels: 8_000_000, marks }));

const isNotWhite = (red: number, green: number, blue: number) => red + green + blue < 760;
/** White letters stand on the plate of the title. */
const isWhite = (red: number, green: number, blue: number) => red + green + blue > 700;

/** Counts how many pixels of a part of the picture are wanted. */
function count(
  { width, rgba }: Picture,
  [left, top, right, bottom]: readonly number[],
  isWanted: (red: number, green: number, blue: number) => boolean,
): number {
  let result = 0;
  for (let y = top!; y < bottom!; y += 1)
    for (let x = left!; x < right!; x += 1) {
      const at = (y * width + x) * 4;
      if (isWanted(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)) result += 1;
    }
  return result;
}

const HOSTILE = {
  'very long': 'x'.repeat(100_000),
  'control characters': '\u202eevil\u0000\u001b[31m\n\n\n\tlines',
  'many scripts': '漢字 علي Ωмега नमस्ते 🖊️',
  'no characters': '\ud800\udfff\uffff',
  empty: '',
  'a space': ' ',
  'PDF operators': ')Tj ET Q 0 0 300 200 re f',
};

test.each(sampleOf(Object.entries(HOSTILE), 4))('nothing leaves the box: %s', async (_, text) => {
  for (const size of [{}, { width: 12, height: 12 }, { width: 3, height: 80 }, { width: 200, height: 2 }]) {
    const input = mark({ title: text, subtitle: text, ...size });
    const pixels = boundsOf(await drawn([input]), isNotWhite)!;
    expect(pixels.x).toBeGreaterThanOrEqual(input.x * 2 - 1);
    expect(pixels.y).toBeGreaterThanOrEqual(input.y * 2 - 1);
    expect(pixels.x + pixels.width).toBeLessThanOrEqual((input.x + input.width) * 2 + 1);
    expect(pixels.y + pixels.height).toBeLessThanOrEqual((input.y + input.height) * 2 + 1);
  }
});

describe('labels', () => {
  /** It has the line of the title, without the edge. */
  const TITLE = [104, 122, 336, 140];
  const letters = async (title: string) => count(await drawn([mark({ title })]), TITLE, isWhite);

  test.skipIf(!SLOW)('there is something to see of every character', async () => {
    for (const character of ['A', 'ß', '€', '字', 'ع', 'Ω', 'न', '🖊']) {
      // Between two letters that are known to be drawn.
      const [with_, without] = [await letters(`i${character}i`), await letters('ii')];
      expect([character, with_ > without]).toEqual([character, true]);
    }
  });

  test('what cannot be drawn has the width of what it stands for: two differ from one', async () => {
    expect(await letters('字字')).toBeGreaterThan(await letters('字'));
  });

  test('Hebrew begins at the right', async () => {
    // Yod is a small stroke, shin as wide as a letter gets.
    const left = async (title: string) =>
      count(await drawn([mark({ title })]), [106, 122, 112, 140], isWhite);
    expect(await left('\u05d9\u05e9\u05e9')).toBeGreaterThan(await left('\u05e9\u05e9\u05d9'));
  });

  test('letters that PDFium lacks come from the fonts that come along: no frames', async () => {
    const frame = await letters('字字字字字字');
    const polish = await drawn([mark({ title: 'łłłłłł' })]);
    // Six upright strokes have less ink than six frames.
    expect(count(polish, TITLE, isWhite)).toBeGreaterThan(0);
    expect(count(polish, TITLE, isWhite)).toBeLessThan(frame);
  });

  test('who and what; a low box has both on one line', async () => {
    const pictures = await Promise.all([
      drawn([mark({ title: 'Ada', subtitle: 'City' })]),
      drawn([mark({ title: 'Bob', subtitle: 'City' })]),
      drawn([mark({ title: 'Ada', subtitle: 'Date' })]),
      drawn([mark({ title: 'Ada', subtitle: 'City', height: 10 })]),
      drawn([mark({ title: 'Ada', subtitle: 'Date', height: 10 })]),
    ]);
    expect(new Set(pictures.map(({ rgba }) => Buffer.from(rgba).toString('base64'))).size).toBe(5);
  });

  test('a box for a tick still says whose it is', async () => {
    const of = async (title: string) =>
      Buffer.from((await drawn([mark({ title, width: 12, height: 12 })])).rgba).toString('base64');
    expect(await of('Ada')).not.toBe(await of('Bob'));
  });
});

test('the edge of what must be filled in is whole, that of another is dashed', async () => {
  const [whole, dashed] = [await drawn([mark()]), await drawn([mark({ isRequired: false })])];
  const bottom = [104, 198, 336, 200];
  const isBlue = (red: number, _: number, blue: number) => blue > 200 && red < 100;
  expect(count(whole, bottom, isBlue)).toBe(2 * (336 - 104));
  expect(count(dashed, bottom, isBlue)).toBeGreaterThan(100);
  expect(count(dashed, bottom, isBlue)).toBeLessThan(400);
});

test('a form field, which is drawn last, does not hide a box', async () => {
  const fill = '0 1 0 rg 0 0 120 40 re f';
  const pdf = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R]>>',
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[50 100 170 140]/AP<</N 5 0 R>>>>',
    `<</Type/XObject/Subtype/Form/BBox[0 0 120 40]/Length ${fill.length}>>\nstream\n${fill}\nendstream`,
  ]);
  const [plain, marked] = [await drawn([], pdf), await drawn([mark()], pdf)];
  expect(plain.at(320, 160).slice(0, 3)).toEqual([0, 255, 0]);
  expect(marked.at(320, 160)[2]).toBeGreaterThan(20);
  expect(marked.at(101, 121).slice(0, 3)).toEqual([0, 0, 255]);
});

test('the picture beside the boxes, and the next picture without any, are as ever', async () => {
  const bytes = Uint8Array.from(PAGE);
  const plain = await drawn([]);
  const marked = await drawn([mark()]);
  expect(count(marked, [0, 0, 600, 118], isNotWhite)).toBe(0);
  expect(Buffer.compare(marked.rgba, plain.rgba)).not.toBe(0);
  expect(Buffer.compare((await drawn([])).rgba, plain.rgba)).toBe(0);
  expect(PAGE).toEqual(Buffer.from(bytes));
});

test.skipIf(!SLOW)('as many boxes as a transaction may have fields, and no more', async () => {
  const many = Array.from({ length: DOCUMENT_LIMITS.marks + 1 }, (_, index) =>
    mark({ x: 0, y: 0, width: 40, height: 20, ...(index === DOCUMENT_LIMITS.marks && { x: 200 }) }),
  );
  const picture = await drawn(many);
  expect(count(picture, [0, 0, 90, 50], isNotWhite)).toBeGreaterThan(100);
  expect(count(picture, [390, 0, 600, 50], isNotWhite)).toBe(0);
});

test('a page that cannot be drawn is refused with boxes as without', async () => {
  await expect(renderPage(PAGE, 3, { dpi: 72, maxPixels: 5000, marks: [mark()] })).rejects.toThrow(
    'no page 3',
  );
});
