// `esign serve`: opens the installation, runs the checks, and serves until a signal comes, in this process or in several. With --check, it
// ends before it serves.

import { setTimeout as pause } from 'node:timers/promises';
import type { TypedServeOptions } from '../../../config/serve.ts';
import { type Check, checksOutcome } from '../../checks/check.ts';
import type { Uses } from '../../command/context.ts';
import { reportOf, traceOf } from '../../command/error-report.ts';
import { cliError } from '../../command/errors.ts';
import { EXIT, type ExitCode } from '../../command/exit-codes.ts';
import { explainListenError } from '../../command/listen-error.ts';
import type { Outcome } from '../../command/outcome.ts';
import { showRecord } from '../../command/record.ts';
import type { TeamServer } from '../../connection/connection.ts';
import { createTeamLog } from '../../connection/service-log.ts';
import { parsePerson } from '../../input/person.ts';
import { type Signal, wallClockMs } from '../../process/edges.ts';
import { findWorkerLink, startWorkers, type WorkerLink, WorkerStartError } from '../../process/workers.ts';
import { checkStart } from './checks.ts';

type Context = Uses<'connections' | 'process' | 'settings' | 'terminal'>;

type ServerOptions = TypedServeOptions & { check: boolean; 'mail-to'?: string | undefined };

/** Runs the server. Where the log is JSON, a start that fails is a line of it, as everything else is. */
export async function runServer(context: Context, options: ServerOptions): Promise<Outcome> {
  const { streams } = context.terminal;
  if (options.check || streams.err.isTerminal || context.settings.json) return startServer(context, options);
  try {
    return await startServer(context, options);
  } catch (error) {
    const { code, message, hint, errors, exit } = reportOf(error);
    const log = createTeamLog({ err: streams.err, isQuiet: false, worker: undefined, clock: wallClockMs });
    const trace = context.settings.debug && error instanceof Error ? traceOf(error) : undefined;
    log.ended({ code, message, hint, ...(errors.length > 0 && { errors }), trace });
    return { kind: 'text', text: '', json: undefined, exit };
  }
}

async function startServer(
  context: Context,
  { check, 'mail-to': mailTo, ...options }: ServerOptions,
): Promise<Outcome> {
  const letterTo = mailTo === undefined ? undefined : parseMailTo(mailTo, check);
  const link = findWorkerLink();
  if (link) return runWorker(context, options, link);
  const { team, checks, error } = await checkStart(context, { ...options, migrates: 'later' }, letterTo);
  if (check) return checksOutcome(checks);
  if (!team) throw error;
  const failed = checks.filter(({ state }) => state === 'fail');
  if (failed.length > 0) throw notStarted(failed);
  await reservePorts(team);
  await migrate(team);
  const warned = checks.filter(({ state }) => state === 'warn');
  for (const { name, says } of warned) team.warn(name, says);
  const nextSteps = nextStepsOf(team, (await team.users.list()).length > 0);
  const names = warned.map(({ name }) => name);
  const running = team.workers > 1 ? await serveInWorkers(team, names) : await serveHere(team, names);
  await announceServing(team, running);
  const isRead = context.terminal.streams.err.isTerminal;
  await context.terminal.print(announcement(team, running.url, checks, isRead ? nextSteps : []));
  // A program that collects the log reads JSON.
  if (!isRead) for (const { purpose, line } of nextSteps) team.note('info', `${purpose}: ${line}`);
  const signal = await Promise.race([context.process.stopped, running.failed]);
  await running.stop(signal instanceof Error ? 'SIGINT' : signal);
  if (signal instanceof Error) throw signal;
  return endedBy(signal);
}

function parseMailTo(text: string, check: boolean): string {
  if (!check)
    throw cliError('option_missing', { sentence: '--mail-to needs --check.', hint: 'Add --check.' });
  return parsePerson(text, '--mail-to').email;
}

/** Nodes of the older version change nothing from here on, so that it comes after everything that may keep this one from serving. */
async function migrate(team: TeamServer): Promise<void> {
  const names = team.missingMigrations();
  await team.migrate();
  if (names.length > 0) team.note('info', `The tables were updated (${names.join(', ')}).`);
}

/** Nodes of the older version end from here on, so that it comes when all addresses are served. */
async function announceServing(team: TeamServer, running: RunningServer): Promise<void> {
  try {
    await team.announceServing();
  } catch (error) {
    await running.stop('SIGINT');
    throw error;
  }
}

/** Serves in one of several processes. The first process has run the checks, and prints what is printed. */
async function runWorker(context: Context, options: TypedServeOptions, link: WorkerLink): Promise<Outcome> {
  const running = await serveHere(await context.connections.openTeamServer(options), link.warnings).catch(
    (error: Error) => {
      // Another worker would meet the same tables. Any other reason may be over when one starts again.
      if (reportOf(error).code === 'store_newer') link.reportFailure(error);
      link.release();
      throw error;
    },
  );
  const signal = await Promise.race([context.process.stopped, link.stopped, running.failed]);
  if (signal instanceof Error) link.reportFailure(signal);
  await running.stop(signal instanceof Error ? 'SIGINT' : signal);
  link.release();
  return endedBy(signal instanceof Error ? 'SIGTERM' : signal);
}

const endedBy = (signal: Signal): Outcome => ({
  kind: 'text',
  text: '',
  json: undefined,
  exit: signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated,
});

/** Makes one error for all failed checks: a person corrects them together. */
function notStarted(failed: readonly Check[]): Error {
  const [first] = failed;
  return cliError('serve_checks_failed', {
    sentence: `The server was not started, because ${failed.length === 1 ? 'a check' : `${failed.length} checks`} failed. ${failed
      .map(({ name, says }) => `${name}: ${says}`)
      .join(' ')}`,
    hint: [
      ...failed.flatMap(({ hint }) => hint ?? []),
      `To start all the same, add ${failed.map(({ name }) => `--allow ${name}`).join(' ')}.`,
    ].join(' '),
    next: [{ command: 'esign serve --check', when: 'to run the checks again' }],
    ...(first?.exit !== undefined && { exit: first.exit as ExitCode }),
  });
}

type StartStep = { purpose: string; line: string };

const nextStepsOf = ({ installation }: TeamServer, hasUsers: boolean): StartStep[] => [
  {
    purpose: 'To make sure that this node never starts with another database',
    line: `export ESIGN_SERVE_INSTALLATION=${installation}`,
  },
  ...(hasUsers
    ? []
    : [
        {
          purpose: 'To add the first user',
          line: 'esign serve user add "NAME <EMAIL>" --company NAME --password-file FILE',
        },
      ]),
];

function announcement(
  team: TeamServer,
  listening: string,
  checks: readonly Check[],
  nextSteps: readonly StartStep[],
): Outcome {
  const origin = team.origin;
  return showRecord(
    {
      installation: team.installation,
      origin,
      listening,
      database: team.database,
      checks: checks.map(({ name, state, says, hint }) => ({
        name,
        state,
        message: says,
        hint: hint ?? null,
      })),
    },
    { origin: 'URL', listening: 'Listening on', database: 'Database', installation: 'Installation' },
    {
      headline: 'The server is running. Press Ctrl-C to stop it.',
      notes: nextSteps.flatMap(({ purpose, line }) => [`${purpose}:`, `  ${line}`]),
    },
  );
}

/** Load balancers ask every few seconds whether a node is ready: they have to see that it is not before it stops listening. */
const DRAIN_MS = 3000;

type RunningServer = {
  /** The address that it listens on. */
  url: string;
  /** Resolves when it can do nothing more, with the reason. */
  failed: Promise<Error>;
  /** Resolves when requests in progress are finished. After SIGTERM, load balancers are given time to see that it is not ready. */
  stop(signal: Signal): Promise<void>;
};

const LISTEN_HINTS = {
  inUse: 'Choose another address with --listen or --metrics, or stop the program that uses it.',
  notAllowed: 'Choose a port from 1024 to 65535 with --listen or --metrics.',
  notAvailable: 'Use an IP address of this machine with --listen or --metrics.',
};

const throwExplained = (error: unknown): never => {
  throw explainListenError(error, LISTEN_HINTS);
};

/** Checks that the node can listen. With workers, an address that is taken is an error of the first process, and not of each worker. */
const reservePorts = (team: TeamServer): Promise<void> => team.reservePorts().catch(throwExplained);

async function serveHere(team: TeamServer, warnings: readonly string[]): Promise<RunningServer> {
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

async function serveInWorkers(team: TeamServer, warnings: readonly string[]): Promise<RunningServer> {
  const workers = await startWorkers({
    count: team.workers,
    warnings,
    onLost: (worker, reason, inMs) =>
      team.note('error', `Worker ${worker} ended (${reason}). Another one starts in ${inMs / 1000} s.`),
  }).catch((error: unknown) => {
    if (error instanceof WorkerStartError)
      throw cliError('worker_not_started', {
        sentence: `The server was not started, because one of its processes ended with exit code ${error.exit}.`,
        hint: 'Its own error is printed above.',
        exit: error.exit as ExitCode,
      });
    throw error;
  });
  const metrics = await team.serveWorkerMetrics().catch(async (error: unknown) => {
    await workers.stop('SIGINT');
    throw explainListenError(error, LISTEN_HINTS);
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
