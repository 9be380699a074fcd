// `/mcp`, the Model Context Protocol over HTTP: decides who calls, and hands the message to the tools of whoever serves the service. Clients
// of the protocol find the login by RFC 9728 and RFC 8414 and speak OAuth 2.1, whose parameters are translated here into ours (spec §5).
import {
  AUTHORIZATION_PATH,
  describeError,
  isMcpResource,
  mcpResourceOf,
  STRICT_RULES,
} from '../../api/contract/oauth.ts';
import type { Scope } from '../../api/contract/operation.ts';
import { type Refusal, refusal, sentenceOf } from '../../api/contract/problems.ts';
import { encodeRefusal, parseJson } from '../../api/service-codec.ts';
import type { Call, Reply, Transport } from '../../api/transport.ts';
import { isTooDeep } from '../../common/json.ts';
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

/** The library counts them as well, but only after it has looked at each. */
const MOST_MESSAGES = 100;

/** The codes of JSON-RPC 2.0 §5.1. */
const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;

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
    const refuse = (cause: Refusal) => withoutStore(encodeRefusal(cause, service.newId()));
    const host = service.refuseHost(call);
    if (host) return refuse(host);
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    if (method !== path.method)
      return refuse(refusal('method_not_allowed', { method, path: url.pathname, allow: path.method }));
    return withoutStore(await path.answer(call, url));
  };
}

/** The library answers with `no-cache`, which would let a client keep what it got. */
const withoutStore = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
});

async function answerMessage(call: Call, service: McpService, answers: McpAnswers): Promise<Reply> {
  const refuse = (cause: Refusal) => encodeRefusal(cause, service.newId());
  // A page of another site must not use what a browser reaches (DNS rebinding, and a service on loopback).
  const { origin } = call.headers;
  if (origin !== undefined && origin !== new URL(service.origin).origin)
    return refusedMessage(
      403,
      'origin_not_allowed',
      'The page that sent this request is not one of this service.',
    );
  const caller = await service.identify(call);
  if (!caller.ok) {
    const reply = refuse(caller.refusal);
    // RFC 6750 §3.1: a request without a token is told of no error.
    const challenge = [
      ...(call.headers.authorization === undefined ? [] : ['error="invalid_token"']),
      `resource_metadata="${service.origin}${RESOURCE_PATH}${MCP_PATH}"`,
      `scope="${TOOL_SCOPES.join(' ')}"`,
    ];
    return { ...reply, headers: { ...reply.headers, 'www-authenticate': `Bearer ${challenge.join(', ')}` } };
  }
  const body = await readBody(call, BODY_BYTES);
  if (typeof body === 'string') {
    const cause = unreadRefusal(body, BODY_BYTES);
    return cause.code === 'malformed_json' ? malformedMessage(cause, PARSE_ERROR) : refuse(cause);
  }
  const message = parseJson(body.text);
  if (!message.ok)
    return malformedMessage(message.refusal, isTooDeep(body.text) ? INVALID_REQUEST : PARSE_ERROR);
  if (Array.isArray(message.value) && message.value.length > MOST_MESSAGES)
    return refusedMessage(400, 'batch_too_large', `A batch has at most ${MOST_MESSAGES} messages.`);
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
  // The answer may be a stream, which ends only when the tools have done their work. An answer to a client that has gone is not read.
  const content = gone?.aborted ? undefined : await response.arrayBuffer();
  // The status is for the log, which has it from other servers too.
  if (content === undefined || gone?.aborted) return { status: CLIENT_GONE, headers: {}, body: '' };
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: new Uint8Array(content),
  };
}

/** Refuses in the form of JSON-RPC what no message can be answered for. */
const refusedMessage = (status: number, code: string, message: string, number = INVALID_REQUEST): Reply =>
  json(status, { jsonrpc: '2.0', error: { code: number, message, data: { code } }, id: null });

const malformedMessage = (cause: Refusal, number: number): Reply =>
  refusedMessage(400, cause.code, sentenceOf(cause), number);

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
  resource: mcpResourceOf(origin),
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
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/**
 * The page of consent takes `scopes` (spec §5), and checks everything by the rules of OAuth 2.1. Everything else goes there as it was sent, because
 * decoding and encoding a value again may give other bytes.
 */
async function toConsent({ search }: URL): Promise<Reply> {
  const sent = search.slice(1).split('&').filter(Boolean);
  // The constructor drops a question mark at the beginning, which belongs to the name here: `?scope` is no `scope`.
  const read = (text = '') => new URLSearchParams(`?${text}`);
  const isNamed = (pair: string, ...names: string[]) => {
    const parameters = read(pair.split('=')[0]);
    return names.some((name) => parameters.has(name));
  };
  const hasScope = sent.some((pair) => read(pair).get('scope'));
  const query = [
    ...sent
      .filter((pair) => !isNamed(pair, 'scopes', STRICT_RULES.name, ...(hasScope ? [] : ['scope'])))
      .map((pair) => (isNamed(pair, 'scope') ? `scopes=${pair.split('=').slice(1).join('=')}` : pair)),
    ...(hasScope ? [] : [`scopes=${encodeURIComponent(TOOL_SCOPES.join(' '))}`]),
    `${STRICT_RULES.name}=${STRICT_RULES.value}`,
  ];
  return { status: 302, headers: { location: `${AUTHORIZATION_PATH}?${query.join('&')}` }, body: '' };
}

type Grant = { path: string; takes: readonly string[]; needs: readonly string[] };

const GRANTS: Readonly<Record<string, Grant>> = {
  authorization_code: {
    path: '/v1/oauth/exchange/code',
    takes: ['client_id', 'client_secret', 'code', 'code_verifier'],
    needs: ['code', 'code_verifier'],
  },
  refresh_token: {
    path: '/v1/oauth/refresh/token',
    takes: ['client_id', 'client_secret', 'refresh_token'],
    needs: ['refresh_token'],
  },
};

/** Exchanges a code or a refresh token by the operations of the service. */
async function answerToken(call: Call, service: McpService): Promise<Reply> {
  const body = await readBody(call, FORM_BYTES);
  if (typeof body === 'string') return encodeRefusal(unreadRefusal(body, FORM_BYTES), service.newId());
  const form = new URLSearchParams(body.text);
  // RFC 6749 §3.2: no parameter more than once.
  const repeated = (names: readonly string[]) => names.find((name) => form.getAll(name).length > 1);
  const refuseRepeated = (name: string) =>
    tokenError('invalid_request', `The request contains more than one ${name}.`);
  if (repeated(['grant_type'])) return refuseRepeated('grant_type');
  const type = form.get('grant_type') ?? '';
  const grant = Object.hasOwn(GRANTS, type) ? GRANTS[type] : undefined;
  if (!grant)
    return tokenError('unsupported_grant_type', `The grant_type can be ${Object.keys(GRANTS).join(' or ')}.`);
  const { path, takes, needs } = grant;
  const twice = repeated(takes);
  if (twice) return refuseRepeated(twice);
  const missing = needs.find((name) => !form.get(name));
  if (missing) return tokenError('invalid_request', `The request needs a ${missing}.`);
  if (form.getAll('resource').some((resource) => !isMcpResource(resource, service.origin)))
    return tokenError(
      'invalid_target',
      `The resource is not that of this service, ${mcpResourceOf(service.origin)}.`,
    );
  const client = basicClient(call.headers.authorization);
  if (
    client &&
    (form.has('client_secret') || (form.get('client_id') ?? client.client_id) !== client.client_id)
  )
    return tokenError('invalid_request', 'The client authenticates in the header and in the body.');
  const sent = Object.fromEntries(
    takes.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])),
  );
  const { host = '' } = call.headers;
  const reply = await service.served({
    method: 'POST',
    url: new URL(path, call.url).href,
    headers: { host, 'content-type': 'application/json' },
    body: JSON.stringify({ ...sent, ...client }),
    from: call.from,
  });
  return reply.status === 200 ? issued(reply, call, service) : refused(reply, client !== undefined);
}

/** Adds what clients of OAuth 2.1 read: the type, and the scopes, which a client that requested none cannot know. */
async function issued({ body }: Reply, call: Call, service: McpService): Promise<Reply> {
  const answer = JSON.parse(Buffer.from(body).toString());
  const bearer = await service.identify({
    ...call,
    headers: { ...call.headers, authorization: `Bearer ${answer.access_token}` },
  });
  const scopes = bearer.ok ? bearer.output.scopes : undefined;
  return json(200, { token_type: 'Bearer', ...answer, ...(scopes && { scope: scopes.join(' ') }) });
}

function refused({ status, headers, body }: Reply, isInHeader: boolean): Reply {
  const { code, detail } = JSON.parse(Buffer.from(body).toString()) as { code?: string; detail?: string };
  // Retry-After among the headers says when the request can be repeated.
  if (status >= 500 || status === 429) return { status, headers, body };
  if (code !== 'invalid_client')
    return tokenError(code === 'invalid_grant' ? code : 'invalid_request', detail ?? '');
  const reply = tokenError(code, detail ?? '', 401);
  return isInHeader
    ? { ...reply, headers: { ...reply.headers, 'www-authenticate': 'Basic realm="esign"' } }
    : reply;
}

const tokenError = (error: string, sentence: string, status = 400): Reply =>
  json(status, { error, error_description: describeError(sentence) });

/**
 * RFC 6749 §2.3.1: ID and secret are encoded as in a form before they stand in the header. An empty secret is none: a public application
 * has only its ID.
 */
function basicClient(authorization: string | undefined) {
  const [, encoded] = /^basic +([\w+/]+=*)$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':');
  const decoded = (text: string) => new URLSearchParams(`x=${text.replaceAll('&', '%26')}`).get('x') ?? '';
  const client_secret = decoded(secret.join(':'));
  return { client_id: decoded(id), ...(client_secret !== '' && { client_secret }) };
}

const json = (status: number, value: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
