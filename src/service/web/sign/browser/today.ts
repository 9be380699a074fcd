// Adds a button beside every date that enters the current day.
import { today } from './clock.ts';

export function offerToday(form: HTMLFormElement): void {
  for (const button of form.querySelectorAll<HTMLButtonElement>('button[data-today]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const input = button.parentElement?.querySelector<HTMLInputElement>('input[type="date"]');
      if (!input) return;
      input.value = today();
      input.dispatchEvent(new Event('change', { bubbles: true }));
    });
  }
}
