// A document of a transaction, read back from the service and checked here like any file.
import { createHash } from 'node:crypto';
import type { ApiError } from '../../api/codec.ts';
import { fileTypeOf } from '../../api/contract/file-types.ts';
import type { ReceivedDocument } from '../../api/contract/received.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { type AsPdf, asPdf } from '../input/as-pdf.ts';
import { documentName } from './view.ts';

/** @throws CliError when the service does not give documents back */
export async function readPdf(
  connection: Connection,
  document: ReceivedDocument,
  documents: DocumentEngine,
): Promise<AsPdf> {
  const bytes = await bytesOf(connection, document);
  if (fileTypeOf(bytes) !== 'pdf') throw notGiven(document);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return asPdf({ type: 'pdf', sha256, bytes }, `"${documentName(document)}"`, documents);
}

/** Reading a file back is an extension: a service that does not have it does not know the address, or the id. */
async function bytesOf({ client }: Connection, document: ReceivedDocument): Promise<Uint8Array> {
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
