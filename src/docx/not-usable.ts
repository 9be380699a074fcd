// Defines the error that the readers of this folder throw when a DOCX cannot be used, because they call each other many levels deep.
// The entry points `docx-to-pdf.ts` and `safe-docx.ts` turn it into an answer.
import type { PictureLimit } from '../pdf/images/picture.ts';
import type { TooComplex } from '../pdf/limits.ts';

export type DocxRefusal =
  | { ok: false; reason: 'unreadable' }
  | { ok: false; reason: 'password_required' }
  | { ok: false; reason: 'too_many_pages'; pageCount: number }
  | { ok: false; reason: 'too_complex'; limit: UnknownNumber; near: string }
  | TooComplex;

/** A number would change or be missing without such content. */
export type UnknownNumber = 'formula' | 'number_field';

export class NotUsable extends Error {
  readonly refusal: DocxRefusal;
  constructor(refusal: DocxRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** Only a DOCX can pass these limits. */
export const DOCX_LIMITS = [
  'zip_entries',
  'zip_names',
  'zip_overlap',
  'zip_sizes',
  'xml_doctype',
  'xml_elements',
  'text',
  'marks',
  'paragraph',
  'tables',
  'table_nesting',
  'pictures',
  'inserted_files',
] as const;

type DocxLimit =
  | (typeof DOCX_LIMITS)[number]
  | PictureLimit
  | 'jpeg_scans'
  | 'stream_bytes'
  | 'unpacked_bytes'
  | 'nesting';

/** @param limit names what was passed; `api/contract/documents.ts` has a sentence for each */
export const limitExceeded = (limit: DocxLimit): NotUsable =>
  new NotUsable({ ok: false, reason: 'too_complex', limit });

const NEAR_CHARACTERS = 60;

/** @param words what it is, and what stands in front of it: the way to find it */
export function unknownNumber(limit: UnknownNumber, words: string): NotUsable {
  const near = [...words.replace(/\s+/g, ' ').trim()];
  const shown = near.length > NEAR_CHARACTERS ? `…${near.slice(-NEAR_CHARACTERS).join('')}` : near.join('');
  return new NotUsable({ ok: false, reason: 'too_complex', limit, near: shown });
}

export const tooManyPages = (pageCount: number): NotUsable =>
  new NotUsable({ ok: false, reason: 'too_many_pages', pageCount });

export const unreadableDocx = (): NotUsable => new NotUsable({ ok: false, reason: 'unreadable' });

/** Turns a `NotUsable` into the refusal that it carries. Every other error is a bug and is thrown again. */
export async function answerNotUsable<T>(work: () => Promise<T>): Promise<T | DocxRefusal> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NotUsable) return error.refusal;
    throw error;
  }
}
