// Finds the draft or template whose fields are edited, of the company of the signed-in user, and says in words what its fields are.
import { FIELD_TYPES, type FieldType } from '../../../api/contract/fields.ts';
import { TYPE_NAMES } from '../../domain/known-value.ts';
import type { Content, Field } from '../../domain/transaction.ts';
import { html } from '../../rendering/html.ts';
import type { SignedIn } from '../../store/accounts/sessions.ts';
import type { Found } from '../dashboard/forms.ts';
import { errorPage } from '../dashboard/layout.ts';
import { STATE_NAMES } from '../dashboard/lists.ts';
import type { UserRequest } from '../dashboard/request.ts';
import { findOwnTemplate } from '../dashboard/templates.ts';
import { findOwnTransaction } from '../dashboard/transaction.ts';
import type { Edited } from './edited-fields.ts';

export type Editable = {
  edited: Edited;
  content: Content;
  user: SignedIn;
  /** The editor has this path, such as `/transactions/ID/edit`. */
  path: string;
  /** The page to go back to has this path, such as `/transactions/ID`. */
  back: string;
};

export async function findEditable(request: UserRequest, edited: Edited): Promise<Found<Editable>> {
  const back = `/${edited.kind}s/${edited.id}`;
  const editable = (content: Content): Found<Editable> => ({
    ok: true,
    output: { edited, content, user: request.user, path: `${back}/edit`, back },
  });
  if (edited.kind === 'template') {
    const template = await findOwnTemplate(request, edited.id);
    return template.ok ? editable(template.output) : template;
  }
  const transaction = await findOwnTransaction(request, edited.id);
  if (!transaction.ok) return transaction;
  const { status, content } = transaction.output;
  if (status === 'draft') return editable(content);
  const reply = errorPage(request, {
    status: 409,
    title: 'The fields can no longer be edited',
    text: html`Only the fields of a draft can be edited. The status of <bdi>${content.name || 'Untitled'}</bdi> is ${STATE_NAMES[status].toLowerCase()}.`,
    link: html`<a href="${back}">View the transaction</a>`,
  });
  return { ok: false, reply };
}

/** Types are offered in this order. */
export const OFFERED_TYPES = Object.keys(TYPE_NAMES).filter((type): type is FieldType =>
  FIELD_TYPES.includes(type as FieldType),
);

/** Sorts fields page by page through the documents, and on each page from top to bottom. */
export function fieldsInOrder(content: Content): Field[] {
  const documents = new Map(content.documents.map(({ id, index }) => [id, index]));
  const place = ({ document_id, page, positionY, positionX }: Field) => [
    documents.get(document_id) ?? 0,
    page,
    positionY,
    positionX,
  ];
  return content.fields.toSorted((field, other) => {
    const [a, b] = [place(field), place(other)];
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}

/** Names a field, such as `Signature for Ada, page 2`, with its document where there are several. */
export function fieldLine(content: Content, field: Field): string {
  const recipient = content.recipients.find(({ id }) => id === field.recipient_id);
  const document = content.documents.find(({ id }) => id === field.document_id);
  const label = field.label === field.type ? '' : ` “${field.label}”`;
  const place = content.documents.length > 1 ? ` of ${document?.file.original_name ?? ''}` : '';
  return `${TYPE_NAMES[field.type]}${label} for ${recipient?.name || recipient?.email || 'nobody'}, page ${field.page + 1}${place}`;
}
