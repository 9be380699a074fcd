// Who may speak the Model Context Protocol with a service, and how its clients find the login. What the tools do is in test/cli/mcp.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type McpAnswers, withMcp } from '../../../src/service/http/mcp.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

let harness: Harness;
let callers: unknown[];

const answers: McpAnswers = {
  async answer(request, body, caller) {
    callers.push([Object.fromEntries(request.headers), body, caller.scopes]);
    return Response.json({ taken: true }, { headers: { 'x-answer': 'yes', 'cache-control': 'no-cache' } });
  },
  close: async () => undefined,
};

beforeEach(async () => {
  harness = await openHarness('in process');
  callers = [];
});
afterEach(() => harness.close());

type Sent = { headers?: Record<string, string>; body?: string | Uint8Array; url?: string };

async function call(method: string, path: string, { headers = {}, body, url }: Sent = {}) {
  const served = withMcp(harness.service, answers);
  const reply = await served({
    method,
    url: `${url ?? harness.service.origin}${path}`,
    headers: { host: new URL(harness.service.origin).host, ...headers },
    body,
  });
  const text = Buffer.from(reply.body).toString();
  return { status: reply.status, headers: reply.headers, json: text === '' ? undefined : JSON.parse(text) };
}

const bearer = async (scopes?: readonly string[]) => {
  const { access_token = '' } = await harness.client['sandbox.token']({
    body: scopes ? { scopes: [...scopes] as never } : {},
  });
  return { authorization: `Bearer ${access_token}` };
};

describe('a message', () => {
  test('reaches the tools with the scopes of its token, and without the token in a header', async () => {
    const headers = { ...(await bearer(['transaction:read'])), accept: 'application/json', cookie: 'x=y' };
    const { status, json, headers: answered } = await call('POST', '/mcp', { headers, body: '{"id":1}' });
    expect([status, json, answered['x-answer'], answered['cache-control']]).toEqual([
      200,
      { taken: true },
      'yes',
      'no-store',
    ]);
    expect(callers).toEqual([
      [
        { accept: 'application/json', 'content-type': expect.stringContaining('text/plain') },
        { id: 1 },
        ['transaction:read'],
      ],
    ]);
  });

  test.each([
    ['without a token', {}, 401, 'token_missing'],
    ['with a wrong token', { authorization: 'Bearer x' }, 401, 'token_invalid'],
  ])('%s is refused, with the way to the login', async (_, headers, status, code) => {
    const reply = await call('POST', '/mcp', { headers, body: '{}' });
    expect([reply.status, reply.json.code]).toEqual([status, code]);
    const metadata = `resource_metadata="${harness.service.origin}/.well-known/oauth-protected-resource/mcp"`;
    expect(reply.headers['www-authenticate']).toBe(
      `Bearer ${code === 'token_missing' ? '' : 'error="invalid_token", '}${metadata}, scope="${TOOL_SCOPES.join(' ')}"`,
    );
  });

  test('of a page of another site, or to another host, is refused', async () => {
    const headers = await bearer();
    const foreign = await call('POST', '/mcp', {
      headers: { ...headers, origin: 'https://evil.example' },
      body: '{}',
    });
    expect([foreign.status, foreign.json.error.data.code]).toEqual([403, 'origin_not_allowed']);
    for (const path of ['/mcp', '/mcp/token', '/.well-known/oauth-authorization-server']) {
      const method = path.startsWith('/mcp') ? 'POST' : 'GET';
      const rebound = await call(method, path, { headers, body: '{}', url: 'http://evil.example' });
      expect([path, rebound.status, rebound.json.code]).toEqual([path, 400, 'host_not_allowed']);
    }
    const { origin } = harness.service;
    expect((await call('POST', '/mcp', { headers: { ...headers, origin }, body: '{}' })).status).toBe(200);
    expect(callers).toHaveLength(1);
  });

  test.each([
    ['GET', undefined, 405, 'method_not_allowed'],
    ['DELETE', undefined, 405, 'method_not_allowed'],
    ['POST', `"${'x'.repeat(15 * 1024 * 1024)}"`, 413, 'body_too_large'],
  ])('%s with %.8s is refused', async (method, body, status, code) => {
    const reply = await call(method, '/mcp', { headers: await bearer(), ...(body && { body }) });
    expect([reply.status, reply.json.code]).toEqual([status, code]);
    expect(callers).toEqual([]);
  });

  test.each([
    ['is no JSON', 'no JSON', -32700],
    ['is empty', '', -32700],
    ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32700],
    ['is nested too deeply', '['.repeat(101), -32600],
  ])('that %s is refused in the form of the protocol', async (_, body, code) => {
    const { status, json } = await call('POST', '/mcp', { headers: await bearer(), body });
    expect([status, json]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        error: { code, message: expect.stringMatching(/\.$/), data: { code: 'malformed_json' } },
        id: null,
      },
    ]);
    expect(callers).toEqual([]);
  });

  test.each([
    ['before it is answered', (leave: () => void) => ({ begun: leave, read: () => undefined })],
    ['while the answer comes', (leave: () => void) => ({ begun: () => undefined, read: leave })],
  ])('of a client that goes away %s has the status 499', async (_, when) => {
    const client = new AbortController();
    const { begun, read } = when(() => client.abort());
    const source = {
      pull(controller: ReadableStreamDefaultController) {
        read();
        controller.close();
      },
    };
    // Without a queue, the stream asks its source only when it is read.
    const body = new ReadableStream(source, { highWaterMark: 0 });
    const answering: McpAnswers = {
      ...answers,
      async answer() {
        begun();
        return new Response(body);
      },
    };
    const { origin } = harness.service;
    const reply = await withMcp(
      harness.service,
      answering,
    )({
      method: 'POST',
      url: `${origin}/mcp`,
      headers: { host: new URL(origin).host, ...(await bearer()) },
      body: '{}',
      watchClient: () => client.signal,
    });
    expect(reply.status).toBe(499);
  });

  test('to any other path is answered by the service', async () => {
    expect((await call('GET', '/v1/user/me', { headers: await bearer() })).status).toBe(200);
    expect((await call('GET', '/mcp/other')).json.code).toBe('route_not_found');
  });
});

const TOOL_SCOPES = [
  'transaction:read',
  'transaction:create',
  'transaction:update',
  'file:create',
  'template:read',
];

describe('the login', () => {
  test('asks for no more than the tools need', async () => {
    for (const name of [
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
      'oauth-authorization-server',
    ])
      expect((await call('GET', `/.well-known/${name}`)).json.scopes_supported).toEqual(TOOL_SCOPES);
    const { headers } = await call('GET', '/mcp/authorize?response_type=code&client_id=c');
    const { searchParams } = new URL(headers.location ?? '', harness.service.origin);
    expect(searchParams.get('scopes')).toBe(TOOL_SCOPES.join(' '));
  });

  test('takes no parameter whose name begins with a question mark for another', async () => {
    const { headers } = await call('GET', '/mcp/authorize??scope=file:create&client_id=c&?scopes=x');
    const { searchParams } = new URL(headers.location ?? '', harness.service.origin);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      '?scope': 'file:create',
      '?scopes': 'x',
      scopes: TOOL_SCOPES.join(' '),
    });
  });

  test('is found from the address of the tools', async () => {
    const { origin } = harness.service;
    for (const path of ['', '/mcp'])
      expect((await call('GET', `/.well-known/oauth-protected-resource${path}`)).json).toMatchObject({
        resource: `${origin}/mcp`,
        authorization_servers: [origin],
      });
    expect((await call('GET', '/.well-known/oauth-authorization-server')).json).toMatchObject({
      issuer: origin,
      code_challenge_methods_supported: ['S256'],
    });
  });
});
