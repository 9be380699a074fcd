import { type Handler, ok } from '../../context.ts';
import { insertWebhook } from '../../store/lists.ts';

const SECRET_BYTES = 32;

/** spec §4 Create webhook. The secret is shown this once (assumed: A30); an event named twice is subscribed once. */
export const createWebhook: Handler<'webhook.create'> = (context, { body }) =>
  context.commit(async (db) => {
    const id = context.facts.newId();
    const secret = `whsec_${Buffer.from(context.storeFacts.random(SECRET_BYTES)).toString('base64')}`;
    await insertWebhook(db, {
      id,
      company_id: context.user.company_id,
      created_by_id: context.user.id,
      name: body.name,
      endpoint: body.endpoint,
      events: JSON.stringify([...new Set(body.events)]),
      enabled: 1,
      secret_sealed: context.store.keys.seal(secret),
      created_at: context.now,
    });
    return ok({ id, secret });
  });
