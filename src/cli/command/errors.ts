// The errors that a command throws. What they say and how they end stands in the error catalogue.
import type { FieldError } from '../../api/contract/problems.ts';
import { CATALOGUE, type CliErrorCode, type FactsOf } from './error-catalogue.ts';
import type { ErrorRow, NextStep, NoFacts } from './error-row.ts';
import type { ExitCode } from './exit-codes.ts';

/** What exists already when a command fails on the way. */
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

/** An error that a command knows how to explain. Made by {@link cliError} alone. */
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

/** A refusal with the words of the catalogue. @param code which row, and the facts that its sentences need */
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

/** Any error, with what was done by then. It keeps its own exit code unless `exit` says otherwise. */
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

/** A signal came, and the command stopped at the next safe place. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly signal: 'SIGINT' | 'SIGTERM';

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super('Interrupted.');
    this.signal = signal;
  }
}
