// What is said of a PDF that can be used, but is not shown as its author meant it (assumed: A27). Costs the usual file three
// questions to PDFium: pages are only looked at when a font may be missing. It must never refuse a file.
import process from 'node:process';
import { FONT_LIMITS } from '../limits.ts';
import type { PdfRemark } from '../remarks.ts';
import { type Pdfium, withDocument } from '../render/pdfium.ts';
import { type UnembeddedText, unembeddedText } from '../render/unembedded-text.ts';
import { firstLook } from '../syntax/first-look.ts';
import { lackingPart, type MissingText, missingTextRemarks } from '../text/missing-text.ts';

// fpdf_formfill.h: the pages of such a form are made by a program in it. Of other XFA forms the pages are in the file.
const FORMTYPE_XFA_FULL = 2;
// ISO 32000-1, table 22: print, change, copy, annotate, fill in, extract, assemble, print well.
const PERMISSIONS = 0b1111_0011_1100;

/** About the file as a whole. */
export function documentRemarks(pdfium: Pdfium, document: number, bytes: Uint8Array): PdfRemark[] {
  const remarks: PdfRemark[] = [];
  if (pdfium.FPDF_GetFormType(document) === FORMTYPE_XFA_FULL) remarks.push({ code: 'dynamic_form' });
  const isSigned = firstLook(bytes).hasSignature || hasSignature(pdfium, document);
  if (isSigned) remarks.push({ code: 'already_signed' });
  const isRestricted = (pdfium.FPDF_GetDocPermissions(document) & PERMISSIONS) !== PERMISSIONS;
  if (isRestricted && !pdfium.EPDF_IsOwnerUnlocked(document)) remarks.push({ code: 'encrypted_permissions' });
  return remarks;
}

/** Whether the file has a signature; an empty signature field is none. PDFium does not search fields of fields. */
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
  if (!firstLook(bytes).mayLackFonts) return [];
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
  const parts = lines.map((line) => lackingPart(line, (codePoint) => codePoints.has(codePoint)));
  const fonts = new Set([...unknown, ...lacking.flatMap(([, names]) => [...names])]);
  return [{ page, fonts, lines: parts, hasMore: unknown.size > 0 }];
}

function textOfPages(pdfium: Pdfium, document: number, pageCount: number): UnembeddedText[] {
  const before = process.cpuUsage();
  const isInTime = () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 < FONT_LIMITS.lookMs;
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
  const { substitutesFor } = await import('../render/substitutes.ts');
  return substitutesFor(characters).has;
}
