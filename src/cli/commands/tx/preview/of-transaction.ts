// A preview of a transaction that the service has: its documents are read back from it, and checked here like any file.
import { createHash } from 'node:crypto';
import type { ApiError } from '../../../../api/codec.ts';
import { fileTypeOf } from '../../../../api/contract/file-types.ts';
import { colorAt, type Document, type Transaction } from '../../../../api/contract/transactions.ts';
import type { Uses } from '../../../command/context.ts';
import { CliError, EXIT } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { asPdf } from '../../../input/as-pdf.ts';
import { contentOf, documentName } from '../../../transactions/view.ts';
import type { Previewed, PreviewedDocument, PreviewedField } from './content.ts';

export async function previewOfTransaction(
  context: Uses<'connections' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<Previewed> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const { documents, recipients, fields } = contentOf(transaction);
  if (documents.length === 0) throw noDocuments(transaction);
  const read: PreviewedDocument[] = [];
  for (const document of documents) {
    context.process.checkpoint();
    const name = documentName(document);
    read.push({
      id: document.id,
      name,
      ...(await context.terminal.progress.step(`read ${name}`, () => pdfOf(context, connection, document))),
    });
  }
  const placed = fields.filter(isPlaced);
  if (placed.length < fields.length)
    context.terminal.progress.warn(
      `the service does not say where ${fields.length - placed.length} of the fields are: they are not drawn`,
    );
  return {
    id: transaction.id,
    documents: read,
    people: recipients.map(({ id, name, email, color }, index) => ({
      id,
      name,
      email,
      color: color ?? colorAt(index),
    })),
    fields: placed,
  };
}

/** Far beyond any page; a service may answer with any number, or none. */
const FARTHEST_POINTS = 1_000_000;

const isPlaced = ({ page, positionX, positionY, width, height }: PreviewedField): boolean =>
  [page, positionX, positionY, width, height].every(
    (number) => typeof number === 'number' && Math.abs(number) < FARTHEST_POINTS,
  );

async function pdfOf(context: Uses<'process'>, connection: Connection, document: Document) {
  const bytes = await bytesOf(connection, document);
  if (fileTypeOf(bytes) !== 'pdf') throw notGiven(document);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return asPdf({ type: 'pdf', sha256, bytes }, `"${documentName(document)}"`, context.process.documents);
}

/** Reading a file back is an extension: a service that does not have it does not know the address, or the id. */
async function bytesOf({ client }: Connection, document: Document): Promise<Uint8Array> {
  const fileId = document.file?.id;
  if (fileId === undefined) throw notGiven(document);
  try {
    return (await client['file.content']({ params: { fileId } })).bytes;
  } catch (error) {
    const { name, status } = error as ApiError;
    if (name === 'ApiError' && (status === 404 || status === 405 || status === 501)) throw notGiven(document);
    throw error;
  }
}

const notGiven = (document: Document) =>
  new CliError(`The service does not give the content of "${documentName(document)}" back.`, {
    code: 'document_not_given',
    exit: EXIT.notFound,
    hint: 'Preview the file itself, with the same people and fields: esign tx preview FILE --to … --field …',
  });

const noDocuments = ({ id }: Transaction) =>
  new CliError(`Transaction ${id} has no documents yet.`, {
    code: 'documents_missing',
    exit: EXIT.conflict,
    next: [{ command: `esign tx upload ${id} FILE`, when: 'to add one' }],
  });
