import { type Handler, ok, type RequestContext, type Result, refuse } from '../../context.ts';
import type { Db } from '../../store/schema.ts';
import { disableWebhook, enableWebhook, findWebhook, type Webhook } from '../../store/webhooks.ts';
import { webhookView } from './detail.ts';

/** Extension: what happens from now on is sent again; what was given up meanwhile can be replayed (assumed: A30). */
export const webhookEnable: Handler<'webhook.enable'> = (context, { params }) =>
  changed(context, context.user.company_id, params.webhookId, (db, { id }) => enableWebhook(db, id));

/** Extension: what waits is given up and can be replayed (assumed: A30). */
export const webhookDisable: Handler<'webhook.disable'> = (context, { params }) =>
  changed(context, context.user.company_id, params.webhookId, (db, { id }) =>
    disableWebhook(db, id, 'a user disabled it', context.now),
  );

const changed = (
  context: RequestContext,
  company_id: string,
  id: string,
  change: (db: Db, webhook: Webhook) => Promise<void>,
): Promise<Result<Awaited<ReturnType<typeof webhookView>>>> =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, company_id, id);
    if (!webhook) return refuse('webhook_not_found', { id });
    await change(db, webhook);
    return ok(await webhookView(db, (await findWebhook(db, company_id, id)) ?? webhook));
  });
