// Runs one command inside of another that stays, as `esign mcp` does for each call of a tool. It prints nothing and asks nothing, and
// closes everything at its end as a command of its own would.
import type { Environment } from '../config/environment.ts';
import { createApp } from './app.ts';
import type { Command, RawInput } from './command/command.ts';
import type { CommandAnswer, CommandCall, ProgramDescription } from './command/context.ts';
import type { OptionSpec } from './command/description.ts';
import { EXIT } from './command/exit-codes.ts';
import type { Settings } from './command/settings.ts';
import { nodeAt, type Tree } from './command/tree.ts';
import { runChecked } from './program.ts';
import type { Sink, Streams } from './terminal/streams.ts';

type Surroundings = {
  tree: Tree;
  environment: Environment;
  program: ProgramDescription;
  engineProgram: string | undefined;
};

export async function runCommand(
  call: CommandCall,
  { tree, environment, program, engineProgram }: Surroundings,
): Promise<CommandAnswer> {
  const command = await nodeAt(call.path, tree)?.node.load?.();
  if (!command) throw new Error(`There is no command ${call.path.join(' ')}.`);
  const app = await createApp({
    settings: settingsOf(call),
    streams: SILENT,
    environment: call.caller?.environment ?? { ...environment, workingDir: call.workingDir },
    connectCaller: call.caller?.connect,
    program,
    engineProgram,
    onSignal(stop) {
      const { signal } = call;
      if (signal.aborted) stop('SIGTERM');
      else signal.addEventListener('abort', () => stop('SIGTERM'), { once: true });
    },
  });
  let hasFailed = true;
  try {
    const input = wholeInputOf(command, call);
    const outcome = await runChecked(app.context, { path: call.path, command, input }, {});
    hasFailed = false;
    return { json: outcome.json, exit: outcome.exit ?? EXIT.done };
  } finally {
    await app.close(hasFailed);
  }
}

/** Adds what the parser would have added for options that nobody typed. */
function wholeInputOf(command: Command, { args, options }: CommandCall): RawInput {
  const absent = ({ value, repeat, default: initial }: OptionSpec): unknown =>
    value === undefined ? false : (initial ?? (repeat ? [] : undefined));
  return {
    args: Object.fromEntries(
      command.arguments.map(({ name, repeat }) => [name, args[name] ?? (repeat ? [] : undefined)]),
    ),
    options: Object.fromEntries(
      Object.entries(command.options).map(([name, spec]) => [name, options[name] ?? absent(spec)]),
    ),
  };
}

const settingsOf = ({ profile, isConfirmed, confirmed }: CommandCall): Settings => ({
  profile,
  sandbox: profile === undefined,
  json: true,
  select: undefined,
  jq: undefined,
  color: 'never',
  quiet: true,
  debug: false,
  input: false,
  yes: isConfirmed,
  actions: false,
  reveal: false,
  ignoresProject: true,
  confirmed,
});

const DISCARDED: Sink = { write: () => undefined, isTerminal: false, columns: undefined };

const SILENT: Streams = {
  out: DISCARDED,
  err: DISCARDED,
  isInputTerminal: false,
  async *input() {},
};
