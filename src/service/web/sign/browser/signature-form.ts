// Runs the form for adopting a signature, in the dialog or on a page of its own: drawing, typing and a picture as tabs, with a
// preview. Error messages come from the service.

import { type SignatureDrawing, startDrawing } from './drawing.ts';
import { showPreview } from './preview.ts';
import { postForm } from './requests.ts';
import { showTabs } from './tabs.ts';

type SignatureTab = 'draw' | 'type' | 'upload';

const KINDS: Record<SignatureTab, string> = { draw: 'drawn', type: 'typed', upload: 'uploaded' };

/** @param onAdopted the button stays pressed until this is done */
export function startSignatureForm(form: HTMLFormElement, onAdopted: () => Promise<void> | void): void {
  const panelOf = (way: SignatureTab) => form.querySelector<HTMLElement>(`[data-way="${way}"]`);
  const canvas = form.querySelector<HTMLCanvasElement>('canvas[data-pad]');
  const button = form.querySelector<HTMLButtonElement>('button:not([type="button"])');
  if (!canvas || !button) return;
  const isTouch = matchMedia('(pointer: coarse)').matches;
  const ways: SignatureTab[] = isTouch ? ['draw', 'type', 'upload'] : ['type', 'draw', 'upload'];
  const panels = ways.flatMap((way) => panelOf(way) ?? []);
  let way = ways[0] as SignatureTab;
  showTabs(form, panels, (index) => {
    way = ways[index] as SignatureTab;
  });
  if (!isTouch) form.querySelector<HTMLInputElement>('input[name="text"]')?.setAttribute('autofocus', '');
  const drawing = startDrawing(canvas);
  canvas.addEventListener('pointerdown', () => showFormErrors(panelOf('draw') ?? form, undefined));
  form.querySelector('[data-clear]')?.addEventListener('click', () => drawing.clear());
  showSamples(form);
  showPreview(form);

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const panel = panelOf(way);
    if (!panel || button.disabled) return;
    showFormErrors(panel, undefined);
    if (way === 'draw' && drawing.isEmpty()) return showFormErrors(panel, canvas.dataset.nothingDrawn);
    button.disabled = true;
    const posted = await postForm(form.action, await bodyOf(form, way, drawing));
    if (posted.kind === 'sent') await onAdopted();
    else if (posted.kind === 'failed') showFormErrors(panel, form.dataset.notReached);
    else showFormErrors(panel, posted.part.querySelector('form .wrong')?.textContent ?? '');
    button.disabled = false;
  });
}

/** Only of the way that was chosen. */
async function bodyOf(
  form: HTMLFormElement,
  way: SignatureTab,
  drawing: SignatureDrawing,
): Promise<FormData> {
  const body = new FormData(form);
  body.set('kind', KINDS[way]);
  if (way === 'draw') body.set('file', (await drawing.picture()) ?? new Blob(), 'signature.png');
  // As browsers do where no file was chosen.
  if (way === 'type') body.set('file', new Blob(), '');
  return body;
}

function showFormErrors(panel: HTMLElement, message: string | undefined): void {
  for (const old of panel.querySelectorAll('.wrong')) old.remove();
  if (message === undefined) return;
  const place = document.createElement('p');
  place.className = 'wrong';
  place.setAttribute('role', 'alert');
  place.textContent = message;
  panel.querySelector('legend')?.after(place);
}

/** The name as it is typed, in every face. */
function showSamples(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[name="text"]');
  input?.addEventListener('input', () => {
    for (const sample of form.querySelectorAll('[data-sample]')) sample.textContent = input.value;
  });
}
