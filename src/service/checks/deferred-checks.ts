// Runs slow checks of values: whether they match a pattern, and whether they can be drawn. They never run inside a commit,
// because other requests wait for it, and in small pieces, so that other requests are answered meanwhile. The code they need is
// loaded on first use.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '../../api/contract/limits.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import type { Field } from '../domain/transaction.ts';
import type { DeferredChecks, PatternResult } from '../domain/values.ts';

const engine = () => import('./pattern.ts');

type Patterned = { regex: string | null };

/**
 * Finds what is wrong with the patterns of the fields in a request. Only the first few are reported, because each takes time to
 * read.
 */
export async function findPatternErrors(fields: readonly Patterned[] = []): Promise<FieldError[]> {
  const read = new Map<string, string | undefined>();
  const errors: FieldError[] = [];
  for (const [position, { regex }] of fields.entries()) {
    if (regex === null) continue;
    if (!read.has(regex)) read.set(regex, await patternProblem(regex));
    const message = read.get(regex);
    if (message !== undefined) errors.push({ path: `fields.${position}.regex`, message });
    if (errors.length >= LIMITS.regexErrorsTold) break;
  }
  return errors;
}

async function patternProblem(regex: string): Promise<string | undefined> {
  await yieldToEventLoop();
  const pattern = (await engine()).readPattern(regex);
  return pattern.ok ? undefined : pattern.why;
}

/**
 * An attempt asks for the pattern and then the characters of each value, and values may change while they are checked.
 */
const ROUNDS = 20;

/**
 * Runs an attempt that asks for checks. A check that has not been made yet is answered "untried", with which the attempt
 * refuses and writes nothing; then all that it asked for are made, and it runs again, until it asks for nothing new. So the
 * result never depends on an "untried", except for a refusal after values that changed in each of many rounds.
 */
export async function withDeferredChecks<T>(attempt: (trials: DeferredChecks) => Promise<T>): Promise<T> {
  const matches = createChecks(tryPattern);
  const missing = createChecks(findMissingCharacters);
  const trials: DeferredChecks = {
    matches: (pattern, value) => matches.read([pattern, value], [pattern, value]),
    missing: (field, value) =>
      EVERYWHERE.test(value) ? [] : missing.read([field.id, value], [field, value]),
  };
  for (let roundsLeft = ROUNDS; ; roundsLeft -= 1) {
    const result = await attempt(trials);
    if ((matches.isComplete() && missing.isComplete()) || roundsLeft === 1) return result;
    await matches.run();
    await missing.run();
  }
}

/** Answers each check from its results so far. Unknown ones are queued for the next run. */
function createChecks<A extends unknown[], T>(check: (...input: A) => Promise<T>) {
  const results = new Map<string, T>();
  const pending = new Map<string, A>();
  return {
    read(by: readonly string[], input: A): T | 'untried' {
      const key = JSON.stringify(by);
      const answer = results.get(key);
      if (answer === undefined) pending.set(key, input);
      return answer ?? 'untried';
    },
    isComplete: () => pending.size === 0,
    async run(): Promise<void> {
      for (const [key, input] of pending) results.set(key, await check(...input));
      pending.clear();
    },
  };
}

/** Every font for text has these. */
const EVERYWHERE = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f\n\r\t]*$/;

async function findMissingCharacters(
  { type, font_family, bold, italic }: Field,
  value: string,
): Promise<readonly string[]> {
  await yieldToEventLoop();
  const { missingFor } = await import('../../pdf/write/missing.ts');
  return missingFor(value, { type, font_family, is_bold: bold, is_italic: italic });
}

async function tryPattern(source: string, value: string): Promise<PatternResult> {
  await yieldToEventLoop();
  const pattern = (await engine()).readPattern(source);
  if (!pattern.ok) return 'unusable';
  return pattern.matches(value) ? 'matches' : 'differs';
}
