// Takes what somebody uploaded and gives back a PDF that can be shown and signed, with the facts of its pages.
// It must never believe a name or a header of the request, store anything, or keep what it was given.
import type { FileType } from '../../api/contract/file-types.ts';
import type { ComplexityLimit } from '../../pdf/complexity/complexity.ts';
import { type ImageLimit, imageToPdf } from '../../pdf/image-to-pdf.ts';
import { inspectPdf, type PdfRefusal } from '../../pdf/inspect.ts';
import type { PageBox } from '../../pdf/page-box.ts';

/** `pdf` is what came in, byte for byte, unless it was a picture (`isConverted`) or damaged and had to be rewritten. */
export type Taken = { ok: true; pdf: Uint8Array; isConverted: boolean; pages: PageBox[] };

/** Why a file is of no use: data for a problem, not a text. The codes are those of problems.ts. */
export type Refused =
  | { ok: false; code: 'document_encrypted'; detail: { by: 'password' | 'certificate' } }
  | { ok: false; code: 'document_unreadable'; detail: UnreadableDetail }
  | { ok: false; code: 'document_too_long'; detail: { pageCount: number; maxPages: number } }
  | { ok: false; code: 'document_too_complex'; detail: ComplexDetail }
  | { ok: false; code: 'file_type_not_supported_yet'; detail: { type: FileType } };

/** `incomplete`: its end is missing, or part of what it names. */
export type UnreadableDetail = { type: FileType; reason: 'damaged' | 'incomplete' | 'no_pages' };

/** Which limit, on which page (from 1) where it is known; of a picture also how much it has of what it may have. */
export type ComplexDetail = {
  type: FileType;
  limit: ComplexityLimit | ImageLimit;
  page?: number;
  actual?: number;
  allowed?: number;
};

/** The limits that the service sets; those of the work itself are in src/pdf/limits.ts. */
export type IntakeLimits = { maxPages: number };

/** Turns the bytes of a file of `type`, as `fileTypeOf` told it, into a PDF. Refusals are answers; it throws on bugs. */
export async function takeDocument(
  bytes: Uint8Array,
  type: FileType,
  limits: IntakeLimits,
): Promise<Taken | Refused> {
  if (type === 'pdf') return takePdf(bytes, limits);
  if (type === 'png' || type === 'jpeg') return takeImage(bytes, type);
  return { ok: false, code: 'file_type_not_supported_yet', detail: { type } };
}

async function takePdf(bytes: Uint8Array, limits: IntakeLimits): Promise<Taken | Refused> {
  const facts = await inspectPdf(bytes, limits);
  if (!facts.ok) return refusedPdf(facts, limits);
  return { ok: true, pdf: facts.repaired ?? bytes, isConverted: false, pages: facts.pages };
}

function refusedPdf(refusal: PdfRefusal, { maxPages }: IntakeLimits): Refused {
  switch (refusal.reason) {
    case 'password_required':
      return { ok: false, code: 'document_encrypted', detail: { by: 'password' } };
    case 'certificate_required':
      return { ok: false, code: 'document_encrypted', detail: { by: 'certificate' } };
    case 'too_many_pages':
      return { ok: false, code: 'document_too_long', detail: { pageCount: refusal.pageCount, maxPages } };
    case 'too_complex': {
      const { limit, page } = refusal;
      const detail = { type: 'pdf' as const, limit, ...(page !== undefined && { page }) };
      return { ok: false, code: 'document_too_complex', detail };
    }
    default: {
      const reason = refusal.reason === 'unreadable' ? 'damaged' : refusal.reason;
      return { ok: false, code: 'document_unreadable', detail: { type: 'pdf', reason } };
    }
  }
}

async function takeImage(bytes: Uint8Array, type: 'png' | 'jpeg'): Promise<Taken | Refused> {
  const image = await imageToPdf(bytes, type);
  if (image.ok) return { ok: true, pdf: image.pdf, isConverted: true, pages: [image.page] };
  if (image.reason === 'unreadable')
    return { ok: false, code: 'document_unreadable', detail: { type, reason: 'damaged' } };
  const { ok, reason, ...passed } = image;
  return { ok: false, code: 'document_too_complex', detail: { type, ...passed } };
}
