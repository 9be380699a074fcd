// Reads time, time zone and language of the browser. It is the only file that does.

export const timeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';

/** How far another clock is ahead of that of this machine. @param instant its time now, as 2026-11-21T10:00:00.000Z */
export function millisecondsAhead(instant: string): number {
  const at = Date.parse(instant);
  return Number.isNaN(at) ? 0 : at - Date.now();
}

/** As a field for dates takes it, such as 2026-11-21. @param aheadMs of the clock that decides */
export function today(aheadMs: number): string {
  const now = new Date(Date.now() + aheadMs);
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${`${now.getFullYear()}`.padStart(4, '0')}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

const language = (): string => document.documentElement.lang;

/** With the zone named, as the service writes times. @param instant such as 2026-11-21T10:00:00.000Z */
export function formatBrowserTime(instant: string): string | undefined {
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return undefined;
  return new Intl.DateTimeFormat(language(), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}
