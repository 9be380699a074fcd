import { reject } from '../../domain/act.ts';
import { answer, type Handler, no } from '../../scene.ts';
import { record } from '../transaction/change.ts';
import { viewOf } from '../transaction/view.ts';
import { liveTurn } from './turn.ts';

/** The recipient rejects the transaction (spec §6 transaction_rejected). */
export const signingReject: Handler<'signing.reject'> = (scene, { query, body }) =>
  scene.commit(async (db) => {
    const turn = await liveTurn(scene, db, query.token);
    if (!turn) return no('signing_link_invalid');
    const decision = reject(turn.transaction, turn.recipient.id, body.reason, scene.facts);
    if (!decision.ok) return decision;
    await record(scene, db, turn.transaction, decision);
    return answer({ status: viewOf(decision.next).status, rejected_at: scene.now });
  });
