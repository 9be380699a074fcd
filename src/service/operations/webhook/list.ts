import { type Handler, ok } from '../../context.ts';
import { listWebhooks } from '../../store/webhooks.ts';

/** spec §4 List webhooks. */
export const webhookList: Handler<'webhook.list'> = async (context, { query }) =>
  ok(await context.read((db) => listWebhooks(db, context.user.company_id, query)));
