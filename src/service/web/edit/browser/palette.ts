// Offers the recipients and the types of fields. A click on a type waits for a click on a page; by the keyboard, the field is
// placed in the middle of the page that is seen.

import type { Editor } from './editor.ts';
import { element } from './elements.ts';
import { icon } from './icons.ts';
import { shapeIcon } from './shapes.ts';

/** The types are offered in groups: to sign, about the person, and to fill in. */
const BEGIN_GROUP: ReadonlySet<string> = new Set(['person_name', 'text']);

/** @param placeInMiddle places a field of the type that is chosen */
export function showPalette(editor: Editor, placeInMiddle: () => void): HTMLElement {
  const { draft } = editor;
  const recipients = draft.recipients.map(({ id, name, role, color }, index) => {
    const input = element('input', {
      type: 'radio',
      name: 'recipient',
      value: id,
      checked: id === editor.recipientId(),
    });
    input.addEventListener('change', () => editor.setRecipient(id));
    const words = role === 'signer' ? name : `${name} (${role})`;
    return element('label', {}, input, shapeIcon(index, color), element('bdi', {}, words));
  });
  const types = draft.types.map(({ type, name }) => {
    const made = element(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        'data-type': type,
        class: BEGIN_GROUP.has(type) && 'new-group',
      },
      icon(type),
      name,
    );
    made.addEventListener('click', (event) => {
      editor.setType(editor.type() === type ? undefined : type);
      // No pointer was used.
      if (event.detail === 0 && editor.type() === type) placeInMiddle();
    });
    return made;
  });
  const hint = element('p', { class: 'hint', role: 'status' });

  function show(): void {
    const type = editor.type();
    for (const one of types) one.setAttribute('aria-pressed', `${one.dataset.type === type}`);
    const name = draft.types.find((one) => one.type === type)?.name.toLowerCase();
    hint.textContent =
      name === undefined ? '' : `Click on a page to place the ${name} field, or draw its box. Esc ends this.`;
    document.body.classList.toggle('placing', type !== undefined);
  }
  editor.onChange(show);
  return element(
    'section',
    { class: 'sheet palette', 'aria-labelledby': 'palette-title' },
    element('h2', { id: 'palette-title' }, 'Add a field for'),
    element(
      'div',
      { class: 'choices-of-party', role: 'radiogroup', 'aria-labelledby': 'palette-title' },
      ...recipients,
    ),
    element('div', { class: 'types', role: 'group', 'aria-label': 'Type of the field' }, ...types),
    hint,
  );
}
