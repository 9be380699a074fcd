import { submit } from '../../domain/act.ts';
import { answer, type Handler, no } from '../../scene.ts';
import { record } from '../transaction/change.ts';
import { viewOf } from '../transaction/view.ts';
import { liveTurn } from './turn.ts';

/** The recipient has done what was asked (spec §6 recipient_submitted). */
export const signingSubmit: Handler<'signing.submit'> = (scene, { query, body }) =>
  scene.commit(async (db) => {
    const turn = await liveTurn(scene, db, query.token);
    if (!turn) return no('signing_link_invalid');
    const decision = submit(turn.transaction, turn.recipient.id, body.values, scene.facts);
    if (!decision.ok) return decision;
    await record(scene, db, turn.transaction, decision);
    return answer({ status: viewOf(decision.next).status, submitted_at: scene.now });
  });
