// What a refusal says in a header: how to authenticate, which methods there are, when to try again (RFC 6750 §3, RFC 9110
// §15.5.6, RFC 6585 §4). The OpenAPI document names them from the same table.
import type { ProblemCode, ProblemFacts, Refusal, RefusalOf } from './problems.ts';

export const HEADERS = {
  'WWW-Authenticate': 'Why the access token was refused (RFC 6750).',
  Allow: 'The methods that the path accepts, separated by commas.',
  'Retry-After': 'Seconds to wait before the next attempt.',
  'Idempotency-Replayed':
    '`true` if this is the first response to the same Idempotency-Key, returned again. Nothing was done again.',
} as const;

export type HeaderName = keyof typeof HEADERS;

type ProblemHeader<F> = { name: HeaderName; value: (facts: F) => string };

const challenge = <F>(text: (facts: F) => string): ProblemHeader<F> => ({
  name: 'WWW-Authenticate',
  value: (facts) => `Bearer error=${text(facts)}`,
});

export const PROBLEM_HEADERS: { readonly [C in ProblemCode]?: ProblemHeader<ProblemFacts[C]> } = {
  token_missing: challenge(() => '"invalid_request"'),
  token_invalid: challenge(() => '"invalid_token"'),
  token_expired: challenge(() => '"invalid_token"'),
  invalid_client: challenge(() => '"invalid_token"'),
  insufficient_scope: challenge(({ needed }) => `"insufficient_scope", scope="${needed}"`),
  method_not_allowed: { name: 'Allow', value: ({ allow }) => allow },
  reminded_recently: { name: 'Retry-After', value: ({ wait_seconds }) => String(wait_seconds) },
  rate_limited: { name: 'Retry-After', value: ({ wait_seconds }) => String(wait_seconds) },
  storage_unavailable: { name: 'Retry-After', value: () => '1' },
  receiving_busy: { name: 'Retry-After', value: () => '2' },
};

/** @returns by names in lower case, as a reply has them */
export const problemHeaders = (no: Refusal): Record<string, string> => headersOf(no);

/** Code and facts belong to each other, which only a type parameter can say. */
function headersOf<C extends ProblemCode>({ code, facts }: RefusalOf<C>): Record<string, string> {
  const header = PROBLEM_HEADERS[code];
  return header ? { [header.name.toLowerCase()]: header.value(facts) } : {};
}
