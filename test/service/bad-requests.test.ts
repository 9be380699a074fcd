import { existsSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { matchPath } from '../../src/api/codec.ts';
import { OPERATION_IDS, OPERATIONS } from '../../src/api/contract/operations.ts';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { createDraft } from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import { bodyStreamOf } from '../support/multipart.ts';
import { sampleOf } from '../support/tier.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (...values: number[]) => new Uint8Array(values);

describeSharedService('a body that cannot be read', { isAboutHttp: true }, (harness, way) => {
  test.each([
    ['blanks', '  \n', 'it is empty'],
    ['half an object', '{"name": "A"', 'JSON'],
    ['two objects', '{}{}', 'JSON'],
    ['a comment', '{} // yes', 'JSON'],
    ['a form', 'name=A', 'JSON'],
  ])('is refused: %s', async (_, body, sentence) => {
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
    );
    expect(problem).toMatchObject({
      status: 400,
      code: 'malformed_json',
      type: 'urn:esign:problem:malformed_json',
    });
    expect(problem.detail).toContain(sentence);
    expect(problem.detail.length).toBeGreaterThan('The request body is not valid JSON: x.'.length);
  });

  const ABSENT: [string, string | ReadableStream<Uint8Array> | undefined, Record<string, string>][] = [
    ['no type', undefined, {}],
    ['the type JSON', undefined, JSON_TYPE],
    ['the type JSON and no bytes', '', JSON_TYPE],
    ['the type JSON and an unknown length of no bytes', bodyStreamOf([]), JSON_TYPE],
  ];
  // In process a body of no bytes has no length.
  if (way === 'over HTTP')
    ABSENT.push(['another type and no bytes', '', { 'content-type': 'application/x-www-form-urlencoded' }]);

  test.each(ABSENT)('that is absent, with %s, counts as an empty object', async (_, body, headers) => {
    const asking = { headers, ...(body !== undefined && { body }) };
    if (!(body instanceof ReadableStream)) {
      const problem = await problemFrom(harness(), 'POST /v1/webhook', asking);
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(problem.errors?.map(({ path }) => path)).toEqual(['name', 'endpoint', 'events']);
    }
    const { status, body: created } = await sendRequest(harness(), 'POST /v1/transaction', asking);
    expect([status, Object.keys(created as object)]).toEqual([201, ['id']]);
  });

  test('is refused when it is not UTF-8', async () => {
    const body = new Uint8Array([
      ...new TextEncoder().encode('{"name":"'),
      ...bytes(0xff, 0xc3, 0x28),
      ...new TextEncoder().encode('"}'),
    ]);
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
    );
    expect(problem).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(problem.detail).toContain('it is not UTF-8');
  });

  test.each([
    ['text/plain', 'Content-Type: text/plain'],
    ['application/x-www-form-urlencoded', 'Content-Type: application/x-www-form-urlencoded'],
    ['application/jsonp', 'Content-Type: application/jsonp'],
    ['multipart/form-data; boundary=x', 'Content-Type: multipart/form-data'],
  ])('is refused when it is %s', async (type, sentence) => {
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/transaction', { body: '{}', headers: { 'content-type': type } }),
    );
    expect(problem).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(problem.detail).toContain('Use application/json');
    expect(problem.detail).toContain(sentence);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'is read when it is %s',
    async (type) => {
      expect(
        (
          await sendRequest(harness(), 'POST /v1/transaction', {
            body: '{}',
            headers: { 'content-type': type },
          })
        ).status,
      ).toBe(201);
    },
  );

  test.each(['null', '[]', '"text"', '7', 'true'])(
    'is refused when it is %s instead of an object',
    async (body) => {
      const problem = await assertUnchanged(harness(), () =>
        problemFrom(harness(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
      );
      expect(problem).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors: [{ path: 'body', message: 'must be an object' }],
      });
      expect(problem.detail).toBe('body must be an object.');
    },
  );

  test.each(sampleOf(['known', 'unknown'], 2))(
    'is refused when it is larger than 4 MiB, of %s length; the next request works',
    async (length) => {
      const name = new TextEncoder().encode(`{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`);
      const body =
        length === 'known' ? new Blob([name]) : bodyStreamOf([name.slice(0, 1 << 20), name.slice(1 << 20)]);
      const problem = await assertUnchanged(harness(), () =>
        problemFrom(harness(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
      );
      expect(problem).toMatchObject({ status: 413, code: 'body_too_large' });
      expect(problem.detail).toContain('4194304');
      expect((await sendRequest(harness(), 'POST /v1/transaction', { json: {} })).status).toBe(201);
    },
  );

  test('is refused as too large while it is still coming', async () => {
    const body = bodyStreamOf([new Uint8Array(4 * 1024 * 1024 + 1).fill(0x20)], 'hang');
    expect(await problemFrom(harness(), 'POST /v1/transaction', { body, headers: JSON_TYPE })).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  test('lists every value that is wrong and names the first three in the sentence', async () => {
    const json = { name: '', endpoint: 'x', events: ['a', 'b'] };
    const problem = await problemFrom(harness(), 'POST /v1/webhook', { json });
    expect(problem.errors?.map((error) => error.path)).toEqual(['name', 'endpoint', 'events.0', 'events.1']);
    expect(problem.detail).toContain(
      'name must not be empty. endpoint: "x" is not accepted: it is not a valid https URL. Use a URL such as https://hooks.example.com/esign. events.0: "a" is not',
    );
    expect(problem.detail).toContain('1 more value is not valid.');
  });

  test('cannot smuggle in a prototype', async () => {
    const { id } = await createDraft(harness());
    const body = '{"__proto__":{"name":"A"},"constructor":{"prototype":{"x":1}}}';
    expect(
      (await problemFrom(harness(), `PUT /v1/transaction/${id}`, { body, headers: JSON_TYPE })).status,
    ).toBe(422);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

describeSharedService('an address that is not right', { isAboutHttp: true }, (harness, way) => {
  test.each([
    'GET /v1',
    'GET /v2/transaction',
    'GET /v1/transaction/',
    'GET /v1/transaction/a/b/c',
    'POST /v1/transactions',
    'GET /v1/Transaction',
    'GET //v1/webhook',
    'GET /_sandbox/nothing',
    'GET /favicon.ico',
  ])('%s is 404', async (what) => {
    const problem = await problemFrom(harness(), what);
    expect(problem).toMatchObject({ status: 404, code: 'route_not_found' });
    expect(problem.detail).toContain(`has no operation ${what}.`);
  });

  test('with another method is 405, and says which there are', async () => {
    for (const id of OPERATION_IDS) {
      const path = OPERATIONS[id].path.replaceAll(/\{\w+\}/g, 'x');
      const allowed = OPERATION_IDS.map((one) => OPERATIONS[one]).filter((one) => matchPath(one.path, path));
      const problem = await problemFrom(harness(), `PATCH ${path}`);
      expect(problem).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(problem.headers.get('allow')?.split(', ').sort()).toEqual(
        allowed.map((one) => one.method).sort(),
      );
      expect(problem.detail).toContain(path);
      expect(problem.detail).toContain('not PATCH');
    }
  });

  test.each(['%zz', '%', '%c3', '%ff', '%2'])('with the bad escape %s is 400', async (id) => {
    expect(await problemFrom(harness(), `GET /v1/transaction/${id}`)).toMatchObject({
      status: 400,
      code: 'malformed_path',
    });
  });

  test.each([
    'a%20b',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'a%0d%0ab',
    '%e2%80%ae',
    'x'.repeat(129),
    '%3Cscript%3E',
  ])('with the id %s is refused', async (id) => {
    const problem = await problemFrom(harness(), `GET /v1/transaction/${id}`);
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'transactionId' }],
    });
    expect(problem.detail).toContain('transactionId');
  });

  test('with dot segments is the address they lead to', async () => {
    const { id } = await createDraft(harness());
    expect((await sendRequest(harness(), `GET /v1/webhook/../transaction/./${id}`)).body).toMatchObject({
      id,
    });
    expect((await sendRequest(harness(), `GET /v1/webhook/%2e%2e/transaction/${id}`)).body).toMatchObject({
      id,
    });
    expect(await problemFrom(harness(), 'GET /v1/transaction/..%2f_sandbox%2fstatus')).toMatchObject({
      status: 422,
    });
  });

  test('of the contract itself needs no token', async () => {
    const { status, body } = await sendRequest(harness(), 'GET /openapi.json', { token: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: harness().baseUrl }] });
  });

  test('of the page for programs needs no token, and what it links to is there', async () => {
    const { status, body } = await sendRequest(harness(), 'GET /llms.txt', { token: null });
    expect(status).toBe(200);
    const text = String(body);
    expect(text).toMatch(/^# \S.*\n\n> \S/);
    const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): \S/gm)].map(([, to = '']) => to);
    const ours = links.filter((to) => to.startsWith(harness().baseUrl));
    expect(ours.length).toBeGreaterThan(1);
    for (const to of ours) {
      const path = to.slice(harness().baseUrl.length);
      expect([path, (await sendRequest(harness(), `GET ${path}`, { token: null })).status]).toEqual([
        path,
        200,
      ]);
    }
    const documents = links.flatMap((to) => /^https:.*\/main\/(docs\/.*)$/.exec(to)?.[1] ?? []);
    expect(documents.length).toBeGreaterThan(2);
    for (const path of documents)
      expect([path, existsSync(new URL(`../../${path}`, import.meta.url))]).toEqual([path, true]);
  });

  test('of the addresses of the service needs no token', async () => {
    const { status, body } = await sendRequest(harness(), 'GET /.well-known/esign', { token: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      dashboard_url: harness().baseUrl,
      app_url: harness().baseUrl,
      extensions: ['idempotency', 'field_values', 'preparations', 'recipient_ids', 'pkce'],
    });
  });

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '169.254.169.254'])(
    'under the host %s is 400',
    async (host) => {
      expect(await problemUnder(host)).toMatchObject({
        status: 400,
        code: 'host_not_allowed',
        detail: expect.stringContaining(`"${host}`),
      });
    },
  );

  test.each(['localhost', '[::1]', '127.0.0.1'])('under the host %s is this service', async (host) => {
    expect(await problemUnder(host)).toMatchObject({ status: 401, code: 'token_missing' });
  });

  /** The answer to a request without a token, when the caller believes that the service is called `host`. */
  async function problemUnder(host: string): Promise<unknown> {
    const path = '/v1/webhook?limit=1&page=1';
    const { port, hostname } = new URL(harness().baseUrl);
    if (way !== 'over HTTP')
      return (await harness().transport(new Request(`http://${host}:${port}${path}`))).json();
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, headers: { host: `${host}:${port}` } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      });
      sent.on('error', reject);
      sent.end();
    });
  }
});

describeSharedService('every answer', (harness) => {
  test('carries a request id, and is neither stored nor sniffed', async () => {
    for (const what of [
      'GET /v1/webhook?limit=1&page=1',
      'GET /nothing',
      'GET /openapi.json',
      'GET /.well-known/esign',
      'POST /v1/transaction',
    ]) {
      const { headers, body, status } = await sendRequest(harness(), what);
      const id = headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      if (status >= 400) expect((body as { instance: string }).instance).toBe(`urn:uuid:${id}`);
    }
  });

  test('that refuses is a problem document with type, title, status, detail, instance and code', async () => {
    const problem = await problemFrom(harness(), 'GET /v1/transaction/unknown');
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    const { headers, ...body } = problem;
    expect(body).toEqual({
      type: 'urn:esign:problem:transaction_not_found',
      title: 'No such transaction',
      status: 404,
      detail: 'Transaction "unknown" not found.',
      instance: expect.stringMatching(/^urn:uuid:/),
      code: 'transaction_not_found',
    });
  });
});
