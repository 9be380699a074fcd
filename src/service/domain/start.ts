// Starts a draft: checks that it is complete, and invites the first recipient (spec §3; A11, A12, A16).

import { remarkOf } from '../../api/contract/documents.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { type FieldError, type Refusal, refusal } from '../../api/contract/problems.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { addMs } from '../../common/instant.ts';
import { placeErrors } from './fields.ts';
import { actorsOf, passTurn } from './recipients.ts';
import { nextState } from './states.ts';
import {
  type CompanyUser,
  type Decision,
  type DecisionContext,
  refusedWith,
  type Transaction,
  withContent,
} from './transaction.ts';

export function startDraft(transaction: Transaction, user: CompanyUser, context: DecisionContext): Decision {
  const state = nextState(transaction, 'start');
  if (!state.ok) return state;
  const missing = findMissing(transaction, user);
  if (missing.length > 0) {
    const summary = `${missing.map((error) => error.message).join('; ')}.`;
    return refusedWith(refusal('transaction_incomplete', { id: transaction.id, summary }, missing));
  }
  const unseen = undrawable(transaction);
  if (unseen) return refusedWith(unseen);
  const { recipients, invited } = passTurn(transaction.content, context);
  const days = transaction.expiration_days;
  const next: Transaction = {
    ...withContent(transaction, { recipients }, context.now),
    status: state.status,
    sent_at: context.now,
    expires_at: days === null ? null : addMs(context.now, days * LIMITS.dayMs),
  };
  const started_by = { id: user.id, email: user.email };
  return {
    ok: true,
    next,
    invited,
    events: [{ type: 'transaction_started', data: { id: next.id, status: 'started', started_by } }],
  };
}

/** Refuses a document with a page that cannot be displayed, which nobody should sign. */
function undrawable({ id, content }: Transaction): Refusal | undefined {
  const unseen = content.documents.flatMap(({ file, remarks }, position) =>
    remarks
      .filter(({ code }) => code === 'page_not_drawable')
      .map((remark) => ({ position, name: file.original_name, remark })),
  );
  const [first] = unseen;
  if (!first) return undefined;
  const { name, remark } = first;
  const details = { id, name, page: (remark.page ?? 0) + 1, limit: remark.what };
  const errors = unseen.map(({ position, name, remark }) => ({
    path: `documents.${position}.pages.${remark.page}`,
    message: `"${name}": ${remarkOf(remark).message}`,
  }));
  return refusal('document_not_drawable', details, errors);
}

/** Finds what keeps a draft from being "fully configured" (assumed: A11). */
function findMissing({ content }: Transaction, user: CompanyUser): FieldError[] {
  const errors: FieldError[] = [];
  if (content.documents.length === 0) errors.push({ path: 'documents', message: 'it has no documents' });
  const senders = content.recipients.filter((recipient) => recipient.role === 'sender');
  if (senders.length !== 1)
    errors.push({
      path: 'recipients',
      message: senders.length === 0 ? 'it has no sender' : 'it has more than one sender',
    });
  for (const sender of senders)
    if (!sameEmail(sender.email, user.email))
      errors.push({
        path: 'recipients',
        message: `its sender is ${sender.email}, but the access token belongs to ${user.email}`,
      });
  if (actorsOf(content).length === 0)
    errors.push({ path: 'recipients', message: 'it has no recipient who has to sign' });
  const misplaced = content.fields.flatMap((field, position) =>
    placeErrors(field, content, `fields.${position}`),
  );
  return [...errors, ...misplaced];
}
