// Forwards events to a receiver on the developer's machine. It signs them as the service does, with a secret that the
// receiver gets from `esign events listen --print-secret`. An error must never contain the secret.
import { createHmac, randomBytes } from 'node:crypto';
import type { ReceivedEvent } from '../../api/contract/event-log.ts';
import { isSecret, secretOf, signedHeaders } from '../../api/standard-webhooks.ts';
import { variable } from '../../config/environment.ts';
import type { Uses } from '../command/context.ts';
import { cliError } from '../command/errors.ts';
import { authoritiesOf } from '../connection/certificate-authorities.ts';
import type { Connection } from '../connection/connection.ts';
import { createPost, type ForwardAttempt, type Post } from './forward.ts';
import { bytesOfReceived } from './view.ts';

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
  const given = variable(environment.variables, 'ESIGN_WEBHOOK_SECRET');
  if (given !== undefined) {
    if (isSecret(given)) return { secret: given, isLasting: true };
    throw cliError('variable_invalid', {
      name: 'ESIGN_WEBHOOK_SECRET',
      use: 'the secret that `esign webhooks create` shows: whsec_ and 24 to 64 bytes in base64',
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
