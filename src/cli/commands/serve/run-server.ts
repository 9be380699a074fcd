// `esign serve`: opens the installation, runs the checks, and serves until a signal comes. With --check, it ends before it serves.
import type { TypedServeOptions } from '../../../config/serve.ts';
import type { Check } from '../../checks/check.ts';
import { checksOutcome } from '../../checks/outcome.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { EXIT, type ExitCode } from '../../command/exit-codes.ts';
import type { Outcome } from '../../command/outcome.ts';
import type { SandboxServer, TeamServer } from '../../connection/connection.ts';
import { checkStart } from './checks.ts';

/** Load balancers ask every few seconds whether a node is ready: they have to see that it is not before it stops listening. */
const DRAIN_MS = 3000;

type Context = Uses<'connections' | 'process' | 'terminal'>;

export async function runServer(
  context: Context,
  { check, ...options }: TypedServeOptions & { check: boolean },
): Promise<Outcome> {
  const { team, checks, error } = await checkStart(context, options);
  if (check) return checksOutcome(checks);
  if (!team) throw error;
  const failed = checks.filter(({ state, name }) => state === 'fail' && !team.allow.includes(name));
  if (failed.length > 0) throw notStarted(failed);
  for (const { name, state, says } of checks) if (state === 'warn' || state === 'fail') team.warn(name, says);
  let isReady = true;
  const serving = await team.serve({ isReady: () => isReady });
  await context.terminal.print(announcement(team, serving, checks));
  const signal = await Promise.race([context.process.stopped, serving.failed]);
  isReady = false;
  if (signal === 'SIGTERM') await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
  await serving.close();
  if (signal instanceof Error) throw signal;
  return {
    kind: 'text',
    text: '',
    json: undefined,
    exit: signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated,
  };
}

/** One error for all failed checks: a person corrects them together. */
function notStarted(failed: readonly Check[]): Error {
  return cliError('serve_checks_failed', {
    checks: failed.map(({ name, says, hint }) => ({ name, says, hint })),
    first: { exit: (failed[0]?.exit as ExitCode | undefined) ?? EXIT.unexpected },
  });
}

function announcement(team: TeamServer, serving: SandboxServer, checks: readonly Check[]): Outcome {
  const origin = team.origin;
  return {
    kind: 'record',
    headline: 'The server is running. Press Ctrl-C to stop it.',
    json: {
      installation: team.installation,
      origin,
      listening: serving.url,
      database: team.database,
      checks: checks.map(({ name, state, says, hint }) => ({
        name,
        state,
        message: says,
        hint: hint ?? null,
      })),
    },
    entries: [
      { key: 'origin', label: 'URL', value: origin },
      { key: 'listening', label: 'Listening on', value: serving.url },
      { key: 'database', label: 'Database', value: team.database },
      { key: 'installation', label: 'Installation', value: team.installation },
    ],
    notes: [
      'To make sure that this node never starts with another database:',
      `  export ESIGN_SERVE_INSTALLATION=${team.installation}`,
      'To add the first user:',
      '  esign serve user add "NAME <EMAIL>" --company NAME --password-file FILE',
    ],
  };
}
