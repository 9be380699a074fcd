// Events: the seven types with exactly the data that each carries (spec §6), and operations that list them, show the result of each delivery,
// and send them again. The operations are extensions: the specification has none for events.
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import {
  list,
  neededId,
  neededNumber,
  neededText,
  type ReadBy,
  record,
  someFlag,
  someList,
  someNumber,
  someObject,
  someRecord,
  someText,
} from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { extension, id, instant, oneOf, pagination, queryInteger, receivedPages, uri } from './values.ts';

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

/** The order is that in which spec §2 lists the events that a webhook may subscribe to. */
export const EVENT_TYPES = [
  'transaction_completed',
  'transaction_created',
  'transaction_started',
  'transaction_expired',
  'transaction_rejected',
  'recipient_submitted',
  'transaction_cancelled',
] as const satisfies readonly EventType[];

export const eventType = lazySchema(() => oneOf(EVENT_TYPES, 'is not an event type. Use one of'));

/** An event before it has an ID: the half of the envelope that the domain knows. */
export type EventOf<T extends EventType = EventType> = {
  [K in T]: { type: K; data: z.output<(typeof EVENTS)[K]> };
}[T];

/** Every delivery has this envelope (spec §6). */
export const envelope = lazySchema(() =>
  z.strictObject({
    created: instant,
    id,
    type: z.enum(EVENT_TYPES),
    data: z.record(z.string(), z.unknown()),
  }),
);

export type Envelope = z.output<typeof envelope>;

/** A ping carries the ID of the webhook. It is sent on request only and is no event of a transaction. */
export const pingData = lazySchema(() => z.strictObject({ id }));

export type Ping = Omit<Envelope, 'type' | 'data'> & { type: 'ping'; data: z.output<typeof pingData> };

export const MAIL_KINDS = [
  'invitation',
  'reminder',
  'completed',
  'rejected',
  'cancelled',
  'expired',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Times of an attempt are by the clock of the service. */
export const attempt = lazySchema(() =>
  z.strictObject({
    at: instant,
    ok: z.boolean(),
    /** The status of HTTP or SMTP; null where no answer came. */
    status: z.int().nullable(),
    /** Why it failed, as the end of a sentence. */
    why: z.string().nullable(),
    /** The beginning of the answer. */
    answer: z.string(),
    duration_ms: z.int(),
    /** When the next attempt was due after this one. */
    next_at: instant.nullable(),
  }),
);

export const DELIVERY_STATES = ['waiting', 'delivered', 'undelivered'] as const;

const delivery = lazySchema(() =>
  z.strictObject({
    id,
    kind: z.enum(['webhook', 'notification']),
    /** Null for the notification endpoint of a transaction, and for a webhook that was deleted. */
    webhook_id: id.nullable(),
    /** The address that it is sent to; null where the webhook was deleted. */
    endpoint: uri.nullable(),
    state: z.enum(DELIVERY_STATES),
    /** Why it was given up. */
    reason: z.string().nullable(),
    created: instant,
    /** When the next attempt is due. */
    next_at: instant.nullable(),
    attempts: z.array(attempt),
  }),
);

export const receivedAttempt = {
  at: someText,
  ok: someFlag,
  status: someNumber,
  why: someText,
  answer: someText,
  duration_ms: someNumber,
  next_at: someText,
};

/** Counts of receivers: those that have received an event, will receive it, and will never receive it. */
export const receivedCounts = someRecord({
  waiting: someNumber,
  delivered: someNumber,
  undelivered: someNumber,
});

export const receivedEvent = { id: neededId, type: neededText, created: neededText, data: someObject };

const event = record(receivedEvent);
export type ReceivedEvent = ReadBy<typeof event>;

const receivedDelivery = record({
  id: someText,
  kind: someText,
  webhook_id: someText,
  endpoint: someText,
  state: someText,
  reason: someText,
  created: someText,
  next_at: someText,
  attempts: someList(record(receivedAttempt)),
});

const flag = lazySchema(() =>
  z.enum(['true', 'false'], { error: 'must be true or false' }).transform((text) => text === 'true'),
);

export const eventOperations = {
  'event.list': {
    method: 'GET',
    path: '/v1/event',
    access: { scope: 'transaction:read' },
    query: lazySchema(() =>
      z.object({
        transaction_id: id.optional(),
        type: eventType.optional(),
        /** Only events that a receiver has not received yet, or will never receive. */
        undelivered: flag.optional(),
        /** Only what happened after this event, oldest first, for programs that follow the events. */
        after: id.optional(),
        limit: queryInteger(1, LIMITS.pageSizeMax).optional(),
        page: queryInteger(1, LIMITS.pageNumberMax).optional(),
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          items: z.array(
            envelope.extend({
              /** Counts of receivers: those that have received it, will receive it, and will never receive it. */
              deliveries: z.strictObject({ delivered: z.int(), waiting: z.int(), undelivered: z.int() }),
            }),
          ),
          meta: pagination,
        }),
      ),
    },
    received: record({
      items: list(record({ ...receivedEvent, deliveries: receivedCounts })),
      meta: receivedPages,
    }),
    problems: ['event_not_found'],
    source: 'none',
    assumed: ['A33', 'A47'],
    extension: true,
    summary: 'List the events of the company, newest first',
  },
  'event.detail': {
    method: 'GET',
    path: '/v1/event/{eventId}',
    access: { scope: 'transaction:read' },
    params: lazySchema(() => z.object({ eventId: id })),
    success: {
      status: 200,
      schema: lazySchema(() => envelope.extend({ deliveries: z.array(delivery) })),
    },
    received: record({ ...receivedEvent, deliveries: someList(receivedDelivery) }),
    problems: ['event_not_found'],
    source: 'none',
    assumed: ['A30', 'A31'],
    extension: true,
    summary: 'Get an event with every attempt to deliver it',
  },
  'event.replay': {
    method: 'POST',
    path: '/v1/event/replay',
    access: { scope: 'webhook:create' },
    body: lazySchema(() =>
      z
        .object({
          ids: z.array(id).min(1, { error: 'must not be empty' }).max(LIMITS.eventsReplayed).optional(),
          transaction_id: id.optional(),
          /** Events created at that time or later. */
          since: z.iso.datetime({ offset: true }).optional(),
          /** Sent to this webhook alone. */
          webhook_id: id.optional(),
          /** Only those that a receiver has not received. */
          undelivered: z.boolean().optional(),
        })
        .refine(({ ids, transaction_id, since }) => ids ?? transaction_id ?? since, {
          error: 'must contain ids, transaction_id or since',
        }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          /** Events that are sent again. */
          events: z.int(),
          /** Deliveries: an event may have several receivers, or none. */
          deliveries: z.int(),
        }),
      ),
    },
    received: record({ events: someNumber, deliveries: neededNumber }),
    problems: ['event_not_found', 'transaction_not_found', 'webhook_not_found', 'too_many_events'],
    source: 'none',
    assumed: ['A30', 'A31'],
    extension: true,
    idempotent: true,
    summary: 'Send events again, with the same IDs and bytes',
    example: { transaction_id: '0199f1a2-0000-7000-8000-000000000000' },
  },
} as const satisfies Record<string, Operation>;
