// Turns a file into a PDF as the service of this program does: rewrites a damaged PDF, and converts
// pictures and text documents. It must never return what the engine refused.
import { createHash } from 'node:crypto';
import type { FileType } from '../../api/contract/file-types.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { tooComplex, unreadable } from '../../api/contract/unusable.ts';
import type { ConvertedType, DocumentEngine } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import { notUsable, type PageSize } from './local-file.ts';

export type AsPdf = { pdf: Uint8Array; sha256: string; pages: PageSize[] };

type Given = { type: FileType; sha256: string; bytes: Uint8Array };

/** Makes the PDF. @param subject the document, as a sentence begins */
export async function asPdf(given: Given, subject: string, documents: DocumentEngine): Promise<AsPdf> {
  const { type } = given;
  return type === 'pdf'
    ? inspected(given, subject, documents)
    : converted({ ...given, type }, subject, documents);
}

async function inspected(
  { sha256, bytes }: Given,
  subject: string,
  documents: DocumentEngine,
): Promise<AsPdf> {
  const source = { sha256, bytes: async () => bytes };
  const facts = await documents.inspect(source, { maxPages: LIMITS.pagesPerDocument }, 'own');
  if (!facts.ok) throw notUsable(subject, facts);
  return facts.repaired ? of(facts.repaired, facts.pages) : { pdf: bytes, sha256, pages: facts.pages };
}

async function converted(
  { type, sha256, bytes }: Given & { type: ConvertedType },
  subject: string,
  documents: DocumentEngine,
): Promise<AsPdf> {
  const answer = await documents.toPdf({ sha256, bytes: async () => bytes }, type, 'own');
  if (answer.ok) return of(answer.pdf, answer.pages);
  if (answer.reason === 'busy') throw notUsable(subject, answer);
  if (answer.reason === 'password_required' || answer.reason === 'too_many_pages')
    throw notUsable(subject, answer);
  const isWork = answer.reason === 'too_complex' || answer.reason === 'too_large';
  throw cliError(isWork ? 'document_too_complex' : 'document_unreadable', {
    document: subject,
    ...(isWork ? tooComplex({ ...answer, type }) : unreadable('damaged')),
  });
}

const of = (pdf: Uint8Array, pages: PageSize[]): AsPdf => ({
  pdf,
  sha256: createHash('sha256').update(pdf).digest('hex'),
  pages,
});
