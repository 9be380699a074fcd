// The errors that a command throws. Their sentences and exit codes are in the error catalogue.
import type { FieldError } from '../../api/contract/problems.ts';
import { CATALOGUE, type CliErrorCode, type FactsOf } from './error-catalogue.ts';
import type { ErrorRow, NextStep, NoFacts } from './error-row.ts';
import type { ExitCode } from './exit-codes.ts';

/** What exists already when a command fails after it has done something. */
export type DoneSoFar = { id?: string | undefined; plan?: string | undefined };

/** What a refusal of the command line carries beside its sentence. */
type Carried = {
  code: CliErrorCode;
  exit: ExitCode;
  hint: string | undefined;
  retryable: boolean;
  errors: readonly FieldError[];
  next: readonly NextStep[];
};

/** An error that a command can explain. Only {@link cliError} makes it. */
export class CliError extends Error {
  override name = 'CliError';
  readonly facts: Carried;

  constructor(message: string, facts: Carried) {
    super(message);
    this.facts = facts;
  }
}

/** @property errors every wrong value, where there is more than one */
type More = { errors?: readonly FieldError[] };

type Given<C extends CliErrorCode> =
  NoFacts extends FactsOf<C> ? [facts?: FactsOf<C>, more?: More] : [facts: FactsOf<C>, more?: More];

/** Makes an error with the sentences of the catalogue. @param code which row, and the facts that its sentences need */
export function cliError<C extends CliErrorCode>(code: C, ...[given, more = {}]: Given<C>): CliError {
  const row = CATALOGUE[code] as unknown as ErrorRow<FactsOf<C>>;
  const facts = (given ?? {}) as FactsOf<C>;
  return new CliError(row.sentence(facts), {
    code,
    exit: typeof row.exit === 'function' ? row.exit(facts) : row.exit,
    hint: row.hint?.(facts),
    retryable: row.retryable ?? false,
    errors: more.errors ?? [],
    next: row.next?.(facts) ?? [],
  });
}

/** Any error, together with what the command had done by then. It keeps its own exit code unless `exit` says otherwise. */
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

/** @property ids those of all things with the name; without a name, what was meant itself */
export type MeantName = { name: string | undefined; ids: readonly string[] };

/** An error about a name that is not known, with what was probably meant. */
export class UnknownName extends Error {
  override name = 'UnknownName';
  readonly meant: MeantName;

  constructor(cause: unknown, meant: MeantName) {
    super('The name is not known.', { cause });
    this.meant = meant;
  }
}

/** Thrown at the next safe place after a signal. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.signal = signal;
  }
}
