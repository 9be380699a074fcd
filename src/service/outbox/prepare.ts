// Turns claimed deliveries into a message with its address, a mail, or the reason why there is nothing to send any more.
import type { Instant } from '../../common/instant.ts';
import type { Delivery } from '../store/deliveries.ts';
import { rowsIn } from '../store/rows.ts';
import type { Db } from '../store/schema.ts';
import { OWN_CLIENT, type Store } from '../store/store.ts';
import { envelopeBytes, secretsOfApplication, secretsOfWebhook } from './message.ts';

export type Prepared = { delivery: Delivery } & (
  | { kind: 'message'; url: string; event: { id: string; body: Uint8Array }; secrets: readonly string[] }
  | { kind: 'mail'; mailId: string }
  /** The receiver is gone; `why` is the end of a sentence. */
  | { kind: 'nothing'; why: string }
);

export async function prepare(
  db: Db,
  { keys }: Pick<Store, 'keys'>,
  deliveries: readonly Delivery[],
  now: Instant,
): Promise<Prepared[]> {
  const of = (kind: Delivery['kind']) => deliveries.filter((delivery) => delivery.kind === kind);
  const told = [...of('webhook'), ...of('notification')];
  const events = byId(await rowsIn(db, 'event', 'id', unique(told.map((one) => one.subject_id)), 'seq'));
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

/** Before that was written down, transactions belonged to the application of the store. */
const clientOf = ({ client_id }: Delivery): string => client_id ?? OWN_CLIENT.id;

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

const byId = <R extends { id: string }>(rows: readonly R[]): Map<string, R> =>
  new Map(rows.map((row) => [row.id, row]));
