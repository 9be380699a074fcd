// The transport to a service over HTTP(S). The only place that knows undici, which is loaded with the first request.
import { Readable } from 'node:stream';
import { ConnectionError, type Transport } from './transport.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 60_000;

/** Failures that happen before a byte of the request has left. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** @param signal gives up whatever is under way, so that nothing keeps the process alive */
export function remoteTransport(signal?: AbortSignal): Transport {
  return async ({ method, url, headers, body }) => {
    const { request } = await loadUndici();
    try {
      const answer = await request(url, {
        method: method as 'GET',
        headers,
        body:
          body === undefined || typeof body === 'string' || body instanceof Uint8Array
            ? (body ?? null)
            : Readable.from(body),
        signal: signal ?? null,
        headersTimeout: ANSWER_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
      });
      const bytes = new Uint8Array(await answer.body.arrayBuffer());
      return { status: answer.statusCode, headers: flat(answer.headers), body: bytes };
    } catch (cause) {
      throw connectionErrorOf(cause, new URL(url));
    }
  };
}

async function loadUndici() {
  // On Node 20 the process otherwise waits at its end for V8 to optimise undici's HTTP parser.
  if (process.versions.node.startsWith('20.')) {
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--liftoff-only');
  }
  // The default export: bundled, a CommonJS package has no other.
  const { Agent, setGlobalDispatcher, request } = (await import('undici')).default;
  setGlobalDispatcher(new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } }));
  return { request };
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

/** undici wraps the system's error; a host with several addresses wraps one per address. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  const { code, errors } = cause as Error & { code?: string; errors?: unknown[] };
  if (code) return code;
  if (errors?.length) return reasonOf(errors[0]);
  return cause.cause === undefined ? 'unknown' : reasonOf(cause.cause);
}

function connectionErrorOf(cause: unknown, url: URL): ConnectionError {
  const reason = reasonOf(cause);
  const delivery = NOT_SENT.has(reason) ? 'not_sent' : 'unknown';
  return new ConnectionError(`${url.origin} did not answer (${reason}).`, { delivery, reason, cause });
}
