// How a recipient ends their turn: they submit or reject, with the token of their address. All of it is one commit.
import type { FieldValue } from '../../api/contract/fields.ts';
import { record } from '../changes/change.ts';
import { checkBytes } from '../changes/frozen.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { reject, submit } from '../domain/act.ts';
import { NOTHING_YET } from '../domain/draft.ts';
import type { Transaction } from '../domain/transaction.ts';
import { withPatterns } from '../patterns.ts';
import type { Db } from '../store/schema.ts';
import { findSigning, saveSigning } from '../store/signing.ts';
import { audit, type Done } from './audit.ts';
import { liveTurn, type Turn, turnOf } from './turn.ts';

/**
 * spec §6 recipient_submitted.
 * @param valuesFor what is handed in, read inside the commit
 */
export async function submitTurn(
  context: RequestContext,
  token: string,
  valuesFor: (turn: Turn, db: Db) => Promise<Result<FieldValue[]>>,
): Promise<Result<Transaction>> {
  // Whoever has a token signs a started transaction, whose documents stay as they are.
  await checkBytes(context, async (db) => (await turnOf(context, db, token))?.transaction);
  return withPatterns((matches) =>
    context.commit(async (db) => {
      const turn = await liveTurn(context, db, token);
      if (!turn) return refuse('signing_link_invalid');
      const values = await valuesFor(turn, db);
      if (!values.ok) return values;
      const decision = submit(turn.transaction, turn.recipient.id, values.output, context.facts, matches);
      if (!decision.ok) return decision;
      await endTurn(context, db, turn, { type: 'signed' });
      return ok(await record(context, db, turn.transaction, decision));
    }),
  );
}

/** spec §6 transaction_rejected. */
export const rejectTurn = (
  context: RequestContext,
  token: string,
  reason: string,
): Promise<Result<Transaction>> =>
  context.commit(async (db) => {
    const turn = await liveTurn(context, db, token);
    if (!turn) return refuse('signing_link_invalid');
    const decision = reject(turn.transaction, turn.recipient.id, reason, context.facts);
    if (!decision.ok) return decision;
    await endTurn(context, db, turn, { type: 'rejected' });
    return ok(await record(context, db, turn.transaction, decision));
  });

/** What was filled in is with the transaction now, or is nobody's business any more. */
async function endTurn(context: RequestContext, db: Db, turn: Turn, done: Done): Promise<void> {
  const { keys } = context.store;
  const signing = await findSigning(db, keys, turn.recipient.id, context.now);
  await saveSigning(db, keys, { ...signing, draft: NOTHING_YET }, context.now);
  await audit(context, db, turn, [
    { ...done, details: { face: signing.face, time_zone: signing.time_zone } },
  ]);
}
