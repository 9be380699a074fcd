// Runs the page of the documents: saves values as they are typed and shows them in their boxes as the service draws them, and leads the recipient from
// field to field.
import { createSaver, type Saver, type SaveState } from './autosave.ts';
import { offerToday } from './clock.ts';
import { loadMorePages, watchTexts } from './document-pages.ts';
import {
  allControls,
  type Control,
  controlAround,
  controlNamed,
  controlNameIn,
  isSignature,
  isTouched,
  markAllChanging,
  markChanging,
  showSaveResult,
} from './fields.ts';
import { type Guide, keepAboveKeyboard, startGuide } from './guide.ts';
import { watchPagesInView } from './pages-in-view.ts';
import { type Signatures, startSignatures } from './signatures.ts';
import { startZoom } from './zoom.ts';

export function startFilling(form: HTMLFormElement): Saver {
  document.documentElement.classList.add('scripted');
  const home = () => location.assign(form.dataset.home ?? '');
  const update = () => guide?.update();
  const saver = createSaver(form, {
    read: (name) => signatures.valueFor(controlNamed(name)),
    onSaved: (state, sent) => {
      const values = sent.flatMap(([name, value]) => {
        const control = controlNamed(name);
        return control ? [[control, value] as const] : [];
      });
      showSaveResult(state, values);
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
  const saveChange = (event: Event, soon: boolean) => {
    const control = controlAround(event.target);
    if (!control || isSignature(control)) return;
    take(control, saver, soon);
    onChange();
  };
  form.addEventListener('input', (event) => saveChange(event, false));
  form.addEventListener('change', (event) => saveChange(event, true));
  offerToday(form);
}

function take(control: Control, saver: Saver, soon: boolean): void {
  markChanging(control, true);
  saver.touch(controlNameIn(control), soon);
}

/** A success is shown quietly; a failure is announced. */
function showState(form: HTMLFormElement, state: SaveState): void {
  const [saved, unsaved] = [
    form.querySelector<HTMLElement>('[data-kept]'),
    form.querySelector<HTMLElement>('[data-unkept]'),
  ];
  if (!saved || !unsaved) return;
  saved.textContent = state === 'notSaved' ? '' : (saved.dataset[state] ?? '');
  const problem = state === 'notSaved' ? (unsaved.dataset.notSaved ?? '') : '';
  if (state !== 'saving' && unsaved.textContent !== problem) unsaved.textContent = problem;
}
