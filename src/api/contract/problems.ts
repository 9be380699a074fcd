// Every refusal of the service: a stable code, the HTTP status, and the sentence a person reads: what happened, with which
// value, and what to do. The shape is RFC 9457 `application/problem+json` with the members `code` and `errors` (assumed: A25).
// A sentence must never need a fact that its code does not have.
import { accessProblems } from './problems/access.ts';
import { contentProblems } from './problems/content.ts';
import { failureProblems } from './problems/failure.ts';
import { requestProblems } from './problems/request.ts';
import type { None, Row } from './problems/row.ts';
import { stateProblems } from './problems/state.ts';
import { unknownProblems } from './problems/unknown.ts';

/** A value that is wrong, where it stands and why. `path` is dotted, `fields.0.width`. */
export type FieldError = { path: string; message: string };

const ROWS = {
  ...requestProblems,
  ...accessProblems,
  ...unknownProblems,
  ...stateProblems,
  ...contentProblems,
  ...failureProblems,
};

export type ProblemCode = keyof typeof ROWS;

/** The facts that a refusal carries, by its code. */
export type ProblemFacts = {
  [C in ProblemCode]: (typeof ROWS)[C] extends Row<infer F> ? F : never;
};

export const PROBLEMS: { readonly [C in ProblemCode]: Row<ProblemFacts[C]> } = ROWS;

/** A business refusal as data: operations return or throw it, and the codec turns it into a response. */
export type RefusalOf<C extends ProblemCode> = {
  [K in C]: { code: K; facts: ProblemFacts[K]; errors: FieldError[] };
}[C];

export type Refusal = RefusalOf<ProblemCode>;

/** The codes whose sentences need no facts. */
export type FactlessCode = {
  [C in ProblemCode]: None extends ProblemFacts[C] ? C : never;
}[ProblemCode];

export function refusal<C extends FactlessCode>(
  code: C,
  facts?: ProblemFacts[C],
  errors?: FieldError[],
): RefusalOf<C>;
export function refusal<C extends ProblemCode>(
  code: C,
  facts: ProblemFacts[C],
  errors?: FieldError[],
): RefusalOf<C>;
export function refusal(code: ProblemCode, facts: object = {}, errors: FieldError[] = []): object {
  return { code, facts, errors };
}

/** Code and facts belong to each other, which only a type parameter can say. */
export const sentenceOf = <C extends ProblemCode>({ code, facts }: RefusalOf<C>): string =>
  PROBLEMS[code].detail(facts);

/** The body of a refusal on the wire (RFC 9457 §3). */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: ProblemCode;
  errors?: FieldError[];
};

/** @param instance the request id, as a URN, so that a log line can be found from a report. */
export function problemOf(no: Refusal, instance: string): Problem {
  const { status, title } = PROBLEMS[no.code];
  return {
    type: `urn:esign:problem:${no.code}`,
    title,
    status,
    detail: sentenceOf(no),
    instance,
    code: no.code,
    ...(no.errors.length > 0 && { errors: no.errors }),
  };
}
