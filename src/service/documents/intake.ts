// Converts an uploaded file to a PDF that can be shown and signed, and describes its pages. It trusts no name and no header
// of the request.
import type { FileType } from '../../api/contract/file-types.ts';
import type {
  ConvertAnswer,
  ConvertedType,
  DocumentEngine,
  InspectAnswer,
  Source,
} from '../../pdf/engine/engine.ts';
import type { PageBox } from '../../pdf/geometry.ts';
import type { PdfRemark } from '../../pdf/remarks.ts';

/** `pdf` is what the file became where its bytes had to change: it was no PDF (`isConverted`), or damaged. */
export type AcceptedDocument = {
  ok: true;
  pdf: Uint8Array | undefined;
  isConverted: boolean;
  pages: PageBox[];
  /** No page of a plain file can be slow to draw. */
  isPlain: boolean;
  /** They say what could not be kept or shown. */
  remarks: PdfRemark[];
};

/** It says as data for a problem why a file cannot be used. The codes are those of problems.ts. */
export type RefusedDocument =
  | { ok: false; code: 'document_encrypted'; detail: { by: 'password' | 'certificate' } }
  | { ok: false; code: 'document_unreadable'; detail: UnreadableDetail }
  | { ok: false; code: 'document_too_long'; detail: { pageCount: number; maxPages: number } }
  | { ok: false; code: 'document_too_complex'; detail: ComplexDetail }
  | { ok: false; code: 'documents_busy'; detail: Record<string, never> };

/**
 * `incomplete` means that its end is missing, or a part that it refers to; `unknown_coding` that it is sound, but of a
 * variant that no reader here supports.
 */
export type UnreadableDetail = {
  type: FileType;
  reason: 'damaged' | 'incomplete' | 'no_pages' | 'unknown_coding';
};

/** It names the limit and, where it is known, the page (from 1); for a picture also the actual and the allowed size. */
export type ComplexDetail = {
  type: FileType;
  limit: string;
  page?: number;
  actual?: number;
  allowed?: number;
  /** This text of the document says where. */
  near?: string;
};

/** The service sets these limits; those of the work itself are in src/pdf/limits.ts. */
export type IntakeLimits = { maxPages: number };

/** The `owner` of the file is a company. */
export type IntakeContext = { engine: DocumentEngine; limits: IntakeLimits; owner: string };

/** Turns a file of `type`, as `fileTypeOf` told it, into a PDF. Refusals are answers; it throws on bugs. */
export async function acceptDocument(
  source: Source,
  type: FileType,
  context: IntakeContext,
): Promise<AcceptedDocument | RefusedDocument> {
  if (type === 'pdf') return acceptPdf(source, context);
  return convert(source, type, context);
}

async function acceptPdf(
  source: Source,
  { engine, limits, owner }: IntakeContext,
): Promise<AcceptedDocument | RefusedDocument> {
  const inspected = await engine.inspect(source, limits, owner);
  if (!inspected.ok) return refusedPdf(inspected, limits);
  const { pages, isPlain, remarks, repaired } = inspected;
  return { ok: true, pdf: repaired, isConverted: false, pages, isPlain, remarks };
}

function refusedPdf(
  refusal: Extract<InspectAnswer, { ok: false }>,
  { maxPages }: IntakeLimits,
): RefusedDocument {
  switch (refusal.reason) {
    case 'busy':
      return { ok: false, code: 'documents_busy', detail: {} };
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

async function convert(
  source: Source,
  type: ConvertedType,
  { engine, limits: { maxPages }, owner }: IntakeContext,
): Promise<AcceptedDocument | RefusedDocument> {
  const converted: ConvertAnswer = await engine.toPdf(source, type, owner);
  if (!converted.ok) return notConverted(converted, type, maxPages);
  const { pdf, pages, isPlain, remarks } = converted;
  if (pages.length > maxPages)
    return { ok: false, code: 'document_too_long', detail: { pageCount: pages.length, maxPages } };
  return { ok: true, pdf, isConverted: true, pages, isPlain, remarks };
}

function notConverted(
  refusal: Extract<ConvertAnswer, { ok: false }>,
  type: ConvertedType,
  maxPages: number,
): RefusedDocument {
  switch (refusal.reason) {
    case 'busy':
      return { ok: false, code: 'documents_busy', detail: {} };
    case 'unreadable':
      return { ok: false, code: 'document_unreadable', detail: { type, reason: 'damaged' } };
    case 'unknown_coding':
      return { ok: false, code: 'document_unreadable', detail: { type, reason: 'unknown_coding' } };
    case 'password_required':
      return { ok: false, code: 'document_encrypted', detail: { by: 'password' } };
    case 'too_many_pages':
      return { ok: false, code: 'document_too_long', detail: { pageCount: refusal.pageCount, maxPages } };
    default: {
      const { ok, reason, ...passed } = refusal;
      return { ok: false, code: 'document_too_complex', detail: { type, ...passed } };
    }
  }
}
