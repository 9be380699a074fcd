// Opens one page of a document that PDFium has open, with what has to be known to find places on it. It must never leave
// a page or a form open.
import { type PageGeometry, type Rect, rotationOf } from '../geometry.ts';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { scanPdf } from './byte-scan.ts';
import { searchable } from './characters.ts';
import { type Pdfium, savedCopy, withMemory } from './pdfium.ts';

export type OpenPage = { page: number; geometry: PageGeometry };

/**
 * Throws when there is no such page: it was listed, so that is a mistake of the caller.
 * @param unit of the page, as `userUnitsOf` tells it
 */
export function withPage<T>(
  pdfium: Pdfium,
  document: number,
  { pageIndex, unit }: { pageIndex: number; unit: number },
  job: (open: OpenPage) => T,
): T {
  const page = pdfium.FPDF_LoadPage(document, pageIndex);
  if (page === 0) throw new Error(`There is no page ${pageIndex} to open.`);
  try {
    const rotation = rotationOf(pdfium.FPDFPage_GetRotation(page));
    return job({ page, geometry: { visible: visibleRect(pdfium, page), rotation, unit } });
  } finally {
    pdfium.FPDF_ClosePage(page);
  }
}

/** PDFium has cut /CropBox to /MediaBox, with inherited values. */
function visibleRect(pdfium: Pdfium, page: number): Rect {
  return withMemory(pdfium, 16, (pointer) => {
    pdfium.FPDF_GetPageBoundingBox(page, pointer);
    const at = (position: number) => pdfium.pdfium.getValue(pointer + position * 4, 'float');
    return { left: at(0), top: at(1), right: at(2), bottom: at(3) };
  });
}

/** Opens the form of the document around `job`: without it PDFium leaves the values of form fields out. */
export function withForm<T>(pdfium: Pdfium, document: number, job: (form: number) => T): T {
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  try {
    pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
    return job(form);
  } finally {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
  }
}

/** Tells the unit of a page of an open document as a factor: 2 means 2/72 inch. `bytes` are those of the document. */
export function userUnitsOf(
  pdfium: Pdfium,
  document: number,
  bytes: Uint8Array,
): (pageIndex: number) => number {
  // False only when no page can have a unit of its own; true means that it is worth opening the file a second time.
  if (!scanPdf(bytes).mayStateUserUnit) return () => 1;
  // PDFium writes every object of a copy in the open: neither encrypted nor inside an object stream.
  const copy = searchable(savedCopy(pdfium, document));
  const offsets = objectOffsets(copy);
  return (pageIndex) => {
    const page = objectText(copy, offsets, pdfium.EPDFDoc_GetPageObjectNumberByIndex(document, pageIndex));
    const [, value, isReference] = /\/UserUnit\s*([\d.+-]+)( 0 R)?/.exec(page) ?? [];
    const unit = Number(
      isReference ? objectText(copy, offsets, Number(value), DOCUMENT_LIMITS.unitBytes) : value,
    );
    return unit > 0 && Number.isFinite(unit) ? unit : 1;
  };
}

/** Finds where each object of a file with a plain cross-reference table begins. */
function objectOffsets(file: Buffer): Map<number, number> {
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 100))?.[1]);
  const offsets = new Map<number, number>();
  let number = 0;
  for (const row of file.toString('latin1', start).split(/\r?\n/)) {
    if (row === 'trailer') break;
    const [, offset, mark] = /^(\d{10}) \d{5} ([nf])/.exec(row) ?? [];
    if (offset === undefined) {
      number = Number(/^(\d+) \d+\s*$/.exec(row)?.[1] ?? number);
      continue;
    }
    if (mark === 'n') offsets.set(number, Number(offset));
    number += 1;
  }
  return offsets;
}

/** Reads what stands between `obj` and `endobj`, or the first `most` bytes of it; nothing for an object that is not there. */
function objectText(file: Buffer, offsets: Map<number, number>, number: number, most = file.length): string {
  const start = offsets.get(number);
  if (start === undefined) return '';
  const length = file.subarray(start, start + most).indexOf('endobj');
  const text = file.toString('latin1', start, length === -1 ? start + most : start + length);
  return text.slice(text.indexOf('obj') + 3);
}
