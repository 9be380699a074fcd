// Opens a damaged PDF with @cantoo/pdf-lib, which finds objects where PDFium finds none. The library is large, and slow on files
// that are no PDF. It must never load it for a sound file, or give it a file that would keep it busy for long.
import type { PDFDocument } from '@cantoo/pdf-lib';
import { DOCUMENT_LIMITS } from '../limits.ts';
import { isHostileObjects, looseBytes } from '../syntax/hostile-input.ts';

/** The library is passed along, because it is imported only on demand. */
export type PdfLib = typeof import('@cantoo/pdf-lib');
export type FallbackDocument = { lib: PdfLib; document: PDFDocument };

/** The document, decrypted if the empty password is enough; undefined for what cannot be read this way either. */
export async function openWithFallback(bytes: Uint8Array): Promise<FallbackDocument | undefined> {
  if (looseBytes(bytes) > DOCUMENT_LIMITS.looseBytesToRepair || isHostileObjects(bytes)) return undefined;
  const lib = await import('@cantoo/pdf-lib');
  // The library says no to broken input by throwing, from many places; a stack that ran out is one of them.
  const document = await lib.PDFDocument.load(bytes, { password: '', updateMetadata: false }).catch(
    () => undefined,
  );
  return document?.catalog instanceof lib.PDFDict ? { lib, document } : undefined;
}
