// Merges templates into a draft, and makes a template of a transaction (assumed: A34, A42).
import { LIMITS } from '../../api/contract/limits.ts';
import { colorAt } from '../../api/contract/recipients.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { removedTagsIn, wrongValues } from './edit.ts';
import { type Likeness, pairUp } from './recipients.ts';
import { nextState } from './states.ts';
import {
  type CompanyUser,
  type Content,
  type Decision,
  type DecisionContext,
  type Recipient,
  type Transaction,
  withContent,
} from './transaction.ts';

/** Appends documents, recipients and fields of each template, in the order given. */
export function useTemplates(
  transaction: Transaction,
  templates: Content[],
  user: CompanyUser,
  context: DecisionContext,
): Decision {
  const state = nextState(transaction, 'edit');
  if (!state.ok) return state;
  const content = templates.reduce(
    (merged, template) => merge(merged, template, user, context),
    transaction.content,
  );
  const tooMany =
    content.documents.length > LIMITS.documentsPerTransaction ||
    content.recipients.length > LIMITS.recipientsPerTransaction ||
    content.fields.length > LIMITS.fieldsPerTransaction ||
    removedTagsIn(content.documents) > LIMITS.fieldsPerTransaction;
  if (tooMany)
    return wrongValues([
      {
        path: 'templates',
        message: 'contain more documents, recipients, fields or removed tags than a transaction can have',
      },
    ]);
  const isSender = content.recipients.some(
    (recipient) => recipient.role === 'sender' && sameEmail(recipient.email, user.email),
  );
  const sender_id = isSender ? user.id : transaction.sender_id;
  return { ok: true, next: { ...withContent(transaction, content, context.now), sender_id }, events: [] };
}

function merge(draft: Content, template: Content, user: CompanyUser, context: DecisionContext): Content {
  const theirs = [...template.recipients].sort((a, b) => a.index - b.index);
  const counterparts = counterpartsOf(theirs, draft.recipients, user);
  const promoted = new Set(
    theirs.filter(({ role }) => role === 'sender').map((recipient) => counterparts.get(recipient)),
  );
  const remaining = draft.recipients.map(
    (recipient): Recipient => (promoted.has(recipient) ? { ...recipient, role: 'sender' } : recipient),
  );
  const newcomers = theirs.filter((recipient) => !counterparts.has(recipient));
  const added = newcomers.map((recipient, position) =>
    newcomer(recipient, remaining.length + position, user, context),
  );
  const recipientIds = new Map<string, string>();
  for (const recipient of theirs) {
    const ours = counterparts.get(recipient) ?? added[newcomers.indexOf(recipient)];
    if (ours) recipientIds.set(recipient.id, ours.id);
  }
  const documentIds = new Map<string, string>();
  const documents = template.documents.map((document, position) => {
    const id = context.newId();
    documentIds.set(document.id, id);
    const pages = document.pages.map((page) => ({ ...page, id: context.newId(), file_id: context.newId() }));
    return { ...document, id, index: draft.documents.length + position, pages };
  });
  const fields = template.fields.map((field) => ({
    ...field,
    id: context.newId(),
    document_id: documentIds.get(field.document_id) ?? field.document_id,
    recipient_id: recipientIds.get(field.recipient_id) ?? field.recipient_id,
    value: null,
    adoption: null,
  }));
  return {
    ...draft,
    description: draft.description || template.description,
    email_alias: draft.email_alias || template.email_alias,
    email_subject: draft.email_subject || template.email_subject,
    email_body: draft.email_body || template.email_body,
    documents: [...draft.documents, ...documents],
    recipients: [...remaining, ...added],
    fields: [...draft.fields, ...fields],
  };
}

/**
 * Finds which recipients of the draft those of a template are (A42): the senders are one; then recipients with the same
 * email, those with the same name and role before others (A45). Two of one template never become one of the draft.
 */
function counterpartsOf(
  theirs: Recipient[],
  ours: Recipient[],
  user: CompanyUser,
): Map<Recipient, Recipient> {
  const hasEmail: Likeness<Recipient, Recipient> = ({ role, email }, other) =>
    sameEmail(role === 'sender' ? user.email : email, other.email);
  return pairUp(theirs, ours, [
    (a, b) => a.role === 'sender' && b.role === 'sender',
    (a, b) => hasEmail(a, b) && a.role === b.role && a.name === b.name,
    (a, b) => hasEmail(a, b) && a.role === b.role,
    (a, b) => hasEmail(a, b) && a.name === b.name,
    hasEmail,
  ]);
}

/** Makes a recipient of the draft. The sender of a template becomes the user who uses the template. */
function newcomer(theirs: Recipient, index: number, user: CompanyUser, context: DecisionContext): Recipient {
  const who = theirs.role === 'sender' ? user : theirs;
  return {
    ...theirs,
    id: context.newId(),
    index,
    name: who.name,
    email: who.email,
    color: theirs.color || colorAt(index),
    token: null,
    submitted_at: null,
    opened_at: null,
    is_current: false,
    created_at: context.now,
    updated_at: context.now,
  };
}

/** Makes a reusable template of the content of a transaction, without values, and with no current recipient. */
export function templateOf(
  content: Content,
  name: string,
  description: string | undefined,
  user: CompanyUser,
  context: DecisionContext,
): Content {
  const empty: Content = { ...content, recipients: [], documents: [], fields: [] };
  const copied = mergeVerbatim(empty, content, context);
  return {
    ...copied,
    id: context.newId(),
    reusable: true,
    name,
    description: description ?? content.description,
    created_by_id: user.id,
    created_at: context.now,
    updated_at: context.now,
  };
}

/** Copies content with new ids. All recipients keep their email, the sender included. */
function mergeVerbatim(empty: Content, content: Content, context: DecisionContext): Content {
  const sender = content.recipients.find((recipient) => recipient.role === 'sender');
  const self = sender ?? { id: '', name: '', email: '' };
  return merge(empty, content, self, context);
}
