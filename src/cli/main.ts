// The exports of dist/main.cjs for the program that starts it (cli/start/start.ts): one run, and the name of its command.
import { commandIn, run } from './run.ts';

declare const __ESIGN_VERSION__: string;

export type Program = {
  /** Runs a command. Resolves when everything is done and printed; the exit code is that of the process. */
  run(words: readonly string[]): Promise<void>;
  /** `tx send`; empty for words that name no command. */
  commandIn(words: readonly string[]): string;
};

export const program: Program = {
  run: (words) => run(words, __ESIGN_VERSION__),
  commandIn,
};
