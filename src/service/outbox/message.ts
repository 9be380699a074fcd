// Composes the message to a receiver of events: the envelope of the specification, unchanged, signed as Standard Webhooks
// describes (spec §6; assumed: A30, A31). The same event makes the same bytes each time; the signature is fresh.

import { LIMITS } from '../../api/contract/limits.ts';
import { signedHeaders } from '../../api/standard-webhooks.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import type { Keys } from '../store/keys.ts';
import { notificationSecretOf } from '../store/notification-secret.ts';
import type { Tables } from '../store/schema.ts';

export type Message = { url: string; headers: Record<string, string>; body: Uint8Array };

type EventRow = Pick<Tables['event'], 'id' | 'type' | 'created' | 'data'>;

/** In the order of the table of the specification (spec §6, Envelope). */
export const envelopeBytes = ({ created, id, type, data }: EventRow): Uint8Array =>
  Buffer.from(`{"created":${text(created)},"id":${text(id)},"type":${text(type)},"data":${data}}`);

const text = (value: string): string => JSON.stringify(value);

/** @param epochMs real time: receivers refuse what is old */
export function messageOf(
  url: string,
  event: { id: string; body: Uint8Array },
  secrets: readonly string[],
  epochMs: number,
): Message {
  const timestamp = Math.floor(epochMs / 1000);
  const signed = { id: event.id, timestamp, body: event.body };
  return {
    url,
    body: event.body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'esign',
      ...signedHeaders(secrets, signed),
    },
  };
}

type WebhookSecrets = Pick<Tables['webhook'], 'secret_sealed' | 'previous_secret_sealed' | 'rotated_at'>;

/** Both of a webhook for a day after a rotation, the new one first. */
export function secretsOfWebhook(
  { secret_sealed, previous_secret_sealed, rotated_at }: WebhookSecrets,
  keys: Keys,
  now: Instant,
): string[] {
  const secrets = [keys.decrypt(secret_sealed)];
  if (previous_secret_sealed !== null && isRecent(rotated_at, now))
    secrets.push(keys.decrypt(previous_secret_sealed));
  return secrets;
}

type Application = { id: string } & Pick<
  Tables['client'],
  'notification_rotations' | 'notification_rotated_at'
>;

/** What notifications about the transactions of an application are signed with (assumed: A31). */
export function secretsOfApplication(
  { id, notification_rotations, notification_rotated_at }: Application,
  keys: Keys,
  now: Instant,
): string[] {
  const isBoth = notification_rotations > 0 && isRecent(notification_rotated_at, now);
  return [notification_rotations, ...(isBoth ? [notification_rotations - 1] : [])].map((rotations) =>
    notificationSecretOf(keys, id, rotations),
  );
}

const isRecent = (rotated_at: Instant | null, now: Instant): boolean =>
  rotated_at !== null && now < addMs(rotated_at, LIMITS.previousSecretLifetimeMs);
