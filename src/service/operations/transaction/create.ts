import { record } from '../../changes/change.ts';
import { type Handler, ok } from '../../context.ts';
import { createDraft } from '../../domain/create.ts';

/** spec §4 Create transaction. */
export const createTransaction: Handler<'transaction.create'> = (context, { body }) =>
  context.commit(async (db) => {
    const draft = createDraft(body, context.user, context.facts);
    await record(context, db, undefined, draft);
    return ok({ id: draft.next.id });
  });
