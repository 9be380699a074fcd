// Finds the fields of the page for the script: a control in the panel, and a box on the page of the document. Both are looked
// up each time, because signatures replace them and pages arrive later. Shows what the service answers about their values.
import { type FormState, getPart } from './requests.ts';

/** The element holds a field's label, control and messages. */
export type Control = HTMLElement & {
  dataset: { control: string; type: string; page: string; place: string };
};

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export const allControls = (): Control[] => [
  ...document.querySelectorAll<Control>('#controls [data-control]'),
];

export const controlOf = (id: string): Control | undefined =>
  document.querySelector<Control>(`#controls [data-control="${CSS.escape(id)}"]`) ?? undefined;

export const controlAround = (element: EventTarget | null): Control | undefined =>
  (element instanceof Element && element.closest<Control>('#controls [data-control]')) || undefined;

export const findBox = ({ dataset }: Control): SVGAElement | undefined =>
  document.querySelector<SVGAElement>(`a.mark[data-field="${CSS.escape(dataset.control)}"]`) ?? undefined;

/** Finds the element in it that takes the focus. */
export const focusableOf = (control: Control): HTMLElement =>
  control.querySelector<HTMLElement>('input:checked') ??
  control.querySelector<HTMLElement>('input, textarea, select, a.button, [role="group"]') ??
  control;

export const isSignature = ({ dataset: { type } }: Control): boolean =>
  type === 'signature' || type === 'initials';

const inputsOf = (control: Control): Input[] => [
  ...control.querySelectorAll<Input>('input, textarea, select'),
];

/** Reads the value as the form sends it; for a signature, it only tells whether there is one. */
export function valueIn(control: Control): string {
  if (isSignature(control)) return control.querySelector('.signature-shown') ? 'adopted' : '';
  const inputs = inputsOf(control);
  if (control.dataset.type === 'radio')
    return inputs.find((input) => (input as HTMLInputElement).checked)?.value ?? '';
  const [input] = inputs;
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked ? 'true' : 'false';
  return input?.value ?? '';
}

/**
 * Tells whether it differs from what the page came with: it was typed before the script ran, or put back by the browser.
 */
export const isTouched = (control: Control): boolean =>
  inputsOf(control).some((input) => {
    if (input instanceof HTMLSelectElement) {
      const options = [...input.options];
      const initial = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
      return input.value !== initial?.value;
    }
    if (input instanceof HTMLInputElement && /^(checkbox|radio)$/.test(input.type))
      return input.checked !== input.defaultChecked;
    // A text area's own line ends are not those of the page.
    return input.value.replaceAll('\r\n', '\n') !== input.defaultValue.replaceAll('\r\n', '\n');
  });

const isRequired = (control: Control): boolean => control.hasAttribute('data-required');

const isFilled = (control: Control): boolean => !['', 'false'].includes(valueIn(control));

const messageOf = (control: Control): HTMLElement | null => control.querySelector<HTMLElement>('.wrong');

/** Tells whether the field prevents submitting. */
export const isOpen = (control: Control): boolean =>
  (isRequired(control) && !isFilled(control)) || messageOf(control)?.hidden === false;

/** @param message nothing, when nothing is wrong */
function showFieldError(control: Control, message: string | undefined): void {
  const place = messageOf(control);
  if (place) {
    place.hidden = message === undefined;
    if (place.textContent !== (message ?? '')) place.textContent = message ?? '';
  }
  const marked = control.querySelector('[role="radiogroup"]') ?? inputsOf(control)[0];
  if (message === undefined) marked?.removeAttribute('aria-invalid');
  else marked?.setAttribute('aria-invalid', 'true');
  findBox(control)?.classList.toggle('wrong', message !== undefined);
}

const changing = new Set<string>();

/** Dims the box of a field until the service has drawn what is typed now. */
export function markChanging(control: Control, isChanging: boolean): void {
  if (isChanging) changing.add(control.dataset.control);
  else changing.delete(control.dataset.control);
  findBox(control)?.classList.toggle('changing', isChanging);
}

/** Pages that arrive later come with boxes of their own. */
export function markAllChanging(): void {
  for (const control of allControls()) if (changing.has(control.dataset.control)) markChanging(control, true);
}

/** @param message nothing, where the value can be read */
function showSmall(control: Control, message: string | undefined): void {
  const place = control.querySelector<HTMLElement>('[data-small]');
  if (!place) return;
  place.hidden = message === undefined;
  if (place.textContent !== (message ?? '')) place.textContent = message ?? '';
}

/** @returns how it went; the page is as before unless it went well */
export async function refresh(form: HTMLFormElement): Promise<'done' | 'over' | 'failed'> {
  const response = await getPart(form.dataset.fields ?? '');
  if (response.kind !== 'part') return response.kind;
  for (const fresh of response.part.querySelectorAll<HTMLElement>('[data-control]')) {
    const old = controlOf(fresh.dataset.control ?? '');
    if (!old || !isSignature(old)) continue;
    const hadFocus = old.contains(document.activeElement);
    fresh.classList.toggle('current', old.classList.contains('current'));
    old.replaceWith(fresh);
    const now = controlOf(old.dataset.control);
    if (hadFocus && now) focusableOf(now).focus({ preventScroll: true });
  }
  replaceBoxes(response.part);
  showLeft(response.part.querySelector('[data-count]')?.textContent ?? '');
  return 'done';
}

/** @param ids of the fields whose boxes are replaced; by default all that came */
function replaceBoxes(part: Document, ids?: ReadonlySet<string>): void {
  const fresh = new Map(
    [...part.querySelectorAll<SVGAElement>('a.mark[data-field]')].map((box) => [box.dataset.field, box]),
  );
  for (const old of document.querySelectorAll<SVGAElement>('a.mark[data-field]')) {
    const box = fresh.get(old.dataset.field);
    if (!box || ids?.has(old.dataset.field ?? '') === false) continue;
    box.classList.toggle('current', old.classList.contains('current'));
    old.replaceWith(box);
  }
}

/** Writes how many fields are left, in every place that says so. */
function showLeft(text: string): void {
  for (const place of document.querySelectorAll('[data-count]'))
    if (place.textContent !== text) place.textContent = text;
}

const PREFIX = 'value-';

export const controlNameIn = ({ dataset }: Control): string => `${PREFIX}${dataset.control}`;

export const controlNamed = (name: string): Control | undefined => controlOf(name.slice(PREFIX.length));

/** @param sent the controls with the values that were sent: of the others nothing is known */
export function showSaveResult(
  { leftText, wrong, small, boxes }: FormState,
  sent: readonly (readonly [Control, string])[],
): void {
  // Signatures are drawn anew as a whole, and what was typed meanwhile is saved next.
  const drawn = sent.filter(([control, value]) => !isSignature(control) && valueIn(control) === value);
  const part = new DOMParser().parseFromString(boxes, 'text/html');
  replaceBoxes(part, new Set(drawn.map(([control]) => control.dataset.control)));
  for (const [control] of drawn) markChanging(control, false);
  for (const [control] of sent) {
    showFieldError(control, wrong[control.dataset.control]);
    showSmall(control, small[control.dataset.control]);
  }
  showLeft(leftText);
}
