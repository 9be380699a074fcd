import { record } from '../../changes/change.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { reject } from '../../domain/act.ts';
import { viewOf } from '../transaction/view.ts';
import { liveTurn } from './turn.ts';

/** The recipient rejects the transaction (spec §6 transaction_rejected). */
export const signingReject: Handler<'signing.reject'> = (context, { query, body }) =>
  context.commit(async (db) => {
    const turn = await liveTurn(context, db, query.token);
    if (!turn) return refuse('signing_link_invalid');
    const decision = reject(turn.transaction, turn.recipient.id, body.reason, context.facts);
    if (!decision.ok) return decision;
    await record(context, db, turn.transaction, decision);
    return ok({ status: viewOf(decision.next).status, rejected_at: context.now });
  });
