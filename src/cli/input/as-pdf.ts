// Turns a file into a PDF as the service of this program does: rewrites a damaged PDF, and converts
// pictures and text documents. It must never return what the engine refused.

import type { FileType } from '../../api/contract/file-types.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { tooComplex, unreadable } from '../../api/contract/unusable.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { ConvertedType, DocumentEngine } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import { documentRefused, type PageSize } from './local-file.ts';

export type PdfContent = { pdf: Uint8Array; sha256: string; pages: PageSize[] };

type Given = { type: FileType; sha256: string; bytes: Uint8Array };

/** Makes the PDF. @param subject the document, as a sentence begins */
export async function convertToPdf(
  given: Given,
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const { type } = given;
  return type === 'pdf'
    ? inspectPdf(given, subject, documents)
    : convertFile({ ...given, type }, subject, documents);
}

async function inspectPdf(
  { sha256, bytes }: Given,
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const source = { sha256, bytes: async () => bytes };
  const facts = await documents.inspect(source, { maxPages: LIMITS.pagesPerDocument }, 'own');
  if (!facts.ok) throw documentRefused(subject, facts);
  return facts.repaired ? of(facts.repaired, facts.pages) : { pdf: bytes, sha256, pages: facts.pages };
}

async function convertFile(
  { type, sha256, bytes }: Given & { type: ConvertedType },
  subject: string,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const answer = await documents.toPdf({ sha256, bytes: async () => bytes }, type, 'own');
  if (answer.ok) return of(answer.pdf, answer.pages);
  if (answer.reason === 'busy') throw documentRefused(subject, answer);
  if (answer.reason === 'password_required' || answer.reason === 'too_many_pages')
    throw documentRefused(subject, answer);
  const isWork = answer.reason === 'too_complex' || answer.reason === 'too_large';
  throw cliError(isWork ? 'document_too_complex' : 'document_unreadable', {
    document: subject,
    ...(isWork ? tooComplex({ ...answer, type }) : unreadable('damaged')),
  });
}

const of = (pdf: Uint8Array, pages: PageSize[]): PdfContent => ({
  pdf,
  sha256: sha256Of(pdf),
  pages,
});
