// Tries a sender's regular expressions on a recipient's values. Both come from outside, so the dialect is RE2: its
// expressions run in linear time, and what cannot (look-around, back-references) is refused by name when a field is
// defined. It needs nothing of Node, so that a page in a browser can use it. Load it with the first pattern only.
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { LIMITS } from '../../api/contract/limits.ts';

export type Pattern = { ok: true; matches: (value: string) => boolean } | { ok: false; why: string };

/** @returns what tries whole values; or why the expression cannot be used, to follow the name of the property */
export function readPattern(source: string): Pattern {
  try {
    const expression = RE2JS.compile(withCodePoints(source));
    return expression.programSize() > LIMITS.regexProgramSize
      ? {
          ok: false,
          why: `"${source}" is too large, because its repetitions multiply. Use max_length instead`,
        }
      : { ok: true, matches: (value) => expression.testExact(value) };
  } catch (error) {
    return { ok: false, why: reasonOf(source, error) };
  }
}

/** JavaScript writes a character by its number as \uXXXX or \u{X}, RE2 as \x{X}. The rest is written alike. */
const withCodePoints = (source: string): string =>
  source.replaceAll(ESCAPE, (as, high?: string, low?: string, four?: string, braced?: string) => {
    const digits = high && low ? joined(high, low) : (four ?? braced);
    return digits === undefined ? as : `\\x{${digits}}`;
  });

/** It matches both halves of a surrogate pair, a \u of either form, or any other escape, which stays. */
const ESCAPE =
  /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|[\s\S])/g;

const joined = (high: string, low: string): string =>
  String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0)?.toString(16) ?? '';

/** Senders may know these from other dialects, but RE2 does not have them. They are recognised by their beginning. */
const BEYOND: [RegExp, string][] = [
  [/^\(\?[=!]/, 'a look-ahead'],
  [/^\(\?<[=!]/, 'a look-behind'],
  [/^\\[1-9k]|^\(\?P$/, 'a back-reference'],
  [/^\(\?>/, 'an atomic group'],
];

function reasonOf(source: string, error: unknown): string {
  if (!(error instanceof RE2JSSyntaxException)) return `"${source}" is not a valid regular expression`;
  const where = error.input ?? '';
  const beyond = BEYOND.find(([start]) => start.test(where))?.[1];
  if (beyond) return `"${source}" uses ${beyond}, which RE2 patterns do not support`;
  return `"${source}" is not a valid RE2 regular expression: ${error.error}`;
}
