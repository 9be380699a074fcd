// Shows times in the zone of the browser, and sends that zone with the consent.
import { localTime, timeZone } from './clock.ts';

export function tellTimeZone(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-time-zone]'))
    input.value = timeZone();
}

export function showLocalTimes(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]'))
    time.textContent = localTime(time.dateTime) ?? time.textContent;
}
