import { recordDecision } from '../../changes/change.ts';
import { type Handler, ok } from '../../context.ts';
import { createDraft } from '../../domain/create.ts';
import { refusedReceiver } from '../../sending/receivers.ts';

/** spec §4 Create transaction. */
export const createTransaction: Handler<'transaction.create'> = async (context, { body }) => {
  const { notification_endpoint: address } = body;
  const refused =
    address && refusedReceiver(context, { path: 'notification_endpoint', address, use: 'notification' });
  if (refused) return refused;
  return context.commit(
    async (db) => {
      const draft = createDraft(body, context, context.facts);
      await recordDecision(context, db, undefined, draft);
      return ok({ id: draft.next.id });
    },
    [],
    'locked',
  );
};
