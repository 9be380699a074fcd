// Downloads a document of a transaction, and checks it like any file.

import type { ApiError } from '../../api/codec.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { ReceivedDocument } from '../../api/contract/received.ts';
import { sha256Of } from '../../common/sha256.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { convertToPdf, type PdfContent } from '../input/as-pdf.ts';
import { documentName } from './view.ts';

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
    document: documentName(document),
    hint: 'Preview the file itself, with the same recipients and fields: `esign tx preview FILE --to … --field …`.',
  });
