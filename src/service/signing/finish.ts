// Ends the turn of a recipient: they submit or reject, with the token of their address, in one commit.
import { recordDecision } from '../changes/change.ts';
import { checkBytes } from '../changes/frozen.ts';
import { type Submission, submitSealed } from '../changes/submission.ts';
import { withDeferredChecks } from '../checks/deferred-checks.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { reject, submit } from '../domain/act.ts';
import type { SubmittedValue } from '../domain/adoption.ts';
import { EMPTY_DRAFT } from '../domain/draft.ts';
import { dayOfSigning } from '../domain/known-value.ts';
import type { Transaction } from '../domain/transaction.ts';
import type { Db } from '../store/schema.ts';
import { findSigning, type Signing, saveSigning } from '../store/signing.ts';
import { auditEntry, writeAudit } from './audit.ts';
import { findActiveTurn, findCurrentTurn, findTurn, type Turn } from './find-turn.ts';
import type { LinkDetails } from './link-details.ts';

/**
 * spec §6 recipient_submitted.
 * @param valuesFor what is handed in, read where it is decided
 * @param more what else the record says of it: how the recipient got the link, and what they have confirmed
 */
export async function submitTurn(
  context: RequestContext,
  token: string,
  valuesFor: (turn: Turn, db: Db) => Promise<Result<SubmittedValue[]>>,
  more: Record<string, string> = {},
): Promise<Result<Transaction>> {
  // The bearer of a token signs a started transaction, whose documents do not change.
  await checkBytes(context, async (db) => (await findTurn(context, db, token))?.transaction);
  const { keys } = context.store;
  return withDeferredChecks((trials) => {
    const decideOn = async (db: Db, turn: Turn | undefined): Promise<Result<Submission>> => {
      if (!turn) return refuse('signing_link_invalid');
      const values = await valuesFor(turn, db);
      if (!values.ok) return values;
      const { transaction, recipient } = turn;
      const { time_zone } = await findSigning(db, keys, recipient.id, context.now);
      const facts = { ...context.facts, day: dayOfSigning(context.now, time_zone) };
      const decision = submit(transaction, recipient.id, values.output, facts, trials);
      if (!decision.ok) return decision;
      const signed = auditEntry(context, turn, { type: 'signed', details: { time_zone, ...more } });
      return ok({ before: transaction, decision, done: [signed] });
    };
    return submitSealed(context, {
      look: async (db) => decideOn(db, await findCurrentTurn(context, db, token)),
      decide: async (db, changes) => decideOn(db, await findActiveTurn(context, db, token, changes)),
      also: async (db, { done: [signed] }) => {
        if (signed) await emptyDraft(context, db, signed.recipient_id);
      },
    });
  });
}

/** spec §6 transaction_rejected. */
export const rejectTurn = (
  context: RequestContext,
  token: string,
  reason: string,
  link: LinkDetails = {},
): Promise<Result<Transaction>> => {
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const turn = await findActiveTurn(context, db, token, changes);
      if (!turn) return refuse('signing_link_invalid');
      const decision = reject(turn.transaction, turn.recipient.id, reason, context.facts);
      if (!decision.ok) return decision;
      const { time_zone } = await emptyDraft(context, db, turn.recipient.id);
      await writeAudit(context, db, turn, [{ type: 'rejected', details: { time_zone, ...link } }]);
      return ok(await recordDecision(context, db, turn.transaction, decision));
    },
    changes,
    'locked',
  );
};

/** Empties the draft of a recipient: its values are in the transaction now, or are not needed any more. */
async function emptyDraft(context: RequestContext, db: Db, recipientId: string): Promise<Signing> {
  const { keys } = context.store;
  const signing = await findSigning(db, keys, recipientId, context.now);
  await saveSigning(db, keys, { ...signing, draft: EMPTY_DRAFT }, context.now);
  return signing;
}
