// Sends an event to a URL of the user: one POST within limits of time and size. It does not follow redirects, and never
// throws for what the receiver does; a signal ends it.

import type { ClientRequest, IncomingMessage } from 'node:http';
import type { RequestOptions } from 'node:https';
import { LIMITS } from '../../api/contract/limits.ts';
import { parseUrl } from '../../api/contract/parse-url.ts';
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

export async function createPost({
  url,
  authorities,
  signal,
  clock,
  timeoutMs = LIMITS.deliveryMs,
}: ForwardOptions): Promise<Post> {
  const isSecure = url.protocol === 'https:';
  const { request } = isSecure ? await import('node:https') : await import('node:http');
  const options: RequestOptions = {
    method: 'POST',
    signal,
    // The receiver may close a connection that was kept open just when it is used again.
    agent: false,
    // Set here, so that no variable of the environment can change it.
    ...(isSecure && { rejectUnauthorized: true, ...(authorities && { ca: [...authorities] }) }),
  };
  return (headers, body) => {
    const begun = clock();
    const sent = request(url, {
      ...options,
      headers: { ...headers, 'content-length': String(body.length), connection: 'close' },
    });
    sent.end(body);
    return awaitAnswer(sent, signal, timeoutMs).then((answer) => ({
      ...answer,
      duration_ms: Math.max(0, Math.round(clock() - begun)),
    }));
  };
}

/** Rejects only with the reason of a signal. */
function awaitAnswer(
  sent: ClientRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Pick<ForwardAttempt, 'status' | 'why'>> {
  return new Promise((resolve, reject) => {
    let status: number | null = null;
    const end = (why: string | null) => {
      clearTimeout(timer);
      sent.destroy();
      resolve({ status, why });
    };
    const failed = (error: Error) => {
      if (!signal.aborted) return end(sentenceOf(error));
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => end(`it did not respond within ${Math.ceil(timeoutMs / 1000)} s`),
      timeoutMs,
    );
    sent.on('error', failed);
    sent.on('response', (response: IncomingMessage) => {
      status = response.statusCode ?? null;
      let size = 0;
      response.on('error', failed);
      response.on('data', (piece: Uint8Array) => {
        size += piece.length;
        // The rest of the body is not read, because only the status matters.
        if (size > LIMITS.deliveryAnswerBytes) end(statusFailure(status));
      });
      response.on('end', () => end(statusFailure(status)));
    });
  });
}

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
