// Events: the seven types and exactly the data each carries (spec §6).
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { extension, id, instant, oneOf } from './values.ts';

const who = lazySchema(() => z.strictObject({ email: z.string(), id }));
const recipient = lazySchema(() =>
  z.strictObject({ email: z.string(), id, name: z.string(), role: z.string() }),
);
const submitted = lazySchema(() => recipient.extend({ submitted_at: instant.nullable() }));

/** spec §6, the table of event data. `cancelled` shows the status of the sample, `expired` (spec §3 rule 3). */
export const EVENTS = {
  transaction_created: lazySchema(() => z.strictObject({ id, status: z.literal('draft'), created_by: who })),
  transaction_started: lazySchema(() =>
    z.strictObject({ id, status: z.literal('started'), started_by: who }),
  ),
  transaction_completed: lazySchema(() =>
    z.strictObject({
      id,
      status: z.literal('completed'),
      recipients: z.array(submitted),
      sealed_documents: z.array(
        z.strictObject({
          created_at: instant,
          id,
          name: z.string(),
          // assumed: A35
          sha256: extension(z.string(), 'SHA-256 of the sealed PDF, in hexadecimal.'),
          document: z.strictObject({ id, name: z.string() }),
        }),
      ),
    }),
  ),
  transaction_expired: lazySchema(() =>
    z.strictObject({
      id,
      status: z.literal('expired'),
      expiration_days: z.int().nullable(),
      expired_at: instant,
    }),
  ),
  recipient_submitted: lazySchema(() =>
    z.strictObject({ id, status: z.literal('started'), recipient: submitted }),
  ),
  transaction_rejected: lazySchema(() =>
    z.strictObject({ id, status: z.literal('rejected'), rejected_by: recipient }),
  ),
  transaction_cancelled: lazySchema(() =>
    z.strictObject({
      id,
      status: z.literal('expired'),
      cancelled_reason: z.string(),
      cancelled_at: instant,
    }),
  ),
} as const;

export type EventType = keyof typeof EVENTS;

/** In the order spec §2 lists what a webhook may subscribe to. */
export const EVENT_TYPES = [
  'transaction_completed',
  'transaction_created',
  'transaction_started',
  'transaction_expired',
  'transaction_rejected',
  'recipient_submitted',
  'transaction_cancelled',
] as const satisfies readonly EventType[];

/** An event type in a request. */
export const eventType = lazySchema(() => oneOf(EVENT_TYPES, 'is not an event type. Use one of'));

/** What happened, before it has an id: the domain's half of the envelope. */
export type EventOf<T extends EventType = EventType> = {
  [K in T]: { type: K; data: z.output<(typeof EVENTS)[K]> };
}[T];

/** spec §6, Envelope. */
export const envelope = lazySchema(() =>
  z.strictObject({
    created: instant,
    id,
    type: z.enum(EVENT_TYPES),
    data: z.record(z.string(), z.unknown()),
  }),
);

export type Envelope = z.output<typeof envelope>;

/** What a ping carries: the ID of the webhook. It is sent on request only and is no event of a transaction. */
export const pingData = lazySchema(() => z.strictObject({ id }));

export type Ping = Omit<Envelope, 'type' | 'data'> & { type: 'ping'; data: z.output<typeof pingData> };

/** What an email to a recipient is about. */
export const MAIL_KINDS = [
  'invitation',
  'reminder',
  'completed',
  'rejected',
  'cancelled',
  'expired',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
