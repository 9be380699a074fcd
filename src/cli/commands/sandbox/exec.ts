import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Variables } from '../../../config/environment.ts';
import { defineCommand } from '../../command/command.ts';
import type { ProcessContext, Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { prints } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { parseClockTime } from '../../input/parse-input.ts';
import { openSeed } from '../../seeding/seed-sandbox.ts';
import { person } from '../../sending/view.ts';

export const command = defineCommand({
  summary: 'Run a command with a new sandbox that is served for it',
  details:
    'Creates an empty sandbox, serves it on a free port, runs COMMAND, and deletes the sandbox when COMMAND has ended. ' +
    'The sandbox of this machine is not used. The exit code is that of COMMAND, or 128 and the number of the signal that ended it. ' +
    'COMMAND gets ESIGN_BASE_URL, ESIGN_APP_URL, ESIGN_DASHBOARD_URL, ESIGN_ACCESS_TOKEN and ESIGN_SENDER; ESIGN_HOME, with which its ' +
    '`esign sandbox` commands reach the same sandbox; and NODE_EXTRA_CA_CERTS with the root certificate of the sandbox. ' +
    'Write -- before COMMAND, so that its options are not read as options of esign.',
  arguments: [{ name: 'command', summary: 'Program to run, and what it is given', repeat: true }],
  options: {
    seed: {
      value: 'FILE',
      completes: 'file',
      summary: 'File with what the sandbox contains at first, as for `esign sandbox seed`',
    },
    clock: {
      value: 'INSTANT',
      summary: 'Time that the clock of the sandbox is set to first, such as 2030-01-01',
    },
  },
  json: prints('nothing: the output is that of COMMAND'),
  examples: [
    { line: 'esign sandbox exec -- npm test', about: 'Run tests against a sandbox of their own' },
    {
      line: 'esign sandbox exec --seed world.yaml -- npm test',
      about: 'Run tests with the users, templates and transactions of a file',
    },
    {
      line: 'esign sandbox exec --clock 2030-01-01 -- esign tx send contract.pdf --to ada@example.com',
      about: 'Send in the year 2030',
    },
  ],
  async check(_, { options: { clock } }) {
    if (clock !== undefined) parseClockTime('--clock', clock);
  },
  async run(context, { args, options }) {
    return executeWithSandbox(context, args.command, options);
  },
});

/** Variables of a login elsewhere, which the program must not use. */
const OTHER_LOGIN = {
  ESIGN_PROFILE: undefined,
  ESIGN_CLIENT_ID: undefined,
  ESIGN_CLIENT_SECRET: undefined,
  ESIGN_REFRESH_TOKEN: undefined,
};

async function executeWithSandbox(
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
  return openSeed(path, context);
}

/** Explains why a program could not be started. */
function explainStart(error: unknown, program: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  const problem = { ENOENT: 'was not found', EACCES: 'cannot be run: permission denied' }[code];
  return cliError('program_not_started', {
    sentence: `"${program}" ${problem ?? `cannot be started (${code})`}.`,
    hint: 'Check the name after --, and PATH.',
  });
}

/** Shells add this to the number of a signal that ended a program. */
const ENDED_BY_SIGNAL = 128;

/**
 * Resolves with the exit code of the program, once it has ended and its output is closed.
 * @param words the program, and its arguments
 * @throws an error of the system with its code, such as ENOENT, when the program cannot be started
 */
async function runProgram(
  words: readonly string[],
  variables: Variables,
  passSignals: ProcessContext['passSignals'],
): Promise<number> {
  const [program = '', ...args] = words;
  const child = spawn(program, args, { stdio: 'inherit', env: { ...variables } });
  // A terminal sends SIGINT to the program as well. Two of them would end some programs without what they do at their end.
  const stopPassing = passSignals((signal, isFromTerminal) => {
    if (!isFromTerminal) child.kill(signal);
  });
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) =>
        resolve(signal === null ? (code ?? 0) : ENDED_BY_SIGNAL + constants.signals[signal]),
      );
    });
  } finally {
    stopPassing();
  }
}
