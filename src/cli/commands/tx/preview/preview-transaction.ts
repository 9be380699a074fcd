// Previews a transaction of the service: downloads its documents, and checks them like any file.
import type { ReceivedField, ReceivedTransaction } from '../../../../api/contract/received.ts';
import { colorAt } from '../../../../api/contract/recipients.ts';
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import { fetchPdf } from '../../../transactions/document-content.ts';
import { type FieldOnPage, findCoveredFields } from '../../../transactions/field-warnings.ts';
import { contentOfTransaction, documentName } from '../../../transactions/view.ts';
import type { PreviewContent, PreviewedDocument, PreviewedField, PreviewedPerson } from './content.ts';

export async function previewTransaction(
  context: Uses<'connections' | 'process' | 'terminal'>,
  transactionId: string,
): Promise<PreviewContent> {
  const connection = await context.connections.connect();
  const transaction = await connection.client['transaction.detail']({ params: { transactionId } });
  const { documents, recipients, fields } = contentOfTransaction(transaction);
  if (documents.length === 0) throw noDocuments(transaction);
  const read: PreviewedDocument[] = [];
  for (const document of documents) {
    context.process.checkpoint();
    const name = documentName(document);
    read.push({
      id: document.id,
      name,
      ...(await context.terminal.progress.step(`read ${name}`, () =>
        fetchPdf(connection, document, context.process.documents),
      )),
    });
  }
  const placed = fields.flatMap(placedField);
  if (placed.length < fields.length)
    context.terminal.progress.warn(
      `${fields.length - placed.length} of the fields are not drawn: the service does not return their positions.`,
    );
  const people = recipients.map(({ id, name, email, color }, index) => ({
    id,
    name,
    email,
    color: color ?? colorAt(index),
  }));
  const warnings = [];
  for (const document of read)
    warnings.push(
      ...(await findCoveredFields(document, fieldsIn(document, placed, people), context.process.documents)),
    );
  return {
    id: transaction.id,
    documents: read,
    people,
    fields: placed,
    warnings,
  };
}

const fieldsIn = (
  document: PreviewedDocument,
  fields: readonly PreviewedField[],
  people: readonly PreviewedPerson[],
): FieldOnPage[] =>
  fields
    .filter(({ document_id, page }) => document_id === document.id && page < document.pages.length)
    .map(({ type, recipient_id, page, positionX, positionY, width, height }) => ({
      type,
      recipient: people.find(({ id }) => id === recipient_id)?.email ?? null,
      box: { page, positionX, positionY, width, height },
    }));

/** Far beyond any page. A service may answer with any number, or none. */
const FARTHEST_POINTS = 1_000_000;

const isNear = (value: number | null | undefined): value is number =>
  typeof value === 'number' && Math.abs(value) < FARTHEST_POINTS;

/** Places a field. Empty for a field whose position the service does not tell. */
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

const noDocuments = ({ id }: ReceivedTransaction) => cliError('documents_missing', { id });
