// What takes time to find out about a value: whether it matches a pattern, and whether it can be drawn. Never inside a commit,
// for others wait behind it, and a little at a time, for others wait to be answered. What it takes is loaded when it is first
// needed: most who start this program need none of it.
import { setImmediate as others } from 'node:timers/promises';
import { LIMITS } from '../api/contract/limits.ts';
import type { FieldError } from '../api/contract/problems.ts';
import type { Field } from './domain/transaction.ts';
import type { Match, Trials } from './domain/values.ts';

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
 * Runs an attempt that may ask for trials. What it asks is answered "untried" the first time, with which it refuses and
 * writes nothing; all that was asked is then tried, and the attempt runs once more.
 */
export async function withTrials<T>(attempt: (trials: Trials) => Promise<T>): Promise<T> {
  const tried = new Map<string, Match>();
  const asked = new Map<string, { pattern: string; value: string }>();
  const drawn = new Map<string, readonly string[]>();
  const undrawn = new Map<string, { field: Field; value: string }>();
  const trials: Trials = {
    matches(pattern, value) {
      const key = JSON.stringify([pattern, value]);
      const known = tried.get(key);
      if (known === undefined) asked.set(key, { pattern, value });
      return known ?? 'untried';
    },
    missing(field, value) {
      if (EVERYWHERE.test(value)) return [];
      const key = JSON.stringify([field.id, value]);
      const known = drawn.get(key);
      if (known === undefined) undrawn.set(key, { field, value });
      return known ?? 'untried';
    },
  };
  const first = await attempt(trials);
  if (asked.size + undrawn.size === 0) return first;
  for (const [key, { pattern, value }] of asked) tried.set(key, await tryOut(pattern, value));
  for (const [key, { field, value }] of undrawn) drawn.set(key, await missingIn(field, value));
  return attempt(trials);
}

/** Every font for text has these. */
const EVERYWHERE = /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u017f\n\r\t]*$/;

async function missingIn(
  { type, font_family, bold, italic }: Field,
  value: string,
): Promise<readonly string[]> {
  await others();
  const { missingFor } = await import('../pdf/stamp/missing.ts');
  return missingFor(value, { type, font_family, is_bold: bold, is_italic: italic });
}

async function tryOut(source: string, value: string): Promise<Match> {
  await others();
  const pattern = (await engine()).readPattern(source);
  if (!pattern.ok) return 'unusable';
  return pattern.matches(value) ? 'matches' : 'differs';
}
