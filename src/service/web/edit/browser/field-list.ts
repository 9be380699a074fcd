// Lists the fields beside the pages. A press on one selects it and brings it into view.
import { describe, fieldsByPlace } from './draft.ts';
import type { Editor } from './editor.ts';
import { element, setAttributes, shapeIcon } from './elements.ts';

export function showFieldList(editor: Editor): HTMLElement {
  const { draft } = editor;
  const list = element('ol', { class: 'field-lines' });
  const empty = element('p', { class: 'quiet' }, 'There are no fields yet.');
  const title = element('h2', { id: 'list-title' });
  const lines = new Map<string, { button: HTMLButtonElement; words: HTMLElement; shape: HTMLElement }>();

  function lineOf(id: string) {
    const [words, shape] = [element('bdi'), element('span')];
    const button = element('button', { type: 'button' }, shape, words);
    button.addEventListener('click', (event) => {
      const before =
        event.shiftKey || event.ctrlKey || event.metaKey ? editor.selected().map((field) => field.id) : [];
      editor.select([...before, id]);
      const box = document.querySelector<SVGGElement>(`[data-field="${id}"]`);
      box?.scrollIntoView({ block: 'center', inline: 'nearest' });
    });
    const line = { button, words, shape };
    lines.set(id, line);
    return line;
  }

  function show(): void {
    const fields = fieldsByPlace(draft, editor.fields());
    const buttons = fields.map((field) => {
      const line = lines.get(field.id) ?? lineOf(field.id);
      const error = editor.errors().get(field.id);
      const at = draft.recipients.findIndex(({ id }) => id === field.recipient_id);
      line.words.textContent = `${describe(draft, field)}${error === undefined ? '' : `: ${error}`}`;
      setAttributes(line.words, { class: error === undefined ? undefined : 'alarm' });
      line.shape.replaceChildren(shapeIcon(Math.max(0, at), draft.recipients[at]?.color ?? '#475569'));
      line.button.setAttribute('aria-pressed', `${editor.isSelected(field.id)}`);
      return line.button;
    });
    const isSameOrder =
      list.children.length === buttons.length &&
      buttons.every((button, at) => button.parentElement === list.children[at]);
    if (!isSameOrder) putInOrder(list, buttons);
    const ids = new Set(fields.map(({ id }) => id));
    for (const id of lines.keys()) if (!ids.has(id)) lines.delete(id);
    empty.hidden = fields.length > 0;
    list.hidden = fields.length === 0;
    title.textContent = fields.length === 0 ? 'Fields' : `Fields (${fields.length})`;
  }
  editor.onChange(show);
  show();
  return element('section', { class: 'sheet', 'aria-labelledby': 'list-title' }, title, empty, list);
}

/** Moves as few elements as possible, because an element that moves loses the focus. */
function putInOrder(list: HTMLOListElement, buttons: readonly HTMLButtonElement[]): void {
  const focused = buttons.find((button) => button === document.activeElement);
  list.replaceChildren(...buttons.map((button) => element('li', {}, button)));
  focused?.focus({ preventScroll: true });
}
