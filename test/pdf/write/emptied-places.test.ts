// A form field that is emptied shows what it shows without a value: the button that is off, its background and its border. Others stay as they look.
import { describe, expect, test } from 'vitest';
import { listWords } from '../../../src/pdf/text/page-words.ts';
import type { EmptiedPlace } from '../../../src/pdf/write/plan.ts';
import { stampPdf } from '../../../src/pdf/write/stamp-pdf.ts';
import { field, formPdf, look, ref } from '../../support/documents/form-pdf.ts';
import { colorName, type Picture, shown } from '../../support/documents/pixels.ts';
import { sampleOf } from '../../support/tier.ts';

const EMPTIED: EmptiedPlace[] = [{ page: 0, annotation: 0 }];

async function stamped(
  objects: readonly string[],
  emptied = EMPTIED,
  fields = [0],
  page?: string,
): Promise<Uint8Array> {
  const pdf = formPdf({ objects, fields, widgets: fields, ...(page !== undefined && { page }) });
  const result = await stampPdf(pdf, { fields: [], emptied });
  if (!result.ok) throw new Error(result.reason);
  expect(Buffer.from(result.pdf).includes('/Widget')).toBe(false);
  return result.pdf;
}

async function wordsOf(pdf: Uint8Array): Promise<string[]> {
  const listed = await listWords(pdf, { from: 0, to: 1 });
  if (!listed.ok) throw new Error(listed.reason);
  return listed.words.map(({ text }) => text);
}

/** A square that is filled with a color. */
const square = (color: string): string => {
  const content = `${color} rg 0 0 40 40 re f`;
  return `<</Type/XObject/Subtype/Form/BBox[0 0 40 40]/Length ${content.length}>>\nstream\n${content}\nendstream`;
};

/** Points from the top left corner of a page that is 300 points high. */
const colorAt = (picture: Picture, x: number, y: number): string => colorName(picture.at(x, y));

const SIZE = { width: 100, height: 20 };

describe('a text that is emptied', () => {
  test('is not shown, and others are', async () => {
    const objects = [
      field('a', '50 200 150 220', `/FT/Tx/V(Easterholm)/AP<</N ${ref(1)}>>`),
      look('Easterholm', SIZE),
      field('b', '50 100 150 120', `/FT/Tx/V(Westerholm)/AP<</N ${ref(3)}>>`),
      look('Westerholm', SIZE),
    ];
    expect(await wordsOf(await stamped(objects, EMPTIED, [0, 2]))).toEqual(['Westerholm']);
    expect(await wordsOf(await stamped(objects, [], [0, 2]))).toEqual(['Easterholm', 'Westerholm']);
  });

  test('is not shown where PDFium makes what it shows', async () => {
    const objects = [
      field('a', '50 200 150 220', '/FT/Tx/V(Easterholm)/DA(/F 10 Tf 0 g)'),
      field('b', '50 100 150 120', '/FT/Tx/V(Westerholm)/DA(/F 10 Tf 0 g)'),
    ];
    expect(await wordsOf(await stamped(objects, EMPTIED, [0, 1]))).toEqual(['Westerholm']);
  });

  test.each(
    sampleOf(
      [
        ['gray', '/BG[0]/BC[1]', 'rgb(0,0,0,255)', 'white'],
        ['red, green and blue', '/BG[1 0 0]/BC[0 0 1]', 'red', 'blue'],
        ['inks', '/BG[0 1 1 0]/BC[1 1 0 0]', 'red', 'blue'],
        ['black ink', '/BG[0 0 0 1]/BC[0 0 1 0]', 'rgb(0,0,0,255)', 'yellow'],
      ],
      2,
    ),
  )('has its background and border in %s', async (_, colors, background, border) => {
    const pdf = await stamped([field('a', '50 200 150 240', `/FT/Tx/V(x)/BS<</W 4>>/MK<<${colors}>>`)]);
    const picture = await shown(pdf);
    expect(colorAt(picture, 100, 80)).toBe(background);
    expect(colorAt(picture, 51, 80)).toBe(border);
    expect(colorAt(picture, 148, 98)).toBe(border);
    expect(colorAt(picture, 48, 80)).toBe('white');
  });

  test('has a line below where that is its border', async () => {
    const style = '/BS<</W 4/S/U>>/MK<</BC[1 0 0]>>';
    const picture = await shown(await stamped([field('a', '50 200 150 240', `/FT/Tx/V(x)${style}`)]));
    expect(colorAt(picture, 100, 98)).toBe('red');
    expect(colorAt(picture, 100, 61)).toBe('white');
  });

  test('has its border on a page that is turned', async () => {
    const objects = [field('a', '50 200 150 240', '/FT/Tx/V(x)/BS<</W 4>>/MK<</BG[1 0 0]>>')];
    const pdf = await stamped(objects, EMPTIED, [0], '/MediaBox[0 0 400 300]/Rotate 90');
    expect(colorAt(await shown(pdf), 220, 100)).toBe('red');
  });

  test('draws nothing where it states nothing', async () => {
    const picture = await shown(await stamped([field('a', '50 200 150 240', '/FT/Tx/V(x)/MK<</BG[]>>')]));
    expect(colorAt(picture, 100, 80)).toBe('white');
  });

  test('draws nothing where it is hidden', async () => {
    const hidden = '<</Subtype/Widget/F 2/T(a)/FT/Tx/Rect[50 200 150 240]/MK<</BG[1 0 0]>>>>';
    expect(colorAt(await shown(await stamped([hidden])), 100, 80)).toBe('white');
  });
});

describe('a button that is emptied', () => {
  test('is drawn as it is when off', async () => {
    const button = field('a', '50 200 90 240', `/FT/Btn/V/On/AS/On/AP<</N<</On ${ref(1)}/Off ${ref(2)}>>>>`);
    const objects = [button, square('1 0 0'), square('0 0 1')];
    expect(colorAt(await shown(await stamped(objects)), 70, 80)).toBe('blue');
    expect(colorAt(await shown(await stamped(objects, [])), 70, 80)).toBe('red');
  });

  test('is round where it is a radio button without such a look', async () => {
    const radio = '/FT/Btn/Ff 32768/AS/On/MK<</BG[1 0 0]/BC[0 0 1]>>';
    const objects = [field('a', '50 200 90 240', `${radio}/AP<</N<</On ${ref(1)}>>>>`), square('0 1 0')];
    const picture = await shown(await stamped(objects));
    expect(colorAt(picture, 70, 80)).toBe('red');
    expect(colorAt(picture, 52, 62)).toBe('white');
  });
});

test('a place that is no widget stays as it looks', async () => {
  const note = `<</Type/Annot/Subtype/Stamp/F 4/Rect[50 200 90 240]/AP<</N ${ref(1)}>>>>`;
  const pdf = formPdf({ objects: [note, square('1 0 0')], fields: [], widgets: [0] });
  const result = await stampPdf(pdf, { fields: [], emptied: EMPTIED });
  if (!result.ok) throw new Error(result.reason);
  expect(colorAt(await shown(result.pdf), 70, 80)).toBe('red');
});
