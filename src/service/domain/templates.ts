// Templates: merging them into a draft, and saving content as one (assumed: A34, A42).
import { LIMITS } from '../../api/contract/limits.ts';
import { colorAt } from '../../api/contract/transactions.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { wrongValues } from './edit.ts';
import { follow } from './states.ts';
import {
  type Content,
  type Decision,
  type Facts,
  type Person,
  type Recipient,
  type Transaction,
  withContent,
} from './transaction.ts';

/** Appends documents, recipients and fields of each template, in the order given. */
export function useTemplates(
  transaction: Transaction,
  templates: Content[],
  user: Person,
  facts: Facts,
): Decision {
  const state = follow(transaction, 'edit');
  if (!state.ok) return state;
  const content = templates.reduce(
    (merged, template) => merge(merged, template, user, facts),
    transaction.content,
  );
  const tooMany =
    content.documents.length > LIMITS.documentsPerTransaction ||
    content.recipients.length > LIMITS.recipientsPerTransaction ||
    content.fields.length > LIMITS.fieldsPerTransaction;
  if (tooMany)
    return wrongValues([
      { path: 'templates', message: 'bring more documents, recipients or fields than a transaction takes' },
    ]);
  const isSender = content.recipients.some(
    (recipient) => recipient.role === 'sender' && sameEmail(recipient.email, user.email),
  );
  const sender_id = isSender ? user.id : transaction.sender_id;
  return { ok: true, next: { ...withContent(transaction, content, facts.now), sender_id }, events: [] };
}

function merge(draft: Content, template: Content, user: Person, facts: Facts): Content {
  const recipients = [...draft.recipients];
  const recipientIds = new Map<string, string>();
  for (const theirs of [...template.recipients].sort((a, b) => a.index - b.index)) {
    const position = counterpartOf(theirs, recipients, user);
    const known = recipients[position];
    const ours = known
      ? { ...known, role: theirs.role === 'sender' ? theirs.role : known.role }
      : newcomer(theirs, recipients.length, user, facts);
    recipients.splice(known ? position : recipients.length, known ? 1 : 0, ours);
    recipientIds.set(theirs.id, ours.id);
  }
  const documentIds = new Map<string, string>();
  const documents = template.documents.map((document, position) => {
    const id = facts.newId();
    documentIds.set(document.id, id);
    const pages = document.pages.map((page) => ({ ...page, id: facts.newId(), file_id: facts.newId() }));
    return { ...document, id, index: draft.documents.length + position, pages };
  });
  const fields = template.fields.map((field) => ({
    ...field,
    id: facts.newId(),
    document_id: documentIds.get(field.document_id) ?? field.document_id,
    recipient_id: recipientIds.get(field.recipient_id) ?? field.recipient_id,
    value: null,
  }));
  return {
    ...draft,
    description: draft.description || template.description,
    email_alias: draft.email_alias || template.email_alias,
    email_subject: draft.email_subject || template.email_subject,
    email_body: draft.email_body || template.email_body,
    documents: [...draft.documents, ...documents],
    recipients,
    fields: [...draft.fields, ...fields],
  };
}

/** Where the draft has a template's recipient already: its sender, or the one with the same e-mail; -1 when not. */
function counterpartOf(theirs: Recipient, ours: Recipient[], user: Person): number {
  const sender = theirs.role === 'sender' ? ours.findIndex((recipient) => recipient.role === 'sender') : -1;
  if (sender >= 0) return sender;
  const email = theirs.role === 'sender' ? user.email : theirs.email;
  return ours.findIndex((recipient) => sameEmail(recipient.email, email));
}

/** A template's sender becomes the draft's: whoever uses the template. */
function newcomer(theirs: Recipient, index: number, user: Person, facts: Facts): Recipient {
  const who = theirs.role === 'sender' ? user : theirs;
  return {
    ...theirs,
    id: facts.newId(),
    index,
    name: who.name,
    email: who.email,
    color: theirs.color || colorAt(index),
    token: null,
    submitted_at: null,
    is_current: false,
    created_at: facts.now,
    updated_at: facts.now,
  };
}

/** The content of a transaction as a reusable template: nobody has been asked and nothing is filled in. */
export function templateOf(
  content: Content,
  name: string,
  description: string | undefined,
  user: Person,
  facts: Facts,
): Content {
  const empty: Content = { ...content, recipients: [], documents: [], fields: [] };
  const copied = mergeVerbatim(empty, content, facts);
  return {
    ...copied,
    id: facts.newId(),
    reusable: true,
    name,
    description: description ?? content.description,
    created_by_id: user.id,
    created_at: facts.now,
    updated_at: facts.now,
  };
}

/** A copy with new ids in which everybody keeps their e-mail, the sender too. */
function mergeVerbatim(empty: Content, content: Content, facts: Facts): Content {
  const sender = content.recipients.find((recipient) => recipient.role === 'sender');
  const self = sender ?? { id: '', name: '', email: '' };
  return merge(empty, content, self, facts);
}
