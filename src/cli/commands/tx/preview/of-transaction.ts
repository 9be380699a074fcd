// A preview of a transaction that the service has: its documents are read back from it, and checked here like any file.
import { createHash } from 'node:crypto';
import type { ApiError } from '../../../../api/codec.ts';
import { fileTypeOf } from '../../../../api/contract/file-types.ts';
import type {
  ReceivedDocument,
  ReceivedField,
  ReceivedTransaction,
} from '../../../../api/contract/received.ts';
import { colorAt } from '../../../../api/contract/transactions.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
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
  const placed = fields.flatMap(placedField);
  if (placed.length < fields.length)
    context.terminal.progress.warn(
      `${fields.length - placed.length} of the fields are not drawn: the service does not return their positions.`,
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

const isNear = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Math.abs(value) < FARTHEST_POINTS;

/** Nothing for a field of which the service does not say where it is. */
function placedField(field: ReceivedField): PreviewedField[] {
  const { document_id, recipient_id, type, label, is_required, page } = field;
  const { positionX, positionY, width, height } = field;
  if (!isNear(page) || !isNear(positionX) || !isNear(positionY) || !isNear(width) || !isNear(height))
    return [];
  return [
    {
      ...{ document_id, recipient_id, type, page, positionX, positionY, width, height },
      ...(label && { label }),
      ...(typeof is_required === 'boolean' && { is_required }),
    },
  ];
}

async function pdfOf(context: Uses<'process'>, connection: Connection, document: ReceivedDocument) {
  const bytes = await bytesOf(connection, document);
  if (fileTypeOf(bytes) !== 'pdf') throw notGiven(document);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return asPdf({ type: 'pdf', sha256, bytes }, `"${documentName(document)}"`, context.process.documents);
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
    way: 'Preview the file itself, with the same recipients and fields: `esign tx preview FILE --to … --field …`.',
  });

const noDocuments = ({ id }: ReceivedTransaction) => cliError('documents_missing', { id });
