// The shape of one row of the error catalogue. A row is data and a few pure functions: it must not read anything.
import type { ExitCode } from './exit-codes.ts';

export type NextStep = { command: string; when: string };

/** @typeParam F the facts that a sentence of this code needs */
export type ErrorRow<F> = {
  exit: ExitCode | ((facts: F) => ExitCode);
  retryable?: true;
  /** What happened, and which value. One or two whole sentences. */
  sentence: (facts: F) => string;
  /** What to do next, in whole sentences. */
  hint?: (facts: F) => string | undefined;
  /** The next commands to run. */
  next?: (facts: F) => readonly NextStep[];
  /** Facts that show every form of the sentence; the documents show the first one. */
  samples: readonly [F, ...F[]];
};

/** The facts of a code that needs none. */
export type NoFacts = Readonly<Record<string, never>>;

export const errorRow = <F extends object>(described: ErrorRow<F>): ErrorRow<F> => described;

type Plain = Pick<ErrorRow<NoFacts>, 'retryable'> & { exit: ExitCode; sentence: string; hint?: string };

/** Makes a row whose sentence is always the same. */
export const plainErrorRow = ({ sentence, hint, ...rest }: Plain): ErrorRow<NoFacts> => ({
  ...rest,
  sentence: () => sentence,
  hint: () => hint,
  samples: [{}],
});
