// Sends HTTP requests that the typed client would never make: another content type, half a body, a wrong token, no token.
import type { Problem } from '../../src/api/contract/problems.ts';
import type { Harness } from './harness.ts';

export type RequestOptions = {
  /** Replaces the access token of the store's own user; null sends none. */
  token?: string | null;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  body?: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
};

export type ReadResponse = { status: number; headers: Headers; body: unknown };

/** @param what `PUT /v1/transaction/…` */
export async function sendRequest(
  harness: Pick<Harness, 'baseUrl' | 'transport' | 'service'>,
  what: string,
  asking: RequestOptions = {},
): Promise<ReadResponse> {
  const response = await harness.transport(requestOf(harness, what, asking));
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: bodyOf(text, response.headers.get('content-type') ?? ''),
  };
}

/** Returns the parsed body; for a page, its text. */
function bodyOf(text: string, type: string): unknown {
  if (text === '') return undefined;
  return type.startsWith('text/') ? text : JSON.parse(text);
}

function requestOf(
  { baseUrl, service }: Pick<Harness, 'baseUrl' | 'service'>,
  what: string,
  asking: RequestOptions,
): Request {
  const [method = 'GET', path = '/'] = what.split(' ');
  const {
    token = service.ownToken,
    json,
    body = json === undefined ? undefined : JSON.stringify(json),
  } = asking;
  const headers = new Headers({
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(json !== undefined && { 'content-type': 'application/json' }),
    ...asking.headers,
  });
  return new Request(baseUrl + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);
}

/** Returns the problem with which a request is refused. */
export async function problemFrom(
  harness: Pick<Harness, 'baseUrl' | 'transport' | 'service'>,
  what: string,
  asking: RequestOptions = {},
): Promise<Problem & { headers: Headers }> {
  const { status, headers, body } = await sendRequest(harness, what, asking);
  if (status < 400) throw new Error(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  return { ...(body as Problem), headers };
}
