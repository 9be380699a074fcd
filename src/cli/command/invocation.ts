// What was typed, understood: which command, with what, and what holds for every command.
import type { CommandContext } from './context.ts';
import type { Outcome } from './outcome.ts';
import type { Settings } from './settings.ts';

export type Invocation = { settings: Settings; run(context: CommandContext): Promise<Outcome> };
