// Makes the fields of a draft that exists: finds the document and the recipient of each field among those of the transaction.

import type { FieldInput } from '../../api/contract/fields.ts';
import type {
  ReceivedDocument,
  ReceivedRecipient,
  ReceivedTransaction,
} from '../../api/contract/received.ts';
import { nearest } from '../../common/nearest.ts';
import { cliError } from '../command/errors.ts';
import type { GivenField, PlacedField } from '../input/field-spec.ts';
import { fieldBody } from './bodies.ts';
import { pagesOfDocument, resolveBox } from './placement.ts';
import { findRecipientByEmail } from './recipients.ts';
import { contentOfTransaction, documentName } from './view.ts';

/** The recipients that numbers count: without one who is only the sender. */
export const actingRecipients = (transaction: ReceivedTransaction): ReceivedRecipient[] =>
  contentOfTransaction(transaction).recipients.filter(({ role }) => role !== 'sender');

/** Finds the document of a field. Documents count from 1. */
export function documentOf(
  { document, properties, source }: GivenField,
  transaction: ReceivedTransaction,
): ReceivedDocument {
  const { documents } = contentOfTransaction(transaction);
  const { document_id: id } = properties;
  const found =
    typeof id === 'string' ? documents.find((one) => one.id === id) : documents[(document ?? 1) - 1];
  if (found) return found;
  throw cliError('field_invalid', {
    field: source,
    problem: 'is for a document that the transaction does not have',
    hint: `The transaction has ${documents.length} ${documents.length === 1 ? 'document' : 'documents'}. See \`esign tx show ${transaction.id}\`.`,
  });
}

/** Makes the field of a request. Recipients count without one who is only the sender. */
export function resolveField(field: PlacedField, transaction: ReceivedTransaction): FieldInput {
  const { document_id: _, recipient_id: recipientId, ...properties } = field.properties;
  const document = documentOf(field, transaction);
  const recipient = recipientOfField(field, transaction, recipientId);
  const box = resolveBox(field, pagesOfDocument(document), documentName(document));
  return fieldBody(
    { document_id: document.id, recipient_id: recipient.id, type: field.type, box },
    properties,
  );
}

/**
 * Finds the recipient of a field.
 * @param id where the field names its recipient by ID
 * @throws CliError exit 2 when the transaction does not have them
 */
function recipientOfField(
  { recipient, source }: Pick<PlacedField, 'recipient' | 'source'>,
  transaction: ReceivedTransaction,
  id: unknown,
): ReceivedRecipient {
  const { recipients } = contentOfTransaction(transaction);
  const acting = actingRecipients(transaction);
  const found =
    typeof id === 'string'
      ? recipients.find((one) => one.id === id)
      : recipientNamed(recipient, { acting, recipients }, source);
  if (found) return found;
  const emails = acting.map(({ email }) => email);
  throw cliError('field_recipient_unknown', {
    field: source,
    people: emails.join(', ') || 'no recipients yet',
    meant: recipient === undefined ? undefined : nearest(recipient, emails),
  });
}

type Recipients = { acting: readonly ReceivedRecipient[]; recipients: readonly ReceivedRecipient[] };

/** @param named an email, or a number from 1; absent: the only one */
function recipientNamed(
  named: string | undefined,
  { acting, recipients }: Recipients,
  source: string,
): ReceivedRecipient | undefined {
  if (named === undefined) return acting.length === 1 ? acting[0] : undefined;
  if (/^\d+$/.test(named)) return acting[Number(named) - 1];
  return findRecipientByEmail(acting, named, source) ?? findRecipientByEmail(recipients, named, source);
}
