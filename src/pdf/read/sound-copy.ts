// Saves a document as PDFium understands it, without compression: broken, packed, encrypted or contradictory parts are resolved as they
// were when the recipients read it. On demand PDFium adds the appearances of fields, and pages are copied into a new document, whose
// page tree every reader understands.

import type { TooComplex } from '../limits.ts';
import { withForm } from './open-page.ts';
import { type Pdfium, savedCopy, withDocument } from './pdfium.ts';

/** An exact copy was read as the table of the file says, is not encrypted, and nothing of it was left out. */
export type SoundCopy =
  | { ok: true; pdf: Uint8Array; pageCount: number; isExact: boolean }
  | { ok: false; reason: 'not_sealable'; why: 'unreadable' }
  | TooComplex;

// fpdfview.h: FPDF_ANNOT.
const DRAW_FLAGS = 0x01;
/** Appearances are made when a field is drawn, however small. */
const SIDE = 8;

export type Copying = {
  /** Fields that show nothing yet get their appearances. */
  withAppearances?: boolean;
  /** The copy has nothing that belongs to the document as a whole: names, files inside, the form. */
  pagesAlone?: boolean;
};

export async function soundCopy(
  bytes: Uint8Array,
  { withAppearances = false, pagesAlone = false }: Copying = {},
): Promise<SoundCopy> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const pageCount = pdfium.FPDF_GetPageCount(document);
      const isExact =
        !pagesAlone &&
        pdfium.FPDF_DocumentHasValidCrossReferenceTable(document) &&
        !pdfium.EPDF_IsEncrypted(document);
      // Otherwise the copy is as encrypted as the file.
      pdfium.EPDF_RemoveEncryption(document);
      if (pagesAlone) return { pdf: copyOfPages(pdfium, document), pageCount, isExact };
      if (!withAppearances) return { pdf: savedCopy(pdfium, document), pageCount, isExact };
      return withForm(pdfium, document, (form) => {
        for (let index = 0; index < pageCount; index += 1) drawOnce(pdfium, document, { form, index });
        return { pdf: savedCopy(pdfium, document), pageCount, isExact };
      });
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  return { ok: false, reason: 'not_sealable', why: 'unreadable' };
}

function copyOfPages(pdfium: Pdfium, document: number): Uint8Array {
  const copy = pdfium.FPDF_CreateNewDocument();
  try {
    pdfium.FPDF_ImportPagesByIndex(copy, document, ALL, 0, 0);
    return savedCopy(pdfium, copy);
  } finally {
    pdfium.FPDF_CloseDocument(copy);
  }
}

/** PDFium takes this for no list of pages. */
const ALL = 0;

function drawOnce(pdfium: Pdfium, document: number, { form, index }: { form: number; index: number }): void {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) return;
  pdfium.FORM_OnAfterLoadPage(page, form);
  const bitmap = pdfium.FPDFBitmap_Create(SIDE, SIDE, 0);
  try {
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, SIDE, SIDE, 0, DRAW_FLAGS);
    pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, SIDE, SIDE, 0, DRAW_FLAGS);
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
    pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDF_ClosePage(page);
  }
}
