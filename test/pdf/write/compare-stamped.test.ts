// Which pages of a stamped document are compared with what signers saw, and what counts as a difference.
import { describe, expect, test } from 'vitest';
import { compareStamped, isCopiedAsShown, showsOther } from '../../../src/pdf/write/compare-stamped.ts';
import { stampPdf } from '../../../src/pdf/write/stamp-pdf.ts';
import { contentPdf, pdfOf } from '../../support/documents/pdf.ts';
import { stampField } from '../../support/documents/stamped-pdf.ts';

type Color = [number, number, number];
const WHITE: Color = [255, 255, 255];

/** A white picture on which some boxes have a color: left, top, width, height. */
function picture(...boxes: [Color, number, number, number, number][]) {
  const [width, height] = [60, 40];
  const rgbx = new Uint8Array(width * height * 4).fill(255);
  for (const [color, left, top, across, down] of boxes)
    for (let y = top; y < top + down; y += 1)
      for (let x = left; x < left + across; x += 1) rgbx.set(color, (y * width + x) * 4);
  return { rgbx, width, height };
}

const BLACK: Color = [0, 0, 0];
const gray = (value: number): Color => [value, value, value];

describe('pictures', () => {
  const line = picture([BLACK, 10, 20, 40, 1]);

  test.each([
    ['a line that is missing', picture()],
    ['a line that is a millimetre lower', picture([BLACK, 10, 25, 40, 1])],
    ['a line in red', picture([[255, 0, 0], 10, 20, 40, 1])],
    ['a full stop more', picture([BLACK, 10, 20, 40, 1], [BLACK, 5, 5, 2, 2])],
    ['a pale background', picture([gray(220), 0, 0, 60, 14], [BLACK, 10, 20, 40, 1])],
    ['another size', { ...line, width: 40, height: 60 }],
  ])('differ by %s', (_, other) => {
    expect(showsOther(line, other)).toBe(true);
    expect(showsOther(other, line)).toBe(true);
  });

  test.each([
    ['what they are', line],
    ['a line that lies half a pixel lower', picture([gray(128), 10, 20, 40, 1], [gray(127), 10, 21, 40, 1])],
    ['edges that are darker', picture([gray(190), 10, 19, 40, 1], [BLACK, 10, 20, 40, 1])],
    ['an edge of the page that is cut', picture([BLACK, 10, 20, 40, 1], [BLACK, 0, 39, 60, 1])],
    ['a color that is rounded', picture([gray(250), 0, 0, 60, 20], [BLACK, 10, 20, 40, 1])],
  ])('do not differ by %s', (_, other) => expect(showsOther(line, other)).toBe(false));

  test('show white alike', () => expect(showsOther(picture([WHITE, 0, 0, 5, 5]), picture())).toBe(false));
});

const page = (entries: string, catalog = '', ...more: string[]) =>
  pdfOf([
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 200]>>',
    `<</Type/Page/Parent 2 0 R${entries}>>`,
    ...more,
  ]);
const annotation = (subtype: string) =>
  `<</Type/Annot/Subtype/${subtype}/Rect[40 60 120 80]/AP<</N 5 0 R>>>>`;
const SQUARE =
  '<</Type/XObject/Subtype/Form/BBox[0 0 10 10]/Length 24>>\nstream\n1 0 0 rg 0 0 10 10 re f \nendstream';
const link = page('/Annots[4 0 R]', '', '<</Type/Annot/Subtype/Link/Rect[40 60 120 80]>>');
const note = page('/Annots[4 0 R]', '', annotation('Stamp'), SQUARE);
const layers = page('', '/OCProperties<</OCGs[4 0 R]/D<<>>>>', '<</Type/OCG/Name(x)>>');

async function stamped(pdf: Uint8Array, values: string[] = ['Ada']) {
  const fields = values.map((value) => stampField({ value, x: 20, y: 20, width: 100 }));
  const result = await stampPdf(pdf, { fields });
  if (!result.ok) throw new Error(result.reason);
  return { result, fields };
}

test.each([
  ['with text alone', contentPdf('0 0 50 50 re f'), [], true],
  ['with a link', link, [], true],
  ['with a note', note, [0], false],
  ['with layers', layers, [0], false],
  [
    'that had to be repaired',
    Buffer.from(note.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1'),
    [0],
    false,
  ],
])('of a document %s, pages are compared that may change', async (_, pdf, pages, isCopied) => {
  const { result } = await stamped(pdf);
  expect(result.pagesToCompare.map((item) => item.page)).toEqual(pages);
  expect(isCopiedAsShown(pdf)).toBe(isCopied);
});

test('a page is the same beside the values that are drawn into it', async () => {
  const { result, fields } = await stamped(note);
  expect(await compareStamped(note, result, { fields })).toEqual({ ok: true });
});

test('a page differs where a note is gone', async () => {
  const { fields } = await stamped(note);
  const { result } = await stamped(page(''));
  const without = {
    ...result,
    pagesToCompare: [{ page: 0, size: { width: 200, height: 200 }, isRedrawn: false }],
  };
  expect(await compareStamped(note, without, { fields })).toEqual({ ok: true, differingPage: 0 });
});
