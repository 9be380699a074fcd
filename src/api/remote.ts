// The transport to a service over HTTP(S). The only place that knows undici, which is loaded with the first request.
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

export function remoteTransport(): Transport {
  return async (request) => {
    const { request: send } = await loadUndici();
    const hasBody = request.body !== null;
    try {
      const answer = await send(request.url, {
        method: request.method as 'GET',
        headers: Object.fromEntries(request.headers),
        body: hasBody ? new Uint8Array(await request.arrayBuffer()) : null,
        headersTimeout: ANSWER_TIMEOUT_MS,
        bodyTimeout: ANSWER_TIMEOUT_MS,
      });
      const body = new Uint8Array(await answer.body.arrayBuffer());
      return new Response(body.length > 0 ? body : null, {
        status: answer.statusCode,
        headers: flat(answer.headers),
      });
    } catch (cause) {
      throw connectionErrorOf(cause, new URL(request.url));
    }
  };
}

async function loadUndici() {
  // On Node 20 the process otherwise waits at its end for V8 to optimise undici's HTTP parser.
  if (process.versions.node.startsWith('20.')) {
    const { setFlagsFromString } = await import('node:v8');
    setFlagsFromString('--liftoff-only');
  }
  const { Agent, setGlobalDispatcher, request } = await import('undici');
  setGlobalDispatcher(new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS } }));
  return { request };
}

function flat(headers: Record<string, string | string[] | undefined>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : Array.isArray(value) ? value.map((one): [string, string] => [name, one]) : [[name, value]],
  );
}

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
