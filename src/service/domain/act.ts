// Decides what a recipient does when it is their turn: submit, or reject with a reason (assumed: A12, A14, A15).
import type { EventOf } from '../../api/contract/events.ts';
import { refusal } from '../../api/contract/problems.ts';
import type { SubmittedValue } from './adoption.ts';
import { wrongValues } from './edit.ts';
import { currentOf, endTurns, passTurn, personOf, submittedPersonOf } from './recipients.ts';
import { nextState } from './states.ts';
import {
  type Accepted,
  type Content,
  type Decision,
  type DecisionContext,
  type Recipient,
  refusedWith,
  type SealedDocument,
  type Transaction,
  withContent,
} from './transaction.ts';
import { type DeferredChecks, readValues } from './values.ts';

/**
 * The current recipient has filled their fields. The turn passes on, and with the last one the transaction is
 * completed in the same step, so that "all signed, still started" is never seen (A14): such a decision is sealed before
 * it is recorded.
 * @param context `day`: the calendar day where the recipient is
 */
export function submit(
  transaction: Transaction,
  recipientId: string,
  values: readonly SubmittedValue[],
  context: DecisionContext & { day: string },
  trials: DeferredChecks,
): Decision {
  const turn = requireActiveTurn(transaction, recipientId, 'submit');
  if (!turn.ok) return turn;
  const { content } = transaction;
  const read = readValues(
    values,
    content.fields.filter((field) => field.recipient_id === recipientId),
    trials,
    context.day,
  );
  if (!read.ok)
    return read.errors.length > 0 ? wrongValues(read.errors) : refusedWith(refusal('values_changed'));

  const filled = new Map(read.fields.map((field) => [field.id, field]));
  const fields = content.fields.map((field) => filled.get(field.id) ?? field);
  const done = { submitted_at: context.now, updated_at: context.now };
  const submitted = content.recipients.map((recipient) =>
    recipient.id === recipientId ? { ...recipient, ...done } : recipient,
  );
  const { recipients, invited } = passTurn({ ...content, recipients: submitted }, context);
  const touched = withContent(transaction, { fields, recipients }, context.now);
  const event: EventOf = {
    type: 'recipient_submitted',
    data: {
      id: transaction.id,
      status: 'started',
      recipient: submittedPersonOf({ ...turn.recipient, ...done }),
    },
  };
  if (invited) return { ok: true, next: touched, events: [event], invited };
  return complete(touched, event, context);
}

/** Completes the transaction. The decision is not recorded before the documents are sealed: `withSealed` adds them. */
function complete(transaction: Transaction, submitted: EventOf, context: DecisionContext): Decision {
  const state = nextState(transaction, 'submit_last');
  if (!state.ok) return state;
  const next = { ...transaction, status: state.status, completed_at: context.now };
  return { ok: true, next, events: [submitted] };
}

/** Makes the decision that completes a transaction, with the documents as they were sealed (assumed: A14, A35). */
export function withSealed(
  { next: completed, events }: Accepted,
  sealed_documents: SealedDocument[],
): Accepted {
  const { content } = completed;
  const recipients = [...content.recipients].sort((a, b) => a.index - b.index).map(submittedPersonOf);
  const event: EventOf = {
    type: 'transaction_completed',
    data: {
      id: completed.id,
      status: 'completed',
      recipients,
      sealed_documents: sealed_documents.map((sealed) => sealedView(sealed, content)),
    },
  };
  return {
    ok: true,
    next: { ...completed, sealed_documents, sealing_failed_at: null, sealing_failed_reason: null },
    events: [...events, event],
  };
}

/** Events and the detail show a sealed document in this form. */
export function sealedView({ id, name, sha256, created_at, document_id }: SealedDocument, content: Content) {
  const document = content.documents.find((item) => item.id === document_id);
  if (!document) throw new Error(`The sealed document ${id} belongs to no document.`);
  return {
    id,
    name,
    sha256,
    created_at,
    document: { id: document_id, name: document.file.original_name },
  };
}

export function reject(
  transaction: Transaction,
  recipientId: string,
  reason: string,
  context: DecisionContext,
): Decision {
  const turn = requireActiveTurn(transaction, recipientId, 'reject');
  if (!turn.ok) return turn;
  const recipients = endTurns(transaction.content.recipients);
  const next: Transaction = {
    ...withContent(transaction, { recipients }, context.now),
    status: turn.status,
    rejected_at: context.now,
    rejected_reason: reason,
    rejected_by_id: recipientId,
  };
  const data = { id: transaction.id, status: 'rejected' as const, rejected_by: personOf(turn.recipient) };
  return { ok: true, next, events: [{ type: 'transaction_rejected', data }] };
}

type Turn = { ok: true; status: Transaction['status']; recipient: Recipient } | (Decision & { ok: false });

function requireActiveTurn(
  transaction: Transaction,
  recipientId: string,
  command: 'submit' | 'reject',
): Turn {
  const state = nextState(transaction, command);
  if (!state.ok) return state;
  const current = currentOf(transaction.content);
  if (current?.id === recipientId) return { ok: true, status: state.status, recipient: current };
  const email =
    transaction.content.recipients.find((recipient) => recipient.id === recipientId)?.email ?? recipientId;
  return refusedWith(
    refusal('not_your_turn', { id: transaction.id, email, current: current?.email }),
  ) as Turn;
}
