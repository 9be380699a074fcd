// Prepares what is sent: to a receiver of events a message with the envelope of the specification, unchanged, signed as Standard Webhooks
// describes (spec §6; assumed: A30, A31). The same event makes the same bytes each time; the signature is fresh.
import { LIMITS } from '../../api/contract/limits.ts';
import { signedHeaders } from '../../api/standard-webhooks.ts';
import { addMs, type Instant } from '../../common/instant.ts';
import type { Delivery } from '../store/delivery/deliveries.ts';
import { notificationSecretOf } from '../store/delivery/webhooks.ts';
import type { Keys } from '../store/keys.ts';
import { rowsIn } from '../store/rows.ts';
import type { Db, Tables } from '../store/schema.ts';
import { OWN_CLIENT, type Store } from '../store/store.ts';

export type Prepared = { delivery: Delivery } & (
  | { kind: 'message'; url: string; event: { id: string; body: Uint8Array }; secrets: readonly string[] }
  | { kind: 'mail'; mailId: string }
  /** Nothing is sent, because the receiver is gone; `why` is the end of a sentence. */
  | { kind: 'nothing'; why: string }
);

/** Turns claimed deliveries into messages with their addresses, mails, or the reason why there is nothing to send any more. */
export async function prepare(
  db: Db,
  { keys }: Pick<Store, 'keys'>,
  deliveries: readonly Delivery[],
  now: Instant,
): Promise<Prepared[]> {
  const of = (kind: Delivery['kind']) => deliveries.filter((delivery) => delivery.kind === kind);
  const ofEvents = [...of('webhook'), ...of('notification')];
  const eventIds = unique(ofEvents.map(({ subject_id }) => subject_id));
  const events = byId(await rowsIn(db, 'event', 'id', eventIds, 'seq'));
  const webhooks = byId(await rowsIn(db, 'webhook', 'id', unique(of('webhook').map(endpointOf)), 'id'));
  const clients = byId(await rowsIn(db, 'client', 'id', unique(of('notification').map(clientOf)), 'id'));
  const bodies = new Map([...events].map(([id, event]) => [id, envelopeBytes(event)]));
  const secrets = new Map<string, readonly string[]>([
    ...[...webhooks].map(([id, webhook]) => [id, secretsOfWebhook(webhook, keys, now)] as const),
    ...[...clients].map(([id, client]) => [id, secretsOfApplication(client, keys, now)] as const),
  ]);

  return deliveries.map((delivery): Prepared => {
    const { kind, endpoint, subject_id } = delivery;
    if (kind === 'mail') return { delivery, kind, mailId: subject_id };
    const body = bodies.get(subject_id);
    const nothing = (why: string): Prepared => ({ delivery, kind: 'nothing', why });
    if (!body) return nothing('the event no longer exists');
    const event = { id: subject_id, body };
    if (kind === 'webhook') {
      const webhook = webhooks.get(endpoint);
      if (!webhook) return nothing('the webhook was deleted');
      return {
        delivery,
        kind: 'message',
        url: webhook.endpoint,
        event,
        secrets: secrets.get(endpoint) ?? [],
      };
    }
    const signing = secrets.get(clientOf(delivery));
    if (!signing) return nothing('the OAuth application that created the transaction was deleted');
    return { delivery, kind: 'message', url: endpoint, event, secrets: signing };
  });
}

const endpointOf = ({ endpoint }: Delivery): string => endpoint;

/** Finds the application. Transactions from before that was recorded belong to the application of the store. */
const clientOf = ({ client_id }: Delivery): string => client_id ?? OWN_CLIENT.id;

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

const byId = <R extends { id: string }>(rows: readonly R[]): Map<string, R> =>
  new Map(rows.map((row) => [row.id, row]));

// --- The message ---

type Message = { url: string; headers: Record<string, string>; body: Uint8Array };

type EventRow = Pick<Tables['event'], 'id' | 'type' | 'created' | 'data'>;

/** Writes the envelope in the order of the table of the specification (spec §6, Envelope). */
const envelopeBytes = ({ created, id, type, data }: EventRow): Uint8Array =>
  Buffer.from(`{"created":${text(created)},"id":${text(id)},"type":${text(type)},"data":${data}}`);

const text = (value: string): string => JSON.stringify(value);

/** @param epochMs the real time: receivers refuse what is old */
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

/** A webhook has both secrets for a day after a rotation, the new one first. */
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

/** Makes the secrets that sign notifications about the transactions of an application (assumed: A31). */
function secretsOfApplication(
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
