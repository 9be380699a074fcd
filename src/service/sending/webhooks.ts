// Manages the webhooks of a company, for operations and pages. Another company's id is unknown; a secret is returned once.
import type { EventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { secretOf } from '../../api/standard-webhooks.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import {
  deleteWebhookRow as deleteRow,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  rotateWebhook,
  type Webhook,
} from '../store/webhooks.ts';
import { refusedReceiver } from './receivers.ts';

const SECRET_BYTES = 32;

const newSecret = ({ storeFacts }: RequestContext): string => secretOf(storeFacts.random(SECRET_BYTES));

export type NewWebhook = { name: string; endpoint: string; events: readonly EventType[] };

/** spec §4 Create webhook. The secret is shown this once (assumed: A30); an event named twice is subscribed once. */
export async function createWebhook(
  context: RequestContext,
  user: { id: string; company_id: string },
  { name, endpoint, events }: NewWebhook,
): Promise<Result<{ id: string; secret: string }>> {
  const refused = refusedReceiver(context, { path: 'endpoint', address: endpoint, use: 'webhook' });
  if (refused) return refused;
  return context.commit(async (db) => {
    const id = context.facts.newId();
    const secret = newSecret(context);
    await insertWebhook(db, {
      id,
      company_id: user.company_id,
      created_by_id: user.id,
      name,
      endpoint,
      events: JSON.stringify([...new Set(events)]),
      enabled: 1,
      disabled_at: null,
      disabled_reason: null,
      secret_sealed: context.store.keys.encrypt(secret),
      previous_secret_sealed: null,
      rotated_at: null,
      created_at: context.now,
    });
    return ok({ id, secret });
  });
}

export type OwnWebhook = { id: string; company_id: string };

/** Enabled, it is sent what happens from now on. Disabled, what waits is given up. Either way that can be replayed (assumed: A30). */
export const setWebhookEnabled = (
  context: RequestContext,
  { id, company_id }: OwnWebhook,
  isEnabled: boolean,
): Promise<Result<Webhook>> =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, company_id, id);
    if (!webhook) return refuse('webhook_not_found', { id });
    if (isEnabled) await enableWebhook(db, id);
    else await disableWebhook(db, id, 'a user disabled it', context.now);
    return ok((await findWebhook(db, company_id, id)) ?? webhook);
  });

export type WhichSecret = OwnWebhook & {
  /** When the secret was last replaced, as far as the caller knows. If the time differs, the call is refused as `webhook_not_found`. */
  rotated_at?: Instant | null;
};

export type RotatedWebhook = { id: string; secret: string; previous_valid_until: Instant };

/** The new secret is shown this once; for a day the one before signs as well (assumed: A30). */
export const rotateWebhookSecret = (
  context: RequestContext,
  { id, company_id, rotated_at }: WhichSecret,
): Promise<Result<RotatedWebhook>> =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, company_id, id);
    if (!webhook || (rotated_at !== undefined && webhook.rotated_at !== rotated_at))
      return refuse('webhook_not_found', { id });
    const secret = newSecret(context);
    await rotateWebhook(db, webhook, context.store.keys.encrypt(secret), context.now);
    return ok({ id, secret, previous_valid_until: addMs(context.now, LIMITS.previousSecretLifetimeMs) });
  });

export type PingedWebhook = { webhook: Webhook; attempt: Awaited<ReturnType<RequestContext['ping']>> };

/** Makes one attempt, now, of which nothing is stored. A disabled webhook is pinged as well. */
export async function pingWebhook(
  context: RequestContext,
  { id, company_id }: OwnWebhook,
): Promise<Result<PingedWebhook>> {
  const webhook = await context.read((db) => findWebhook(db, company_id, id));
  return webhook
    ? ok({ webhook, attempt: await context.ping(webhook) })
    : refuse('webhook_not_found', { id });
}

export const deleteWebhook = (
  context: RequestContext,
  { id, company_id }: OwnWebhook,
): Promise<Result<{ removed: true }>> =>
  context.commit(async (db) => {
    const removed = await deleteRow(db, company_id, id, context.now);
    return removed ? ok({ removed }) : refuse('webhook_not_found', { id });
  });
