// Turns a page into a picture, for the signing page and the preview. It must never change the document, run its
// scripts, or make a picture larger than the caller allows.
import type { Substitutes } from './fonts/substitutes.ts';
import { type Pdfium, withDocument } from './pdfium.ts';
import { encodePng } from './png.ts';
import type { TooComplex } from './too-complex.ts';
import { lackedCharacters } from './unembedded-text.ts';
import { userUnitsOf } from './user-unit.ts';

// fpdfview.h: FPDF_ANNOT draws annotations, FPDF_REVERSE_BYTE_ORDER gives red, green, blue instead of blue first.
const DRAW_FLAGS = 0x01 | 0x10;
const WHITE = 0xffffffff;
const POINTS_PER_INCH = 72;

export type Rendered = { ok: true; png: Uint8Array } | TooComplex;

type Picture = { rgbx: Uint8Array; width: number; height: number };
/** `lacking`: not drawn, for these characters need fonts that neither the file nor PDFium has. */
type Attempt = Picture | { lacking: number[] };

/**
 * The page `pageIndex` (from 0) as a PNG, as a reader displays it: on white, with annotations and filled form fields,
 * at `dpi` pixels per inch of the displayed page, or less so that width × height stays within `maxPixels`.
 * A page that PDFium cannot draw, or not within its memory, is refused.
 * Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws.
 */
export async function renderPage(
  bytes: Uint8Array,
  pageIndex: number,
  { dpi, maxPixels }: { dpi: number; maxPixels: number },
): Promise<Rendered> {
  const drawn =
    (substitutes?: Substitutes) =>
    (pdfium: Pdfium, document: number): Attempt => {
      const scale = (dpi / POINTS_PER_INCH) * userUnitsOf(pdfium, document, bytes)(pageIndex);
      return drawWithForm(pdfium, document, (form) =>
        drawPage(pdfium, document, form, { bytes, pageIndex, scale, maxPixels, substitutes }),
      );
    };
  let opened = await withDocument(bytes, drawn(), { wasAccepted: true });
  if (opened.ok && 'lacking' in opened.value) {
    const { substitutesFor } = await import('./fonts/substitutes.ts');
    const substitutes = substitutesFor(opened.value.lacking);
    opened = await withDocument(bytes, drawn(substitutes), { wasAccepted: true, substitutes });
  }
  if (opened.ok) {
    if ('lacking' in opened.value) throw new Error('A page asked for fonts that it was given.');
    const { rgbx, width, height } = opened.value;
    return { ok: true, png: await encodePng(rgbx, width, height) };
  }
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be rendered: ${opened.reason}.`);
}

/** Opens the form of the document around `draw`: without it PDFium leaves the values of form fields out. */
function drawWithForm<T>(pdfium: Pdfium, document: number, draw: (form: number) => T): T {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
    return draw(form);
  } finally {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

type Drawing = {
  bytes: Uint8Array;
  pageIndex: number;
  scale: number;
  maxPixels: number;
  /** Left out, the page is drawn only when PDFium's own fonts have its letters. */
  substitutes: Substitutes | undefined;
};

function drawPage(
  pdfium: Pdfium,
  document: number,
  form: number,
  { bytes, pageIndex, scale, maxPixels, substitutes }: Drawing,
): Attempt {
  const page = pdfium.FPDF_LoadPage(document, pageIndex);
  if (page === 0) throw new Error(`There is no page ${pageIndex} to render.`);
  pdfium.FORM_OnAfterLoadPage(page, form);
  try {
    if (!substitutes) {
      const lacking = lackedCharacters(pdfium, page, bytes);
      if (lacking.length > 0) return { lacking };
    }
    substitutes?.pageIsLoaded();
    const { width, height } = pixelSize(
      pdfium.FPDF_GetPageWidthF(page) * scale,
      pdfium.FPDF_GetPageHeightF(page) * scale,
      maxPixels,
    );
    return { rgbx: drawBitmap(pdfium, page, form, width, height), width, height };
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDF_ClosePage(page);
  }
}

function drawBitmap(pdfium: Pdfium, page: number, form: number, width: number, height: number): Uint8Array {
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  if (bitmap === 0) throw new RangeError('PDFium is out of memory.');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, DRAW_FLAGS);
    pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, DRAW_FLAGS);
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    // A copy: the memory is PDFium's again in a moment. Rows of four-byte pixels have no padding.
    return pdfium.pdfium.HEAPU8.slice(start, start + width * height * 4);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

/** Whole pixels, at least one each way, the product within `maxPixels`. */
function pixelSize(width: number, height: number, maxPixels: number): { width: number; height: number } {
  const shrink = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  if (shrink === 1) {
    const rounded = { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) };
    if (rounded.width * rounded.height <= maxPixels) return rounded;
  }
  const short = Math.max(1, Math.floor(Math.min(width, height) * shrink));
  const long = Math.max(
    1,
    Math.min(Math.floor(Math.max(width, height) * shrink), Math.floor(maxPixels / short)),
  );
  return width < height ? { width: short, height: long } : { width: long, height: short };
}
