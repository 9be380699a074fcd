// Opens one page of a document that PDFium has open, with what has to be known to find places on it. It must never leave
// a page or a form open.
import { type PageGeometry, type Rect, rotationOf } from '../geometry.ts';
import { type Pdfium, withMemory } from './pdfium.ts';

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

/** /CropBox cut to /MediaBox, with inherited values: PDFium has worked it out. */
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
