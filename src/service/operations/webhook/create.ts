import type { Handler } from '../../context.ts';
import { createWebhook as create } from '../../sending/webhooks.ts';

/** spec §4 Create webhook. */
export const handleCreateWebhook: Handler<'webhook.create'> = (context, { body }) =>
  create(context, context.user, body);
