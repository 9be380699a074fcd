// Ignores further presses of a button while the first one is being processed.

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
