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

/** Shows the value in the field's box. The service draws boxes; this fills in what is being typed. */
export function showInBox(control: Control): void {
  const box = findBox(control);
  if (!box || isSignature(control) || inputsOf(control).length === 0) return;
  box.classList.toggle('filled', isFilled(control));
  box.classList.toggle('empty', !isFilled(control));
  if (control.dataset.type === 'checkbox') return;
  const place = box.querySelector('g.value');
  const [first] = place?.querySelectorAll('text') ?? [];
  if (!place || !first) return;
  const value = valueIn(control);
  const lines = value.split('\n');
  const step = Number(first.getAttribute('font-size')) * 1.2;
  const height = Number(place.parentElement?.getAttribute('height'));
  const top = lines.length === 1 ? height / 2 : step / 2;
  place.replaceChildren(
    ...place.querySelectorAll(':scope > g'),
    ...lines.map((line, index) => {
      const text = first.cloneNode() as SVGTextElement;
      text.setAttribute('y', `${top + index * step}`);
      text.textContent = line;
      return text;
    }),
  );
}
