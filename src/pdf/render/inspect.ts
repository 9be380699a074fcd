// Inspects a PDF before it is used: the number and sizes of its pages, remarks on it, or the reason why it cannot be used. It must
// never render, change the bytes of the caller, or throw an error of a PDF library.

import process from 'node:process';
import { type PageBox, roundedPoints } from '../geometry.ts';
import { FONT_LIMITS } from '../limits.ts';
import { scanPdf } from '../read/byte-scan.ts';
import { searchable } from '../read/characters.ts';
import { userUnitsOf } from '../read/open-page.ts';
import { type OpenFailure, type Pdfium, withDocument, withMemory } from '../read/pdfium.ts';
import { isIncomplete, repairPdf } from '../read/repair.ts';
import type { PdfRemark } from '../remarks.ts';
import { lackingPart, type MissingText, missingTextRemarks } from './missing-text.ts';
import { type UnembeddedText, unembeddedText } from './unembedded-text.ts';

/** `repaired` is there when only a rewritten copy of the file can be rendered: keep that copy instead of the original. */
export type InspectedPdf = { ok: true; pages: PageBox[]; remarks: PdfRemark[]; repaired?: Uint8Array };

/** `incomplete` says that the end of the file is missing, or part of what it names. `pageCount` is what the file says of itself. */
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
): Promise<InspectedPdf | PdfRefusal> {
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
): Promise<InspectedPdf | undefined> {
  // Pages are looked at then, and one of them may take long.
  if (scanPdf(bytes).mayLackFonts) return undefined;
  const read = await readPages(bytes, limits);
  return read.ok && !read.wasRebuilt ? { ok: true, pages: read.pages, remarks: read.remarks } : undefined;
}

async function remarksOf({ pages, remarks }: PagesFound, bytes: Uint8Array): Promise<PdfRemark[]> {
  return [...remarks, ...(await missingFonts(bytes, pages.length))];
}

/** Tells whether an unreadable file begins as a PDF but has no end: most of these were truncated during a transfer. */
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

/** Returns the page's box in a unit of `unit` points, or undefined when there is no such page or nothing of it would be visible. */
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

// fpdf_formfill.h: the pages of such a form are made by a program in it. Of other XFA forms the pages are in the file.
const FORMTYPE_XFA_FULL = 2;
// ISO 32000-1, table 22: print, change, copy, annotate, fill in, extract, assemble, print well.
const PERMISSIONS = 0b1111_0011_1100;

export function documentRemarks(pdfium: Pdfium, document: number, bytes: Uint8Array): PdfRemark[] {
  const remarks: PdfRemark[] = [];
  if (pdfium.FPDF_GetFormType(document) === FORMTYPE_XFA_FULL) remarks.push({ code: 'dynamic_form' });
  const isSigned = scanPdf(bytes).hasSignature || hasSignature(pdfium, document);
  if (isSigned) remarks.push({ code: 'already_signed' });
  const isRestricted = (pdfium.FPDF_GetDocPermissions(document) & PERMISSIONS) !== PERMISSIONS;
  if (isRestricted && !pdfium.EPDF_IsOwnerUnlocked(document)) remarks.push({ code: 'encrypted_permissions' });
  return remarks;
}

/** Tells whether the file has a signature; an empty signature field is none. PDFium does not search fields of fields. */
function hasSignature(pdfium: Pdfium, document: number): boolean {
  const count = pdfium.FPDF_GetSignatureCount(document);
  for (let index = 0; index < count; index += 1) {
    const signature = pdfium.FPDF_GetSignatureObject(document, index);
    if (pdfium.FPDFSignatureObj_GetContents(signature, 0, 0) > 0) return true;
  }
  return false;
}

/**
 * Returns a remark for each of the first pages with text that cannot be shown, with its fonts and the text. It stops after a time
 * limit, and later pages stay unchecked. A page on which PDFium crashes is reported when it is drawn.
 */
export async function missingFonts(bytes: Uint8Array, pageCount: number): Promise<PdfRemark[]> {
  if (!scanPdf(bytes).mayLackFonts) return [];
  const opened = await withDocument(bytes, (pdfium, document) => textOfPages(pdfium, document, pageCount), {
    wasAccepted: true,
  });
  if (!opened.ok) return [];
  const pages = opened.value;
  const isShown = await showing(new Set(pages.flatMap((page) => [...page.characters.keys()])));
  const lacking = pages.flatMap((page, index) => missingOn(page, index, isShown));
  return missingTextRemarks(lacking, pages.length === pageCount);
}

function missingOn(
  { characters, lines, unknown }: UnembeddedText,
  page: number,
  isShown: (codePoint: number) => boolean,
): MissingText[] {
  const lacking = [...characters].filter(([codePoint]) => !isShown(codePoint));
  if (lacking.length === 0 && unknown.size === 0) return [];
  const codePoints = new Set(lacking.map(([codePoint]) => codePoint));
  const quotes = lines.map((line) => lackingPart(line, (codePoint) => codePoints.has(codePoint)));
  const fonts = new Set([...unknown, ...lacking.flatMap(([, names]) => [...names])]);
  return [{ page, fonts, lines: quotes, hasMore: unknown.size > 0 }];
}

function textOfPages(pdfium: Pdfium, document: number, pageCount: number): UnembeddedText[] {
  const before = process.cpuUsage();
  const isInTime = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 < FONT_LIMITS.missingFontsMs;
  };
  const pages: UnembeddedText[] = [];
  for (let index = 0; index < pageCount && isInTime(); index += 1) {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (page === 0) break;
    pages.push(unembeddedText(pdfium, page));
    pdfium.FPDF_ClosePage(page);
  }
  return pages;
}

async function showing(characters: ReadonlySet<number>): Promise<(codePoint: number) => boolean> {
  if (characters.size === 0) return () => true;
  const { substitutesFor } = await import('./substitutes.ts');
  return substitutesFor(characters).has;
}
