// Runs the page of the documents: saves values as they are typed and shows them in their boxes as the service draws them, and leads the recipient from
// field to field.
import { createSaver, type Saver, type SaveState } from './autosave.ts';
import {
  allControls,
  type Control,
  controlAround,
  isSignature,
  isTouched,
  markAllChanging,
  markChanging,
} from './fields.ts';
import { type Guide, startGuide } from './guide.ts';
import { keepAboveKeyboard } from './keyboard.ts';
import { loadMorePages } from './more-pages.ts';
import { watchPagesInView } from './pages-in-view.ts';
import { controlNamed, controlNameIn, showSaveResult } from './saved-values.ts';
import { type Signatures, startSignatures } from './signatures.ts';
import { watchTexts } from './text-layer.ts';
import { offerToday } from './today.ts';
import { startZoom } from './zoom.ts';

export function startFilling(form: HTMLFormElement): Saver {
  document.documentElement.classList.add('scripted');
  const home = () => location.assign(form.dataset.home ?? '');
  const update = () => guide?.update();
  const saver = createSaver(form, {
    read: (name) => signatures.valueFor(controlNamed(name)),
    onTold: (told, sent) => {
      const values = sent.flatMap(([name, value]) => {
        const control = controlNamed(name);
        return control ? [[control, value] as const] : [];
      });
      showSaveResult(told, values);
      signatures.saved(values);
      update();
    },
    onState: (state) => showState(form, state),
    onOver: home,
  });
  const signatures = startSignatures(form, {
    save: (control) => saver.touch(controlNameIn(control), true),
    onRedrawn: update,
    onOver: home,
  });
  const review = async () => {
    if (await saver.flush()) location.assign(form.dataset.review ?? '');
  };
  const guide = lead(form, signatures, review);
  listen(form, saver, update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { name, value } = event.submitter as HTMLButtonElement;
    if (name === 'remove') signatures.remove(value);
    else if (value === 'review') void review();
    else guide?.next();
  });
  for (const button of form.querySelectorAll<HTMLElement>('[data-save]')) button.hidden = true;
  for (const control of allControls()) if (isTouched(control)) take(control, saver, true);
  return saver;
}

function lead(form: HTMLFormElement, signatures: Signatures, review: () => void): Guide | undefined {
  const documents = document.querySelector<HTMLElement>('.documents');
  if (!documents) return undefined;
  const zoom = startZoom(documents);
  const inView = watchPagesInView(form);
  inView.watch(documents);
  const pages = loadMorePages(documents, (arrived) => {
    for (const page of arrived) watchTexts(page);
    for (const page of arrived) inView.watch(page);
    markAllChanging();
    zoom.apply();
    guide?.update();
  });
  const guide = startGuide(form, documents, {
    loadPage: pages.load,
    enlarge: zoom.enlarge,
    sign: signatures.sign,
    valueFor: signatures.valueFor,
    review,
  });
  if (guide) keepAboveKeyboard(guide.showCurrent);
  return guide;
}

function listen(form: HTMLFormElement, saver: Saver, onChange: () => void): void {
  const taken = (event: Event, soon: boolean) => {
    const control = controlAround(event.target);
    if (!control || isSignature(control)) return;
    take(control, saver, soon);
    onChange();
  };
  form.addEventListener('input', (event) => taken(event, false));
  form.addEventListener('change', (event) => taken(event, true));
  offerToday(form);
}

function take(control: Control, saver: Saver, soon: boolean): void {
  markChanging(control, true);
  saver.touch(controlNameIn(control), soon);
}

/** A success is shown quietly; a failure is announced. */
function showState(form: HTMLFormElement, state: SaveState): void {
  const [kept, unkept] = [
    form.querySelector<HTMLElement>('[data-kept]'),
    form.querySelector<HTMLElement>('[data-unkept]'),
  ];
  if (!kept || !unkept) return;
  kept.textContent = state === 'notSaved' ? '' : (kept.dataset[state] ?? '');
  const problem = state === 'notSaved' ? (unkept.dataset.notSaved ?? '') : '';
  if (state !== 'saving' && unkept.textContent !== problem) unkept.textContent = problem;
}
