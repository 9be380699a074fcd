// Shows times in the zone of the browser, and sends that zone with the consent.
import { formatBrowserTime, timeZone } from './clock.ts';

export function fillInTimeZone(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-time-zone]'))
    input.value = timeZone();
}

export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]'))
    time.textContent = formatBrowserTime(time.dateTime) ?? time.textContent;
}
