// Runs signature and initials fields: opens a dialog to adopt one, and fills in or removes an adopted one. The service renders
// them each time.
import { type Control, controlOf, focusableOf, isSignature, valueIn } from './fields.ts';
import { refresh } from './refresh.ts';
import { openSignatureDialog } from './signature-dialog.ts';

export type Signatures = {
  /** What is to stand in a field. */
  valueFor(control: Control | undefined): string;
  /** Fills in the adopted signature, or asks for one. */
  sign(control: Control): void;
  remove(id: string): void;
  /** The service has saved these values. */
  saved(values: readonly (readonly [Control, string])[]): void;
};

export type SignaturesParts = { save(control: Control): void; onRedrawn(): void; onOver(): void };

const RETRY_MS = 2000;

export function startSignatures(
  form: HTMLFormElement,
  { save, onRedrawn, onOver }: SignaturesParts,
): Signatures {
  /** Fields that the recipient has just filled in or emptied, until the service has saved and drawn them. */
  const wanted = new Map<string, { value: string; isSaved: boolean }>();
  let redrawing: Promise<void> = Promise.resolve();

  const want = (control: Control, value: string) => {
    wanted.set(control.dataset.control, { value, isSaved: false });
    save(control);
  };

  const valueFor = (control: Control): string =>
    (isSignature(control) ? wanted.get(control.dataset.control)?.value : undefined) ?? valueIn(control);

  /** One after another, so that no drawing of an earlier state comes last. */
  function redraw(): Promise<void> {
    redrawing = redrawing.then(saveDrawing, saveDrawing);
    return redrawing;
  }

  async function saveDrawing(): Promise<void> {
    const shown = [...wanted].filter(([, { isSaved }]) => isSaved);
    const outcome = await refresh(form);
    if (outcome === 'over') return onOver();
    if (outcome === 'failed') {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return saveDrawing();
    }
    // The recipient may have changed the field meanwhile.
    for (const [id, value] of shown) if (wanted.get(id) === value) wanted.delete(id);
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
        const now = wanted.get(dataset.control);
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

/** The field whose link to its signature was pressed. */
function pressedControl({ target }: Event): Control | undefined {
  const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[data-sign]');
  return link ? controlOf(link.closest<Control>('[data-control]')?.dataset.control ?? '') : undefined;
}

function sayNotReached(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-unkept]');
  if (place) place.textContent = form.dataset.notReached ?? '';
}
