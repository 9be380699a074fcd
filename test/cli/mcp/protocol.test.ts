// What `/mcp` answers to requests of both generations of the protocol, right and wrong: always an error of JSON-RPC or a problem of HTTP. The
// command behind the tool is a fixed answer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMcpAnswers } from '../../../src/cli/mcp/http.ts';
import { withMcp } from '../../../src/service/http/mcp.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const PAGE = { items: [], meta: { current_page: 1, page_count: 1, is_last_page: true } };

let harness: Harness;
let authorization: string;
const answers = createMcpAnswers({
  program: { version: '1', runCommand: async () => ({ json: PAGE, exit: 0 }) } as never,
  connect: () => () => ({}) as never,
  isSandbox: true,
  isSendingAllowed: true,
  office: undefined,
});

beforeAll(async () => {
  harness = await openHarness('in process');
  const { access_token = '' } = await harness.client['sandbox.token']({ body: {} });
  authorization = `Bearer ${access_token}`;
});
afterAll(() => harness.close());

type Headers = Record<string, string | undefined>;

/** @param body as JSON, or as a text that is sent as it is */
async function send(headers: Headers, body: unknown, method = 'POST') {
  const all = {
    host: new URL(harness.service.origin).host,
    authorization,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const reply = await withMcp(
    harness.service,
    answers,
  )({
    method,
    url: `${harness.service.origin}/mcp`,
    headers: Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = Buffer.from(reply.body).toString();
  const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data));
  const json = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
  return { status: reply.status, headers: reply.headers, messages: messages.length > 0 ? messages : [json] };
}

const ask = (method: string, params: object = {}, meta: object | null = META) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params: { ...params, ...(meta && { _meta: meta }) },
});
const modern = (method: string, name?: string): Headers => ({
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  'mcp-name': name,
});
const SEARCH = { name: 'search_templates', arguments: {} };
const CALL = ask('tools/call', SEARCH);
const LIST = ask('tools/list');
const legacy = (method: string, params: object = {}) => ask(method, params, null);

describe('a request of 2026-07-28', () => {
  test('discovers the server, lists the tools and calls them', async () => {
    const discovered = await send(modern('server/discover'), ask('server/discover'));
    expect(discovered).toMatchObject({
      status: 200,
      messages: [
        { id: 7, result: { supportedVersions: [MODERN], capabilities: { tools: { listChanged: false } } } },
      ],
    });
    const listed = await send(modern('tools/list'), LIST);
    expect(listed.messages[0].result.tools.map(({ name }: { name: string }) => name)).toContain(
      'sandbox_sign',
    );
    const encoded = `=?base64?${Buffer.from(SEARCH.name).toString('base64')}?=`;
    for (const name of [SEARCH.name, encoded])
      expect(await send(modern('tools/call', name), CALL)).toMatchObject({
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        messages: [{ id: 7, result: { structuredContent: PAGE } }],
      });
  });

  test.each([
    ['without the header of the method', { 'mcp-protocol-version': MODERN }, LIST, 400, -32020],
    ['without the header of the version', { 'mcp-method': 'tools/list' }, LIST, 400, -32020],
    ['without the header of the name', modern('tools/call'), CALL, 400, -32020],
    ['with the header of another method', modern('tools/list'), CALL, 400, -32020],
    ['with the header of another tool', modern('tools/call', 'sandbox_sign'), CALL, 400, -32020],
    ['with a header twice', modern('tools/list, tools/list'), LIST, 400, -32020],
    ['with a name that is no base64', modern('tools/call', '=?base64?%?='), CALL, 400, -32020],
    [
      'with another version in the header',
      { ...modern('tools/list'), 'mcp-protocol-version': LEGACY },
      LIST,
      400,
      -32020,
    ],
    [
      'of an unknown version',
      { ...modern('tools/list'), 'mcp-protocol-version': '2099-01-01' },
      ask('tools/list', {}, { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
      400,
      -32022,
    ],
    ['without _meta', modern('tools/list'), legacy('tools/list'), 400, -32602],
    [
      'without capabilities',
      modern('tools/list'),
      ask('tools/list', {}, { 'io.modelcontextprotocol/protocolVersion': MODERN }),
      400,
      -32602,
    ],
    ['of an unknown method', modern('nothing'), ask('nothing'), 404, -32601],
    ['of the handshake that it has not', modern('initialize'), ask('initialize'), 404, -32601],
    ['for resources', modern('resources/list'), ask('resources/list'), 404, -32601],
    ['for an unknown tool', modern('tools/call', 'x'), ask('tools/call', { name: 'x' }), 200, -32602],
    [
      'for a tool of every object',
      modern('tools/call', 'constructor'),
      ask('tools/call', { name: 'constructor', arguments: {} }),
      200,
      -32602,
    ],
    [
      'with a text as arguments',
      modern('tools/call', SEARCH.name),
      ask('tools/call', { ...SEARCH, arguments: 'x' }),
      200,
      -32602,
    ],
    ['in a batch', modern('tools/list'), [LIST, LIST], 400, -32600],
    [
      'that listens',
      modern('subscriptions/listen'),
      ask('subscriptions/listen', { notifications: {} }),
      200,
      -32603,
    ],
    ['without an ID', modern('tools/list'), { ...LIST, id: null }, 400, -32600],
    ['with a list as parameters', modern('tools/list'), { ...LIST, params: [] }, 400, -32600],
    ['of another type', { ...modern('tools/list'), 'content-type': 'text/plain' }, LIST, 415, -32000],
  ] as const)('%s is refused', async (_, headers, body, status, code) => {
    const answer = await send(headers, body);
    expect(answer).toMatchObject({ status, messages: [{ jsonrpc: '2.0', error: { code } }] });
  });

  test('that is a notification is taken without an answer', async () => {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    const { status, messages } = await send(modern('notifications/cancelled'), message);
    expect([status, messages]).toEqual([202, [undefined]]);
  });
});

describe('a request of 2025-11-25', () => {
  const headers = { 'mcp-protocol-version': LEGACY };

  test('begins with the handshake, lists the tools and calls them, also in a batch', async () => {
    const hello = { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'tests', version: '1' } };
    expect(await send({}, legacy('initialize', hello))).toMatchObject({
      status: 200,
      messages: [
        { id: 7, result: { protocolVersion: LEGACY, capabilities: { tools: { listChanged: false } } } },
      ],
    });
    const batch = [legacy('tools/call', SEARCH), { ...legacy('ping'), id: 8 }];
    const { messages } = await send(headers, batch);
    expect(messages).toHaveLength(2);
    expect(messages).toContainEqual(
      expect.objectContaining({ id: 7, result: expect.objectContaining({ structuredContent: PAGE }) }),
    );
  });

  test.each([
    ['of an unknown version', { 'mcp-protocol-version': '1999-01-01' }, legacy('tools/list'), 400, -32000],
    ['that takes no streams', { ...headers, accept: 'application/json' }, legacy('tools/list'), 406, -32000],
    ['of an unknown method', headers, legacy('nothing'), 200, -32601],
    ['without a name', headers, legacy('tools/call', { name: 7 }), 200, -32602],
    ['in an empty batch', headers, [], 400, -32600],
    ['in a batch of many', headers, Array.from({ length: 101 }, () => legacy('ping')), 400, -32600],
    ['that is no message', headers, {}, 400, -32600],
    ['that is a number', headers, 7, 400, -32600],
  ] as const)('%s is refused', async (_, sent, body, status, code) => {
    expect(await send(sent, body)).toMatchObject({ status, messages: [{ error: { code } }] });
  });
});

describe('a request', () => {
  test.each(['GET', 'HEAD', 'DELETE', 'PUT', 'OPTIONS', 'TRACE'])('with %s is refused', async (method) => {
    const answer = await send({ ...modern('tools/list'), 'mcp-session-id': 'x' }, '', method);
    expect(answer).toMatchObject({
      status: 405,
      headers: {
        allow: 'POST',
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
      messages: [{ code: 'method_not_allowed' }],
    });
    expect(Object.keys(answer.headers).filter((name) => /^access-control-/.test(name))).toEqual([]);
  });

  test.each(['null', 'https://evil.example', 'file://', 'http://localhost', ''])(
    'of a page at %j is refused, or has no page',
    async (origin) => {
      const answer = await send({ ...modern('tools/list'), origin }, LIST);
      expect(answer.status).toBe(origin === '' ? 200 : 403);
    },
  );

  test('that is nested deeply is refused before it is read', async () => {
    const nested = `${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}`;
    const [start = '', end = ''] = JSON.stringify(
      ask('tools/call', { ...SEARCH, arguments: { search: 'X' } }),
    ).split('"X"');
    for (const body of [nested, `${start}${nested}${end}`])
      expect(await send(modern('tools/call', SEARCH.name), body)).toMatchObject({
        status: 400,
        messages: [
          {
            error: {
              code: -32600,
              message: expect.stringContaining('nested too deeply'),
              data: { code: 'malformed_json' },
            },
          },
        ],
      });
  });
});
