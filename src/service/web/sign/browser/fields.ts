// Finds the fields of the page for the script: a control in the panel, and a box on the page of the document. Both are looked
// up each time, because signatures replace them and pages arrive later.

/** The part of the panel that holds a field's label, control and messages. */
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

/** What in it takes the focus. */
export const focusableOf = (control: Control): HTMLElement =>
  control.querySelector<HTMLElement>('input:checked') ??
  control.querySelector<HTMLElement>('input, textarea, select, a.button, [role="group"]') ??
  control;

export const isSignature = ({ dataset: { type } }: Control): boolean =>
  type === 'signature' || type === 'initials';

const inputsOf = (control: Control): Input[] => [
  ...control.querySelectorAll<Input>('input, textarea, select'),
];

/** As the form sends it; of a signature only whether there is one. */
export function valueIn(control: Control): string {
  if (isSignature(control)) return control.querySelector('.signature-shown') ? 'adopted' : '';
  const inputs = inputsOf(control);
  if (control.dataset.type === 'radio')
    return inputs.find((input) => (input as HTMLInputElement).checked)?.value ?? '';
  const [input] = inputs;
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked ? 'true' : 'false';
  return input?.value ?? '';
}

/** Differs from what the page came with: typed before the script ran, or put back by the browser. */
export const isTouched = (control: Control): boolean =>
  inputsOf(control).some((input) => {
    if (input instanceof HTMLSelectElement) {
      const options = [...input.options];
      const given = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
      return input.value !== given?.value;
    }
    if (input instanceof HTMLInputElement && /^(checkbox|radio)$/.test(input.type))
      return input.checked !== input.defaultChecked;
    // A text area's own line ends are not those of the page.
    return input.value.replaceAll('\r\n', '\n') !== input.defaultValue.replaceAll('\r\n', '\n');
  });

export const isRequired = (control: Control): boolean => control.hasAttribute('data-required');

const isFilled = (control: Control): boolean => !['', 'false'].includes(valueIn(control));

const messageOf = (control: Control): HTMLElement | null => control.querySelector<HTMLElement>('.wrong');

/** Whether the field prevents submitting. */
export const isOpen = (control: Control): boolean =>
  (isRequired(control) && !isFilled(control)) || messageOf(control)?.hidden === false;

/** @param message nothing, when nothing is wrong */
export function showFieldError(control: Control, message: string | undefined): void {
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
export function showSmall(control: Control, message: string | undefined): void {
  const place = control.querySelector<HTMLElement>('[data-small]');
  if (!place) return;
  place.hidden = message === undefined;
  if (place.textContent !== (message ?? '')) place.textContent = message ?? '';
}
