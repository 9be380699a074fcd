// Shows times in the zone of the browser, sends that zone with the consent, and enters the current day. It is the only file that
// reads the clock.
export function fillInTimeZone(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>('input[data-time-zone]'))
    input.value = new Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';
}

/** Times are written as the service writes them, with the zone named. */
export function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[datetime]')) {
    const at = Date.parse(time.dateTime);
    if (!Number.isNaN(at)) time.textContent = format.format(at);
  }
}

/** The clock of the service decides: that of a sandbox can be moved, and that of this machine may be wrong. */
export function offerToday(form: HTMLFormElement): void {
  const serviceTime = Date.parse(form.dataset.now ?? '');
  const aheadMs = Number.isNaN(serviceTime) ? 0 : serviceTime - Date.now();
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-today]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const input = button.parentElement?.querySelector<HTMLInputElement>('input[type="date"]');
      if (!input) return;
      input.value = dateOf(new Date(Date.now() + aheadMs));
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }
}

/** @returns a date such as 2026-11-21, which is the value of an input for dates */
function dateOf(time: Date): string {
  const two = (number: number) => `${number}`.padStart(2, '0');
  return `${`${time.getFullYear()}`.padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
