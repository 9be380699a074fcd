// `/mcp`, the Model Context Protocol over HTTP: decides who calls, and hands the message to the tools of whoever serves the service. Clients
// of the protocol find the login by RFC 9728 and RFC 8414 and speak OAuth 2.1, whose parameters are translated here into ours (spec §5).
import { AUTHORIZATION_PATH } from '../../api/contract/oauth.ts';
import type { Scope } from '../../api/contract/operation.ts';
import { type Refusal, refusal } from '../../api/contract/problems.ts';
import { encodeRefusal, parseJson } from '../../api/service-codec.ts';
import type { Call, Reply, Transport } from '../../api/transport.ts';
import { parseUrl } from '../../common/parse-url.ts';
import type { Result } from '../context.ts';
import { readBody, type UnreadBody } from './body.ts';
import type { Caller } from './request-context.ts';

/** @property token of the caller, for the calls that its tools make */
export type McpCaller = { token: string; scopes: readonly string[] };

export type McpAnswers = {
  /** Answers a message of the protocol. The signal of the request is aborted when the client goes away. @param body of the request, parsed */
  answer(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Ends what is still worked on. Called when the server is stopped. */
  close(): Promise<void>;
};

export type McpService = {
  served: Transport;
  readonly origin: string;
  newId(): string;
  /** Refuses a call to another host. */
  refuseHost(call: Call): Refusal | undefined;
  /** Finds the bearer of the access token. */
  identify(call: Call): Promise<Result<Caller>>;
};

const MCP_PATH = '/mcp';
const AUTHORIZE_PATH = '/mcp/authorize';
const TOKEN_PATH = '/mcp/token';
const RESOURCE_PATH = '/.well-known/oauth-protected-resource';

/** The scopes of the operations that the tools use. */
const TOOL_SCOPES: readonly Scope[] = [
  'transaction:read',
  'transaction:create',
  'transaction:update',
  'file:create',
  'template:read',
];

/** A document of the largest size, in base64, and what stands around it. */
const BODY_BYTES = 15 * 1024 * 1024;
const FORM_BYTES = 16 * 1024;

const CLIENT_GONE = 499;

type Path = { method: 'GET' | 'POST'; answer(call: Call, url: URL): Promise<Reply> };

/** @returns the transport of the service, which also answers the paths of the protocol */
export function withMcp(service: McpService, answers: McpAnswers): Transport {
  const resource = async () => json(200, resourceMetadata(service.origin));
  const paths: Readonly<Record<string, Path>> = {
    [MCP_PATH]: { method: 'POST', answer: (call) => answerMessage(call, service, answers) },
    [RESOURCE_PATH]: { method: 'GET', answer: resource },
    [`${RESOURCE_PATH}${MCP_PATH}`]: { method: 'GET', answer: resource },
    '/.well-known/oauth-authorization-server': {
      method: 'GET',
      answer: async () => json(200, serverMetadata(service.origin)),
    },
    [AUTHORIZE_PATH]: { method: 'GET', answer: async (_, url) => toConsent(url) },
    [TOKEN_PATH]: { method: 'POST', answer: (call) => answerToken(call, service) },
  };
  return async (call) => {
    const url = parseUrl(call.url);
    const path = url && Object.hasOwn(paths, url.pathname) ? paths[url.pathname] : undefined;
    if (!url || !path) return service.served(call);
    const refuse = (cause: Refusal) => encodeRefusal(cause, service.newId());
    const host = service.refuseHost(call);
    if (host) return refuse(host);
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    if (method !== path.method)
      return refuse(refusal('method_not_allowed', { method, path: url.pathname, allow: path.method }));
    const reply = await path.answer(call, url);
    return {
      ...reply,
      // The library answers with `no-cache`, which would let a client keep what it got.
      headers: { ...reply.headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    };
  };
}

async function answerMessage(call: Call, service: McpService, answers: McpAnswers): Promise<Reply> {
  const refuse = (cause: Refusal) => encodeRefusal(cause, service.newId());
  // A page of another site must not use what a browser reaches (DNS rebinding, and a service on loopback).
  const { origin } = call.headers;
  if (origin !== undefined && origin !== new URL(service.origin).origin)
    return json(403, {
      code: 'origin_not_allowed',
      detail: 'The page that sent this request is not one of this service.',
    });
  const caller = await service.identify(call);
  if (!caller.ok) {
    const reply = refuse(caller.refusal);
    const challenge = `Bearer resource_metadata="${service.origin}${RESOURCE_PATH}${MCP_PATH}"`;
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': challenge } };
  }
  const body = await readBody(call, BODY_BYTES);
  if (typeof body === 'string') return refuse(unreadRefusal(body, BODY_BYTES));
  const message = parseJson(body.text);
  if (!message.ok) return refuse(message.refusal);
  const token = (call.headers.authorization ?? '').replace(/^bearer +/i, '');
  const gone = call.watchClient?.();
  const request = new Request(`${service.origin}${MCP_PATH}`, {
    method: 'POST',
    headers: requestHeaders(call.headers),
    body: body.text,
    ...(gone && { signal: gone }),
  });
  const response = await answers.answer(request, message.value, {
    token,
    scopes: caller.output.scopes ?? [],
  });
  // Nobody reads this answer. The status is for the log, which has it from other servers too.
  if (gone?.aborted) return { status: CLIENT_GONE, headers: {}, body: '' };
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

/** Headers of the connection belong to it, and the token to this file. */
const requestHeaders = (headers: Call['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => /^(accept|content-type|mcp-[\w-]+|last-event-id)$/.test(name)),
  );

const unreadRefusal = (why: UnreadBody, limit: number): Refusal =>
  why === 'too_large'
    ? refusal('body_too_large', { limit })
    : why === 'refused'
      ? refusal('receiving_busy')
      : refusal('malformed_json', { why: why === 'cut_off' ? 'it ended too early' : 'it is not UTF-8' });

// ── the login ───────────────────────────────────────────────────────────────────────────────────────────────────

const resourceMetadata = (origin: string) => ({
  resource: `${origin}${MCP_PATH}`,
  authorization_servers: [origin],
  scopes_supported: TOOL_SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'esign',
});

const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${AUTHORIZE_PATH}`,
  token_endpoint: `${origin}${TOKEN_PATH}`,
  scopes_supported: TOOL_SCOPES,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
});

/** The page of consent takes `scopes` (spec §5), and checks everything else itself. */
async function toConsent({ searchParams }: URL): Promise<Reply> {
  const parameters = new URLSearchParams(searchParams);
  const scopes = parameters.getAll('scope');
  for (const name of ['scope', 'response_type', 'resource']) parameters.delete(name);
  for (const scope of scopes.length > 0 ? scopes : [TOOL_SCOPES.join(' ')])
    parameters.append('scopes', scope);
  return { status: 302, headers: { location: `${AUTHORIZATION_PATH}?${parameters}` }, body: '' };
}

type Grant = { path: string; takes: readonly string[] };

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: {
    path: '/v1/oauth/exchange/code',
    takes: ['client_id', 'client_secret', 'code', 'code_verifier'],
  },
  refresh_token: {
    path: '/v1/oauth/refresh/token',
    takes: ['client_id', 'client_secret', 'refresh_token'],
  },
};

/** Exchanges a code or a refresh token by the operations of the service. */
async function answerToken(call: Call, service: McpService): Promise<Reply> {
  const body = await readBody(call, FORM_BYTES);
  if (typeof body === 'string') return json(400, { error: 'invalid_request' });
  const form = new URLSearchParams(body.text);
  const type = form.get('grant_type') ?? '';
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!grant) return json(400, { error: 'unsupported_grant_type' });
  const { path, takes } = grant;
  // RFC 6749 §3.2: no parameter more than once.
  if (takes.some((name) => form.getAll(name).length > 1)) return json(400, { error: 'invalid_request' });
  const sent = Object.fromEntries(
    takes.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])),
  );
  const { host = '' } = call.headers;
  const reply = await service.served({
    method: 'POST',
    url: new URL(path, call.url).href,
    headers: { host, 'content-type': 'application/json' },
    body: JSON.stringify(sent),
    from: call.from,
  });
  const answer = JSON.parse(Buffer.from(reply.body).toString());
  if (reply.status === 200) return json(200, { token_type: 'Bearer', ...answer });
  const { code } = answer as { code?: string };
  const error = code === 'invalid_client' || code === 'invalid_grant' ? code : 'invalid_request';
  return json(error === 'invalid_client' ? 401 : reply.status >= 500 ? reply.status : 400, { error });
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
