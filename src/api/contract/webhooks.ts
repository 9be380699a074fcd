// Webhooks: create and list as in spec §4, delete (assumed: A6) and the rest as extensions.
import * as z from 'zod';
import { attempt, EVENT_TYPES, eventType, receivedAttempt, receivedCounts } from './events.ts';
import { lazySchema } from './lazy-schema.ts';
import {
  list,
  neededFlag,
  neededId,
  neededText,
  record,
  someFlag,
  someList,
  someNumber,
  someRecord,
  someText,
} from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import {
  endpoint,
  extension,
  id,
  instant,
  line,
  pageQuery,
  pagination,
  receivedPages,
  uri,
} from './values.ts';

const webhookShape = () => ({
  id,
  name: z.string(),
  endpoint: uri,
  events: z.array(z.enum(EVENT_TYPES)),
  enabled: z.boolean(),
});

const detail = lazySchema(() =>
  z.strictObject({
    ...webhookShape(),
    created_at: instant,
    /** When the secret was last replaced. */
    rotated_at: instant.nullable(),
    disabled_at: instant.nullable(),
    disabled_reason: z.string().nullable(),
    deliveries: z.strictObject({ waiting: z.int(), delivered: z.int(), undelivered: z.int() }),
    /** Share of the last attempts that succeeded, 0 to 1; null before the first. */
    success_rate: z.number().nullable(),
    /** The newest attempt comes first. */
    last_attempts: z.array(attempt.extend({ event: z.strictObject({ id, type: z.enum(EVENT_TYPES) }) })),
  }),
);

const receivedShape = {
  id: neededId,
  name: someText,
  endpoint: someText,
  events: someList(neededText),
  enabled: someFlag,
};

const received = record({
  ...receivedShape,
  rotated_at: someText,
  disabled_at: someText,
  disabled_reason: someText,
  deliveries: receivedCounts,
  success_rate: someNumber,
  last_attempts: someList(
    record({ ...receivedAttempt, event: someRecord({ id: someText, type: someText }) }),
  ),
});

const byWebhook = lazySchema(() => z.object({ webhookId: id }));

const extensionRow = { problems: ['webhook_not_found'], source: 'none', extension: true } as const;

export const webhookOperations = {
  'webhook.create': {
    method: 'POST',
    path: '/v1/webhook',
    access: { scope: 'webhook:create' },
    body: lazySchema(() =>
      z.object({
        name: line(1, LIMITS.webhookNameLength),
        endpoint: endpoint('webhook', LIMITS.urlLength),
        events: z
          .array(eventType)
          .min(1, { error: 'must not be empty' })
          .max(EVENT_TYPES.length, { error: `must have at most ${EVENT_TYPES.length} entries` }),
      }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({
          id,
          secret: extension(
            z.string(),
            'What deliveries are signed with (Standard Webhooks). Shown only once.',
          ),
        }),
      ),
    },
    received: record({ id: neededId, secret: someText }),
    problems: [],
    source: 'spec §4 Create webhook',
    assumed: ['A5', 'A7', 'A30'],
    idempotent: true,
    summary: 'Create a webhook that sends events to a URL',
    example: {
      name: 'Orders',
      endpoint: 'https://hooks.example.com/esign',
      events: ['transaction_completed'],
    },
  },
  'webhook.list': {
    method: 'GET',
    path: '/v1/webhook',
    access: { scope: 'webhook:read' },
    query: lazySchema(() => z.object(pageQuery)),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          items: z.array(
            z.strictObject({
              ...webhookShape(),
              endpoint: extension(uri, 'The URL that events are sent to.'),
            }),
          ),
          meta: pagination,
        }),
      ),
    },
    received: record({ items: list(record(receivedShape)), meta: receivedPages }),
    problems: [],
    source: 'spec §4 List webhooks',
    assumed: ['A5', 'A7', 'A33'],
    summary: 'List the webhooks of the company, newest first',
  },
  'webhook.delete': {
    method: 'DELETE',
    path: '/v1/webhook/{webhookId}',
    access: { scope: 'webhook:remove' },
    params: byWebhook,
    success: { status: 200, schema: lazySchema(() => z.strictObject({ removed: z.boolean() })) },
    received: record({ removed: someFlag }),
    problems: ['webhook_not_found'],
    source: 'spec §5 scope webhook:remove',
    assumed: ['A6', 'A7'],
    extension: true,
    summary: 'Delete a webhook',
  },
  'webhook.detail': {
    ...extensionRow,
    method: 'GET',
    path: '/v1/webhook/{webhookId}',
    access: { scope: 'webhook:read' },
    params: byWebhook,
    success: { status: 200, schema: detail },
    received: received,
    assumed: ['A30'],
    summary: 'Get a webhook and its last delivery attempts',
  },
  'webhook.enable': {
    ...extensionRow,
    method: 'PUT',
    path: '/v1/webhook/{webhookId}/enable',
    access: { scope: 'webhook:create' },
    params: byWebhook,
    success: { status: 200, schema: detail },
    received: received,
    assumed: ['A30'],
    summary: 'Enable a webhook',
  },
  'webhook.disable': {
    ...extensionRow,
    method: 'PUT',
    path: '/v1/webhook/{webhookId}/disable',
    access: { scope: 'webhook:create' },
    params: byWebhook,
    success: { status: 200, schema: detail },
    received: received,
    assumed: ['A30'],
    summary: 'Disable a webhook; waiting deliveries become undelivered',
  },
  'webhook.rotate': {
    ...extensionRow,
    method: 'POST',
    path: '/v1/webhook/{webhookId}/rotate',
    access: { scope: 'webhook:create' },
    params: byWebhook,
    body: lazySchema(() => z.object({})),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ id, secret: z.string(), previous_valid_until: instant })),
    },
    received: record({ id: someText, secret: neededId, previous_valid_until: someText }),
    assumed: ['A30'],
    idempotent: true,
    summary: 'Replace the secret of a webhook; for one day both secrets sign',
    example: {},
  },
  'webhook.ping': {
    ...extensionRow,
    method: 'POST',
    path: '/v1/webhook/{webhookId}/ping',
    access: { scope: 'webhook:create' },
    params: byWebhook,
    body: lazySchema(() => z.object({})),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          id,
          endpoint: uri,
          ok: z.boolean(),
          status: z.int().nullable(),
          why: z.string().nullable(),
          answer: z.string(),
          duration_ms: z.int(),
        }),
      ),
    },
    received: record({
      ok: neededFlag,
      id: someText,
      endpoint: someText,
      status: someNumber,
      why: someText,
      answer: someText,
      duration_ms: someNumber,
    }),
    assumed: ['A30'],
    summary: 'Send one signed event of type ping to a webhook and return its response',
    example: {},
  },
} as const satisfies Record<string, Operation>;
