// Takes what somebody uploaded and gives back a PDF that can be shown and signed, with the facts of its pages.
// It must never believe a name or a header of the request, store anything, or keep what it was given.
import type { FileType } from '../../api/contract/file-types.ts';
import type { DocumentEngine, ImageType, Inspected, Source } from '../../pdf/engine/engine.ts';
import type { PageBox } from '../../pdf/page-box.ts';

/** `pdf` is what the file became where it is not kept as it came: it was a picture (`isConverted`), or damaged. */
export type Taken = {
  ok: true;
  pdf: Uint8Array | undefined;
  isConverted: boolean;
  pages: PageBox[];
  /** No page of it can be slow to draw. */
  isPlain: boolean;
};

/** Why a file is of no use: data for a problem, not a text. The codes are those of problems.ts. */
export type Refused =
  | { ok: false; code: 'document_encrypted'; detail: Record<string, never> }
  | { ok: false; code: 'document_unreadable'; detail: UnreadableDetail }
  | { ok: false; code: 'document_too_long'; detail: { pageCount: number; maxPages: number } }
  | { ok: false; code: 'document_too_complex'; detail: { limit: string; page: number | undefined } }
  | { ok: false; code: 'documents_busy'; detail: Record<string, never> }
  | { ok: false; code: 'file_type_not_supported_yet'; detail: { type: FileType } };

/** `too_many_pixels` is said of pictures, from their header alone. */
export type UnreadableDetail = {
  type: FileType;
  reason: 'damaged' | 'no_pages' | 'too_many_pixels';
  maxPixels?: number;
};

/** The limits of a document: pages of a PDF, pixels (width × height) of a picture. */
export type IntakeLimits = { maxPages: number; maxPixels: number };

export type IntakeParts = { engine: DocumentEngine; limits: IntakeLimits; owner: string };

/** Turns a file of `type`, as `fileTypeOf` told it, into a PDF. Refusals are answers; it throws on bugs. */
export async function takeDocument(
  source: Source,
  type: FileType,
  parts: IntakeParts,
): Promise<Taken | Refused> {
  if (type === 'pdf') return takePdf(source, parts);
  if (type === 'png' || type === 'jpeg') return takeImage(source, type, parts);
  return { ok: false, code: 'file_type_not_supported_yet', detail: { type } };
}

async function takePdf(source: Source, { engine, limits, owner }: IntakeParts): Promise<Taken | Refused> {
  const facts = await engine.inspect(source, limits, owner);
  if (!facts.ok) return refusedPdf(facts, limits);
  const { pages, isPlain, repaired } = facts;
  return { ok: true, pdf: repaired, isConverted: false, pages, isPlain };
}

function refusedPdf(refusal: Extract<Inspected, { ok: false }>, { maxPages }: IntakeLimits): Refused {
  switch (refusal.reason) {
    case 'busy':
      return { ok: false, code: 'documents_busy', detail: {} };
    case 'too_complex':
      return tooComplex(refusal);
    case 'password_required':
      return { ok: false, code: 'document_encrypted', detail: {} };
    case 'too_many_pages':
      return { ok: false, code: 'document_too_long', detail: { pageCount: refusal.pageCount, maxPages } };
    case 'no_pages':
      return { ok: false, code: 'document_unreadable', detail: { type: 'pdf', reason: 'no_pages' } };
    case 'unreadable':
      return { ok: false, code: 'document_unreadable', detail: { type: 'pdf', reason: 'damaged' } };
  }
}

const tooComplex = ({ limit, page }: { limit: string; page?: number }): Refused => ({
  ok: false,
  code: 'document_too_complex',
  detail: { limit, page },
});

async function takeImage(
  source: Source,
  type: ImageType,
  { engine, limits, owner }: IntakeParts,
): Promise<Taken | Refused> {
  const { maxPixels } = limits;
  const image = await engine.toPdf(source, type, { maxPixels }, owner);
  if (image.ok) {
    const { pdf, page, isPlain } = image;
    return { ok: true, pdf, isConverted: true, pages: [page], isPlain };
  }
  if (image.reason === 'busy') return { ok: false, code: 'documents_busy', detail: {} };
  if (image.reason === 'too_complex') return tooComplex(image);
  const detail: UnreadableDetail =
    image.reason === 'too_large'
      ? { type, reason: 'too_many_pixels', maxPixels }
      : { type, reason: 'damaged' };
  return { ok: false, code: 'document_unreadable', detail };
}
