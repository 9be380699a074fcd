// What was typed, understood: which command, with what, and what holds for every command.
import type { App } from './app.ts';
import type { Outcome } from './outcome.ts';
import type { Settings } from './settings.ts';

export type Invocation = { settings: Settings; run(app: App): Promise<Outcome> };
