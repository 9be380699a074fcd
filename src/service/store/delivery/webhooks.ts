// Reads and changes the webhooks of a company. Company isolation: another company's id finds nothing.
import type { EventType } from '../../../api/contract/events.ts';
import { type Pagination, paginate } from '../../../api/contract/values.ts';
import { secretOf } from '../../../api/standard-webhooks.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Keys } from '../keys.ts';
import type { Db, Tables } from '../schema.ts';
import { giveUp } from './deliveries.ts';

type PageOf<T> = { items: T[]; meta: Pagination };

export type Webhook = Tables['webhook'];

/** Shows a webhook as lists do. */
export const shownWebhook = ({ id, name, endpoint, events, enabled }: Webhook) => ({
  id,
  name,
  endpoint,
  events: JSON.parse(events) as EventType[],
  enabled: enabled === 1,
});

export async function listWebhooks(
  db: Db,
  company_id: string,
  { limit, page }: { limit: number; page: number },
): Promise<PageOf<ReturnType<typeof shownWebhook>>> {
  const ours = db.selectFrom('webhook').where('company_id', '=', company_id);
  const { count } = await ours.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  const rows = await ours
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { items: rows.map(shownWebhook), meta: paginate(Number(count), limit, page) };
}

export const findWebhook = (db: Db, company_id: string, id: string): Promise<Webhook | undefined> =>
  db
    .selectFrom('webhook')
    .selectAll()
    .where('id', '=', id)
    .where('company_id', '=', company_id)
    .executeTakeFirst();

export async function insertWebhook(db: Db, webhook: Webhook): Promise<void> {
  await db.insertInto('webhook').values(webhook).execute();
}

/**
 * Deletes a webhook, and gives up the deliveries that wait for it.
 * @returns whether the company had one with this id
 */
export async function deleteWebhookRow(
  db: Db,
  company_id: string,
  id: string,
  now: Instant,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook')
    .where('id', '=', id)
    .where('company_id', '=', company_id)
    .executeTakeFirst();
  if (Number(numDeletedRows) === 0) return false;
  await giveUp(db, id, 'the webhook was deleted', now);
  return true;
}

export async function enableWebhook(db: Db, id: string): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ enabled: 1, disabled_at: null, disabled_reason: null })
    .where('id', '=', id)
    .execute();
}

/** Disables a webhook, and gives up the deliveries that wait for it. @param reason the end of a sentence */
export async function disableWebhook(db: Db, id: string, reason: string, now: Instant): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ enabled: 0, disabled_at: now, disabled_reason: reason })
    .where('id', '=', id)
    .where('enabled', '=', 1)
    .execute();
  await giveUp(db, id, `the webhook was disabled: ${reason}`, now);
}

/** Replaces the secret of a webhook. The one before signs as well for a while. */
export async function rotateWebhook(
  db: Db,
  { id, secret_sealed }: Webhook,
  secretSealed: string,
  now: Instant,
): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ secret_sealed: secretSealed, previous_secret_sealed: secret_sealed, rotated_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Derives a secret from the key of the store, so that there is one for every application there ever was.
 * @param rotations how often it was replaced
 */
export const notificationSecretOf = (keys: Keys, clientId: string, rotations: number): string =>
  secretOf(Buffer.from(keys.derive(`notification secret ${rotations} of ${clientId}`), 'base64url'));
