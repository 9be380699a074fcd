// Buttons that may be pressed once: a second press, while the first is on its way, does nothing.

export function submitOnce(): void {
  document.addEventListener('submit', ({ submitter }) => {
    if (!(submitter instanceof HTMLButtonElement) || !submitter.matches('[data-once]')) return;
    // A button that is disabled at once would not be sent with its form.
    setTimeout(() => {
      submitter.disabled = true;
    });
  });
  window.addEventListener('pageshow', () => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-once]'))
      button.disabled = false;
  });
}
