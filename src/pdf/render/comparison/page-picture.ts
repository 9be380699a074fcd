// Draws a page of an open document as pixels that can be compared, and finds the pixels of a box in them.
import { type Box, displayedPage, pictureSize, pixelsOfBox, type Size } from '../../geometry.ts';
import { COMPARE_LIMITS } from '../../limits.ts';
import type { OpenPage } from '../../read/open-page.ts';
import type { Pdfium } from '../../read/pdfium.ts';

// fpdfview.h: FPDF_ANNOT draws annotations, FPDF_PRINTING draws what is printed.
const ANNOTATIONS = 0x01;
const FLAGS = { screen: 0, paper: 0x800 };
const WHITE = 0xffffffff;

/** `pixels` has four bytes for each pixel, row by row. `head` says how the page lies: pages with another one are not the same. */
export type Picture = Size & { page: Size; head: string; pixels: Buffer };

export type ShownPage = OpenPage & { form: number };

/** Draws a page with its annotations and fields, or without them. */
export function drawPage(
  pdfium: Pdfium,
  open: ShownPage,
  { medium, isBare = false }: { medium: 'screen' | 'paper'; isBare?: boolean },
): Picture {
  const flags = FLAGS[medium] | (isBare ? 0 : ANNOTATIONS);
  const page = displayedPage(open.geometry);
  const { width, height } = pictureSize(page, COMPARE_LIMITS);
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError('PDFium is out of memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, open.page, 0, 0, width, height, 0, flags);
    if (!isBare) pdfium.FPDF_FFLDraw(open.form, bitmap, open.page, 0, 0, width, height, 0, flags);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    const pixels = Buffer.from(pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4).buffer);
    return { width, height, page, head: `${width} ${height} ${open.geometry.rotation}`, pixels };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

export function blank(picture: Picture, box: Box): void {
  for (const [start, end] of pixelRowsIn(picture, box)) picture.pixels.fill(0xff, start, end);
}

/** Lists where each row of the box begins and ends among the bytes of the picture; what lies outside is omitted. */
export function pixelRowsIn({ width, height }: Size, box: Box): [start: number, end: number][] {
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(height, box.y + box.height)];
  if (left >= right) return [];
  return Array.from({ length: Math.max(0, bottom - top) }, (_, row) => {
    const start = (top + row) * width;
    return [(start + left) * 4, (start + right) * 4];
  });
}

/** Returns whole pixels, with one more on each side: edges are smoothed. */
export function outwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x) - 1, Math.floor(y) - 1];
  return { x: left, y: top, width: Math.ceil(x + width) + 1 - left, height: Math.ceil(y + height) + 1 - top };
}

/** Returns the pixels that lie in it whole, and at least one: a border beside a letter does not cover it. */
export function inwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.ceil(x), Math.ceil(y)];
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.floor(x + width) - left),
    height: Math.max(1, Math.floor(y + height) - top),
  };
}

/** Something is read where it is this much, of 255, darker or lighter than the paper around it. */
const CONTRAST = 64;
/** A letter of usual size has no stroke of as many pixels in a row or a column, and lines to sign on are longer. */
const LINE = 24;
/** A digit of six points has more. */
const LEAST_PIXELS = 12;

/** @param box the place, in pixels */
export function coversInk(was: Picture, is: Picture, box: Box): boolean {
  const rows = pixelRowsIn(was, inwards(box));
  const marks = rows.map(([start, end]) => lightnessOf(was.pixels.subarray(start, end)));
  const paper = mostFrequent(marks);
  const isInk = (row: number, column: number) => Math.abs((marks[row]?.[column] ?? paper) - paper) > CONTRAST;
  const runFrom = (row: number, column: number, [down, across]: readonly [number, number]) => {
    let length = 0;
    while (length <= LINE && isInk(row + length * down, column + length * across)) length += 1;
    return length;
  };
  const isOfLine = (row: number, column: number) =>
    DIRECTIONS.some(([down, across]) => {
      const length = runFrom(row, column, [down, across]) + runFrom(row, column, [-down, -across]) - 1;
      return length >= LINE;
    });
  let covered = 0;
  for (const [row, lightness] of marks.entries())
    for (const column of lightness.keys()) {
      const at = rows[row]![0] + column * 4;
      const isCovered = isInk(row, column) && was.pixels.compare(is.pixels, at, at + 4, at, at + 4) !== 0;
      if (isCovered && !isOfLine(row, column)) covered += 1;
      if (covered >= LEAST_PIXELS) return true;
    }
  return false;
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
] as const;

/** Lightness goes from 0 to 255. */
const lightnessOf = (pixels: Buffer): number[] =>
  Array.from({ length: pixels.length / 4 }, (_, index) =>
    Math.round((pixels[index * 4]! + pixels[index * 4 + 1]! + pixels[index * 4 + 2]!) / 3),
  );

function mostFrequent(rows: readonly number[][]): number {
  const counts = new Array<number>(256).fill(0);
  for (const row of rows) for (const lightness of row) counts[lightness]! += 1;
  return counts.indexOf(Math.max(...counts));
}

/** A border may take this much of the shorter side, and look raised. */
const BORDER = 0.2;
const LEAST_BORDER_PIXELS = 4;

/**
 * Returns true if the field shows at most a background and straight lines from side to side inside its border, such as those between the
 * cells of single characters.
 * @param was the page with its fields
 * @param bare the page without them
 */
export function isShownEmpty({ was, bare }: { was: Picture; bare: Picture }, box: Box): boolean {
  const rows = pixelRowsIn(was, withoutBorder(pixelsOfBox(box, was.page, was)));
  const isOfPage = rows.every(
    ([start, end]) => was.pixels.compare(bare.pixels, start, end, start, end) === 0,
  );
  if (isOfPage) return true;
  const [first] = rows;
  const isLikeFirst = ([start, end]: readonly [number, number]) =>
    first !== undefined && was.pixels.compare(was.pixels, start, end, first[0], first[1]) === 0;
  return rows.every(isLikeFirst) || rows.every(([start, end]) => isOneColor(was.pixels, start, end));
}

function isOneColor(pixels: Buffer, start: number, end: number): boolean {
  for (let at = start + 4; at < end; at += 4)
    if (pixels.compare(pixels, start, start + 4, at, at + 4) !== 0) return false;
  return true;
}

/** Returns the whole pixels inside the border; none of a field that is all border. */
function withoutBorder({ x, y, width, height }: Box): Box {
  const border = Math.max(LEAST_BORDER_PIXELS, Math.ceil(Math.min(width, height) * BORDER));
  const [left, top] = [Math.ceil(x) + border, Math.ceil(y) + border];
  return {
    x: left,
    y: top,
    width: Math.floor(x + width) - border - left,
    height: Math.floor(y + height) - border - top,
  };
}
