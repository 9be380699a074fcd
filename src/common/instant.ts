// Writes points in time as the wire carries them, ISO 8601 in UTC with milliseconds, so that text order is time order; and reads lengths of
// time as people write them. The time of now comes in from a clock.

/** An instant is always written as `YYYY-MM-DDTHH:mm:ss.sssZ` (ISO 8601, spec §2), so that texts sort by time. */
export type Instant = string;

/** @param epochMs milliseconds since 1970-01-01T00:00Z */
export const instantOf = (epochMs: number): Instant => new Date(epochMs).toISOString();

/** Accepts what `instantOf` can write: 100 million days to either side of 1970 (ECMA-262, Time Values). */
export const isEpochMs = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) <= 8.64e15;

export const isInstant = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) && isEpochMs(Date.parse(text));

export const epochMsOf = (instant: Instant): number => Date.parse(instant);

/** Writes an instant for mail (RFC 5322 §3.3): `Sun, 01 Mar 2026 09:00:00 +0000`. */
export const mailDateOf = (instant: Instant): string =>
  new Date(instant).toUTCString().replace('GMT', '+0000');

export const addMs = (instant: Instant, byMs: number): Instant => instantOf(epochMsOf(instant) + byMs);

/** Returns the calendar day of an instant in a time zone such as Europe/Berlin, and in UTC for a zone that Node does not know. */
export function dayIn(instant: Instant, timeZone: string): string {
  try {
    const dateParts = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }).formatToParts(epochMsOf(instant));
    const { year = '', month, day } = Object.fromEntries(dateParts.map(({ type, value }) => [type, value]));
    return `${year.padStart(4, '0')}-${month}-${day}`;
  } catch {
    return instant.slice(0, 10);
  }
}

/** Accepts a calendar day that exists, written `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const MS_PER: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `30s`, `10m`, `2h`, `1d` as milliseconds. A number without a unit is ambiguous, so it is no duration. */
export function durationOf(text: string): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,3})?)(s|m|h|d)$/.exec(text.trim());
  return match ? Math.round(Number(match[1]) * (MS_PER[match[2] ?? ''] ?? Number.NaN)) : undefined;
}
