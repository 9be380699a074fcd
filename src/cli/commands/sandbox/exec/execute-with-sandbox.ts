// `sandbox exec`: serves a new sandbox while another program runs.
import type { Uses } from '../../../command/context.ts';
import { cliError } from '../../../command/errors.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { parseClockTime } from '../../../input/parse-input.ts';
import { person } from '../../../sending/view.ts';
import { runProgram } from './run-program.ts';

/** Variables of a login elsewhere, which the program must not use. */
const OTHER_LOGIN = {
  ESIGN_PROFILE: undefined,
  ESIGN_CLIENT_ID: undefined,
  ESIGN_CLIENT_SECRET: undefined,
  ESIGN_REFRESH_TOKEN: undefined,
};

export async function executeWithSandbox(
  context: Uses<'connections' | 'process' | 'terminal'>,
  words: readonly string[],
  { clock, seed }: { clock: string | undefined; seed: string | undefined },
): Promise<Outcome> {
  const to = clock === undefined ? undefined : parseClockTime('--clock', clock);
  const { environment, passSignals } = context.process;
  // A wrong file is refused before a sandbox is made.
  const world = seed === undefined ? undefined : await readWorld(context, seed);
  const sandbox = await context.connections.serveNewSandbox();
  try {
    const { client, url, ownUser } = sandbox;
    if (to !== undefined) await client['sandbox.set_clock']({ body: { to } });
    await world?.seed(sandbox);
    const { access_token } = await client['sandbox.token']({ body: {} });
    const variables = {
      ...environment.variables,
      ...OTHER_LOGIN,
      ESIGN_HOME: sandbox.home,
      ESIGN_BASE_URL: url,
      ESIGN_APP_URL: url,
      ESIGN_DASHBOARD_URL: url,
      ESIGN_ACCESS_TOKEN: access_token as string,
      ESIGN_SENDER: ownUser && person(ownUser),
      NODE_EXTRA_CA_CERTS: sandbox.rootFile,
    };
    const exit = await runProgram(words, variables, passSignals).catch((error: unknown) => {
      throw explainStart(error, words[0] ?? '');
    });
    return { kind: 'text', text: '', json: undefined, exit };
  } finally {
    await sandbox.close();
  }
}

async function readWorld(context: Uses<'process' | 'terminal'>, path: string) {
  const { openSeed } = await import('../../../seeding/seed-sandbox.ts');
  return openSeed(path, context);
}

/** Explains why a program could not be started. */
function explainStart(error: unknown, program: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const problem = { ENOENT: 'was not found', EACCES: 'cannot be run: permission denied' }[code];
  return cliError('program_not_started', { program, problem: problem ?? `cannot be started (${code})` });
}
