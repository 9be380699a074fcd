import { describe, expect, test } from 'vitest';
import { EVENT_TYPES, EVENTS } from '../../../src/api/contract/events.ts';
import { FIELD_TYPES } from '../../../src/api/contract/fields.ts';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { openApiDocument } from '../../../src/api/contract/openapi/document.ts';
import { isScoped, type Operation } from '../../../src/api/contract/operation.ts';
import {
  API_OPERATIONS,
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
} from '../../../src/api/contract/operations.ts';
import { ROLES } from '../../../src/api/contract/recipients.ts';
import { STATUSES } from '../../../src/api/contract/transactions.ts';
import { SLOW } from '../../support/tier.ts';

/** What the specification shows, and where it is silent the row of the open points that was chosen. */
const SHOWN: [OperationId, string, string, number][] = [
  ['transaction.create', 'POST /v1/transaction', 'transaction:create', 201],
  ['transaction.update', 'PUT /v1/transaction/{transactionId}', 'transaction:update', 200],
  ['file.upload', 'POST /v1/file/upload', 'file:create', 201],
  ['transaction.add_document', 'POST /v1/transaction/{transactionId}/document', 'transaction:update', 201],
  ['transaction.fields', 'PUT /v1/transaction/{transactionId}/fields', 'transaction:update', 200],
  ['transaction.start', 'PUT /v1/transaction/{transactionId}/start', 'transaction:update', 200],
  ['transaction.detail', 'GET /v1/transaction/{transactionId}', 'transaction:read', 200],
  ['transaction.use_templates', 'POST /v1/transaction/{transactionId}/templates', 'transaction:update', 201],
  ['transaction.cancel', 'PUT /v1/transaction/{transactionId}/cancel', 'transaction:update', 200],
  ['template.detail', 'GET /v1/template/{templateId}', 'template:read', 200],
  ['template.list', 'GET /v1/template', 'template:read', 200],
  ['webhook.create', 'POST /v1/webhook', 'webhook:create', 201],
  ['webhook.list', 'GET /v1/webhook', 'webhook:read', 200],
  ['webhook.delete', 'DELETE /v1/webhook/{webhookId}', 'webhook:remove', 200],
  ['oauth.exchange_code', 'POST /v1/oauth/exchange/code', 'client', 200],
  ['oauth.refresh_token', 'POST /v1/oauth/refresh/token', 'client', 200],
];

const operationOf = (id: OperationId): Operation => OPERATIONS[id];

describe('the table of operations', () => {
  test.each(SHOWN)('has %s as %s, for %s, answered %i', (id, route, access, status) => {
    const operation = operationOf(id);
    expect(`${operation.method} ${operation.path}`).toBe(route);
    expect(isScoped(operation.access) ? operation.access.scope : operation.access).toBe(access);
    expect(operation.success.status).toBe(status);
  });

  test('has every operation of the API under /v1, but for the signed address of a file', () => {
    const elsewhere = Object.values(API_OPERATIONS).filter((operation) => !operation.path.startsWith('/v1/'));
    expect(elsewhere.map((operation) => operation.path)).toEqual(['/files/{fileId}']);
  });

  test('calls everything an extension that the specification does not show', () => {
    const shown = new Set<string>(SHOWN.map(([id]) => id).filter((id) => id !== 'webhook.delete'));
    for (const id of OPERATION_IDS)
      expect([id, operationOf(id).extension ?? false]).toEqual([id, !shown.has(id)]);
  });

  test.each([
    ['transaction.detail', 'A1'],
    ['transaction.use_templates', 'A2'],
    ['transaction.cancel', 'A3'],
    ['template.detail', 'A4'],
    ['template.list', 'A4'],
    ['webhook.create', 'A5'],
    ['webhook.list', 'A5'],
    ['webhook.delete', 'A6'],
    ['transaction.update', 'A8'],
    ['transaction.fields', 'A8'],
    ['transaction.start', 'A8'],
    ['transaction.add_document', 'A9'],
    ['oauth.exchange_code', 'A21'],
  ] as const)('says of %s that it goes by %s', (id, row) => {
    expect(operationOf(id).assumed).toContain(row);
  });

  test('honours an Idempotency-Key on every POST of the API outside OAuth, and on the start', () => {
    for (const [id, operation] of Object.entries(API_OPERATIONS) as [string, Operation][]) {
      const expected =
        // A ping writes nothing.
        (operation.method === 'POST' && !id.startsWith('oauth.') && id !== 'webhook.ping') ||
        id === 'transaction.start';
      expect([id, operation.idempotent ?? false]).toEqual([id, expected]);
    }
  });

  test('gives examples that its own schemas take', () => {
    for (const id of OPERATION_IDS) {
      const { body, example } = operationOf(id);
      if (body) expect([id, body.safeParse(example).success]).toEqual([id, true]);
    }
  });
});

describe('what the specification lists', () => {
  test('are the five values of a status, the roles and the types of fields', () => {
    expect(STATUSES).toEqual(['draft', 'started', 'completed', 'expired', 'rejected']);
    expect(ROLES).toEqual(['sender', 'signer', 'proxy']);
    expect(FIELD_TYPES.slice(0, 4)).toEqual(['text', 'signature', 'person_name', 'email']);
  });

  test('are the seven types of events, each with its data', () => {
    expect(EVENT_TYPES).toEqual([
      'transaction_completed',
      'transaction_created',
      'transaction_started',
      'transaction_expired',
      'transaction_rejected',
      'recipient_submitted',
      'transaction_cancelled',
    ]);
    expect(Object.keys(EVENTS).sort()).toEqual([...EVENT_TYPES].sort());
  });

  test('are the limits', () => {
    expect(LIMITS).toMatchObject({
      fileBytes: 10_485_760,
      notificationEndpointLength: 255,
      transactionNameLength: 255,
      webhookNameLength: 255,
      authorizationCodeLifetimeMs: 600_000,
    });
  });
});

describe('the OpenAPI document', () => {
  type Described = {
    operationId: string;
    security: object[];
    parameters: { name: string; in: string; required: boolean }[];
    responses: object;
  };
  const { paths, openapi } = openApiDocument('http://127.0.0.1:1') as {
    openapi: string;
    paths: Record<string, Record<string, Described>>;
  };

  test('has every operation under its path and method', () => {
    expect(openapi).toBe('3.1.0');
    // The page of the authorization link is no operation.
    const { '/oauth/authorize': page, ...operations } = paths;
    const described = Object.entries(operations).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => [one.operationId, `${method.toUpperCase()} ${path}`]),
    );
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(
        OPERATION_IDS.map((id) => [id, `${operationOf(id).method} ${operationOf(id).path}`]),
      ),
    );
    expect(described).toHaveLength(OPERATION_IDS.length);
    expect(page).toEqual({ get: expect.objectContaining({ operationId: 'oauth.authorize' }) });
  });

  test('says which scope, parameters and answers an operation has', () => {
    const list = paths['/v1/template']?.get;
    expect(list?.security).toEqual([{ bearer: ['template:read'] }]);
    expect(list?.parameters.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['search', 'query', false],
      ['limit', 'query', true],
      ['page', 'query', true],
    ]);
    expect(Object.keys(list?.responses ?? {})).toEqual(['200', '401', '403', '422', 'default']);
    expect(paths['/v1/oauth/exchange/code']?.post?.security).toEqual([]);
    const update = paths['/v1/transaction/{transactionId}']?.put;
    expect(update?.parameters).toMatchObject([{ name: 'transactionId', in: 'path', required: true }]);
    expect(Object.keys(update?.responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '503',
      'default',
    ]);
  });

  test.skipIf(!SLOW)('is the same each time', () => {
    const text = JSON.stringify(openApiDocument('http://127.0.0.1:1'));
    expect(JSON.stringify(openApiDocument('http://127.0.0.1:1'))).toBe(text);
  });
});
