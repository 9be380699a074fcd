// Takes what somebody uploaded and gives back a PDF that can be shown and signed, with the facts of its pages.
// It must never believe a name or a header of the request, store anything, or keep what it was given.
import type { FileType } from '../../api/contract/file-types.ts';
import { imageToPdf } from '../../pdf/image-to-pdf.ts';
import { inspectPdf, type PdfRefusal } from '../../pdf/inspect.ts';
import type { PageBox } from '../../pdf/page-box.ts';

/** `pdf` is what came in, byte for byte, unless it was a picture (`isConverted`) or damaged and had to be rewritten. */
export type Taken = { ok: true; pdf: Uint8Array; isConverted: boolean; pages: PageBox[] };

/** Why a file is of no use: data for a problem, not a text. The codes are those of problems.ts. */
export type Refused =
  | { ok: false; code: 'document_encrypted'; detail: Record<string, never> }
  | { ok: false; code: 'document_unreadable'; detail: UnreadableDetail }
  | { ok: false; code: 'document_too_long'; detail: { pageCount: number; maxPages: number } }
  | { ok: false; code: 'file_type_not_supported_yet'; detail: { type: FileType } };

/** `too_many_pixels` is said of pictures, from their header alone. */
export type UnreadableDetail = {
  type: FileType;
  reason: 'damaged' | 'no_pages' | 'too_many_pixels';
  maxPixels?: number;
};

/** The limits of a document: pages of a PDF, pixels (width × height) of a picture. */
export type IntakeLimits = { maxPages: number; maxPixels: number };

/** Turns the bytes of a file of `type`, as `fileTypeOf` told it, into a PDF. Refusals are answers; it throws on bugs. */
export async function takeDocument(
  bytes: Uint8Array,
  type: FileType,
  limits: IntakeLimits,
): Promise<Taken | Refused> {
  if (type === 'pdf') return takePdf(bytes, limits);
  if (type === 'png' || type === 'jpeg') return takeImage(bytes, type, limits);
  return { ok: false, code: 'file_type_not_supported_yet', detail: { type } };
}

async function takePdf(bytes: Uint8Array, limits: IntakeLimits): Promise<Taken | Refused> {
  const facts = await inspectPdf(bytes, limits);
  if (!facts.ok) return refusedPdf(facts, limits);
  return { ok: true, pdf: facts.repaired ?? bytes, isConverted: false, pages: facts.pages };
}

function refusedPdf(refusal: PdfRefusal, { maxPages }: IntakeLimits): Refused {
  if (refusal.reason === 'password_required') return { ok: false, code: 'document_encrypted', detail: {} };
  if (refusal.reason === 'too_many_pages') {
    return { ok: false, code: 'document_too_long', detail: { pageCount: refusal.pageCount, maxPages } };
  }
  const reason = refusal.reason === 'no_pages' ? 'no_pages' : 'damaged';
  return { ok: false, code: 'document_unreadable', detail: { type: 'pdf', reason } };
}

async function takeImage(
  bytes: Uint8Array,
  type: 'png' | 'jpeg',
  { maxPixels }: IntakeLimits,
): Promise<Taken | Refused> {
  const image = await imageToPdf(bytes, type, { maxPixels });
  if (image.ok) return { ok: true, pdf: image.pdf, isConverted: true, pages: [image.page] };
  const detail: UnreadableDetail =
    image.reason === 'too_large'
      ? { type, reason: 'too_many_pixels', maxPixels }
      : { type, reason: 'damaged' };
  return { ok: false, code: 'document_unreadable', detail };
}
