// A place in displayed points is where the pixels are: for every turn, cut, unit and inheritance of a page, a box that is
// written into the page (as the seal does) and one that is drawn over it (as the preview does) are compared with pixels.
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import {
  type Box,
  boxOfRect,
  displayedPage,
  geometryOf,
  isInside,
  percentOfBox,
  pictureSize,
  pixelsOfBox,
  rectOfBox,
  uprightIn,
} from '../../src/pdf/geometry.ts';
import { inspectPdf } from '../../src/pdf/render/inspect.ts';
import { pngOfPage, readPixels } from '../support/documents/pixels.ts';
import { boundsOf, farthest, type TurnedPage, turnedPages } from '../support/documents/turned-pages.ts';
import { sampleOf } from '../support/tier.ts';

const DPI = 150;
const MOST_PIXELS = 8_000_000;
/** Fractions of the page, so that one fits on every page. */
const WRITTEN = { x: 0.107, y: 0.053, width: 0.31, height: 0.17 };
const DRAWN = { x: 0.503, y: 0.701, width: 0.411, height: 0.239 };

const isRed = (r: number, g: number, b: number) => r > 128 && g < 128 && b < 128;
const isGreen = (r: number, g: number, b: number) => r < 128 && g > 128 && b < 128;
const isBlue = (r: number, g: number, b: number) => r < 128 && g < 128 && b > 128;

const partOf = ({ geometry }: TurnedPage, part: Box): Box => {
  const { width, height } = displayedPage(geometry);
  return {
    x: part.x * width,
    y: part.y * height,
    width: part.width * width,
    height: part.height * height,
  };
};

const scaled = ({ x, y, width, height }: Box): Box => {
  const pixels = DPI / 72;
  return { x: x * pixels, y: y * pixels, width: width * pixels, height: height * pixels };
};

/** A red box with a green upper left quarter, written into the page the way the seal does. */
async function written({ pdf, geometry }: TurnedPage, box: Box): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf);
  const { width, height } = box;
  const [page] = document.getPages();
  const fill = (color: string, ...rect: number[]) =>
    `${color} rg ${rect.map((item) => item.toFixed(4)).join(' ')} re f`;
  const content = [
    `q ${uprightIn(geometry, box)
      .map((item) => item.toFixed(5))
      .join(' ')} cm`,
    fill('1 0 0', 0, 0, width, height),
    fill('0 1 0', 0, height / 2, width / 2, height / 2),
    'Q',
  ].join('\n');
  page?.node.addContentStream(document.context.register(document.context.stream(content)));
  return document.save();
}

describe('every turn, cut and unit of a page', () => {
  test.each(
    sampleOf(
      turnedPages().map((page) => [page.name, page] as const),
      9,
    ),
  )('puts a box where its pixels are: %s', async (_, page) => {
    const [into, over] = [partOf(page, WRITTEN), partOf(page, DRAWN)];
    const pdf = await written(page, into);
    const inspected = await inspectPdf(pdf, { maxPages: 5 });
    expect(inspected).toMatchObject({ ok: true, pages: [displayedPage(page.geometry)] });
    const mark = { ...over, color: [0, 0, 255], title: '', subtitle: '', isRequired: true } as const;
    const png = await pngOfPage(pdf, 0, { dpi: DPI, maxPixels: MOST_PIXELS, marks: [mark] });
    const picture = readPixels(png);
    const quarter = { ...into, width: into.width / 2, height: into.height / 2 };
    expect(
      farthest(
        boundsOf(picture, (r, g, b) => isRed(r, g, b) || isGreen(r, g, b)),
        scaled(into),
      ),
    ).toBeLessThanOrEqual(1);
    expect(farthest(boundsOf(picture, isGreen), scaled(quarter))).toBeLessThanOrEqual(1);
    expect(farthest(boundsOf(picture, isBlue), scaled(over))).toBeLessThanOrEqual(1);
    // What places something over a picture of another size comes to the same place.
    const size = displayedPage(page.geometry);
    expect(farthest(pixelsOfBox(over, size, picture), scaled(over))).toBeLessThanOrEqual(1);
    const { width, height } = pictureSize(size, { dpi: DPI, maxPixels: MOST_PIXELS });
    expect([picture.width, picture.height]).toEqual([width, height]);
    // There and back again.
    expect(farthest(boxOfRect(page.geometry, rectOfBox(page.geometry, over)), over)).toBeLessThan(1e-9);
  });
});

describe('what a page says of itself', () => {
  test('nothing visible: the boxes have nothing in common, or the page has no size', () => {
    expect(geometryOf({ mediaBox: [0, 0, 100, 100], cropBox: [200, 200, 300, 300] })).toBeUndefined();
    expect(geometryOf({ mediaBox: [0, 0, 0, 100] })).toBeUndefined();
  });

  test.each([
    [{ cropBox: [0, 0, 0, 0] }, { width: 100, height: 200, rotation: 0 }],
    [{ rotate: 45 }, { width: 100, height: 200, rotation: 0 }],
    [{ rotate: -450 }, { width: 200, height: 100, rotation: 270 }],
    [{ userUnit: 0 }, { width: 100, height: 200, rotation: 0 }],
    [{ userUnit: -3 }, { width: 100, height: 200, rotation: 0 }],
  ])('what makes no sense is ignored: %j', (entries, page) => {
    const geometry = geometryOf({ mediaBox: [0, 0, 100, 200], ...entries });
    expect(geometry && displayedPage(geometry)).toEqual(page);
  });
});

test('percent of the page, for a style sheet', () => {
  const box = { x: 59.528, y: 84.189, width: 297.64, height: 42.0945 };
  expect(
    farthest(percentOfBox(box, { width: 595.28, height: 841.89 }), { x: 10, y: 10, width: 50, height: 5 }),
  ).toBeLessThan(1e-9);
});

test.each([
  [{ x: 0, y: 0, width: 100, height: 200 }, true],
  [{ x: 0, y: 0, width: 100.1, height: 200 }, false],
  [{ x: 0, y: 0.1, width: 100, height: 200 }, false],
  [{ x: -0.1, y: 0, width: 10, height: 10 }, false],
  [{ x: 0, y: -0.1, width: 10, height: 10 }, false],
  [{ x: 5, y: 5, width: 0, height: 10 }, false],
  [{ x: 5, y: 5, width: 10, height: 0 }, false],
  [{ x: 5, y: 5, width: Number.NaN, height: 10 }, false],
])('%j is inside a page of 100 × 200: %s', (box, isIt) => {
  expect(isInside(box, { width: 100, height: 200 })).toBe(isIt);
});

test('what was rounded on its way may be a little too large', () => {
  const box = { x: 0, y: 0, width: 100.01, height: 200 };
  expect(isInside(box, { width: 100, height: 200 }, 0.02)).toBe(true);
});
