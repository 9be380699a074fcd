import { createDraft } from '../../domain/create.ts';
import { answer, type Handler } from '../../scene.ts';
import { record } from './change.ts';

/** spec §4 Create transaction. */
export const createTransaction: Handler<'transaction.create'> = (scene, { body }) =>
  scene.commit(async (db) => {
    const draft = createDraft(body, scene.user, scene.facts);
    await record(scene, db, undefined, draft);
    return answer({ id: draft.next.id });
  });
