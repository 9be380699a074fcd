// Sends an event to a URL of the user: one POST within limits of time and size. It does not follow redirects, and never
// throws for what the receiver does; a signal ends it.

import { LIMITS } from '../../api/contract/limits.ts';
import { parseUrl } from '../../api/contract/parse-url.ts';
import { sendRequest } from '../../http/send-request.ts';
import { cliError } from '../command/errors.ts';

export type ForwardAttempt = {
  /** Of HTTP; null where no answer came. */
  status: number | null;
  /** Why it did not arrive, as the end of a sentence; null where it did. */
  why: string | null;
  duration_ms: number;
};

export type Post = (headers: Record<string, string>, body: Uint8Array) => Promise<ForwardAttempt>;

export type ForwardOptions = {
  url: URL;
  /** Certificates that are trusted as well as Node's own. */
  authorities: readonly string[] | undefined;
  signal: AbortSignal;
  /** Milliseconds, for durations. */
  clock(): number;
  /** For the whole exchange. */
  timeoutMs?: number;
};

/** Parses the URL of a receiver. @throws CliError with exit 2 for anything else */
export function receiverUrl(flag: string, text: string): URL {
  const url = parseUrl(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw cliError('value_invalid', {
    name: flag,
    value: text,
    use: 'an http or https URL such as http://localhost:3000/hook',
  });
}

export function createPost(options: ForwardOptions): Post {
  const { url, authorities, signal, clock, timeoutMs = LIMITS.deliveryMs } = options;
  return async (headers, body) => {
    const begun = clock();
    const { status, error, isLate } = await sendRequest({
      url,
      method: 'POST',
      headers: { ...headers, 'content-length': String(body.length), connection: 'close' },
      body,
      authorities,
      // The receiver may close a connection that was kept open just when it is used again.
      usesNewConnection: true,
      signal,
      timeoutMs,
      // The rest of the body is not read, because only the status matters.
      maxBytes: () => LIMITS.deliveryAnswerBytes,
    });
    if (error && signal.aborted) throw signal.reason;
    const failure = error && (isLate ? lateness(timeoutMs) : sentenceOf(error));
    return {
      status,
      why: failure ?? statusFailure(status),
      duration_ms: Math.max(0, Math.round(clock() - begun)),
    };
  };
}

const lateness = (timeoutMs: number): string => `it did not respond within ${Math.ceil(timeoutMs / 1000)} s`;

function statusFailure(status: number | null): string | null {
  if (status !== null && status >= 200 && status < 300) return null;
  const isRedirect = status !== null && status >= 300 && status < 400;
  return isRedirect
    ? `it responded with a redirect (HTTP status ${status}), which is not followed`
    : `it responded with HTTP status ${status}`;
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before a response arrived',
  EPIPE: 'the connection was closed before a response arrived',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EPROTO: 'it does not use TLS',
};

/** Describes a network error. An attempt over IPv4 and IPv6 fails with one error for each. */
function sentenceOf(error: Error): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] };
  const name = code ?? errors?.[0]?.code ?? '';
  const known = REASONS[name];
  if (known) return `${known} (${name})`;
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(name)) return `its certificate is not trusted (${name})`;
  if (name.startsWith('HPE_')) return `its response is not HTTP (${name})`;
  return name === '' ? error.message : `the connection failed (${name})`;
}
