import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { ApiError, PathError, parseRoute } from '../../src/api/codec.ts';
import { ASSUMED_ROUTES } from '../../src/api/contract/assumed-routes.ts';
import type { Operation } from '../../src/api/contract/operation.ts';
import { API_OPERATIONS } from '../../src/api/contract/operations.ts';
import {
  type Call,
  ConnectionError,
  type Reply,
  type Trace,
  withBearer,
  withFaults,
  withTrace,
} from '../../src/api/transport.ts';

/** A service that answers one thing, and remembers what it was asked. */
function answering(reply: Partial<Reply>) {
  const calls: Call[] = [];
  const transport = async (call: Call): Promise<Reply> => {
    calls.push(call);
    return { status: 200, headers: {}, body: '{}', ...reply };
  };
  return { calls, transport };
}

const clientOf = (reply: Partial<Reply>) => {
  const { calls, transport } = answering(reply);
  return { calls, client: createClient({ baseUrl: 'https://sign.example.com/api/', transport }) };
};

const create = (reply: Partial<Reply>) =>
  clientOf(reply).client['transaction.create']({ body: { name: 'A' } });

async function errorOf(reply: Partial<Reply>): Promise<ApiError> {
  const error = await create(reply).catch((caught: unknown) => caught);
  if (!(error instanceof ApiError)) throw new Error(`Not refused: ${JSON.stringify(error)}`);
  return error;
}

describe('what the client sends', () => {
  test('is the method and path of the table under the base address, with a JSON body', async () => {
    const { calls, client } = clientOf({ body: '{"id":"T"}' });
    await client['transaction.cancel']({
      params: { transactionId: 'a b/c' },
      body: { cancelled_reason: 'x' },
    });
    const [{ method, url, headers, body } = { method: '', url: '', headers: {}, body: undefined }] = calls;
    expect({ method, url }).toEqual({
      method: 'PUT',
      url: 'https://sign.example.com/api/v1/transaction/a%20b%2Fc/cancel',
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', accept: 'application/json' });
    expect(JSON.parse(new TextDecoder().decode(body as Uint8Array))).toEqual({ cancelled_reason: 'x' });
  });

  test('never reaches another path, whatever an id is', () => {
    const { client, calls } = clientOf({});
    return Promise.all(
      ['', '.', '..'].map(async (transactionId) => {
        await expect(client['transaction.detail']({ params: { transactionId } })).rejects.toBeInstanceOf(
          PathError,
        );
        expect(calls).toEqual([]);
      }),
    );
  });

  test('goes where a profile says', async () => {
    const { calls, transport } = answering({});
    const routes = { 'transaction.cancel': 'POST /v2/transaction/{transactionId}/cancellation' };
    const client = createClient({ baseUrl: 'https://sign.example.com', transport, routes });
    await client['transaction.cancel']({ params: { transactionId: 'T' }, body: { cancelled_reason: 'x' } });
    expect(calls).toMatchObject([
      { method: 'POST', url: 'https://sign.example.com/v2/transaction/T/cancellation' },
    ]);
  });

  test.each(Object.entries(API_OPERATIONS))('goes where a profile says: %s', async (id, operation) => {
    const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const { calls, transport } = answering({ body: '{}' });
    const routes = { [id]: `PATCH /other${ids.map((name) => `/{${name}}`).join('')}/end` };
    const client = createClient({ baseUrl: 'https://sign.example.com/api', transport, routes });
    const params = Object.fromEntries(ids.map((name, index) => [name, `id${index}`]));
    const input = {
      params,
      body: {},
      ...(id === 'file.upload' && { file: { name: 'a', content: new Uint8Array(1) } }),
    };
    const call = client[id as keyof typeof client] as (given: unknown) => Promise<unknown>;
    await call(input).catch(() => undefined);
    expect(calls).toMatchObject([
      {
        method: 'PATCH',
        url: `https://sign.example.com/api/other${ids.map((_, index) => `/id${index}`).join('')}/end`,
      },
    ]);
  });

  test('names the open point of every route that the specification does not show', () => {
    const assumed = Object.entries(API_OPERATIONS).flatMap(([id, operation]: [string, Operation]) => {
      const point = operation.assumed?.find((one) => /^A[1-6]$/.test(one));
      return point ? [[id, point]] : [];
    });
    expect(Object.fromEntries(assumed)).toEqual(ASSUMED_ROUTES);
  });

  test.each(['', 'GET', 'get /x', 'GET x', 'GET /a b', 'HEAD /x'])('is no route: %j', (text) => {
    expect(parseRoute(text)).toBeUndefined();
  });

  test('carries a token, an idempotency key where one is known, and the control secret where one is asked for', async () => {
    const { calls, transport } = answering({ body: '{"id":"T"}' });
    const client = createClient({
      baseUrl: 'https://x.example',
      transport: withBearer(transport, { token: () => 'TOKEN' }),
      controlSecret: 'SECRET',
    });
    await client['transaction.create']({ body: {} }, { idempotencyKey: 'K' });
    await client['transaction.cancel'](
      { params: { transactionId: 'T' }, body: { cancelled_reason: 'x' } },
      { idempotencyKey: 'K' },
    );
    await client['sandbox.reset']({ body: {} });
    expect(
      calls.map(({ headers }) => [
        headers.authorization,
        headers['idempotency-key'],
        headers['x-esign-control'],
      ]),
    ).toEqual([
      ['Bearer TOKEN', 'K', undefined],
      ['Bearer TOKEN', undefined, undefined],
      ['Bearer TOKEN', undefined, 'SECRET'],
    ]);
  });
});

describe('what the client understands', () => {
  test('keeps properties that it does not know', async () => {
    expect(await create({ body: '{"id":"T","new":1}' })).toEqual({ id: 'T', new: 1 });
  });

  test.each(['{}', '{"id":null}', 'null', '[]', '', 'not json', '{"id"'])(
    'misses the id in the answer %j',
    async (body) => {
      expect(await errorOf({ body })).toMatchObject({
        code: 'answer_incomplete',
        status: 200,
        message: expect.stringContaining('"id"'),
      });
    },
  );

  test.each([
    [
      'ours',
      '{"code":"transaction_not_draft","detail":"No.","errors":[{"path":"a","message":"b"}]}',
      'transaction_not_draft',
      'No.',
    ],
    ['a message', '{"message":"Nope"}', 'http_409', 'Nope'],
    [
      'an OAuth error',
      '{"error":"invalid_grant","error_description":"Too late"}',
      'invalid_grant',
      'Too late',
    ],
    ['a nested error', '{"error":{"code":"E1","message":"Inside"}}', 'E1', 'Inside'],
    ['plain text', 'Out of order', 'http_409', 'Out of order'],
    ['a page', '<html><body>Bad gateway</body></html>', 'http_409', 'The service answered with status 409.'],
    ['nothing', '', 'http_409', 'The service answered with status 409.'],
    ['a list', '["x"]', 'http_409', 'The service answered with status 409.'],
    ['a code that is a sentence', '{"code":"some thing","detail":"D"}', 'http_409', 'D'],
    ['errors that are none', '{"code":"x","detail":"D","errors":[1,{"path":2},null]}', 'x', 'D'],
  ])('is an error with %s', async (_, body, code, message) => {
    const error = await errorOf({ status: 409, body, headers: { 'x-request-id': 'R' } });
    expect(error).toMatchObject({
      code,
      message,
      status: 409,
      requestId: 'R',
      operation: 'transaction.create',
      method: 'POST',
      path: '/api/v1/transaction',
    });
    expect(error.errors).toEqual(body.includes('"path":"a"') ? [{ path: 'a', message: 'b' }] : []);
  });
});

describe('on the way', () => {
  test('a trace tells method, path, status and time, and no secret', async () => {
    const traces: Trace[] = [];
    let now = 0;
    const { transport } = answering({ headers: { 'x-request-id': 'R' } });
    const clock = () => {
      now += 5;
      return now;
    };
    await withTrace(transport, clock, (trace) => traces.push(trace))({
      method: 'GET',
      url: 'https://x.example/sign?token=SECRET',
      headers: {},
    });
    expect(traces).toEqual([{ method: 'GET', path: '/sign', status: 200, durationMs: 5, requestId: 'R' }]);
  });

  test('a fault loses the answer after the service has acted, or refuses before', async () => {
    const { calls, transport } = answering({});
    const broken = withFaults(
      transport,
      (_, count) => (['refuse_connection', 'lose_answer'] as const)[count - 1],
    );
    const call = { method: 'GET', url: 'https://x.example/', headers: {} };
    await expect(broken(call)).rejects.toMatchObject({ delivery: 'not_sent' });
    expect(calls).toHaveLength(0);
    await expect(broken(call)).rejects.toBeInstanceOf(ConnectionError);
    expect(calls).toHaveLength(1);
    expect((await broken(call)).status).toBe(200);
  });
});
