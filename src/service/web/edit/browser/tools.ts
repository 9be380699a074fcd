// Shows what stands above the pages: undo, redo, zoom, and whether everything is saved; and the palette of recipients and types. A click
// on a type waits for a click on a page; by the keyboard, the field is placed in the middle of the page that is seen.
import type { Editor } from './editor.ts';
import { button, element, icon, shapeIcon, wordsBesideIcon } from './elements.ts';
import type { Saving, SavingStatus } from './saving.ts';

const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];

const WORDS: Record<SavingStatus, string> = {
  saved: 'Saved',
  waiting: 'Saving…',
  saving: 'Saving…',
  failed: 'Not saved, trying again',
  refused: 'Not saved',
  over: 'Not saved',
};

export function showTools(editor: Editor, saving: Saving, pages: HTMLElement): Node[] {
  const undo = button('', () => editor.undo(), { class: 'small', title: 'Ctrl+Z' });
  undo.append(icon('undo'), wordsBesideIcon('Undo'));
  const redo = button('', () => editor.redo(), { class: 'small', title: 'Ctrl+Shift+Z' });
  redo.append(icon('redo'), wordsBesideIcon('Redo'));
  const status = element('span', { class: 'saving', role: 'status' });
  let at = STEPS.indexOf(1);
  const size = button('100%', () => zoom(STEPS.indexOf(1)), { class: 'small size', title: 'Fit the width' });
  const smaller = button('−', () => zoom(at - 1), { class: 'small', 'aria-label': 'Zoom out' });
  const larger = button('+', () => zoom(at + 1), { class: 'small', 'aria-label': 'Zoom in' });

  function zoom(next: number): void {
    at = Math.max(0, Math.min(STEPS.length - 1, next));
    const scale = STEPS[at] ?? 1;
    for (const sheet of pages.querySelectorAll<HTMLElement>('.sheet-of-document'))
      sheet.style.width = scale === 1 ? '' : `${scale * 100}%`;
    size.textContent = `${Math.round(scale * 100)}%`;
    smaller.disabled = at === 0;
    larger.disabled = at === STEPS.length - 1;
    window.dispatchEvent(new Event('resize'));
  }

  function show(): void {
    undo.disabled = !editor.canUndo();
    redo.disabled = !editor.canRedo();
    const words = `${WORDS[saving.status()]}${saving.status() === 'refused' ? `: ${saving.detail()}` : ''}`;
    if (status.textContent !== words) status.textContent = words;
    status.classList.toggle('alarm', ['failed', 'refused', 'over'].includes(saving.status()));
  }
  editor.onChange(show);
  saving.onChange(show);
  show();
  return [undo, redo, smaller, size, larger, status];
}

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
    const button = element(
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
    button.addEventListener('click', (event) => {
      editor.setType(editor.type() === type ? undefined : type);
      // No pointer was used.
      if (event.detail === 0 && editor.type() === type) placeInMiddle();
    });
    return button;
  });
  const hint = element('p', { class: 'hint', role: 'status' });

  function show(): void {
    const type = editor.type();
    for (const button of types) button.setAttribute('aria-pressed', `${button.dataset.type === type}`);
    const name = draft.types.find((item) => item.type === type)?.name.toLowerCase();
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
