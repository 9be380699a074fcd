// Registers client applications (spec §5) and replaces their notification secrets (assumed: A31): the control operations and the
// dashboard's forms do both in one way. Each secret is returned once, and only its hash or a counter is stored.

import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import type { RequestContext } from '../context.ts';
import { type ClientApplication, findClient, insertClient, recordRotation } from '../store/accounts.ts';
import { notificationSecretOf } from '../store/notification-secret.ts';
import type { Db } from '../store/schema.ts';

export type RegisteredApplication = {
  client: ClientApplication;
  /** A public application has none. */
  client_secret: string | undefined;
  notification_secret: string;
};

export async function registerApplication(
  db: Db,
  { facts, now, store }: Pick<RequestContext, 'facts' | 'now' | 'store'>,
  entry: Pick<ClientApplication, 'company_id' | 'name' | 'callback_url' | 'is_public'>,
): Promise<RegisteredApplication> {
  const client = { ...entry, id: facts.newId(), created_at: now };
  const client_secret = entry.is_public === 1 ? undefined : facts.newToken();
  await insertClient(db, client, client_secret);
  return { client, client_secret, notification_secret: notificationSecretOf(store.keys, client.id, 0) };
}

export type RotatedSecret = { notification_secret: string; previous_valid_until: Instant };

export type WhichApplication = {
  id: string;
  /** Only an application of this company is found; without it, any. */
  company_id?: string;
  /** How often the secret was replaced before, as far as the caller knows. If the number differs, nothing is done. */
  rotations?: number;
};

/** Replaces the notification secret of an application. For a day the previous secret signs as well, so that receivers can change over. */
export async function rotateNotificationSecret(
  db: Db,
  { now, store }: Pick<RequestContext, 'now' | 'store'>,
  { id, company_id, rotations: known }: WhichApplication,
): Promise<RotatedSecret | undefined> {
  const client = await findClient(db, id);
  if (!client || (company_id !== undefined && client.company_id !== company_id)) return undefined;
  if (known !== undefined && client.notification_rotations !== known) return undefined;
  const rotations = client.notification_rotations + 1;
  await recordRotation(db, id, rotations, now);
  return {
    notification_secret: notificationSecretOf(store.keys, id, rotations),
    previous_valid_until: addMs(now, LIMITS.previousSecretLifetimeMs),
  };
}
