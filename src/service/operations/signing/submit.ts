import { record } from '../../changes/change.ts';
import { checkBytes } from '../../changes/frozen.ts';
import { type Handler, ok, refuse } from '../../context.ts';
import { submit } from '../../domain/act.ts';
import { withPatterns } from '../../patterns.ts';
import { viewOf } from '../transaction/view.ts';
import { liveTurn, turnOf } from './turn.ts';

/** The recipient has done what was asked (spec §6 recipient_submitted). */
export const signingSubmit: Handler<'signing.submit'> = async (context, { query, body }) => {
  // Whoever has a token signs a started transaction, whose documents stay as they are.
  await checkBytes(context, async (db) => (await turnOf(context, db, query.token))?.transaction);
  return withPatterns((matches) =>
    context.commit(async (db) => {
      const turn = await liveTurn(context, db, query.token);
      if (!turn) return refuse('signing_link_invalid');
      const decision = submit(turn.transaction, turn.recipient.id, body.values, context.facts, matches);
      if (!decision.ok) return decision;
      await record(context, db, turn.transaction, decision);
      return ok({ status: viewOf(decision.next).status, submitted_at: context.now });
    }),
  );
};
