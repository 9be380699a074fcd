// Reads a date that is written by the pattern of a form field, such as `dd.mm.yyyy`, and writes it as fields of esign have it.
import { isCalendarDay } from '../common/instant.ts';

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** What stands for each part of a pattern. */
const PARTS: Record<string, string> = {
  d: '(?<day>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  m: '(?<month>\\d{1,2})',
  mm: '(?<month>\\d{1,2})',
  mmm: '(?<name>[a-z]{3})',
  mmmm: '(?<name>[a-z]{3,9})',
  yy: '(?<year>\\d{2})',
  yyyy: '(?<year>\\d{4})',
};

/** Reads a whole date. @returns `2026-11-30`; undefined where the text is none, or the pattern has no day, month and year */
export function readDate(text: string, pattern: string): string | undefined {
  const given = text.trim();
  if (isCalendarDay(given)) return given;
  const parts = pattern.match(/d+|m+|y+|[^dmy]+/g) ?? [];
  const source = parts.map((part) => PARTS[part] ?? part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('');
  const groups = matchOf(source, given)?.groups;
  if (!groups) return undefined;
  const { day, month, name, year } = groups;
  const number = name === undefined ? Number(month) : monthNamed(name);
  if (day === undefined || !number || year === undefined) return undefined;
  const iso = [century(year), String(number).padStart(2, '0'), day.padStart(2, '0')].join('-');
  return isCalendarDay(iso) ? iso : undefined;
}

/** A pattern that names a part twice, or a time, is no date. */
function matchOf(source: string, text: string): RegExpExecArray | undefined {
  try {
    return new RegExp(`^${source}$`, 'iu').exec(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const monthNamed = (name: string): number =>
  MONTHS.findIndex((month) => month === name.toLowerCase() || month.slice(0, 3) === name.toLowerCase()) + 1;

/** Two digits are a year from 1950 to 2049, as in forms of Acrobat. */
const century = (year: string): string =>
  year.length === 4 ? year : `${Number(year) < 50 ? '20' : '19'}${year}`;
