// Starts the script of signing pages, all of which work without it. This file only connects the parts; the texts come with the
// page, in the recipient's language.
import { submitOnce } from './buttons.ts';
import { startFilling } from './filling.ts';
import { submitOnChoice } from './language.ts';
import { showFresh } from './returning.ts';
import { startSignatureForm } from './signature-form.ts';
import { watchTexts } from './text-layer.ts';
import { fillInTimeZone, showLocalTimes } from './times.ts';

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
