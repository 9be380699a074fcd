// Webhooks: create and list as in spec §4, delete as an extension (assumed: A6).
import * as z from 'zod';
import { EVENT_TYPES } from './events.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { pageQuery, pagination } from './paging.ts';
import { id, isSecureUrl, line } from './values.ts';

const eventType = z.lazy(() =>
  z.enum(EVENT_TYPES, {
    error: (issue) => `"${String(issue.input)}" is not an event type; use ${EVENT_TYPES.join(', ')}`,
  }),
);

export const webhookOperations = {
  'webhook.create': {
    method: 'POST',
    path: '/v1/webhook',
    access: { scope: 'webhook:create' },
    body: z.lazy(() =>
      z.object({
        name: line(1, LIMITS.webhookNameLength),
        endpoint: line(1, LIMITS.urlLength).refine(isSecureUrl, {
          error: (issue) => `"${String(issue.input)}" must be an https address`,
        }),
        events: z.array(eventType).min(1, { error: 'must not be empty' }).max(EVENT_TYPES.length),
      }),
    ),
    success: { status: 201, schema: z.lazy(() => z.strictObject({ id, secret: z.string() })) },
    needs: ['id'],
    problems: [],
    source: 'spec §4 Create webhook',
    assumed: ['A5', 'A7', 'A30'],
    idempotent: true,
    summary: 'Have events sent to an address',
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
    query: z.lazy(() => z.object(pageQuery)),
    success: {
      status: 200,
      schema: z.lazy(() =>
        z.strictObject({
          items: z.array(
            z.strictObject({
              id,
              name: z.string(),
              endpoint: z.string(),
              events: z.array(z.enum(EVENT_TYPES)),
              enabled: z.boolean(),
            }),
          ),
          meta: pagination,
        }),
      ),
    },
    needs: ['items'],
    problems: [],
    source: 'spec §4 List webhooks',
    assumed: ['A5', 'A7', 'A33'],
    summary: 'List the webhooks of the company, newest first',
  },
  'webhook.delete': {
    method: 'DELETE',
    path: '/v1/webhook/{webhookId}',
    access: { scope: 'webhook:remove' },
    params: z.lazy(() => z.object({ webhookId: id })),
    success: { status: 200, schema: z.lazy(() => z.strictObject({ removed: z.boolean() })) },
    problems: ['webhook_not_found'],
    source: 'spec §5 scope webhook:remove',
    assumed: ['A6', 'A7'],
    extension: true,
    summary: 'Delete a webhook',
  },
} as const satisfies Record<string, Operation>;
