// Reads the values of options and arguments: numbers, durations, times, pages, and the pages of a list.

import { LIMITS } from '../../api/contract/limits.ts';
import type { ReceivedPages } from '../../api/contract/values.ts';
import { durationOf, epochMsOf, type Instant, instantOf } from '../../common/instant.ts';
import { type CliError, cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';

/**
 * @param name the flag or argument, for the error
 * @param kind what is counted, for the error
 */
export function wholeNumber(
  name: string,
  text: string,
  min: number,
  max: number,
  kind = 'a whole number',
): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw invalidValue({ name, value: text, use: `${kind} from ${min} to ${max}` });
  return value;
}

const UNITS = { d: { name: 'days', ms: 86_400_000 }, s: { name: 'seconds', ms: 1000 } } as const;

/**
 * Reads a whole number of days or seconds, with or without a unit: `14` and `14d`, or `90` and `2m`.
 * @param unit of a number without one
 */
export function wholeUnits(
  name: string,
  text: string,
  { unit, min, max }: { unit: keyof typeof UNITS; min: number; max: number },
): number {
  const { name: units, ms } = UNITS[unit];
  const duration = durationOf(text);
  if (duration === undefined) return wholeNumber(name, text, min, max, `a number of ${units}`);
  const count = duration / ms;
  const use = `a number of ${units} from ${min} to ${max}`;
  if (!Number.isInteger(count))
    throw invalidValue({ name, value: text, problem: `is not a whole number of ${units}`, use });
  if (count < min || count > max) throw invalidValue({ name, value: text, use });
  return count;
}

export type PageInput = { limit: string; page: string; all: boolean };

type ListedPage<T> = { items: T[]; meta?: ReceivedPages | undefined };

type PagesRead<T> = { items: T[]; json: unknown; lines?: readonly T[] };

/** Reads one page or all. @param read requests one page */
export async function readPages<T>(
  { limit, page, all }: PageInput,
  read: (query: { limit: string; page: string }) => Promise<ListedPage<T>>,
): Promise<PagesRead<T>> {
  const size = wholeNumber('--limit', limit, 1, LIMITS.pageSizeMax);
  const first = wholeNumber('--page', page, 1, LIMITS.pageNumberMax);
  const readPage = (number: number) =>
    read({ limit: String(all ? LIMITS.pageSizeMax : size), page: String(number) });
  if (!all) {
    const { items, meta } = await readPage(first);
    return { items, json: { items, meta: meta ?? null } };
  }
  const items: T[] = [];
  for (let number = 1; ; ) {
    const { items: some, meta } = await readPage(number);
    items.push(...some);
    const next = meta?.next_page;
    // A service that always returns the same page must not keep the command running for ever.
    if (!meta || meta.is_last_page || !next || next <= number)
      return { items, json: { items }, lines: items };
    number = next;
  }
}

/** Parses the option. Pages count from 0 in what it returns. @throws CliError exit 2 for anything else */
export function parsePage(text: string | undefined): number | 'last' | undefined {
  if (text === undefined || text === 'last') return text;
  return wholeNumber('--page', text, 1, LIMITS.pagesPerDocument) - 1;
}

/** @param page counts from 0 @param document as it stands in the sentence */
export const pageUnknown = (page: number, document: string, count: number): CliError =>
  cliError('page_unknown', {
    sentence: `There is no page ${page + 1}: ${document} has ${count} ${count === 1 ? 'page' : 'pages'}.`,
    hint: 'Page numbers start at 1. Use "last" for the last page.',
  });

const LONGEST_MS = 365 * 86_400_000;

/**
 * Parses a duration such as `30s` or `1d`, of at most a year.
 * @param flag for the error
 * @returns milliseconds
 */
export function parseDuration(flag: string, text: string): number {
  const ms = durationOf(text);
  if (ms === undefined || ms > LONGEST_MS)
    throw invalidValue({
      name: flag,
      value: text,
      ...(ms !== undefined && { problem: 'is longer than a year' }),
      use: 'a duration such as 30s, 10m, 2h or 1d',
    });
  return ms;
}

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Parses an instant.
 * @param name of the option or argument, for the error
 * @returns milliseconds since 1970
 */
export function parseInstant(name: string, text: string): number {
  const time = FORM.test(text) ? epochMsOf(text) : Number.NaN;
  if (Number.isNaN(time))
    throw invalidValue({
      name,
      value: text,
      use: 'a day, or a time with its zone, such as 2026-11-21 or 2026-11-21T18:00:00Z',
    });
  return time;
}

/** @param name of the argument or option. @throws value_invalid for what is no instant, or none that the clock can show */
export function parseClockTime(name: string, text: string): Instant {
  const instant = instantOf(parseInstant(name, text));
  if (instant < LIMITS.clockEarliest || instant >= LIMITS.clockLatest)
    throw invalidValue({
      name,
      value: text,
      problem: 'is outside of the years 1970 to 8999',
      use: 'an instant such as 2030-01-01',
    });
  return instant;
}
