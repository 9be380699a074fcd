import { answer, type Handler } from '../../scene.ts';
import { listWebhooks } from '../../store/lists.ts';

/** spec §4 List webhooks. */
export const webhookList: Handler<'webhook.list'> = async (scene, { query }) =>
  answer(await scene.read((db) => listWebhooks(db, scene.user.company_id, query)));
