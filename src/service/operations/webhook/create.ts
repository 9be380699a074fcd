import { answer, type Handler } from '../../scene.ts';
import { insertWebhook } from '../../store/lists.ts';

const SECRET_BYTES = 32;

/** spec §4 Create webhook. The secret is shown this once (assumed: A30); an event named twice is subscribed once. */
export const createWebhook: Handler<'webhook.create'> = (scene, { body }) =>
  scene.commit(async (db) => {
    const id = scene.facts.newId();
    const secret = `whsec_${Buffer.from(scene.storeFacts.random(SECRET_BYTES)).toString('base64')}`;
    await insertWebhook(db, {
      id,
      company_id: scene.user.company_id,
      created_by_id: scene.user.id,
      name: body.name,
      endpoint: body.endpoint,
      events: JSON.stringify([...new Set(body.events)]),
      enabled: 1,
      secret_sealed: scene.store.keys.seal(secret),
      created_at: scene.now,
    });
    return answer({ id, secret });
  });
