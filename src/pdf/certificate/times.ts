// Formats times as a certificate shows them: in UTC, followed by the local time of the person. It must never depend on the
// settings of this machine.

/** `2026-11-21 18:00:00 UTC`. */
export const inUtc = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/** `19:00:00 Europe/Berlin`, with the date where it is another one; undefined for an unknown zone, and for UTC. */
export function inZone(instant: string, timeZone: string | null): string | undefined {
  if (!timeZone || timeZone === 'UTC') return undefined;
  const parts = partsIn(instant, timeZone);
  if (!parts) return undefined;
  const date = `${parts.year}-${parts.month}-${parts.day}`;
  const time = `${parts.hour}:${parts.minute}:${parts.second}`;
  return `${date === instant.slice(0, 10) ? '' : `${date} `}${time} ${timeZone}`;
}

function partsIn(instant: string, timeZone: string): Record<string, string> | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    const parts = format.formatToParts(millisecondsOf(instant));
    return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  } catch {
    return undefined;
  }
}

/** `D:20261121180000Z`, as PDF writes times (ISO 32000-1, 7.9.4). */
export const asPdfDate = (instant: string): string => `D:${instant.slice(0, 19).replace(/\D/g, '')}Z`;

/** Milliseconds since 1970, computed from the calendar alone. */
function millisecondsOf(instant: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (instant.match(/\d+/g) ?? []).map(
    Number,
  );
  // Years that begin in March have their leap day at the end.
  const marchYear = month > 2 ? year : year - 1;
  const sinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const days =
    marchYear * 365 + leapDays + Math.floor((sinceMarch * 153 + 2) / 5) + day - 1 - DAYS_BEFORE_1970;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
}

/** From the first of March of the year 0. */
const DAYS_BEFORE_1970 = 719_468;
