// Opens the transport to a remote service with proxy, certificate authorities and timeouts. It repeats a request where that
// does no harm. Each attempt is decorated, so that it is traced and goes through the faults of tests.

import type { ClientOptions } from '../../api/client.ts';
import { openRemote } from '../../api/remote.ts';
import { type Retry, withRetry } from '../../api/retry.ts';
import { TIMEOUTS, type Transport } from '../../api/transport.ts';
import { type Environment, type Paths, type Variables, variable } from '../../config/environment.ts';
import type { Profile } from '../../config/profile.ts';
import { proxyFor } from '../../config/proxy.ts';
import { cliError } from '../command/errors.ts';
import { monotonicMs, wallClockMs } from '../process/edges.ts';
import type { Interruption } from '../process/interruption.ts';
import type { Progress } from '../terminal/progress.ts';
import { authoritiesOf } from './certificate-authorities.ts';

/** Opens the transport. @throws CliError or ConfigError with exit 2 for a wrong variable, before anything is sent */
export async function openRemoteTransport(
  profile: Profile,
  { environment, decorate, interruption, progress, closeAtEnd }: RemoteParts,
): Promise<Transport> {
  const { variables } = environment;
  const answerMs = answerMsOf(variables);
  const authorities = await authoritiesOf(environment);
  if (profile.remote) proxyFor(new URL(profile.remote.baseUrl), variables);
  const remote = openRemote({
    signal: interruption.abort,
    answerMs,
    authorities,
    proxyFor: (url) => proxyFor(url, variables),
  });
  closeAtEnd(remote);
  return withRetry(await decorate(remote.transport), {
    keysHonoured: profile.idempotency,
    nowMs: monotonicMs,
    epochMs: wallClockMs,
    random: Math.random,
    async wait(ms) {
      await pause(ms, interruption.abort);
      interruption.checkpoint();
    },
    onRetry: (retry) => progress.note(retrySentence(retry)),
    onTooLong: (waitMs) =>
      progress.note(
        `The service asks to wait ${secondsOf(waitMs)} before the next request. The request is not retried.`,
      ),
  });
}

/** ESIGN_TIMEOUT: seconds, also a part of one. Undefined where it is not set. */
export function answerMsOf(variables: Variables): number | undefined {
  const text = variable(variables, 'ESIGN_TIMEOUT');
  if (text === undefined) return undefined;
  const ms = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : 0;
  if (ms < 1 || ms > TIMEOUTS.answerMsMax)
    throw cliError('variable_invalid', {
      sentence: `"${text}" is not a valid value for ESIGN_TIMEOUT.`,
      hint: `Use a number of seconds, at most ${TIMEOUTS.answerMsMax / 1000}.`,
    });
  return ms;
}

/** Waits; returns early without an error when the command is to end. */
const pause = (ms: number, abort: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      abort.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    abort.addEventListener('abort', end);
    if (abort.aborted) end();
  });

const retrySentence = ({ why, waitMs, attempt, attempts }: Retry): string =>
  `${why.charAt(0).toUpperCase()}${why.slice(1)}. Retrying ${waitMs < SHOWN_MS ? 'now' : `in ${secondsOf(waitMs)}`} (${attempt} of ${attempts}).`;

/** A shorter pause would be shown as `0.0 s`. */
const SHOWN_MS = 50;

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

export type RemoteParts = {
  environment: Environment;
  paths: Paths;
  interruption: Interruption;
  progress: Progress;
  /** Adds interruption, trace and faults. */
  decorate(transport: Transport): Promise<Transport>;
  /** Registers what must be closed when the command ends. */
  closeAtEnd<T extends { close(): Promise<void> }>(resource: T): T;
  onAnswer: NonNullable<ClientOptions['onAnswer']>;
};
