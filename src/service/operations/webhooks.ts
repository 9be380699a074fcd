// Manages the webhooks of a company, for the API and the dashboard. Another company's id is unknown; a secret is returned once.
import type { EventType } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import type { OutputOf } from '../../api/contract/operations.ts';
import { secretOf } from '../../api/standard-webhooks.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import { type Handlers, ok, type RequestContext, type Result, refuse, type UserContext } from '../context.ts';
import { countsOfEndpoint, lastAttemptsAt } from '../store/delivery/deliveries.ts';
import {
  deleteWebhookRow,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  rotateWebhook,
  shownWebhook,
  type Webhook,
} from '../store/delivery/webhooks.ts';
import type { Db } from '../store/schema.ts';
import { attemptView, responseView } from './events.ts';
import { refusedReceiver } from './receivers.ts';

export const webhookHandlers: Handlers<'webhook'> = {
  'webhook.create': (context, { body }) => createWebhook(context, context.user, body),

  'webhook.list': async (context, { query }) =>
    ok(await context.read((db) => listWebhooks(db, context.user.company_id, query))),

  /** Extension: the scope webhook:remove exists, the operation is not shown (assumed: A6). */
  'webhook.delete': (context, { params }) =>
    deleteWebhook(context, { id: params.webhookId, company_id: context.user.company_id }),

  /** Extension: shows how a webhook is doing (assumed: A30). */
  'webhook.detail': (context, { params: { webhookId: id } }) =>
    context.read(async (db) => {
      const webhook = await findWebhook(db, context.user.company_id, id);
      return webhook ? ok(await webhookView(db, webhook, context)) : refuse('webhook_not_found', { id });
    }),

  'webhook.enable': (context, { params }) => showEnabled(context, params.webhookId, true),

  'webhook.disable': (context, { params }) => showEnabled(context, params.webhookId, false),

  'webhook.rotate': (context, { params }) =>
    rotateWebhookSecret(context, { id: params.webhookId, company_id: context.user.company_id }),

  'webhook.ping': async (context, { params: { webhookId: id } }) => {
    const pinged = await pingWebhook(context, { id, company_id: context.user.company_id });
    if (!pinged.ok) return pinged;
    const { endpoint } = pinged.output.webhook;
    const { ok: isOk, status, durationMs, ...response } = pinged.output.attempt;
    const { why, answer } = responseView(response, context);
    return ok({ id, endpoint, ok: isOk, status, why, answer, duration_ms: Math.round(durationMs) });
  },
};

async function webhookView(
  db: Db,
  webhook: Webhook,
  reader: Pick<RequestContext, 'isFromOwner'>,
): Promise<OutputOf<'webhook.detail'>> {
  const last = await lastAttemptsAt(db, webhook.id, LIMITS.attemptsShown);
  const { created_at, rotated_at, disabled_at, disabled_reason } = webhook;
  return {
    ...shownWebhook(webhook),
    created_at,
    rotated_at,
    disabled_at,
    disabled_reason,
    deliveries: await countsOfEndpoint(db, webhook.id),
    success_rate: last.length === 0 ? null : last.filter((attempt) => attempt.ok === 1).length / last.length,
    last_attempts: last.map((attempt) => ({
      ...attemptView(attempt, reader),
      event: { id: attempt.event_id, type: attempt.event_type as EventType },
    })),
  };
}

async function showEnabled(
  context: UserContext,
  id: string,
  isEnabled: boolean,
): Promise<Result<OutputOf<'webhook.detail'>>> {
  const changed = await setWebhookEnabled(context, { id, company_id: context.user.company_id }, isEnabled);
  return changed.ok ? ok(await context.read((db) => webhookView(db, changed.output, context))) : changed;
}

const SECRET_BYTES = 32;

const newSecret = ({ storeDeps }: RequestContext): string => secretOf(storeDeps.random(SECRET_BYTES));

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
    const id = context.newId();
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

type WebhookOfCompany = { id: string; company_id: string };

/**
 * Extension: enables or disables a webhook (assumed: A30). An enabled webhook is sent what happens from now on; for a
 * disabled one, what waits is given up. What was given up can be replayed.
 */
export const setWebhookEnabled = (
  context: RequestContext,
  { id, company_id }: WebhookOfCompany,
  isEnabled: boolean,
): Promise<Result<Webhook>> =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, company_id, id);
    if (!webhook) return refuse('webhook_not_found', { id });
    if (isEnabled) await enableWebhook(db, id);
    else await disableWebhook(db, id, 'a user disabled it', context.now);
    return ok((await findWebhook(db, company_id, id)) ?? webhook);
  });

type WebhookWithSecret = WebhookOfCompany & {
  /**
   * The caller knows this as the time at which the secret was last replaced. If it differs, the call is refused as
   * `webhook_not_found`.
   */
  rotated_at?: Instant | null;
};

type RotatedWebhook = { id: string; secret: string; previous_valid_until: Instant };

/**
 * Extension: replaces the secret. The new one is shown this once; for a day the one before signs as well (assumed: A30).
 */
export const rotateWebhookSecret = (
  context: RequestContext,
  { id, company_id, rotated_at }: WebhookWithSecret,
): Promise<Result<RotatedWebhook>> =>
  context.commit(async (db) => {
    const webhook = await findWebhook(db, company_id, id);
    if (!webhook || (rotated_at !== undefined && webhook.rotated_at !== rotated_at))
      return refuse('webhook_not_found', { id });
    const secret = newSecret(context);
    await rotateWebhook(db, webhook, context.store.keys.encrypt(secret), context.now);
    return ok({ id, secret, previous_valid_until: addMs(context.now, LIMITS.previousSecretLifetimeMs) });
  });

type PingedWebhook = { webhook: Webhook; attempt: Awaited<ReturnType<RequestContext['ping']>> };

/** Extension: makes one attempt, now, of which nothing is stored. A disabled webhook is pinged as well. */
export async function pingWebhook(
  context: RequestContext,
  { id, company_id }: WebhookOfCompany,
): Promise<Result<PingedWebhook>> {
  const webhook = await context.read((db) => findWebhook(db, company_id, id));
  return webhook
    ? ok({ webhook, attempt: await context.ping(webhook) })
    : refuse('webhook_not_found', { id });
}

export const deleteWebhook = (
  context: RequestContext,
  { id, company_id }: WebhookOfCompany,
): Promise<Result<{ removed: true }>> =>
  context.commit(async (db) => {
    const removed = await deleteWebhookRow(db, company_id, id, context.now);
    return removed ? ok({ removed }) : refuse('webhook_not_found', { id });
  });
