// Shows the service's own page for adopting a signature as a dialog over the documents.
import { getPart } from './requests.ts';
import { startSignatureForm } from './signature-form.ts';

export type DialogParts = {
  /** The dialog closes when this is done. */
  onAdopted(): Promise<void>;
  onClosed(): void;
};

export async function openSignatureDialog(
  address: string,
  { onAdopted, onClosed }: DialogParts,
): Promise<'open' | 'over' | 'failed'> {
  if (document.querySelector('dialog.signing')) return 'open';
  const got = await getPart(address);
  if (got.kind !== 'part') return got.kind === 'over' ? 'over' : 'failed';
  const form = got.part.querySelector<HTMLFormElement>('form#signature');
  if (!form) return 'failed';
  const dialog = document.createElement('dialog');
  dialog.className = 'signing';
  dialog.setAttribute('aria-labelledby', 'signing-title');
  const title = document.createElement('h2');
  title.id = 'signing-title';
  title.textContent = got.part.querySelector('h1')?.textContent ?? '';
  const lead = got.part.querySelector('p.lead');
  form.classList.remove('sheet');
  dialog.append(title, ...(lead ? [lead] : []), form);
  document.body.append(dialog);
  startSignatureForm(form, async () => {
    await onAdopted();
    dialog.close();
  });
  form.querySelector('a[data-close]')?.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClosed();
  });
  dialog.showModal();
  return 'open';
}
