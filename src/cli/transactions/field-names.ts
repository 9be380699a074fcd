// Names fields in a sentence: `signature on page 3, text "City" on page 1`.
import type { ReceivedDocument } from '../../api/contract/received.ts';
import { documentName } from './view.ts';

/** More would hide the rest of the sentence. */
const MOST_NAMED = 6;

export type NamedField = {
  type?: string | null | undefined;
  label?: string | null | undefined;
  page?: number | null | undefined;
  document_id?: string | null | undefined;
};

/** @param documents all of the transaction; a single one is not named */
export function describeFields(
  fields: readonly NamedField[],
  documents: readonly ReceivedDocument[] = [],
): string {
  const named = fields.slice(0, MOST_NAMED).map((field) => describeField(field, documents));
  const rest = fields.length - named.length;
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function describeField(
  { type, label, page, document_id: id }: NamedField,
  documents: readonly ReceivedDocument[],
): string {
  const text = label && label !== type ? ` "${label}"` : '';
  const document = documents.length > 1 ? documents.find((one) => one.id === id) : undefined;
  const where = typeof page === 'number' ? ` on page ${page + 1}` : '';
  return `${type ?? 'field'}${text}${where}${document ? ` of ${documentName(document)}` : ''}`;
}
