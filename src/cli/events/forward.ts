// Sends an event to a URL of the user: one POST within limits of time and size. It does not follow redirects, and never
// throws for what the receiver does; a signal ends it.

import { createHmac, randomBytes } from 'node:crypto';
import type { ReceivedEvent } from '../../api/contract/events.ts';
import { LIMITS } from '../../api/contract/limits.ts';
import { isSecret, secretOf, signedHeaders } from '../../api/standard-webhooks.ts';
import { parseUrl } from '../../common/parse-url.ts';
import { variable } from '../../config/environment.ts';
import { sendRequest } from '../../http/send-request.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';
import { authoritiesOf } from '../connection/certificate-authorities.ts';
import type { Connection } from '../connection/connection.ts';
import { bytesOfReceived } from './view.ts';

export type ForwardAttempt = {
  /** Of HTTP; null where no answer came. */
  status: number | null;
  /** Why it did not arrive, as the end of a sentence; null where it did. */
  why: string | null;
  duration_ms: number;
};

type Post = (headers: Record<string, string>, body: Uint8Array) => Promise<ForwardAttempt>;

type ForwardOptions = {
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
  throw invalidValue({
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
  const reason = REASONS[name];
  if (reason) return `${reason} (${name})`;
  if (/CERT|SELF_SIGNED|ISSUER|ALTNAME|VERIFY/.test(name)) return `its certificate is not trusted (${name})`;
  if (name.startsWith('HPE_')) return `its response is not HTTP (${name})`;
  return name === '' ? error.message : `the connection failed (${name})`;
}

/** `isLasting`: the same in the next run. */
export type ListenSecret = { secret: string; isLasting: boolean };

const SECRET_BYTES = 32;

/**
 * Makes the secret that signs forwarded events: that of ESIGN_WEBHOOK_SECRET; for the sandbox a lasting one, derived from its
 * control secret; for another service a new one in each run.
 */
export function listenSecret(
  { environment }: Uses<'process'>['process'],
  { controlSecret }: Pick<Connection, 'controlSecret'>,
): ListenSecret {
  const secret = variable(environment.variables, 'ESIGN_WEBHOOK_SECRET');
  if (secret !== undefined) {
    if (isSecret(secret)) return { secret, isLasting: true };
    throw cliError('variable_invalid', {
      sentence: 'The value of ESIGN_WEBHOOK_SECRET is invalid.',
      hint: 'Use the secret that `esign webhooks create` shows: whsec_ and 24 to 64 bytes in base64.',
    });
  }
  if (controlSecret === undefined) return { secret: secretOf(randomBytes(SECRET_BYTES)), isLasting: false };
  const derived = createHmac('sha256', controlSecret).update('esign events listen').digest();
  return { secret: secretOf(derived), isLasting: true };
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Makes the function that posts to a URL of the user. With the sandbox, a receiver on this machine may have a certificate of
 * `esign sandbox ca issue`.
 */
export async function postTo(
  { process }: Uses<'process'>,
  connection: Pick<Connection, 'client' | 'isSandbox'>,
  url: URL,
): Promise<Post> {
  const { abort: signal, monotonicMs: clock, environment } = process;
  if (url.protocol !== 'https:') return createPost({ url, authorities: undefined, signal, clock });
  const own = await authoritiesOf(environment);
  const isOurs = connection.isSandbox && LOOPBACK.test(url.hostname);
  const { rootCertificates } = await import('node:tls');
  const authorities = isOurs ? [...(own ?? rootCertificates), ...(await loopbackRoot(connection))] : own;
  return createPost({ url, authorities, signal, clock });
}

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Requests the root of the certificates that the sandbox issues for this machine. It is the last in each issued file. */
async function loopbackRoot({ client }: Pick<Connection, 'client'>): Promise<string[]> {
  const { certificate } = await client['sandbox.issue_certificate']({ body: { names: ['localhost'] } });
  return (certificate.match(PEM) ?? []).slice(-1);
}

/** Sends one attempt, with the same id and bytes each time and the time of the attempt. @property body absent: that of the event */
export function forwardSigned(
  post: Post,
  event: ReceivedEvent,
  signing: { secret: string; clock(): number; version: string; body?: Uint8Array | undefined },
): Promise<ForwardAttempt> {
  const { secret, clock, version, body = bytesOfReceived(event) } = signing;
  const timestamp = Math.floor(clock() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': `esign/${version}`,
    ...signedHeaders([secret], { id: event.id, timestamp, body }),
  };
  return post(headers, body);
}

export type Forwarded = ForwardAttempt & { attempts: number };

/** Between the attempts of one event. */
export const RETRY_PAUSES_MS: readonly number[] = [1000, 2000, 5000, 10_000, 30_000];

/** Tries again after each of these pauses, until it arrives. */
export async function withRetries(
  attempt: () => Promise<ForwardAttempt>,
  pausesMs: readonly number[],
  pause: (ms: number) => Promise<void>,
): Promise<Forwarded> {
  for (let attempts = 1; ; attempts += 1) {
    const delivered = await attempt();
    const next = pausesMs[attempts - 1];
    if (delivered.why === null || next === undefined) return { ...delivered, attempts };
    await pause(next);
  }
}
