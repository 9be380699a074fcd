// The errors that a command throws. A sentence and a hint stand where the error is thrown; error-codes.ts has the exit code of each code.
import type { FieldError } from '../../api/contract/problems.ts';
import { ERROR_CODES, type ErrorCode, RETRYABLE } from './error-codes.ts';
import type { ExitCode } from './exit-codes.ts';

/** The command leads on from an error, or from what was done. */
export type NextStep = { command: string; when: string };

type Explanation = {
  /** What happened, and which value. One or two whole sentences. */
  sentence: string;
  /** What to do next, in whole sentences. */
  hint?: string | undefined;
  next?: readonly NextStep[];
  /** Every wrong value, where there is more than one. */
  errors?: readonly FieldError[];
  /** An exit code other than that of the code. */
  exit?: ExitCode;
};

/** Makes an error that a command can explain. */
export function cliError(
  code: ErrorCode,
  { sentence, hint, next = [], errors = [], exit = ERROR_CODES[code][0] }: Explanation,
): CliError {
  return new CliError(sentence, { code, exit, hint, retryable: RETRYABLE.has(code), errors, next });
}

/** A command can explain this error. Only {@link cliError} makes it. */
export class CliError extends Error {
  override name = 'CliError';
  readonly facts: {
    code: ErrorCode;
    exit: ExitCode;
    hint: string | undefined;
    retryable: boolean;
    errors: readonly FieldError[];
    next: readonly NextStep[];
  };

  constructor(message: string, facts: CliError['facts']) {
    super(message);
    this.facts = facts;
  }
}

/**
 * What exists already when a command fails after it has done something.
 * @property results of the events that were forwarded; `events` and `arrived` count them
 */
export type DoneSoFar = {
  id?: string | undefined;
  plan?: string | undefined;
  events?: number;
  arrived?: number;
  results?: readonly object[];
};

/** Wraps any error with what the command had done by then. The error keeps its exit code unless `exit` says otherwise. */
export class PartialFailure extends Error {
  override name = 'PartialFailure';
  readonly facts: { partial: DoneSoFar; hint?: string; exit?: ExitCode; next: readonly NextStep[] };

  constructor(
    cause: unknown,
    facts: { partial: DoneSoFar; hint?: string; exit?: ExitCode; next?: readonly NextStep[] },
  ) {
    super('Stopped on the way.', { cause });
    this.facts = { next: [], ...facts };
  }
}

/**
 * @property ids those of all things with the name; without a name, what was meant itself
 * @property typed what was typed for the ID
 * @property kind a noun, such as `template`
 */
export type MeantName = { name: string | undefined; ids: readonly string[]; typed?: string; kind?: string };

/** An error about a name that is not known, with what was probably meant. */
export class UnknownName extends Error {
  override name = 'UnknownName';
  readonly meant: MeantName;

  constructor(cause: unknown, meant: MeantName) {
    super('The name is not known.', { cause });
    this.meant = meant;
  }
}

/** A command throws this at the next safe place after a signal. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.signal = signal;
  }
}
