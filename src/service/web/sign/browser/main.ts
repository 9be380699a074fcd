// Starts the script of signing pages, all of which work without it. The texts come with the page, in the recipient's language.
import { fillInTimeZone, showLocalTimes } from './clock.ts';
import { watchTexts } from './document-pages.ts';
import { startFilling } from './filling.ts';
import { startSignatureForm } from './signature-form.ts';

fillInTimeZone();
showLocalTimes();
submitOnce();
watchTexts(document);
document.getElementById('problems')?.focus();

const fields = document.querySelector<HTMLFormElement>('form#fields');
const saver = fields ? startFilling(fields) : undefined;
submitOnChoice(async () => (await saver?.flush()) ?? true);
showFresh(() => saver?.hasUnsaved() ?? false);

const signature = document.querySelector<HTMLFormElement>('form#signature');
if (signature)
  startSignatureForm(signature, () => {
    const close = signature.querySelector<HTMLAnchorElement>('a[data-close]');
    if (close) location.assign(close.href);
  });

/**
 * Changes the language as soon as another one is chosen; the button for it is only there without the script.
 * @param save keeps what was typed; without success the page stays
 */
function submitOnChoice(save: () => Promise<boolean>): void {
  const form = document.querySelector<HTMLFormElement>('form.language');
  const choice = form?.querySelector('select');
  if (!form || !choice) return;
  for (const button of form.querySelectorAll('button')) button.hidden = true;
  const current = choice.value;
  choice.addEventListener('change', async () => {
    if (await save()) form.submit();
    else choice.value = current;
  });
}

/**
 * Reloads a page that the back button shows as it was left, so that it is up to date.
 * @param hasUnsaved what is not saved yet stays on the page
 */
function showFresh(hasUnsaved: () => boolean): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !hasUnsaved()) location.reload();
  });
}

/** Ignores further presses of a button while the first one is being processed. */
function submitOnce(): void {
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
