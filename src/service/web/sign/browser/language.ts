// Changes the language as soon as another one is chosen; the button for it is only there without the script.

/** @param keep keeps what was typed; without success the page stays */
export function submitOnChoice(keep: () => Promise<boolean>): void {
  const form = document.querySelector<HTMLFormElement>('form.language');
  const choice = form?.querySelector('select');
  if (!form || !choice) return;
  for (const button of form.querySelectorAll('button')) button.hidden = true;
  const shown = choice.value;
  choice.addEventListener('change', async () => {
    if (await keep()) form.submit();
    else choice.value = shown;
  });
}
