// Writes times for a person at a terminal: in their zone (TZ is respected) with its name, and how far away they are.
// Intl takes milliseconds to load, so a format is made when the first time is shown.
import { epochMsOf } from '../../common/instant.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/**
 * Writes a time: `2026-11-20T09:00:00.000Z` → `2026-11-20 10:00:00 CET`. Other text stays unchanged.
 * @param zone instead of that of the process
 */
export function formatLocalTime(instant: string, zone?: string): string {
  const ms = epochMsOf(instant);
  if (Number.isNaN(ms)) return instant;
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${parts.timeZoneName}`;
}

/** Writes the day of a time: `2026-11-20T09:00:00.000Z` → `20 November 2026`. */
export function formatLocalDay(instant: string, zone?: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(zone !== undefined && { timeZone: zone }),
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
  return format.format(epochMsOf(instant));
}

function formatFor(zone: string | undefined): Intl.DateTimeFormat {
  const stored = formats.get(zone);
  if (stored) return stored;
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(zone !== undefined && { timeZone: zone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  formats.set(zone, format);
  return format;
}

/** Writes the distance from now: `in 3 days`, `2 hours ago`, `in less than a minute`. Undefined for other text. */
export function formatDistance(instant: string, nowMs: number): string | undefined {
  const ms = epochMsOf(instant) - nowMs;
  if (Number.isNaN(ms)) return undefined;
  const [size, unit] = sized(Math.abs(ms));
  const words = size === 0 ? 'less than a minute' : `${size} ${unit}${size === 1 ? '' : 's'}`;
  return ms < 0 ? `${words} ago` : `in ${words}`;
}

/** Rounds a duration to the largest suitable unit. */
function sized(ms: number): [size: number, unit: string] {
  if (ms >= 1.5 * DAY_MS) return [Math.round(ms / DAY_MS), 'day'];
  if (ms >= 1.5 * HOUR_MS) return [Math.round(ms / HOUR_MS), 'hour'];
  return [Math.round(ms / MINUTE_MS), 'minute'];
}
