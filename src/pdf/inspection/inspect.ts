// Inspects a PDF before it is used: the number and sizes of its pages, remarks on it, or the reason why it cannot be used. It must
// never render, change the bytes of the caller, or throw an error of a PDF library.

import { type PageBox, roundedPoints } from '../page-box.ts';
import type { PdfRemark } from '../remarks.ts';
import { type OpenFailure, type Pdfium, withDocument, withMemory } from '../render/pdfium.ts';
import { userUnitsOf } from '../render/user-unit.ts';
import { isIncomplete, repairPdf } from '../repair/repair.ts';
import { searchable } from '../syntax/bytes.ts';
import { firstLook } from '../syntax/first-look.ts';
import { documentRemarks, missingFonts } from './pdf-remarks.ts';

/** `repaired` is there when only a rewritten copy of the file can be rendered: keep that copy instead of the original. */
export type PdfFacts = { ok: true; pages: PageBox[]; remarks: PdfRemark[]; repaired?: Uint8Array };

/** `incomplete`: the end of the file is missing, or part of what it names. `pageCount` is what the file says of itself. */
export type PdfRefusal =
  | OpenFailure
  | { ok: false; reason: 'incomplete' | 'no_pages' }
  | { ok: false; reason: 'too_many_pages'; pageCount: number };

/**
 * Reads page count and page sizes. Files encrypted under an empty user password open without a password and are accepted.
 * Damaged files are recovered when all pages they name, and the contents of these, can be found; otherwise refused:
 * half a document must not be signed as a whole one.
 */
export async function inspectPdf(
  bytes: Uint8Array,
  limits: { maxPages: number },
): Promise<PdfFacts | PdfRefusal> {
  const first = await readPages(bytes, limits);
  if (first.ok) {
    if (first.wasRebuilt && (await isIncomplete(bytes))) return { ok: false, reason: 'incomplete' };
    return { ok: true, pages: first.pages, remarks: await remarksOf(first, bytes) };
  }
  if (first.reason !== 'unreadable' && first.reason !== 'no_pages') return first;
  const repair = await repairPdf(bytes);
  if (!repair.ok) return isTruncated(bytes) ? { ok: false, reason: 'incomplete' } : first;
  const second = await readPages(repair.bytes, limits);
  if (!second.ok) return second.reason === 'too_many_pages' ? second : first;
  const remarks = await remarksOf(second, repair.bytes);
  return { ok: true, pages: second.pages, remarks, repaired: repair.bytes };
}

/** Inspects a file without any defect; undefined where a second reading is needed. */
export async function inspectSound(
  bytes: Uint8Array,
  limits: { maxPages: number },
): Promise<PdfFacts | undefined> {
  // Pages are looked at then, and one of them may take long.
  if (firstLook(bytes).mayLackFonts) return undefined;
  const read = await readPages(bytes, limits);
  return read.ok && !read.wasRebuilt ? { ok: true, pages: read.pages, remarks: read.remarks } : undefined;
}

async function remarksOf({ pages, remarks }: PagesFound, bytes: Uint8Array): Promise<PdfRemark[]> {
  return [...remarks, ...(await missingFonts(bytes, pages.length))];
}

/** Whether an unreadable file begins as a PDF but has no end: most of these were truncated during a transfer. */
function isTruncated(bytes: Uint8Array): boolean {
  const file = searchable(bytes);
  return file.includes('%PDF-') && file.includes(' obj') && !file.includes('%%EOF');
}

type PagesFound = { ok: true; pages: PageBox[]; remarks: PdfRemark[]; wasRebuilt: boolean };
type PagesReading = PagesFound | PdfRefusal;

async function readPages(bytes: Uint8Array, { maxPages }: { maxPages: number }): Promise<PagesReading> {
  const opened = await withDocument(bytes, (pdfium, document): PagesReading => {
    const pageCount = pdfium.FPDF_GetPageCount(document);
    if (pageCount === 0) return { ok: false, reason: 'no_pages' };
    // PDFium believes /Count, which may lie: the file is too long only if the page after the last allowed one exists.
    if (pageCount > maxPages && boxOf(pdfium, document, maxPages)) {
      return { ok: false, reason: 'too_many_pages', pageCount };
    }
    const unitOf = userUnitsOf(pdfium, document, bytes);
    const pages: PageBox[] = [];
    for (let index = 0; index < pageCount; index += 1) {
      const box = boxOf(pdfium, document, index, unitOf(index));
      if (!box) return { ok: false, reason: 'unreadable' };
      pages.push(box);
    }
    const remarks = documentRemarks(pdfium, document, bytes);
    const wasRebuilt = !pdfium.FPDF_DocumentHasValidCrossReferenceTable(document);
    return { ok: true, pages, remarks, wasRebuilt };
  });
  if (opened.ok) return opened.value;
  return opened.reason === 'broken' ? { ok: false, reason: 'unreadable' } : opened;
}

const QUARTER_TURNS = [0, 90, 180, 270] as const;

/** The page's box in a unit of `unit` points, or undefined when there is no such page or nothing of it would be visible. */
function boxOf(pdfium: Pdfium, document: number, index: number, unit = 1): PageBox | undefined {
  return withMemory(pdfium, 8, (pointer) => {
    if (!pdfium.FPDF_GetPageSizeByIndexF(document, index, pointer)) return undefined;
    const width = roundedPoints(pdfium.pdfium.getValue(pointer, 'float') * unit);
    const height = roundedPoints(pdfium.pdfium.getValue(pointer + 4, 'float') * unit);
    const rotation = QUARTER_TURNS[pdfium.EPDF_GetPageRotationByIndex(document, index)];
    if (!(width > 0 && height > 0) || rotation === undefined) return undefined;
    return { width, height, rotation };
  });
}
