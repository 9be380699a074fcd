// Where a signature goes that has no field of its own: on nothing, below the last text, and never in a header or footer; with PDFium
// and without.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { FreeBoxes, WantedPlace } from '../../../src/pdf/render/free-boxes.ts';
import { answerByDrawn } from '../../../src/pdf/render/free-boxes.ts';
import { findFreePlace } from '../../../src/pdf/render/free-place.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { findCoveredText } from '../../../src/pdf/text/covered-text.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { isLight, shown } from '../../support/documents/pixels.ts';
import { sampleOf } from '../../support/tier.ts';

const contract = readFileSync(new URL('../../fixtures/contract.pdf', import.meta.url));

const WANTED = { width: 180, height: 48, gap: 12, margin: 36, obstacles: [] };

/** A4 with lines of text at these distances from the top; `entries` may turn and cut it. */
function linesPdf(lines: readonly number[], entries = '', more = ''): Buffer {
  const content = `${more} BT /F 12 Tf ${lines.map((y) => `1 0 0 1 71 ${842 - y} Tm (The parties sign this Agreement in two copies, one for each of them, on this day and here.) Tj`).join(' ')} ET`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]${entries}/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
  ]);
}

const every = (step: number, from = 60, to = 800) =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, index) => from + index * step);

async function wantedOn(pdf: Uint8Array, pageIndex: number, count: number): Promise<WantedPlace> {
  const inspected = await inspectPdf(pdf, { maxPages: 1000 });
  const page = inspected.ok ? inspected.pages[pageIndex] : undefined;
  if (!page) throw new Error('no such page');
  return { ...WANTED, count, page: { width: page.width, height: page.height } };
}

const boxesOf = (result: FreeBoxes | ReturnType<typeof answerByDrawn>) => {
  if (!result?.ok || !('boxes' in result) || !result.boxes) throw new Error('no place was found');
  return result.boxes;
};

const WAYS = {
  'without PDFium': (pdf: Uint8Array, pageIndex: number, wanted: WantedPlace) =>
    boxesOf(answerByDrawn(pdf, { do: 'free', pageIndex, wanted })),
  'by the picture': async (pdf: Uint8Array, pageIndex: number, wanted: WantedPlace) =>
    boxesOf(await findFreePlace(pdf, pageIndex, wanted)),
};

const PAGES: Record<string, { pdf: Buffer; pageIndex?: number }> = {
  'the last page of the contract': { pdf: contract, pageIndex: 2 },
  'a page with a footer': { pdf: linesPdf([...every(15, 60, 400), 805]) },
  'a page that is turned': { pdf: linesPdf(every(15, 60, 400), '/Rotate 90') },
  'a page that is turned the other way': { pdf: linesPdf(every(15, 60, 400), '/Rotate 270') },
  'a page that is upside down and cut': {
    pdf: linesPdf(every(15, 60, 500), '/Rotate 180/CropBox[40 60 580 800]'),
  },
  'a page with one gap': { pdf: linesPdf([...every(15, 60, 500), ...every(15, 580, 810)]) },
  'an empty page': { pdf: linesPdf([]) },
};

describe.each(Object.entries(WAYS))('the place of a signature, %s', (_, find) => {
  test.each(
    sampleOf(
      Object.entries(PAGES).flatMap(([name, page]) => [1, 3].map((count) => ({ name, ...page, count }))),
      12,
    ),
  )('is empty, on the page and apart from others: $count on $name', async ({ pdf, pageIndex = 0, count }) => {
    const wanted = await wantedOn(pdf, pageIndex, count);
    if (count > 1 && pdf === PAGES['a page with one gap']?.pdf) return;
    const boxes = await find(pdf, pageIndex, wanted);
    expect(boxes).toHaveLength(count);
    const picture = await shown(pdf, pageIndex);
    const dark: string[] = [];
    for (const { x, y, width, height } of boxes) {
      expect([width, height]).toEqual([180, 48]);
      for (let down = Math.ceil(y); down < y + height - 1; down += 1)
        for (let across = Math.ceil(x); across < x + width - 1; across += 1)
          if (!isLight(picture, across, down, 240)) dark.push(`${across},${down}`);
    }
    expect(dark).toEqual([]);
    for (const [index, box] of boxes.entries())
      for (const other of boxes.slice(0, index))
        expect(
          Math.abs(box.x - other.x) >= 180 + 11 || Math.abs(box.y - other.y) >= 48 + 11,
          JSON.stringify([box, other]),
        ).toBe(true);
  });

  test('is right below the last words of the contract, where its text begins', async () => {
    const [box] = await find(contract, 2, await wantedOn(contract, 2, 1));
    expect(box?.x).toBeCloseTo(70, -0.5);
    // The last line, "Harbour Authority of Easterholm", ends at 541 points.
    expect(box?.y).toBeGreaterThan(549);
    expect(box?.y).toBeLessThan(558);
  });

  test('is neither beside a page number nor in a header, not even where the page is full', async () => {
    const number = (y: number) => `BT /F 9 Tf 1 0 0 1 500 ${842 - y} Tm (Page 2 of 2) Tj ET`;
    const short = linesPdf(every(15, 60, 700), '', number(780));
    const [below] = await find(short, 0, await wantedOn(short, 0, 1));
    expect(below?.y).toBeGreaterThan(685);
    expect((below?.y ?? 0) + 48).toBeLessThan(772);
    const full = linesPdf(
      [...every(15, 110, 400), ...every(15, 480, 745)],
      '',
      `${number(50)} ${number(780)}`,
    );
    const [between] = await find(full, 0, await wantedOn(full, 0, 1));
    expect(between?.y).toBeGreaterThan(398);
    expect((between?.y ?? 0) + 48).toBeLessThan(475);
  });

  test('is in the only gap there is', async () => {
    const { pdf } = PAGES['a page with one gap'] as { pdf: Buffer };
    const [box] = await find(pdf, 0, await wantedOn(pdf, 0, 1));
    expect(box?.y).toBeGreaterThan(488);
    expect((box?.y ?? 0) + 48).toBeLessThan(575);
  });

  test('keeps away from what is going to be there', async () => {
    const wanted = await wantedOn(contract, 2, 1);
    const [first] = await find(contract, 2, wanted);
    if (!first) throw new Error('no place was found');
    const [second] = await find(contract, 2, { ...wanted, obstacles: [first] });
    expect(second?.x).toBeGreaterThanOrEqual(first.x + first.width);
  });
});

describe('a page without an empty place', () => {
  const full = linesPdf(every(15));

  test('has none', async () => {
    const wanted = await wantedOn(full, 0, 1);
    expect(answerByDrawn(full, { do: 'free', pageIndex: 0, wanted })).toBeUndefined();
    expect(await findFreePlace(full, 0, wanted)).toEqual({ ok: true, boxes: null });
  });

  test('has one for a smaller box, if there is room', async () => {
    const pdf = linesPdf([...every(15, 60, 500), ...every(15, 540, 810)]);
    const result = boxesOf(await findFreePlace(pdf, 0, await wantedOn(pdf, 0, 1)));
    expect(result[0]?.height).toBeLessThan(48);
    expect(result[0]?.height).toBeGreaterThan(28);
  });
});

test('a scan is looked at as it is: paper that is not white is empty', async () => {
  // Grey paper with specks, and a black block over the lower half.
  const specks = every(9).map((y) => `0.83 g ${(y * 7) % 500} ${y} 4 4 re f`);
  const pdf = linesPdf([], '', `0.87 g 0 0 595 842 re f ${specks.join(' ')} 0 g 0 0 595 400 re f`);
  const wanted = await wantedOn(pdf, 0, 1);
  expect(answerByDrawn(pdf, { do: 'free', pageIndex: 0, wanted })).toBeUndefined();
  const [box] = boxesOf(await findFreePlace(pdf, 0, wanted));
  expect((box?.y ?? 0) + 48).toBeLessThan(443);
  expect((box?.y ?? 0) + 48).toBeGreaterThan(380);
});

describe('the words under a box', () => {
  const pdf = linesPdf([100, 700]);
  const words = async (...boxes: { x: number; y: number; width: number; height: number }[]) => {
    const result = await findCoveredText(pdf, 0, boxes);
    return result.ok ? result.words : result;
  };

  test('are whole words, in reading order, for each box', async () => {
    expect(
      await words({ x: 71, y: 690, width: 60, height: 20 }, { x: 71, y: 300, width: 60, height: 20 }),
    ).toEqual([['The', 'parties'], []]);
  });

  test('are none where the box only comes near', async () => {
    expect(await words({ x: 71, y: 104, width: 200, height: 48 })).toEqual([[]]);
    expect(await words({ x: 71, y: 40, width: 200, height: 48 })).toEqual([[]]);
  });

  test('are those that a turned page shows there', async () => {
    const turned = linesPdf([100], '/Rotate 90');
    const result = await findCoveredText(turned, 0, [{ x: 735, y: 60, width: 20, height: 40 }]);
    expect(result.ok && result.words[0]?.[0]).toBe('The');
  });

  test('are no lines to sign on', async () => {
    const lined = linesPdf([], '', 'BT /F 12 Tf 71 400 Td (Name: ______________ . . . . .) Tj ET');
    const result = await findCoveredText(lined, 0, [{ x: 110, y: 425, width: 200, height: 30 }]);
    expect(result).toEqual({ ok: true, words: [[]] });
    const named = await findCoveredText(lined, 0, [{ x: 60, y: 425, width: 200, height: 30 }]);
    expect(named).toEqual({ ok: true, words: [['Name:']] });
  });

  test('are not asked of PDFium where nothing is near', () => {
    const box = { x: 71, y: 300, width: 60, height: 20 };
    const near = { x: 71, y: 690, width: 60, height: 20 };
    expect(answerByDrawn(pdf, { do: 'covered', pageIndex: 0, boxes: [box] })).toEqual({
      ok: true,
      words: [[]],
    });
    expect(answerByDrawn(pdf, { do: 'covered', pageIndex: 0, boxes: [box, near] })).toBeUndefined();
  });
});
