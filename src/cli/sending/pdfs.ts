// Provides the PDFs that fields are placed on: files that are PDFs already, Word documents that a service will convert, and documents
// downloaded from a transaction, which are checked like any file.

import type { ApiError } from '../../api/codec.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { ReceivedDocument } from '../../api/contract/transactions.ts';
import { once } from '../../common/once.ts';
import { sha256Of } from '../../common/sha256.ts';
import { readArchive } from '../../files/archive.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { convertToPdf, type LocalFile, type PdfContent, type SearchedPdf } from '../input/documents.ts';
import { fileLabel } from '../input/files.ts';
import { documentName } from './view.ts';

/** The files in their order, undefined for those that only the service can convert. */
export type ReadyPdfs = readonly (SearchedPdf | undefined)[];

/**
 * Makes a function that reads the files once, when they are needed first.
 * @param earlier the PDFs where they were read before
 */
export const readyPdfsOf = (
  files: readonly LocalFile[],
  documents: DocumentEngine,
  earlier?: ReadyPdfs,
): (() => Promise<ReadyPdfs>) =>
  once(async () => {
    if (earlier) return earlier;
    const pdfs: (SearchedPdf | undefined)[] = [];
    for (const file of files) {
      if (file.type !== 'pdf') pdfs.push(undefined);
      else pdfs.push({ name: file.name, ...(await convertToPdf(file, fileLabel(file.path), documents)) });
    }
    return pdfs;
  });

/**
 * Adds the Word documents to the files that are PDFs. One that cannot be converted here stays undefined: the service may be able to.
 * @param isOfAll false: only of those that may have tags, because a conversion takes seconds
 */
export async function withWordDocuments(
  pdfs: ReadyPdfs,
  files: readonly LocalFile[],
  documents: DocumentEngine,
  isOfAll: boolean,
): Promise<ReadyPdfs> {
  const all = [...pdfs];
  for (const [index, file] of files.entries()) {
    if (file.type !== 'docx' || all[index]) continue;
    if (!isOfAll && !(await mayHaveTags(file))) continue;
    const pdf = await convertToPdf(file, fileLabel(file.path), documents).catch((error: unknown) => {
      if (error instanceof CliError) return undefined;
      throw error;
    });
    all[index] = pdf && { name: file.name, ...pdf };
  }
  return all;
}

const MAIN_PART = 'word/document.xml';

/** A tag can be split into runs of text, so the markup between its letters is left out. A main part that is too large to be looked at may have tags. */
async function mayHaveTags({ bytes }: LocalFile): Promise<boolean> {
  const archive = await readArchive({ bytes }, [MAIN_PART]);
  if (!archive) return false;
  if (archive.text === '') return archive.names.includes(MAIN_PART);
  // A sign that opens no markup ends the search at the next one, so that the time is proportional to the length.
  return archive.text.replace(/<[^<>]*>/g, '').includes('{{');
}

/** Downloads a document as PDF. @throws CliError when the service does not return documents */
export async function fetchPdf(
  connection: Pick<Connection, 'client'>,
  document: ReceivedDocument,
  documents: DocumentEngine,
): Promise<PdfContent> {
  const bytes = await bytesOf(connection, document);
  if (fileTypeOf(bytes) !== 'pdf') throw notGiven(document);
  const sha256 = sha256Of(bytes);
  return convertToPdf({ type: 'pdf', sha256, bytes }, `"${documentName(document)}"`, documents);
}

/** Downloads the bytes. The operation is an extension: a service without it does not know the path, or the id. */
async function bytesOf(
  { client }: Pick<Connection, 'client'>,
  document: ReceivedDocument,
): Promise<Uint8Array> {
  const fileId = document.file?.id;
  if (!fileId) throw notGiven(document);
  try {
    return (await client['file.content']({ params: { fileId } })).bytes;
  } catch (error) {
    const { name, status } = error as ApiError;
    if (name === 'ApiError' && (status === 404 || status === 405 || status === 501)) throw notGiven(document);
    throw error;
  }
}

const notGiven = (document: ReceivedDocument) =>
  cliError('document_not_given', {
    sentence: `The service offers no download of "${documentName(document)}".`,
    hint: 'Preview the file itself, with the same recipients and fields: `esign tx preview FILE --to … --field …`.',
  });
