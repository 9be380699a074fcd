// Serves a team in this process, or in several that share the port, until it is stopped.
import { setTimeout as pause } from 'node:timers/promises';
import { cliError } from '../../command/errors.ts';
import type { ExitCode } from '../../command/exit-codes.ts';
import type { TeamServer } from '../../connection/connection.ts';
import type { Signal } from '../../process/edges.ts';
import { startWorkers, WorkerStartError } from '../../process/workers.ts';

/** Load balancers ask every few seconds whether a node is ready: they have to see that it is not before it stops listening. */
const DRAIN_MS = 3000;

export type RunningServer = {
  /** The address that it listens on. */
  url: string;
  /** Resolves when it can do nothing more, with the reason. */
  failed: Promise<Error>;
  /** Resolves when requests in progress are finished. After SIGTERM, load balancers are given time to see that it is not ready. */
  stop(signal: Signal): Promise<void>;
};

const OTHER_ADDRESS = 'Choose another address with --listen or --metrics, or stop the program that uses it.';

const PORT_ERRORS = {
  EADDRINUSE: ['port_in_use', OTHER_ADDRESS],
  EACCES: ['port_not_allowed', 'Choose a port from 1024 to 65535 with --listen or --metrics.'],
  EADDRNOTAVAIL: ['address_not_available', 'Use an IP address of this machine with --listen or --metrics.'],
  ENOTFOUND: ['address_not_available', 'Use an IP address of this machine with --listen or --metrics.'],
} as const;

/** Makes an error of the command line of an error that is about an address to listen on. */
function explainPort(error: unknown): unknown {
  const { code = '', address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (!Object.hasOwn(PORT_ERRORS, code)) return error;
  const [name, hint] = PORT_ERRORS[code as keyof typeof PORT_ERRORS];
  const given = [address, port].filter((part) => part !== undefined).join(':');
  return cliError(name, { address: given || 'The address', hint });
}

const throwExplained = (error: unknown): never => {
  throw explainPort(error);
};

/** Checks that the node can listen. With workers, an address that is taken is an error of the first process, and not of each worker. */
export const reservePorts = (team: TeamServer): Promise<void> => team.reservePorts().catch(throwExplained);

export async function serveHere(team: TeamServer, warnings: readonly string[]): Promise<RunningServer> {
  let isReady = true;
  const serving = await team.serve({ isReady: () => isReady, warnings }).catch(throwExplained);
  return {
    url: serving.url,
    failed: serving.failed,
    async stop(signal) {
      isReady = false;
      if (signal === 'SIGTERM') await pause(DRAIN_MS);
      await serving.close();
    },
  };
}

export async function serveInWorkers(team: TeamServer, warnings: readonly string[]): Promise<RunningServer> {
  const workers = await startWorkers({
    count: team.workers,
    warnings,
    onLost: (worker, reason, inMs) =>
      team.note('error', `Worker ${worker} ended (${reason}). Another one starts in ${inMs / 1000} s.`),
  }).catch((error: unknown) => {
    if (error instanceof WorkerStartError)
      throw cliError('worker_not_started', { exit: error.exit as ExitCode });
    throw error;
  });
  const metrics = await team.serveWorkerMetrics().catch(async (error: unknown) => {
    await workers.stop('SIGINT');
    throw explainPort(error);
  });
  return {
    url: team.urlAt(workers.port),
    failed: workers.failed,
    async stop(signal) {
      await workers.stop(signal);
      await metrics?.close();
    },
  };
}
