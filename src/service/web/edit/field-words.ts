// The words for fields on the pages of the editor.
import { FIELD_TYPES, type FieldType } from '../../../api/contract/fields.ts';
import { TYPE_NAMES } from '../../domain/field-type-names.ts';
import type { Content, Field } from '../../domain/transaction.ts';

/** In the order in which they are offered. */
export const OFFERED_TYPES = Object.keys(TYPE_NAMES).filter((type): type is FieldType =>
  FIELD_TYPES.includes(type as FieldType),
);

/** Page by page through the documents, and on each from top to bottom. */
export function fieldsInOrder(content: Content): Field[] {
  const documents = new Map(content.documents.map(({ id, index }) => [id, index]));
  const place = ({ document_id, page, positionY, positionX }: Field) => [
    documents.get(document_id) ?? 0,
    page,
    positionY,
    positionX,
  ];
  return content.fields.toSorted((one, other) => {
    const [a, b] = [place(one), place(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

/** `Signature for Ada, page 2`; with the document where there are several. */
export function fieldLine(content: Content, field: Field): string {
  const recipient = content.recipients.find(({ id }) => id === field.recipient_id);
  const document = content.documents.find(({ id }) => id === field.document_id);
  const label = field.label === field.type ? '' : ` “${field.label}”`;
  const place = content.documents.length > 1 ? ` of ${document?.file.original_name ?? ''}` : '';
  return `${TYPE_NAMES[field.type]}${label} for ${recipient?.name || recipient?.email || 'nobody'}, page ${field.page + 1}${place}`;
}
