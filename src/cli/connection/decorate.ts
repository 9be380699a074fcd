// Adds to a transport what every command needs: a signal ends the wait for an answer, `--debug` or ESIGN_DEBUG=http prints each
// exchange, ESIGN_FAULTS breaks some of them, and times are shown by the clock of a sandbox that was moved.
import { type Transport, withTrace } from '../../api/transport.ts';
import { type Instant, isInstant } from '../../common/instant.ts';
import type { Environment } from '../../config/environment.ts';
import type { DebugArea } from '../command/debug-areas.ts';
import { monotonicMs } from '../process/edges.ts';
import { parseFaults } from '../process/faults.ts';
import type { Interruption } from '../process/interruption.ts';
import { safeText } from '../terminal/safe-text.ts';
import type { Sink } from '../terminal/streams.ts';

type TransportDecoration = {
  environment: Environment;
  interruption: Interruption;
  debug: ReadonlySet<DebugArea>;
  err: Sink;
  /** Called with the time of a sandbox whose clock was moved. */
  onClock(now: Instant): void;
};

export async function decorateTransport(
  transport: Transport,
  { environment, interruption, debug, err, onClock }: TransportDecoration,
): Promise<Transport> {
  let chain = withClock(interruption.interruptible(transport), onClock);
  const faults = environment.variables.ESIGN_FAULTS;
  if (faults) chain = parseFaults(faults)(chain);
  if (!debug.has('http')) return chain;
  return withTrace(chain, monotonicMs, ({ method, path, status, durationMs, requestId }) =>
    err.write(
      `${method} ${safeText(path)} ${status ?? 'no answer'} ${Math.round(durationMs)} ms ${requestId ?? ''}\n`,
    ),
  );
}

/** The header comes from the service: what is no instant is ignored. */
const withClock =
  (transport: Transport, onClock: (now: Instant) => void): Transport =>
  async (call) => {
    const reply = await transport(call);
    const now = reply.headers['x-esign-clock'];
    if (now !== undefined && isInstant(now)) onClock(now);
    return reply;
  };
