// Adds a button beside every date that enters the current day.
import { millisecondsAhead, today } from './clock.ts';

/** The clock of the service decides: that of a sandbox can be moved, and that of this machine may be wrong. */
export function offerToday(form: HTMLFormElement): void {
  const aheadMs = millisecondsAhead(form.dataset.now ?? '');
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-today]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const input = button.parentElement?.querySelector<HTMLInputElement>('input[type="date"]');
      if (!input) return;
      input.value = today(aheadMs);
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }
}
