// The boxes read of a page without PDFium cover all that PDFium draws, and a page that cannot be followed is left to PDFium.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { drawnBoxes } from '../../../src/pdf/content/drawn-boxes.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { isLight, shown } from '../../support/documents/pixels.ts';
import { sampleOf } from '../../support/tier.ts';

const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));

const FORM = '0.5 0 0 0.5 0 0 cm 10 10 40 20 re f BT /F 20 Tf 10 60 Td (in a form) Tj ET';
const stream = (dict: string, content: string) =>
  `<<${dict}/Length ${content.length}>>\nstream\n${content}\nendstream`;
const WIDTHS = Array.from({ length: 95 }, () => 500).join(' ');

/** A page of 300 × 200 points with two fonts, a picture, a form and states. */
const page = (content: string, entries = '/MediaBox[0 0 300 200]') =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R${entries}/Contents 4 0 R/Resources<</Font<</F 5 0 R/W 8 0 R/T<</Type/Font/Subtype/Type3>>>>/XObject<</P 6 0 R/X 7 0 R>>/ExtGState<</N<</BM/Normal>>/M<</BM/Difference>>/L<</LW 9>>>>>>>>`,
    stream('', content),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    stream('/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8', '\0'),
    stream('/Type/XObject/Subtype/Form/BBox[0 0 300 200]/Matrix[1 0 0 1 30 5]', FORM),
    `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 126/Widths[${WIDTHS}]>>`,
  ]);

const TEXT = 'BT /F 12 Tf 40 150 Td (Signed in Easterholm) Tj ET';

const FOLLOWED: Record<string, string> = {
  'a line of text': TEXT,
  'text that is turned': 'BT /F 12 Tf 0.7 0.7 -0.7 0.7 60 40 Tm (Signed here) Tj ET',
  'text that runs backwards': 'BT /F 12 Tf -1 0 0 1 200 90 Tm (Signed here) Tj ET',
  'text with a size below zero': 'BT /F -12 Tf 200 90 Td (Signed here) Tj ET',
  'pieces that are moved': 'BT /F 12 Tf 40 150 Td [(Sig) -900 (ned) 2500 (x) 300 (y)] TJ ET',
  'lines after one another': 'BT /F 12 Tf 14 TL 40 150 Td (one) Tj T* (two) Tj (three) \' 2 1 (four) " ET',
  'spaces between letters and words': 'BT /F 12 Tf 6 Tc 20 Tw 40 150 Td (a b c) Tj ET',
  'letters pushed together': 'BT /W 12 Tf -9 Tc 240 150 Td (Signed here) Tj ET',
  'wide and raised text': 'BT /F 12 Tf 180 Tz 30 Ts 40 100 Td (Signed here) Tj ET',
  'a font with widths': 'BT /W 12 Tf 40 150 Td (Signed) Tj 60 -20 Td (here) Tj ET',
  'rules and frames': '2 w 20 20 m 280 20 l S 30 40 100 60 re S 150 40 m 200 120 l 260 40 l s',
  'a curve': '150 20 m 20 180 280 180 150 20 c f',
  'a picture': 'q 40 0 0 30 50 60 cm /P Do Q',
  'a form': 'q 1 0 0 1 20 20 cm /X Do Q',
  'a fill that is white again': `1 g 0 0 300 200 re f 0 g ${TEXT}`,
  'a usual state': `/N gs ${TEXT}`,
};

const HANDED_OVER: Record<string, string> = {
  'characters that are drawings': 'BT /T 12 Tf 40 150 Td (x) Tj ET',
  'text without a font': 'BT 40 150 Td (x) Tj ET',
  'a picture in the content': 'BI /W 1 /H 1 /CS /G /BPC 8 ID x EI',
  'a shading': '/S sh',
  'an operator that nobody knows': '1 2 nonsense',
  'a number too many': '1 2 3 4 5 re f',
  'a drawing that is not there': '/Missing Do',
  'colours that are mixed': '/M gs',
  'a width of lines from a state': '/L gs',
  'a string without an end': 'BT /F 12 Tf 40 150 Td (x Tj ET',
};

const TURNS = [
  '/MediaBox[0 0 300 200]',
  '/MediaBox[0 0 300 200]/Rotate 90',
  '/MediaBox[0 0 300 200]/Rotate 180/CropBox[10 20 280 190]',
  '/MediaBox[-20 -30 300 200]/Rotate 270',
];

/** Points that are drawn and in none of the boxes; a point at the edge of a box belongs to it. */
async function missedBy(pdf: Uint8Array, pageIndex = 0): Promise<{ drawn: number; missed: string[] }> {
  const boxes = drawnBoxes(pdf, pageIndex);
  if (!boxes) throw new Error('It was handed over.');
  const picture = await shown(pdf, pageIndex);
  const { width, height } = picture;
  const missed: string[] = [];
  let drawn = 0;
  for (let y = 1; y < height; y += 1)
    for (let x = 1; x < width; x += 1) {
      if (isLight(picture, x, y, 200)) continue;
      drawn += 1;
      const isIn = boxes.some(
        (box) => x + 1 >= box.x && x <= box.x + box.width && y + 1 >= box.y && y <= box.y + box.height,
      );
      if (!isIn) missed.push(`${x},${y}`);
    }
  return { drawn, missed };
}

describe('what is drawn on a page', () => {
  test.each(
    sampleOf(
      Object.entries(FOLLOWED).flatMap(([name, content]) =>
        TURNS.map((entries) => ({ name, content, entries })),
      ),
      13,
    ),
  )('holds all that PDFium draws: $name, $entries', async ({ content, entries }) => {
    const { drawn, missed } = await missedBy(page(content, entries));
    expect(missed).toEqual([]);
    expect(drawn).toBeGreaterThan(5);
  });

  test.each(sampleOf([0, 1, 2], 3))(
    'holds all that PDFium draws of page %d of the contract',
    async (pageIndex) => {
      const { drawn, missed } = await missedBy(contract, pageIndex);
      expect(missed).toEqual([]);
      expect(drawn).toBeGreaterThan(500);
    },
  );

  test('tells text from other drawings, and is close to it', () => {
    const [text] = drawnBoxes(page(TEXT), 0) ?? [];
    expect(text?.isText).toBe(true);
    expect(text?.height).toBeLessThan(20);
    expect(drawnBoxes(page('30 40 100 60 re f'), 0)?.[0]?.isText).toBe(false);
  });

  test('does not take a white page for one that is drawn on', () => {
    expect(drawnBoxes(page('1 1 1 rg 0 0 300 200 re f'), 0)).toEqual([]);
  });

  test('has the places of notes and form fields', () => {
    const annotations = '/Annots[<</Type/Annot/Subtype/Widget/Rect[20 30 120 50]>>]';
    expect(drawnBoxes(page('', `/MediaBox[0 0 300 200]${annotations}`), 0)).toEqual([
      { x: 20, y: 150, width: 100, height: 20, isText: false },
    ]);
    expect(drawnBoxes(page('', '/MediaBox[0 0 300 200]/Annots[null]'), 0)).toBeUndefined();
  });

  test.each(Object.entries(HANDED_OVER))('is left to PDFium: %s', (_, content) => {
    expect(drawnBoxes(page(content), 0)).toBeUndefined();
    expect(drawnBoxes(page(TEXT), 0)).toHaveLength(1);
  });
});
