import { secretOf } from '../../../api/standard-webhooks.ts';
import { type Handler, ok } from '../../context.ts';
import { refusedReceiver } from '../../receivers.ts';
import { insertWebhook } from '../../store/webhooks.ts';

export const WEBHOOK_SECRET_BYTES = 32;

/** spec §4 Create webhook. The secret is shown this once (assumed: A30); an event named twice is subscribed once. */
export const createWebhook: Handler<'webhook.create'> = async (context, { body }) => {
  const refused = refusedReceiver(context, { path: 'endpoint', address: body.endpoint, use: 'webhook' });
  if (refused) return refused;
  return context.commit(async (db) => {
    const id = context.facts.newId();
    const secret = secretOf(context.storeFacts.random(WEBHOOK_SECRET_BYTES));
    await insertWebhook(db, {
      id,
      company_id: context.user.company_id,
      created_by_id: context.user.id,
      name: body.name,
      endpoint: body.endpoint,
      events: JSON.stringify([...new Set(body.events)]),
      enabled: 1,
      disabled_at: null,
      disabled_reason: null,
      secret_sealed: context.store.keys.seal(secret),
      previous_secret_sealed: null,
      rotated_at: null,
      created_at: context.now,
    });
    return ok({ id, secret });
  });
};
