// A parsed command line: the command with its input, and the options of every command.
import type { CommandContext } from './context.ts';
import type { Outcome } from './outcome.ts';
import type { Settings } from './settings.ts';

export type Invocation = { settings: Settings; run(context: CommandContext): Promise<Outcome> };
