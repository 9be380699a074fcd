// Runs signature and initials fields: opens the service's own page for adopting one as a dialog over the documents, and fills in or
// removes an adopted one. The service renders them each time.
import { type Control, controlOf, focusableOf, isSignature, refresh, valueIn } from './fields.ts';
import { getPart } from './requests.ts';
import { startSignatureForm } from './signature-form.ts';

export type Signatures = {
  /** Returns the text that is to stand in a field. */
  valueFor(control: Control | undefined): string;
  /** Fills in the adopted signature, or asks for one. */
  sign(control: Control): void;
  remove(id: string): void;
  /** Saving calls this when the service has these values. */
  saved(values: readonly (readonly [Control, string])[]): void;
};

type SignatureHandlers = { save(control: Control): void; onRedrawn(): void; onOver(): void };

const RETRY_MS = 2000;

export function startSignatures(
  form: HTMLFormElement,
  { save, onRedrawn, onOver }: SignatureHandlers,
): Signatures {
  /**
   * These are the fields that the recipient has just filled in or emptied, until the service has saved and drawn them.
   */
  const pending = new Map<string, { value: string; isSaved: boolean }>();
  let redrawing: Promise<void> = Promise.resolve();

  const want = (control: Control, value: string) => {
    pending.set(control.dataset.control, { value, isSaved: false });
    save(control);
  };

  const valueFor = (control: Control): string =>
    (isSignature(control) ? pending.get(control.dataset.control)?.value : undefined) ?? valueIn(control);

  /** Draws one state after another, so that no drawing of an earlier state comes last. */
  function redraw(): Promise<void> {
    redrawing = redrawing.then(saveDrawing, saveDrawing);
    return redrawing;
  }

  async function saveDrawing(): Promise<void> {
    const shown = [...pending].filter(([, { isSaved }]) => isSaved);
    const outcome = await refresh(form);
    if (outcome === 'over') return onOver();
    if (outcome === 'failed') {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return saveDrawing();
    }
    // The recipient may have changed the field meanwhile.
    for (const [id, value] of shown) if (pending.get(id) === value) pending.delete(id);
    onRedrawn();
  }

  async function openDialog(control: Control): Promise<void> {
    const opened = await adoptFor(control, redraw);
    if (opened === 'over') onOver();
    if (opened === 'failed') sayNotReached(form);
  }

  const sign = (control: Control) => {
    if (control.hasAttribute('data-adopted') && valueFor(control) === '') want(control, 'adopted');
    else void openDialog(control);
  };

  form.addEventListener('click', (event) => {
    const control = pressedControl(event);
    // A new tab or window has the page of its own.
    if (!control || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sign(control);
  });

  return {
    valueFor: (control) => (control ? valueFor(control) : ''),
    sign,
    remove: (id) => {
      const control = controlOf(id);
      if (control) want(control, '');
    },
    saved: (values) => {
      const signed = values.filter(([control]) => isSignature(control));
      for (const [{ dataset }, value] of signed) {
        const now = pending.get(dataset.control);
        if (now?.value === value) now.isSaved = true;
      }
      if (signed.length > 0) void redraw();
    },
  };
}

/** Opens the dialog in which a signature is adopted. The focus returns to the field, which the service may have rendered anew. */
function adoptFor(control: Control, onAdopted: () => Promise<void>) {
  const id = control.dataset.control;
  const address = control.querySelector<HTMLAnchorElement>('a[data-sign]')?.href ?? '';
  return openSignatureDialog(address, {
    onAdopted,
    onClosed: () => {
      const now = controlOf(id);
      if (now) focusableOf(now).focus({ preventScroll: true });
    },
  });
}

/** Finds the field whose link to its signature was pressed. */
function pressedControl({ target }: Event): Control | undefined {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-sign]');
  return link ? controlOf(link.closest<Control>('[data-control]')?.dataset.control ?? '') : undefined;
}

function sayNotReached(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-unkept]');
  if (place) place.textContent = form.dataset.notReached ?? '';
}

type DialogHandlers = {
  /** The dialog closes when this is done. */
  onAdopted(): Promise<void>;
  onClosed(): void;
};

async function openSignatureDialog(
  address: string,
  { onAdopted, onClosed }: DialogHandlers,
): Promise<'open' | 'over' | 'failed'> {
  if (document.querySelector('dialog.signing')) return 'open';
  const response = await getPart(address);
  if (response.kind !== 'part') return response.kind === 'over' ? 'over' : 'failed';
  const form = response.part.querySelector<HTMLFormElement>('form#signature');
  if (!form) return 'failed';
  const dialog = document.createElement('dialog');
  dialog.className = 'signing';
  dialog.setAttribute('aria-labelledby', 'signing-title');
  const title = document.createElement('h2');
  title.id = 'signing-title';
  title.textContent = response.part.querySelector('h1')?.textContent ?? '';
  const lead = response.part.querySelector('p.lead');
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
