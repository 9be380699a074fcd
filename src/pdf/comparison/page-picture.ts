// Draws a page of an open document as pixels that can be compared, and finds the pixels of a box in them.
import { type Box, displayedPage, pictureSize, type Size } from '../geometry.ts';
import { COMPARE_LIMITS } from '../limits.ts';
import type { OpenPage } from '../render/open-page.ts';
import type { Pdfium } from '../render/pdfium.ts';

// fpdfview.h: FPDF_ANNOT draws annotations, FPDF_PRINTING draws what is printed.
const ANNOTATIONS = 0x01;
const FLAGS = { screen: 0, paper: 0x800 };
const WHITE = 0xffffffff;

/** Four bytes for each pixel, row by row. `head` says how the page lies: pages with another one are not the same. */
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

/** Where each row of the box begins and ends among the bytes of the picture; what lies outside is omitted. */
export function pixelRowsIn({ width, height }: Size, box: Box): [start: number, end: number][] {
  const [left, right] = [Math.max(0, box.x), Math.min(width, box.x + box.width)];
  const [top, bottom] = [Math.max(0, box.y), Math.min(height, box.y + box.height)];
  if (left >= right) return [];
  return Array.from({ length: Math.max(0, bottom - top) }, (_, row) => {
    const start = (top + row) * width;
    return [(start + left) * 4, (start + right) * 4];
  });
}

/** Whole pixels, with one more on each side: edges are smoothed. */
export function outwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.floor(x) - 1, Math.floor(y) - 1];
  return { x: left, y: top, width: Math.ceil(x + width) + 1 - left, height: Math.ceil(y + height) + 1 - top };
}

/** The pixels that lie in it whole, and at least one: a border beside a letter does not cover it. */
export function inwards({ x, y, width, height }: Box): Box {
  const [left, top] = [Math.ceil(x), Math.ceil(y)];
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.floor(x + width) - left),
    height: Math.max(1, Math.floor(y + height) - top),
  };
}
