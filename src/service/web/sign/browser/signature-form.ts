// Runs the form for adopting a signature, in the dialog or on a page of its own: drawing, typing and a picture as tabs, with a
// preview. Error messages come from the service. A drawing follows the size of the screen without losing a stroke, and is sent as
// the ink alone, black on transparent.
import SignaturePad, { type PointGroup } from 'signature_pad';
import { postForm } from './requests.ts';

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

/** Collects the values of the way that was chosen, and of no other. */
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

/** Shows the name as it is typed, in every face. */
function showSamples(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[name="text"]');
  input?.addEventListener('input', () => {
    for (const sample of form.querySelectorAll('[data-sample]')) sample.textContent = input.value;
  });
}

/** Shows tabs, of which the first is chosen. @param onChosen by its place in the list */
function showTabs(
  form: HTMLFormElement,
  panels: readonly HTMLElement[],
  onChosen: (index: number) => void,
): void {
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  const tabs = panels.map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${panel.dataset.way}`;
    tab.setAttribute('role', 'tab');
    tab.textContent = panel.querySelector('legend')?.textContent ?? '';
    panel.id ||= `panel-${panel.dataset.way}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(index));
    return tab;
  });

  function choose(chosen: number): void {
    for (const [index, tab] of tabs.entries()) {
      const isChosen = index === chosen;
      tab.setAttribute('aria-selected', `${isChosen}`);
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = panels[index];
      if (!panel) continue;
      panel.hidden = !isChosen;
      // A set of fields cannot be the panel itself: it has a role of its own.
      for (const part of panel.querySelectorAll('fieldset')) part.disabled = !isChosen;
    }
    onChosen(chosen);
  }

  list.addEventListener('keydown', (event) => {
    const at = tabs.indexOf(event.target as HTMLButtonElement);
    const isRtl = getComputedStyle(list).direction === 'rtl';
    const steps: Record<string, number> = {
      ArrowRight: isRtl ? at - 1 : at + 1,
      ArrowLeft: isRtl ? at + 1 : at - 1,
      Home: 0,
      End: -1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (step + tabs.length) % tabs.length;
    choose(index);
    tabs[index]?.focus();
  });

  list.append(...tabs);
  form.classList.add('tabbed');
  form.prepend(list);
  choose(0);
}

const MOST_PIXELS = { width: 800, height: 240 };

function showPreview(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) return;
  const canvas = document.createElement('canvas');
  canvas.className = 'preview';
  canvas.hidden = true;
  canvas.setAttribute('aria-hidden', 'true');
  input.after(canvas);
  input.addEventListener('change', async () => {
    const file = input.files?.[0];
    // What this browser cannot read, the service may.
    const picture = file && (await createImageBitmap(file).catch(() => undefined));
    canvas.hidden = !picture;
    if (!picture) return;
    const scale = Math.min(1, MOST_PIXELS.width / picture.width, MOST_PIXELS.height / picture.height);
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
  });
}

type SignatureDrawing = {
  isEmpty(): boolean;
  clear(): void;
  /** Makes a PNG that is cut to the ink. */
  picture(): Promise<Blob | null>;
};

const PEN = { penColor: '#000', minWidth: 0.9, maxWidth: 2.8 };
/** The picture has so many pixels for one of the screen, so that it stays sharp on paper. */
const DENSITY = 3;
/** The picture has so much room around the ink. */
const MARGIN = 6;

function startDrawing(canvas: HTMLCanvasElement): SignatureDrawing {
  const pad = new SignaturePad(canvas, PEN);
  let width = 0;

  function fit(): void {
    const { clientWidth, clientHeight } = canvas;
    const ratio = window.devicePixelRatio || 1;
    if (clientWidth === 0 || canvas.width === Math.round(clientWidth * ratio)) return;
    const strokes = resized(pad.toData(), width === 0 ? 1 : clientWidth / width);
    width = clientWidth;
    scaleTo(canvas, { width: clientWidth, height: clientHeight }, ratio);
    pad.fromData(strokes);
  }

  new ResizeObserver(fit).observe(canvas);
  return {
    isEmpty: () => pad.isEmpty(),
    clear: () => pad.clear(),
    picture: () => inkOf(pad.toData(), { width: canvas.clientWidth, height: canvas.clientHeight }),
  };
}

type Size = { width: number; height: number };

function scaleTo(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext('2d')?.scale(ratio, ratio);
}

const resized = (strokes: readonly PointGroup[], scale: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    minWidth: stroke.minWidth * scale,
    maxWidth: stroke.maxWidth * scale,
    points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
  }));

async function inkOf(strokes: PointGroup[], size: Size): Promise<Blob | null> {
  const whole = document.createElement('canvas');
  scaleTo(whole, size, DENSITY);
  const pad = new SignaturePad(whole, PEN);
  pad.off();
  pad.fromData(strokes);
  const ink = boundsOf(whole);
  if (!ink) return null;
  const cut = document.createElement('canvas');
  [cut.width, cut.height] = [ink.width, ink.height];
  cut.getContext('2d')?.drawImage(whole, -ink.x, -ink.y);
  return new Promise((resolve) => cut.toBlob(resolve, 'image/png'));
}

function boundsOf(canvas: HTMLCanvasElement): DOMRect | undefined {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let index = 3; index < pixels.length; index += 4) {
    if (pixels[index] === 0) continue;
    const [x, y] = [((index - 3) / 4) % width, Math.floor((index - 3) / 4 / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < 0) return undefined;
  const [x, y] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)];
  return new DOMRect(
    x,
    y,
    Math.min(width, right + MARGIN + 1) - x,
    Math.min(height, bottom + MARGIN + 1) - y,
  );
}
