// Renders a page as a picture, for the signing page and the preview. It must never change the document, run its
// scripts, or make a picture larger than the caller allows.

import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { displayedPage, pictureSize, type Size } from '../geometry.ts';
import type { TooComplex } from '../limits.ts';
import { type OpenPage, userUnitsOf, withForm, withPage } from '../read/open-page.ts';
import { type Pdfium, withDocument } from '../read/pdfium.ts';
import type { FieldOverlay, PageGrid } from './field-overlays.ts';
import type { Substitutes } from './substitutes.ts';
import { lackedCharacters } from './unembedded-text.ts';

// fpdfview.h: FPDF_ANNOT draws annotations, FPDF_REVERSE_BYTE_ORDER gives red, green, blue instead of blue first.
const DRAW_FLAGS = 0x01 | 0x10;
const CONTENT_FLAGS = 0x10;
const WHITE = 0xffffffff;

export type RenderResult = { ok: true; png: Uint8Array } | TooComplex;
type PixelsOfPage = { ok: true; pixels: Pixels } | TooComplex;

/** `marks` and `grid` are drawn over the page, and never a part of it. */
export type DrawOptions = {
  dpi: number;
  maxPixels: number;
  marks?: readonly FieldOverlay[] | undefined;
  grid?: PageGrid | undefined;
  isContentAlone?: boolean;
};

/** A pixel has four bytes, row after row; the fourth of a page is not read. */
export type Pixels = { rgbx: Uint8Array; width: number; height: number };
type Draw = (pdfium: Pdfium, bitmap: number, page: Size, picture: Size) => void;
/** A page is not drawn if it is `lacking` characters that neither the fonts of the file nor those of PDFium have. */
type DrawAttempt = Pixels | { lacking: number[] };

/**
 * Draws the page `pageIndex` (from 0) as a PNG, as a reader displays it: on white, with annotations and filled form fields, at `dpi` pixels
 * per inch of the displayed page, or less so that width × height stays within `maxPixels`. A page that PDFium cannot draw, or not within
 * its memory, is refused. Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws.
 */
export async function renderPage(
  bytes: Uint8Array,
  pageIndex: number,
  options: DrawOptions,
): Promise<RenderResult> {
  const drawWith = await pixelsOfPage(bytes, pageIndex, options);
  if (!drawWith.ok) return drawWith;
  const { rgbx, width, height } = drawWith.pixels;
  return { ok: true, png: await encodePng(rgbx, width, height) };
}

/** Draws the pixels of the same page, before they are encoded as PNG. */
export async function pixelsOfPage(
  bytes: Uint8Array,
  pageIndex: number,
  { dpi, maxPixels, marks, grid, isContentAlone = false }: DrawOptions,
): Promise<PixelsOfPage> {
  const drawOver = await overlayOf(marks, grid);
  const drawn =
    (substitutes?: Substitutes) =>
    (pdfium: Pdfium, document: number): DrawAttempt => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withForm(pdfium, document, (form) =>
        withPage(pdfium, document, { pageIndex, unit }, (open) =>
          drawPage(pdfium, open, form, { bytes, dpi, maxPixels, drawOver, substitutes, isContentAlone }),
        ),
      );
    };
  let opened = await withDocument(bytes, drawn(), { wasAccepted: true });
  if (opened.ok && 'lacking' in opened.value) {
    const { substitutesFor } = await import('./substitutes.ts');
    const substitutes = substitutesFor(opened.value.lacking);
    opened = await withDocument(bytes, drawn(substitutes), { wasAccepted: true, substitutes });
  }
  if (opened.ok) {
    if ('lacking' in opened.value) throw new Error('A page asked for fonts that it was given.');
    return { ok: true, pixels: opened.value };
  }
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be rendered: ${opened.reason}.`);
}

/** Loads the code that draws boxes if there are any. */
async function overlayOf(
  marks: readonly FieldOverlay[] = [],
  grid: PageGrid | undefined,
): Promise<Draw | undefined> {
  if (marks.length === 0 && !grid) return undefined;
  const { drawFieldOverlays } = await import('./field-overlays.ts');
  return (pdfium, bitmap, page, picture) =>
    drawFieldOverlays(pdfium, bitmap, { page, picture, marks, grid, flags: DRAW_FLAGS });
}

type Drawing = {
  bytes: Uint8Array;
  dpi: number;
  maxPixels: number;
  drawOver: Draw | undefined;
  /** A page without them is drawn only if PDFium's own fonts have all its characters. */
  substitutes: Substitutes | undefined;
  isContentAlone: boolean;
};

function drawPage(
  pdfium: Pdfium,
  { page, geometry }: OpenPage,
  form: number,
  { bytes, dpi, maxPixels, drawOver, substitutes, isContentAlone }: Drawing,
): DrawAttempt {
  pdfium.FORM_OnAfterLoadPage(page, form);
  try {
    if (!substitutes) {
      const lacking = lackedCharacters(pdfium, page, bytes);
      if (lacking.length > 0) return { lacking };
    }
    substitutes?.pageIsLoaded();
    const size = displayedPage(geometry);
    const picture = pictureSize(size, { dpi, maxPixels });
    const over = (bitmap: number) => {
      substitutes?.pageIsDrawn();
      drawOver?.(pdfium, bitmap, size, picture);
    };
    return { rgbx: drawBitmap(pdfium, page, isContentAlone ? undefined : form, picture, over), ...picture };
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, form);
  }
}

function drawBitmap(
  pdfium: Pdfium,
  page: number,
  form: number | undefined,
  { width, height }: Size,
  drawOver: (bitmap: number) => void,
): Uint8Array {
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError('PDFium is out of memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    const flags = form === undefined ? CONTENT_FLAGS : DRAW_FLAGS;
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
    if (form !== undefined) pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, flags);
    drawOver(bitmap);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    // A copy: the memory is PDFium's again in a moment. Rows of four-byte pixels have no padding.
    return pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

const deflateAsync = promisify(deflate);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOR_TYPE = { 1: 0, 3: 2, 4: 6 };
// Filter 0 ("none"): measured on pages of text, the other filters make the file a quarter larger.
const FILTER_NONE = 0;
const LEVEL = 4;

/**
 * Encodes a picture, in gray when it has no color, which halves the file of a page of black text.
 * `rgbx` has four bytes per pixel, row after row; the fourth is ignored unless `hasAlpha` is true.
 */
export async function encodePng(
  rgbx: Uint8Array,
  width: number,
  height: number,
  { hasAlpha = false } = {},
): Promise<Uint8Array> {
  const samples = hasAlpha ? 4 : hasNoColor(rgbx) ? 1 : 3;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8); // bits per sample
  header.writeUInt8(COLOR_TYPE[samples], 9);
  const rows = filteredRows(rgbx, width, height, samples);
  const pixels = await deflateAsync(rows, { level: LEVEL });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function hasNoColor(rgbx: Uint8Array): boolean {
  for (let at = 0; at < rgbx.length; at += 4) {
    if (rgbx[at] !== rgbx[at + 1] || rgbx[at] !== rgbx[at + 2]) return false;
  }
  return true;
}

/** Writes each row after one byte that names its filter, with the first `samples` of the four bytes of every pixel. */
function filteredRows(rgbx: Uint8Array, width: number, height: number, samples: 1 | 3 | 4): Uint8Array {
  const rows = new Uint8Array(height * (1 + width * samples));
  for (let y = 0, from = 0, to = 0; y < height; y += 1) {
    rows[to++] = FILTER_NONE;
    for (const end = from + width * 4; from < end; from += 4) {
      for (let sample = 0; sample < samples; sample += 1) rows[to++] = rgbx[from + sample]!;
    }
  }
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(data.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), framed.length - 4);
  return framed;
}
