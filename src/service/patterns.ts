// When patterns are read and tried: never inside a commit, for others wait behind it, and a little at a time, for
// others wait to be answered. The engine is loaded with the first pattern: most who start this program meet none.
import { setImmediate as others } from 'node:timers/promises';
import { LIMITS } from '../api/contract/limits.ts';
import type { FieldError } from '../api/contract/problems.ts';
import type { Match, Matches } from './domain/values.ts';

const engine = () => import('./pattern.ts');

type Patterned = { regex: string | null };

/** What is wrong with the patterns of the fields in a request. The first few are told, each costs time to read. */
export async function patternErrors(fields: readonly Patterned[] = []): Promise<FieldError[]> {
  const read = new Map<string, string | undefined>();
  const errors: FieldError[] = [];
  for (const [position, { regex }] of fields.entries()) {
    if (regex === null) continue;
    if (!read.has(regex)) read.set(regex, await whyNot(regex));
    const message = read.get(regex);
    if (message !== undefined) errors.push({ path: `fields.${position}.regex`, message });
    if (errors.length >= LIMITS.regexErrorsTold) break;
  }
  return errors;
}

async function whyNot(regex: string): Promise<string | undefined> {
  await others();
  const pattern = (await engine()).readPattern(regex);
  return pattern.ok ? undefined : pattern.why;
}

/**
 * Runs an attempt that may ask whether values match patterns. What it asks is answered "untried" the first time, with
 * which it refuses and writes nothing; all that was asked is then tried, and the attempt runs once more.
 */
export async function withPatterns<T>(attempt: (matches: Matches) => Promise<T>): Promise<T> {
  const tried = new Map<string, Match>();
  const asked = new Map<string, { pattern: string; value: string }>();
  const matches: Matches = (pattern, value) => {
    const key = JSON.stringify([pattern, value]);
    const known = tried.get(key);
    if (known === undefined) asked.set(key, { pattern, value });
    return known ?? 'untried';
  };
  const first = await attempt(matches);
  if (asked.size === 0) return first;
  for (const [key, { pattern, value }] of asked) tried.set(key, await tryOut(pattern, value));
  return attempt(matches);
}

async function tryOut(source: string, value: string): Promise<Match> {
  await others();
  const pattern = (await engine()).readPattern(source);
  if (!pattern.ok) return 'unusable';
  return pattern.matches(value) ? 'matches' : 'differs';
}
