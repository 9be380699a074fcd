// Shows the properties of the selected fields in a panel: all of one field, or what several have in common.
import { aligned, copiesOnAllPages, type FieldAlignment, insidePage } from './boxes.ts';
import { type EditedField, findEditedPage } from './draft.ts';
import type { Editor } from './editor.ts';
import { button, element, setAttributes } from './elements.ts';
import { duplicateSelected, removeSelected } from './keys.ts';

type Control = {
  element: HTMLElement;
  /** Shows the field. The input that has the focus is left alone. */
  show(fields: readonly EditedField[]): void;
};

const WITH_LENGTH = ['text', 'email', 'person_name'];
const WITH_OPTIONS = ['select', 'radio'];
const SIGNATURES = ['signature', 'initials'];

export function showProperties(editor: Editor, say: (text: string) => void): HTMLElement {
  const panel = element('section', { class: 'sheet properties', 'aria-labelledby': 'properties-title' });
  let shownKey: string | undefined;
  let controls: Control[] = [];

  function show(): void {
    const selected = editor.selected();
    const key = selected.map(({ id, type }) => `${id} ${type}`).join();
    if (key !== shownKey) {
      controls = selected.length === 0 ? [] : controlsOf(editor, selected, say);
      const title = element('h2', { id: 'properties-title' }, titleOf(selected.length));
      const close = button('Close', () => editor.select([]), { class: 'small' });
      panel.replaceChildren(
        element('div', { class: 'panel-head' }, title, ...(selected.length === 0 ? [] : [close])),
        ...(selected.length === 0 ? [help()] : controls.map((control) => control.element)),
      );
      panel.classList.toggle('of-field', selected.length > 0);
      document.body.classList.toggle('selected', selected.length > 0);
      shownKey = key;
    }
    for (const control of controls) control.show(selected);
  }
  editor.onChange(show);
  show();
  return panel;
}

const titleOf = (count: number): string =>
  count === 0 ? 'Keys' : count === 1 ? 'This field' : `${count} fields`;

function help(): HTMLElement {
  const keys = (...names: string[]) =>
    names.flatMap((name, at) => [...(at > 0 ? [' '] : []), element('kbd', {}, name)]);
  const lines: [string[], string][] = [
    [['↑ ↓ ← →'], 'move the selected fields by a point, with Shift by ten'],
    [['Alt', '↑ ↓ ← →'], 'resize them'],
    [['Shift'], 'and a click select several; so does a box that you draw'],
    [['Ctrl', 'D'], 'make a copy; Ctrl+C and Ctrl+V copy to the page you look at'],
    [['Ctrl', 'Z'], 'undo'],
    [['Delete'], 'remove'],
  ];
  return element(
    'ul',
    { class: 'quiet' },
    ...lines.map(([names, text]) => element('li', {}, ...keys(...names), ` ${text}`)),
  );
}

function controlsOf(
  editor: Editor,
  selected: readonly EditedField[],
  say: (text: string) => void,
): Control[] {
  const [first] = selected;
  if (!first) return [];
  return selected.length === 1
    ? [...common(editor), ...ofOne(editor, first), actions(editor, say, first)]
    : [...common(editor), alignments(editor), actions(editor, say)];
}

const common = (editor: Editor): Control[] => [
  choice(
    editor,
    'recipient_id',
    'Recipient',
    editor.draft.recipients.map(({ id, name }) => [id, name]),
  ),
  check(editor, 'is_required', 'Required'),
];

function ofOne(editor: Editor, { type, id }: EditedField): Control[] {
  const has = (types: readonly string[]) => types.includes(type);
  return [
    error(editor, id),
    choice(
      editor,
      'type',
      'Type',
      editor.draft.types.map((kind) => [kind.type, kind.name]),
    ),
    line(editor, 'label', 'Label'),
    ...(has(WITH_OPTIONS) ? [options(editor)] : []),
    ...(type === 'date'
      ? [
          choice(
            editor,
            'date_format',
            'Date format',
            editor.draft.dateFormats.map((format) => [format, format]),
          ),
          choice(editor, 'date_language', 'Language of the month', editor.draft.dateLanguages),
        ]
      : []),
    ...(has(SIGNATURES)
      ? []
      : [
          ...(type === 'date' ? [dateOfSigning(editor)] : []),
          value(editor, type),
          check(editor, 'readonly', 'Read-only: the recipient cannot change the value'),
        ]),
    ...(has(WITH_LENGTH)
      ? [
          two(
            number(editor, 'min_length', 'Least characters'),
            number(editor, 'max_length', 'Most characters'),
          ),
        ]
      : []),
    ...(type === 'number'
      ? [two(number(editor, 'min_value', 'Least'), number(editor, 'max_value', 'Greatest'))]
      : []),
    line(editor, 'helper_text', 'Help for the recipient'),
    two(place(editor, 'positionX', 'From the left'), place(editor, 'positionY', 'From the top')),
    two(place(editor, 'width', 'Width'), place(editor, 'height', 'Height')),
    // A signature is drawn as large as its box.
    ...(has(SIGNATURES) ? [] : [two(number(editor, 'font_size', 'Font size'))]),
  ];
}

// ── inputs ──────────────────────────────────────────────────────────────────────────────────────────────────────────

type TextName = 'label' | 'helper_text';
type NumberName = 'min_length' | 'max_length' | 'min_value' | 'max_value' | 'font_size';
type PlaceName = 'positionX' | 'positionY' | 'width' | 'height';

const idOf = (name: string): string => `property-${name}`;

const labelled = (name: string, label: string, input: HTMLElement): HTMLElement => {
  input.id = idOf(name);
  return element('div', { class: 'field' }, element('label', { for: idOf(name) }, label), input);
};

/** Text that is being typed is not replaced. */
function put(input: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  if (document.activeElement !== input && input.value !== text) input.value = text;
}

function textControl(
  name: string,
  label: string,
  input: HTMLInputElement | HTMLTextAreaElement,
  read: (field: EditedField) => string,
  take: (text: string) => void,
): Control {
  input.addEventListener('input', () => take(input.value));
  return {
    element: labelled(name, label, input),
    show: ([field]) => {
      if (field) put(input, read(field));
    },
  };
}

/** Steps of one input are undone together. */
const change = (editor: Editor, name: string, next: (field: EditedField) => Partial<EditedField>): void =>
  editor.changeSelected((field) => ({ ...field, ...next(field) }), `property ${name}`);

const line = (editor: Editor, name: TextName, label: string): Control =>
  textControl(
    name,
    label,
    element('input', { type: 'text', autocomplete: 'off' }),
    (field) => (name === 'label' && field.label === field.type ? '' : field[name]),
    (text) =>
      change(editor, name, ({ type }) => ({
        [name]: name === 'label' && text.trim() === '' ? type : text.trim(),
      })),
  );

const number = (editor: Editor, name: NumberName, label: string): Control =>
  textControl(
    name,
    label,
    element('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off' }),
    (field) => `${field[name] ?? ''}`,
    (text) => {
      const number = numberOf(text);
      if (number === undefined || (number === null && name === 'font_size')) return;
      change(editor, name, () => ({ [name]: number }));
    },
  );

/** Edits a position or size in points; the field cannot leave the page. */
const place = (editor: Editor, name: PlaceName, label: string): Control =>
  textControl(
    name,
    label,
    element('input', { type: 'text', inputmode: 'decimal', autocomplete: 'off' }),
    (field) => `${field[name]}`,
    (text) => {
      const points = numberOf(text);
      if (points === undefined || points === null) return;
      change(editor, name, (field) => {
        const page = findEditedPage(editor.draft, field);
        const next = { ...field, [name]: points };
        return page ? insidePage(next, page) : next;
      });
    },
  );

/** Reads a number; it is null for an empty text, and undefined for a text that is no number. */
function numberOf(text: string): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}

const options = (editor: Editor): Control =>
  textControl(
    'options',
    'Options, one on each line',
    element('textarea', { rows: 3 }),
    (field) => field.options.join('\n'),
    (text) =>
      change(editor, 'options', () => ({
        options: text
          .split('\n')
          .map((option) => option.trim())
          .filter((option) => option !== ''),
      })),
  );

function value(editor: Editor, type: string): Control {
  const take = (knownValue: string | null) =>
    change(editor, 'value', ({ readonly }) => ({
      value: knownValue,
      readonly: knownValue !== null && readonly,
    }));
  if (type !== 'checkbox') {
    const line = element('input', { type: type === 'date' ? 'date' : 'text', autocomplete: 'off' });
    const control = textControl(
      'value',
      'Value that you know already',
      line,
      (field) => (isOfSigning(editor, field) ? '' : `${field.value ?? ''}`),
      (text) => take(text === '' ? null : text),
    );
    return {
      element: control.element,
      show(fields) {
        control.show(fields);
        line.disabled = fields.some((field) => isOfSigning(editor, field));
      },
    };
  }
  const input = element('input', { type: 'checkbox' });
  input.addEventListener('change', () => take(input.checked ? 'true' : null));
  return ticked('value', 'Ticked already', input, (field) => `${field.value}` === 'true');
}

/** The service fills in the date when the recipient signs: there is no value to enter. */
function dateOfSigning(editor: Editor): Control {
  const input = element('input', { type: 'checkbox' });
  input.addEventListener('change', () =>
    change(editor, 'value', () => ({
      value: input.checked ? editor.draft.today : null,
      readonly: input.checked,
    })),
  );
  return ticked('date_of_signing', 'Date of signing, filled in automatically', input, (field) =>
    isOfSigning(editor, field),
  );
}

const isOfSigning = ({ draft }: Editor, { type, value }: EditedField): boolean =>
  type === 'date' && value === draft.today;

function check(editor: Editor, name: 'is_required' | 'readonly', label: string): Control {
  const input = element('input', { type: 'checkbox' });
  input.addEventListener('change', () => change(editor, name, () => ({ [name]: input.checked })));
  const control = ticked(name, label, input, (field) => field[name]);
  const isFixed = (field: EditedField) => field.value === null || isOfSigning(editor, field);
  return {
    element: control.element,
    show(fields) {
      control.show(fields);
      if (name === 'readonly') input.disabled = fields.some(isFixed);
    },
  };
}

function ticked(
  name: string,
  label: string,
  input: HTMLInputElement,
  read: (field: EditedField) => boolean,
): Control {
  input.id = idOf(name);
  return {
    element: element('p', { class: 'check' }, input, element('label', { for: idOf(name) }, label)),
    show(fields) {
      input.checked = fields.every(read);
      input.indeterminate = !input.checked && fields.some(read);
    },
  };
}

function choice(
  editor: Editor,
  name: 'recipient_id' | 'type' | 'date_format' | 'date_language',
  label: string,
  values: readonly (readonly [string, string])[],
): Control {
  const select = element('select', name === 'recipient_id' ? { 'data-first-property': true } : {});
  const mixed = element('option', { value: '', hidden: true }, 'Several');
  select.append(mixed, ...values.map(([id, text]) => element('option', { value: id }, text)));
  select.addEventListener('change', () =>
    change(editor, name, (field) =>
      name === 'type' ? ofType(editor, field, select.value) : { [name]: select.value },
    ),
  );
  return {
    element: labelled(name, label, select),
    show([first, ...others]) {
      if (first) select.value = others.every((other) => other[name] === first[name]) ? first[name] : '';
    },
  };
}

/** A control shows nothing for a value that its type cannot have, and nobody could correct it. */
function canShow(type: string, value: EditedField['value']): boolean {
  if (SIGNATURES.includes(type) || type === 'checkbox') return false;
  if (type !== 'date') return true;
  const dateInput = element('input', { type: 'date' });
  dateInput.value = `${value}`;
  return dateInput.value !== '';
}

/** Drops what the other type does not have. */
function ofType(editor: Editor, field: EditedField, type: string): Partial<EditedField> {
  const { label, options: choices, value: knownValue } = field;
  const keepsValue = knownValue !== null && !isOfSigning(editor, field) && canShow(type, knownValue);
  return {
    type,
    label: label === field.type ? type : label,
    options: WITH_OPTIONS.includes(type) ? (choices.length > 0 ? choices : ['Yes', 'No']) : [],
    ...(keepsValue ? {} : { value: null, readonly: false }),
    ...(WITH_LENGTH.includes(type) ? {} : { min_length: null, max_length: null }),
    ...(type === 'number' ? {} : { min_value: null, max_value: null }),
    ...(type === 'date'
      ? {}
      : {
          date_format: editor.draft.dateFormats[0] ?? '',
          date_language: editor.draft.dateLanguages[0]?.[0] ?? '',
        }),
  };
}

const two = (...inside: Control[]): Control => ({
  element: element('div', { class: 'two' }, ...inside.map((control) => control.element)),
  show: (fields) => {
    for (const control of inside) control.show(fields);
  },
});

function error(editor: Editor, id: string): Control {
  const text = element('p', { class: 'wrong', role: 'alert' });
  return {
    element: text,
    show() {
      const message = editor.errors().get(id);
      if (text.textContent !== (message ?? '')) text.textContent = message ?? '';
      text.hidden = message === undefined;
    },
  };
}

// ── actions ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const ALIGNMENTS: readonly (readonly [FieldAlignment, string])[] = [
  ['left', 'Left edges'],
  ['center', 'Centers across'],
  ['right', 'Right edges'],
  ['top', 'Top edges'],
  ['middle', 'Centers down'],
  ['bottom', 'Bottom edges'],
  ['width', 'Same size'],
];

const alignments = (editor: Editor): Control => ({
  element: element(
    'div',
    { class: 'field', role: 'group', 'aria-labelledby': 'align-title' },
    element('p', { class: 'hint', id: 'align-title' }, 'Align'),
    element(
      'div',
      { class: 'alignments' },
      ...ALIGNMENTS.map(([how, label]) =>
        button(label, () => {
          const next = aligned(editor.draft, editor.selected(), how);
          editor.changeSelected((field) => next.get(field.id) ?? field);
        }),
      ),
    ),
  ),
  show: () => undefined,
});

function actions(editor: Editor, say: (text: string) => void, field?: EditedField): Control {
  const hasPages =
    field && (editor.draft.documents.find(({ id }) => id === field.document_id)?.pages.length ?? 0) > 1;
  const onAllPages = button('Copy to all pages', () => {
    const copies = editor
      .selected()
      .flatMap((selected) => copiesOnAllPages(editor.draft, selected, editor.fields()));
    if (copies.length > 0) editor.change([...editor.fields(), ...copies]);
    say(copies.length === 0 ? 'All pages have it.' : `${copies.length} copies were added.`);
  });
  const group = element(
    'p',
    { class: 'tools' },
    button('Duplicate', () => duplicateSelected(editor, say)),
    ...(hasPages ? [onAllPages] : []),
    button('Remove', () => removeSelected(editor, say), { class: 'small danger' }),
  );
  for (const action of group.querySelectorAll('button')) action.classList.add('small');
  setAttributes(group, { role: 'group', 'aria-label': 'What to do with it' });
  return { element: group, show: () => undefined };
}
