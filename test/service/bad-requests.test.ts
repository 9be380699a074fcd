import { request as httpRequest } from 'node:http';
import { expect, it } from 'vitest';
import { OPERATION_IDS, OPERATIONS } from '../../src/api/contract/operations.ts';
import { matchPath } from '../../src/api/path.ts';
import { ask, problemFrom } from '../support/ask.ts';
import { draftOf } from '../support/deal.ts';
import { streamOf } from '../support/form.ts';
import { expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (...values: number[]) => new Uint8Array(values);

sharedSuite('a body that cannot be read', (world) => {
  it.each([
    ['nothing', '', 'it is empty'],
    ['blanks', '  \n', 'it is empty'],
    ['half an object', '{"name": "A"', 'JSON'],
    ['two objects', '{}{}', 'JSON'],
    ['a comment', '{} // yes', 'JSON'],
    ['a form', 'name=A', 'JSON'],
  ])('is refused: %s', async (_, body, sentence) => {
    const problem = await expectNothingChanged(world(), () =>
      problemFrom(world(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
    );
    expect(problem).toMatchObject({
      status: 400,
      code: 'malformed_json',
      type: 'urn:esign:problem:malformed_json',
    });
    expect(problem.detail).toContain(sentence);
    expect(problem.detail.length).toBeGreaterThan('The body is not valid JSON: x.'.length);
  });

  it('is refused without a body', async () => {
    expect(await problemFrom(world(), 'POST /v1/transaction', { headers: JSON_TYPE })).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
  });

  it('is refused when it is not UTF-8', async () => {
    const body = new Uint8Array([
      ...new TextEncoder().encode('{"name":"'),
      ...bytes(0xff, 0xc3, 0x28),
      ...new TextEncoder().encode('"}'),
    ]);
    const problem = await expectNothingChanged(world(), () =>
      problemFrom(world(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
    );
    expect(problem).toMatchObject({ status: 400, code: 'malformed_json' });
    expect(problem.detail).toContain('it is not UTF-8');
  });

  it.each([
    ['text/plain', 'not text/plain'],
    ['application/x-www-form-urlencoded', 'not application/x-www-form-urlencoded'],
    ['application/jsonp', 'not application/jsonp'],
    ['multipart/form-data; boundary=x', 'not multipart/form-data'],
  ])('is refused when it is %s', async (type, sentence) => {
    const problem = await expectNothingChanged(world(), () =>
      problemFrom(world(), 'POST /v1/transaction', { body: '{}', headers: { 'content-type': type } }),
    );
    expect(problem).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    expect(problem.detail).toContain('Send Content-Type: application/json');
    expect(problem.detail).toContain(sentence);
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json ;x=y'])(
    'is read when it is %s',
    async (type) => {
      expect(
        (await ask(world(), 'POST /v1/transaction', { body: '{}', headers: { 'content-type': type } }))
          .status,
      ).toBe(201);
    },
  );

  it.each(['null', '[]', '"text"', '7', 'true'])(
    'is refused when it is %s instead of an object',
    async (body) => {
      const problem = await expectNothingChanged(world(), () =>
        problemFrom(world(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
      );
      expect(problem).toMatchObject({
        status: 422,
        code: 'validation_failed',
        errors: [{ path: 'body', message: 'must be of type object' }],
      });
      expect(problem.detail).toBe('body must be of type object.');
    },
  );

  it.each(['known', 'unknown'])(
    'is refused when it is larger than 4 MiB, of %s length; the next request works',
    async (length) => {
      const name = new TextEncoder().encode(`{"name":"${'x'.repeat(4 * 1024 * 1024)}"}`);
      const body =
        length === 'known' ? new Blob([name]) : streamOf([name.slice(0, 1 << 20), name.slice(1 << 20)]);
      const problem = await expectNothingChanged(world(), () =>
        problemFrom(world(), 'POST /v1/transaction', { body, headers: JSON_TYPE }),
      );
      expect(problem).toMatchObject({ status: 413, code: 'body_too_large' });
      expect(problem.detail).toContain('4194304');
      expect((await ask(world(), 'POST /v1/transaction', { json: {} })).status).toBe(201);
    },
  );

  it('is told to be too large while it is still coming', async () => {
    const body = streamOf([new Uint8Array(4 * 1024 * 1024 + 1).fill(0x20)], 'hang');
    expect(await problemFrom(world(), 'POST /v1/transaction', { body, headers: JSON_TYPE })).toMatchObject({
      status: 413,
      code: 'body_too_large',
    });
  });

  it('lists every value that is wrong and names the first three in the sentence', async () => {
    const json = { name: '', endpoint: 'x', events: ['a', 'b'] };
    const problem = await problemFrom(world(), 'POST /v1/webhook', { json });
    expect(problem.errors?.map((error) => error.path)).toEqual(['name', 'endpoint', 'events.0', 'events.1']);
    expect(problem.detail).toContain(
      'name must not be empty; endpoint "x" must be an https address; events.0 "a" is not',
    );
    expect(problem.detail).toContain('; and 1 more.');
  });

  it('cannot smuggle in a prototype', async () => {
    const { id } = await draftOf(world());
    const body = '{"__proto__":{"name":"A"},"constructor":{"prototype":{"x":1}}}';
    expect(
      (await problemFrom(world(), `PUT /v1/transaction/${id}`, { body, headers: JSON_TYPE })).status,
    ).toBe(422);
    expect(({} as { x?: number }).x).toBeUndefined();
  });
});

sharedSuite('an address that is not right', (world, way) => {
  it.each([
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
    const problem = await problemFrom(world(), what);
    expect(problem).toMatchObject({ status: 404, code: 'route_not_found' });
    expect(problem.detail).toBe(`Nothing answers ${what}.`);
  });

  it('with another method is 405, and says which there are', async () => {
    for (const id of OPERATION_IDS) {
      const path = OPERATIONS[id].path.replaceAll(/\{\w+\}/g, 'x');
      const allowed = OPERATION_IDS.map((one) => OPERATIONS[one]).filter((one) => matchPath(one.path, path));
      const problem = await problemFrom(world(), `PATCH ${path}`);
      expect(problem).toMatchObject({ status: 405, code: 'method_not_allowed' });
      expect(problem.headers.get('allow')?.split(', ').sort()).toEqual(
        allowed.map((one) => one.method).sort(),
      );
      expect(problem.detail).toContain(path);
      expect(problem.detail).toContain('not PATCH');
    }
  });

  it.each(['%zz', '%', '%c3', '%ff', '%2'])('with the bad escape %s is 400', async (id) => {
    expect(await problemFrom(world(), `GET /v1/transaction/${id}`)).toMatchObject({
      status: 400,
      code: 'malformed_path',
    });
  });

  it.each([
    'a%20b',
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'a%0d%0ab',
    '%e2%80%ae',
    'x'.repeat(129),
    '%3Cscript%3E',
  ])('with the id %s is refused', async (id) => {
    const problem = await problemFrom(world(), `GET /v1/transaction/${id}`);
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'transactionId' }],
    });
    expect(problem.detail).toContain('transactionId');
  });

  it('with dot segments is the address they lead to', async () => {
    const { id } = await draftOf(world());
    expect((await ask(world(), `GET /v1/webhook/../transaction/./${id}`)).body).toMatchObject({ id });
    expect((await ask(world(), `GET /v1/webhook/%2e%2e/transaction/${id}`)).body).toMatchObject({ id });
    expect(await problemFrom(world(), 'GET /v1/transaction/..%2f_sandbox%2fstatus')).toMatchObject({
      status: 422,
    });
  });

  it('of the contract itself needs no token', async () => {
    const { status, body } = await ask(world(), 'GET /openapi.json', { token: null });
    expect(status).toBe(200);
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: world().baseUrl }] });
  });

  it.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example', '169.254.169.254'])(
    'under the host %s is 400',
    async (host) => {
      expect(await problemUnder(host)).toMatchObject({
        status: 400,
        code: 'host_not_allowed',
        detail: expect.stringContaining(`"${host}`),
      });
    },
  );

  it.each(['localhost', '[::1]', '127.0.0.1'])('under the host %s is this service', async (host) => {
    expect(await problemUnder(host)).toMatchObject({ status: 401, code: 'token_missing' });
  });

  /** What a request without a token is told, when the caller believes that the service is called `host`. */
  async function problemUnder(host: string): Promise<unknown> {
    const path = '/v1/webhook?limit=1&page=1';
    const { port, hostname } = new URL(world().baseUrl);
    if (way === 'in process')
      return (await world().transport(new Request(`http://${host}:${port}${path}`))).json();
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

sharedSuite('every answer', (world) => {
  it('carries a request id, and is neither stored nor sniffed', async () => {
    for (const what of [
      'GET /v1/webhook?limit=1&page=1',
      'GET /nothing',
      'GET /openapi.json',
      'POST /v1/transaction',
    ]) {
      const { headers, body, status } = await ask(world(), what);
      const id = headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      if (status >= 400) expect((body as { instance: string }).instance).toBe(`urn:uuid:${id}`);
    }
  });

  it('that refuses is a problem document with type, title, status, detail, instance and code', async () => {
    const problem = await problemFrom(world(), 'GET /v1/transaction/unknown');
    expect(problem.headers.get('content-type')).toBe('application/problem+json');
    const { headers, ...body } = problem;
    expect(body).toEqual({
      type: 'urn:esign:problem:transaction_not_found',
      title: 'No such transaction',
      status: 404,
      detail: 'No transaction has the id "unknown".',
      instance: expect.stringMatching(/^urn:uuid:/),
      code: 'transaction_not_found',
    });
  });
});
