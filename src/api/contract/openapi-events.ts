// The events as OpenAPI: the deliveries, and one type for all of them, discriminated by `type`. Pure.
import type * as z from 'zod';
import { EVENT_EXAMPLES } from './event-examples.ts';
import { EVENT_TYPES, EVENTS, type EventType, envelope, pingData } from './events.ts';
import { type Json, jsonSchemaOf, type NamedSchemas, pascal } from './openapi-schemas.ts';
import { OPERATIONS } from './operations.ts';

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

/** By their types, and `ping`, which only a request to the webhook causes. */
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

/** What a receiver of events is sent (assumed: A30). */
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
