// The events as OpenAPI: the deliveries, one type for all of them, discriminated by `type`, and an example of each. Pure.
import type * as z from 'zod';
import { EVENT_TYPES, EVENTS, type EventOf, type EventType, envelope, pingData } from '../events.ts';
import { OPERATIONS } from '../operations.ts';
import { type Json, jsonSchemaOf, type NamedSchemas, pascal } from './schemas.ts';

const read = (schema: z.ZodType): Json => jsonSchemaOf(schema, 'output');
const nameOf = (type: EventType): string => `${pascal(type)}Event`;
const refTo = (name: string): string => `#/components/schemas/${name}`;

/** An event is one of seven, wherever it stands; lists and details add its deliveries. */
export function registerEvents(schemas: NamedSchemas): void {
  for (const type of EVENT_TYPES) schemas.register(`${pascal(type)}Data`, read(EVENTS[type]));
  schemas.register('Event', read(envelope), {
    oneOf: EVENT_TYPES.map((type) => ({ $ref: refTo(nameOf(type)) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(EVENT_TYPES.map((type) => [type, refTo(nameOf(type))])),
    },
  });
  const { items } = read(OPERATIONS['event.list'].success.schema).properties as { items: { items: Json } };
  schemas.register('DeliveryCounts', (items.items.properties as { deliveries: Json }).deliveries);
  registerWithDeliveries(schemas, 'EventListItem', items.items, 'EventDeliveryCounts');
  const detail = read(OPERATIONS['event.detail'].success.schema);
  const { deliveries } = detail.properties as { deliveries: { items: Json } };
  schemas.register('Delivery', deliveries.items);
  registerWithDeliveries(schemas, 'EventDetail', detail, 'EventDeliveries');
}

/** @param part the name of what is there beside the event */
function registerWithDeliveries(schemas: NamedSchemas, name: string, schema: Json, part: string): void {
  const { deliveries } = schema.properties as Json;
  const added = { type: 'object', required: ['deliveries'], properties: { deliveries } };
  const partRef = schemas.named(part, added);
  // Not Event and the part: generators lose the types of a union inside of `allOf`.
  schemas.register(name, schema, {
    oneOf: EVENT_TYPES.map((type) => ({ allOf: [{ $ref: refTo(nameOf(type)) }, partRef] })),
  });
}

/** Returns the deliveries by the types of their events, and `ping`, which only a request to the webhook causes. */
export function webhookDeliveries(schemas: NamedSchemas): Json {
  const ping = delivery(schemas, {
    type: 'ping',
    name: 'PingEvent',
    summary: 'A webhook was pinged',
    data: read(pingData),
    example: { id: '0199c7b0-5a3e-7d11-92c4-e8f07a6b1d25' },
  });
  return {
    ...Object.fromEntries(
      EVENT_TYPES.map((type) => [
        type,
        {
          post: delivery(schemas, {
            type,
            name: nameOf(type),
            summary: WHEN[type],
            data: read(EVENTS[type]),
            example: EVENT_EXAMPLES[type],
          }),
        },
      ]),
    ),
    ping: { post: { ...ping, 'x-extension': true } },
  };
}

type Sent = { type: string; name: string; summary: string; data: Json; example: unknown };

/** Describes the request that a receiver of events gets (assumed: A30). */
function delivery(schemas: NamedSchemas, { type, name, summary, data, example }: Sent): Json {
  const { properties, ...rest } = read(envelope) as { properties: Json };
  const schema = schemas.named(name, {
    ...rest,
    properties: { ...properties, type: { type: 'string', const: type }, data },
  });
  return {
    operationId: `event.${type}`,
    summary,
    tags: ['event'],
    'x-assumed': ['A30', 'A31'],
    security: [],
    parameters: SIGNATURE_HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema,
          example: {
            created: '2026-05-04T09:31:08.214Z',
            id: '0199c7a9-4f10-7e6b-8c3d-a1b2c3d4e5f6',
            type,
            data: example,
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was received. After any other response, it is sent again later.' },
      410: { description: 'The receiver wants no more events, so the webhook is disabled.' },
    },
  };
}

const WHEN: Record<EventType, string> = {
  transaction_created: 'A draft was created',
  transaction_started: 'A transaction was started',
  transaction_completed: 'Everyone has signed, and the documents are sealed',
  transaction_expired: 'A transaction has expired',
  recipient_submitted: 'A recipient has signed',
  transaction_rejected: 'A recipient has rejected the transaction',
  transaction_cancelled: 'A transaction was cancelled',
};

/** Other services may sign in another way. */
const SIGNATURE_HEADERS: Json[] = [
  ['webhook-id', 'The ID of the event, the same in every attempt'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970'],
  ['webhook-signature', 'Signatures as defined by Standard Webhooks, separated by spaces: v1,BASE64'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  'x-extension': true,
}));

/** The examples are one transaction from its start to its completion, and the other ways in which it can end. */
type Examples = { [T in EventType]: EventOf<T>['data'] };

const ID = '0199c7a4-6d2e-7b31-9a5c-2f1d8e4b7a60';
const user = { id: '0199c7a0-11f3-7c02-8d11-5b7e2a9c4d31', email: 'grace@example.com' };
const ada = {
  id: '0199c7a4-9b10-7f4e-b6d2-71c0a8e5f9d4',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'signer',
};
const submitted = { ...ada, submitted_at: '2026-05-04T09:31:07.412Z' };

const EVENT_EXAMPLES: Examples = {
  transaction_created: { id: ID, status: 'draft', created_by: user },
  transaction_started: { id: ID, status: 'started', started_by: user },
  transaction_completed: {
    id: ID,
    status: 'completed',
    recipients: [submitted],
    sealed_documents: [
      {
        created_at: '2026-05-04T09:31:08.020Z',
        id: '0199c7a9-3c55-7a18-a2f0-c4d6b8e01f27',
        name: 'contract.sealed.pdf',
        sha256: '3f0a7c1e5b2d94860b7f4c1a9e8d6253f01b7ac94e2d8560c3b1f7a98e4d2560',
        document: { id: '0199c7a4-8e77-7d2b-94a1-0b3c5d7e9f12', name: 'contract.pdf' },
      },
    ],
  },
  transaction_expired: {
    id: ID,
    status: 'expired',
    expiration_days: 14,
    expired_at: '2026-05-18T09:12:44.105Z',
  },
  recipient_submitted: { id: ID, status: 'started', recipient: submitted },
  transaction_rejected: { id: ID, status: 'rejected', rejected_by: ada },
  transaction_cancelled: {
    id: ID,
    status: 'expired',
    cancelled_reason: 'Wrong contract',
    cancelled_at: '2026-05-04T10:02:19.733Z',
  },
};
