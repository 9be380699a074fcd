// The published client against scripted answers of `fetch`: what it sends, repeats and reads, and how it fails. Retries themselves are
// tested in test/api/retry.test.ts; here, that the client follows the same rules.
import { describe, expect, test } from 'vitest';
import { OPERATIONS as CONTRACT } from '../../src/api/contract/operations.ts';
import { createClient } from '../../src/client/create-client.ts';
import { EsignError } from '../../src/client/errors.ts';
import type { ClientOperation } from '../../src/client/operation.ts';
import { CLIENT_OPERATIONS as OPERATIONS } from '../../src/client/operations.ts';
import type { ClientOptions } from '../../src/client/options.ts';
import { sampleOf } from '../support/tier.ts';

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A retry that follows at once. */
const AT_ONCE = { 'retry-after': '0' };

type Sent = { url: string; init: RequestInit; headers: Record<string, string> };

/** A client whose requests are answered by a list, and which requests there were. The last answer is repeated. */
function scripted(
  answers: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'https://sign.example.com/api/',
    token: 'TOKEN',
    async fetch(url, init) {
      sent.push({ url, init, headers: { ...(init.headers as Record<string, string>) } });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer) throw new Error('There is no answer.');
      return answer();
    },
    ...options,
  });
  return { client, sent };
}

const failed = async (promise: PromiseLike<unknown>): Promise<EsignError> => {
  const error = await Promise.resolve(promise).then(
    (value) => new Error(`Not refused: ${JSON.stringify(value)}`),
    (caught: unknown) => caught,
  );
  if (!(error instanceof EsignError)) throw error;
  return error;
};

const refusedConnection = (): never => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  });
};
const lostAnswer = (): never => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
};

describe('the methods of the client', () => {
  test('are one for each operation of the contract, each with a name of its own', () => {
    const rows = Object.values<ClientOperation>(OPERATIONS);
    const { client } = scripted([() => json({})]);
    const methods = Object.entries(client).flatMap(([group, own]) =>
      Object.keys(own as object).map((name) => `${group}.${name}`),
    );
    expect(Object.keys(OPERATIONS)).toEqual(Object.keys(CONTRACT));
    expect(methods.sort()).toEqual(rows.map(({ name }) => name.join('.')).sort());
    expect(new Set(methods).size).toBe(rows.length);
  });

  test.each(sampleOf(Object.entries<ClientOperation>(OPERATIONS), 2))(
    'send what the contract says: %s',
    async (id, row) => {
      const { client, sent } = scripted([() => json({}, 404)], { controlSecret: 'CONTROL' });
      const [group, name] = row.name;
      const method = (
        client as unknown as Record<string, Record<string, (...given: unknown[]) => PromiseLike<unknown>>>
      )[group]?.[name];
      const ids = (row.ids ?? []).map((_, at) => `id ${at}`);
      const input = Object.fromEntries((row.query ?? []).map((key) => [key, 'q']));
      const given = row.isUpload
        ? [new Uint8Array(1)]
        : row.query || (row.body && !row.isBodyEmpty)
          ? [{ ...input, own: 1 }]
          : [];
      await failed(method?.(...ids, ...given) ?? Promise.resolve());
      const contract = CONTRACT[id as keyof typeof CONTRACT];
      const path = ids.reduce(
        (filled, one) => filled.replace(/\{\w+\}/, encodeURIComponent(one)),
        contract.path as string,
      );
      const query = row.query ? `?${row.query.map((key) => `${key}=q`).join('&')}` : '';
      expect(sent[0]).toMatchObject({
        url: `https://sign.example.com/api${path}${query}`,
        init: { method: contract.method, redirect: 'manual' },
      });
      const { access } = contract;
      expect([sent[0]?.headers.authorization, sent[0]?.headers['x-esign-control']]).toEqual([
        typeof access === 'object' || access === 'user' ? 'Bearer TOKEN' : undefined,
        access === 'control' ? 'CONTROL' : undefined,
      ]);
      const body = sent[0]?.init.body as Uint8Array | undefined;
      if ('body' in contract)
        expect(JSON.parse(new TextDecoder().decode(body))).toEqual(row.isBodyEmpty ? {} : { own: 1 });
      else if (!row.isUpload) expect(body).toBeUndefined();
    },
  );

  test.each([
    ['a Blob', () => new Blob(['PDF'])],
    ['bytes', () => new TextEncoder().encode('PDF')],
    ['an ArrayBuffer', () => new TextEncoder().encode('PDF').buffer as ArrayBuffer],
    ['a stream', () => new Blob(['PDF']).stream() as ReadableStream<Uint8Array>],
  ])('upload %s, again when an upload failed and a key allows it', async (_, content) => {
    const { client, sent } = scripted([() => json({}, 503, AT_ONCE), () => json({ token: 'F' }, 201)], {
      idempotencyKeys: true,
    });
    expect(await client.files.upload(content(), { name: 'a "b".pdf' })).toEqual({ token: 'F' });
    expect(sent).toHaveLength(2);
    for (const { init } of sent)
      expect(new TextDecoder().decode(init.body as Uint8Array)).toMatch(
        /filename="a %22b%22\.pdf"\r\n[\s\S]*\r\n\r\nPDF\r\n--/,
      );
    expect(sent[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    expect(sent[1]?.headers['idempotency-key']).toBe(sent[0]?.headers['idempotency-key']);
  });

  test('go where other routes lead', async () => {
    const routes = { 'transaction.cancel': 'POST /v2/{transactionId}/end' };
    const { client, sent } = scripted([() => json({})], { routes });
    await client.transactions.cancel('T', { cancelled_reason: 'x' });
    expect(sent[0]).toMatchObject({ url: 'https://sign.example.com/api/v2/T/end', init: { method: 'POST' } });
  });

  test.each(['', '.', '..', undefined, {}])('never reach another path: %j', async (id) => {
    const { client, sent } = scripted([() => json({})]);
    expect((await failed(client.transactions.get(id as string))).code).toBe('id_invalid');
    expect(sent).toEqual([]);
  });
});

describe('the options of the client', () => {
  test.each([
    'http://sign.example.com',
    'ftp://x',
    'https://u:p@sign.example.com',
    'https://x/?a=1',
    '',
    undefined,
  ])('refuse the address %j, because a token would be sent there', (baseUrl) => {
    expect(() => createClient({ baseUrl: baseUrl as string })).toThrow(EsignError);
  });

  test.each([
    { maxRetries: -1 },
    { maxRetries: 0.5 },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { timeoutMs: 1e12 },
    { routes: { a: 'b' } },
  ])('refuse %j', (options) => {
    expect(() => createClient({ baseUrl: 'https://x.example', ...(options as object) })).toThrow(
      expect.objectContaining({ code: 'option_invalid' }),
    );
  });

  test('need a token only for operations that need one', async () => {
    const { client, sent } = scripted([() => json({ access_token: 'A', expires_in: 1 })], {
      token: undefined,
    });
    expect((await failed(client.users.me())).code).toBe('token_missing');
    expect(sent).toEqual([]);
    await client.oauth.refreshToken({ client_id: 'C', client_secret: 'S', refresh_token: 'R' });
    expect(sent[0]?.headers.authorization).toBeUndefined();
  });

  test('ask once for another token after a 401, and give up when there is none', async () => {
    const asked: (string | undefined)[] = [];
    const token = (refused?: string) => {
      asked.push(refused);
      return refused === undefined ? 'OLD' : 'NEW';
    };
    const { client, sent } = scripted([() => json({}, 401), () => json({ email: 'a@b.example' })], { token });
    await client.users.me();
    expect(sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer OLD', 'Bearer NEW']);
    expect(asked).toEqual([undefined, 'OLD']);
    const same = scripted([() => json({}, 401)], { token: () => 'OLD' });
    expect((await failed(same.client.users.me())).status).toBe(401);
    expect(same.sent).toHaveLength(1);
  });
});

describe('a request that failed', () => {
  const create = (options: Partial<ClientOptions> = {}, key?: string) =>
    [
      (answers: Parameters<typeof scripted>[0]) => scripted(answers, options),
      key === undefined ? {} : { idempotencyKey: key },
    ] as const;

  test.each<[string, (() => Response)[], number, Partial<ClientOptions>, string?]>(
    sampleOf(
      [
        ['never a POST whose answer is lost', [lostAnswer, () => json({ id: 'T' })], 1, {}],
        ['a POST that was not sent', [refusedConnection, () => json({ id: 'T' })], 2, {}],
        [
          'a POST with the keys of the client',
          [lostAnswer, () => json({ id: 'T' })],
          2,
          { idempotencyKeys: true },
        ],
        ['a POST with a key of its own', [lostAnswer, () => json({ id: 'T' })], 2, {}, 'K'],
        [
          'never a POST after a 503 without a key',
          [() => json({}, 503, AT_ONCE), () => json({ id: 'T' })],
          1,
          {},
        ],
        [
          'not where no retry is wanted',
          [() => json({}, 503, AT_ONCE), () => json({ id: 'T' })],
          1,
          { idempotencyKeys: true, maxRetries: 0 },
        ],
        [
          'not when the service asks for a long pause',
          [() => json({}, 503, { 'retry-after': '61' }), () => json({ id: 'T' })],
          1,
          { idempotencyKeys: true },
        ],
        ['never after a refusal', [() => json({}, 409)], 1, { idempotencyKeys: true }],
      ],
      4,
    ),
  )('is repeated as the command line does: %s', async (_, answers, count, options, key) => {
    const [open, call] = create(options, key);
    const { client, sent } = open(answers);
    const outcome = await client.transactions.create({ name: 'A' }, call).then(
      () => 'done',
      (error) => error,
    );
    expect([sent.length, outcome === 'done' || outcome instanceof EsignError]).toEqual([count, true]);
    expect(outcome === 'done').toBe(count === 2);
  });

  test('is repeated three times at most, and reported each time', async () => {
    const whys: string[] = [];
    const { client, sent } = scripted([() => json({}, 502, AT_ONCE)], {
      onRetry: ({ why, attempt }) => whys.push(`${attempt} ${why}`),
    });
    expect((await failed(client.transactions.get('T'))).status).toBe(502);
    expect(sent).toHaveLength(4);
    expect(whys.at(-1)).toBe('4 the service answered with status 502');
  });

  test.each(['start', 'cancel'] as const)(
    'is never repeated where people would be notified twice: %s',
    async (name) => {
      const { client, sent } = scripted([lostAnswer, () => json({ url: 'U' })]);
      const call =
        name === 'start'
          ? client.transactions.start('T')
          : client.transactions.cancel('T', { cancelled_reason: 'x' });
      expect(await failed(call)).toMatchObject({ code: 'connection_failed', delivery: 'unknown' });
      expect(sent).toHaveLength(1);
    },
  );

  test('ends with the reason of the signal, also between two attempts', async () => {
    const stop = new AbortController();
    const { client, sent } = scripted([() => json({}, 503, { 'retry-after': '30' })], {
      onRetry: () => stop.abort(new Error('enough')),
    });
    await expect(client.users.me({ signal: stop.signal })).rejects.toThrow('enough');
    await expect(client.users.me({ signal: stop.signal })).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  test('ends when the service does not respond in time', async () => {
    const hang = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    const { client } = scripted([], { fetch: hang, timeoutMs: 5, maxRetries: 0 });
    expect(await failed(client.users.me())).toMatchObject({ code: 'answer_timeout', delivery: 'unknown' });
  });

  test.each([
    [302, { location: 'https://other.example/?secret=1' }, 302],
    [200, {}, undefined],
  ])('is never sent on by a redirect (%i)', async (status, headers, told) => {
    const redirect = () => {
      const response = json({}, status, headers as Record<string, string>);
      if (told === undefined) Object.defineProperty(response, 'status', { value: 0 });
      return response;
    };
    const { client, sent } = scripted([redirect]);
    const error = await failed(client.users.me());
    expect(error).toMatchObject({ code: 'redirected', status: told });
    expect(error.message).not.toContain('secret');
    expect(sent).toHaveLength(1);
  });
});

describe('a response', () => {
  test('becomes an error with code, status, request ID, body and wrong values', async () => {
    const problem = {
      code: 'validation_failed',
      detail: 'name must not be empty.',
      errors: [{ path: 'name', message: 'must not be empty' }],
    };
    const { client } = scripted([() => json(problem, 422, { 'x-request-id': 'R1' })]);
    expect(await failed(client.transactions.create({ name: '' }))).toMatchObject({
      name: 'EsignError',
      message: 'name must not be empty.',
      code: 'validation_failed',
      status: 422,
      requestId: 'R1',
      problem,
      fields: problem.errors,
      delivery: 'answered',
      operation: 'transaction.create',
    });
  });

  test('is refused where what is needed is missing, and read without what cannot be used', async () => {
    const { client } = scripted([
      () => json({}),
      () => json({ id: 'T', status: 'odd', expires_at: 7, more: 1 }),
    ]);
    expect(await failed(client.transactions.get('T'))).toMatchObject({ code: 'answer_incomplete' });
    expect(await client.transactions.get('T')).toEqual({ id: 'T', status: 'odd', more: 1 });
  });

  test('is refused where it is nested too deeply', async () => {
    const { client } = scripted([() => new Response('['.repeat(100_000))]);
    expect((await failed(client.transactions.get('T'))).code).toBe('answer_incomplete');
  });

  test('of a download is a stream, which is read as it is needed', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array([pulled]));
        },
      },
      { highWaterMark: 0 },
    );
    const { client } = scripted([
      () =>
        new Response(endless as never, { headers: { 'content-type': 'application/pdf', 'set-cookie': 'x' } }),
    ]);
    const file = await client.files.download('F');
    expect([file.headers.get('content-type'), file.headers.get('set-cookie')]).toEqual([
      'application/pdf',
      null,
    ]);
    const reader = file.body?.getReader();
    expect([(await reader?.read())?.value?.[0], (await reader?.read())?.value?.[0]]).toEqual([1, 2]);
    await reader?.cancel();
    expect(pulled).toBe(2);
  });

  test('of a download that stops in the middle is an error of the client', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
    });
    const { client } = scripted([() => new Response(broken as never)]);
    const file = await client.files.download('F');
    expect(await failed(file.arrayBuffer())).toMatchObject({
      code: 'connection_failed',
      operation: 'file.content',
    });
  });

  test('of a refused download is an error', async () => {
    const { client } = scripted([() => json({ code: 'file_not_found', detail: 'No.' }, 404)]);
    expect(await failed(client.files.download('F'))).toMatchObject({ code: 'file_not_found', status: 404 });
  });
});

describe('a list', () => {
  const page = (ids: string[], meta: object | null) => () => json({ items: ids.map((id) => ({ id })), meta });

  test('is one page when awaited, and all items when iterated, requested as they are needed', async () => {
    const answers = [
      page(['a'], { next_page: 2 }),
      page(['b'], { next_page: 3 }),
      page(['c'], { is_last_page: true, next_page: 4 }),
    ];
    const first = scripted(answers);
    expect((await first.client.webhooks.list({ limit: 1 })).items.map(({ id }) => id)).toEqual(['a']);
    const { client, sent } = scripted(answers);
    const pages = client.webhooks.list({ limit: 1 });
    expect(sent).toEqual([]);
    const ids: string[] = [];
    for await (const { id } of pages) ids.push(`${id}${sent.length}`);
    expect(ids).toEqual(['a1', 'b2', 'c3']);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual([
      'limit=1&page=1',
      'limit=1&page=2',
      'limit=1&page=3',
    ]);
  });

  test('ends although the service always returns the same page', async () => {
    const { client, sent } = scripted([page(['a'], { next_page: 2 })]);
    const ids: string[] = [];
    for await (const { id } of client.webhooks.list()) ids.push(id);
    expect([ids, sent.length]).toEqual([['a', 'a'], 2]);
  });
});
