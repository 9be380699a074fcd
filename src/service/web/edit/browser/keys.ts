// Answers the keys that move, resize, copy, remove and undo. Keys in the inputs of the panel are left alone.
import { copyOf, moved, resized } from './boxes.ts';
import type { EditedField } from './draft.ts';
import type { Editor } from './editor.ts';

const STEP = 1;
const LONG_STEP = 10;

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The lower right corner moves. */
const LAST_CORNER = { left: false, top: false };

/** @param say tells those who do not see it. @param paste places copies where the reader looks */
export function startKeys(
  editor: Editor,
  say: (text: string) => void,
  paste: (fields: readonly EditedField[]) => void,
): void {
  const clipboard = createClipboard(editor, say, paste);
  document.addEventListener('keydown', (event) => {
    if (isInInput(event.target)) return;
    const isHandled =
      event.ctrlKey || event.metaKey
        ? doWithControl(editor, clipboard, event, say)
        : doPlain(editor, event, say);
    if (isHandled) event.preventDefault();
  });
  // A field that is reached by Tab is selected; one that is clicked is selected by the click.
  document.addEventListener('focusin', ({ target }) => {
    const isReached = target instanceof SVGGElement && target.matches(':focus-visible');
    const field = isReached ? target.dataset.field : undefined;
    if (field !== undefined && !editor.isSelected(field)) editor.select([field]);
  });
}

/** @returns whether the key means something here, as do those below */
function doPlain(editor: Editor, event: KeyboardEvent, say: (text: string) => void): boolean {
  const arrow = ARROWS[event.key];
  if (arrow) return moveBy(editor, event, arrow);
  switch (event.key) {
    case 'Delete':
    case 'Backspace':
      return removeSelected(editor, say);
    case 'Escape':
      if (editor.type() !== undefined) editor.setType(undefined);
      else editor.select([]);
      return true;
    case 'Enter':
    case ' ':
      return choose(editor, event);
    default:
      return false;
  }
}

function moveBy(editor: Editor, event: KeyboardEvent, [across, down]: readonly [number, number]): boolean {
  if (editor.selected().length === 0) return false;
  const step = event.shiftKey ? LONG_STEP : STEP;
  const [dx, dy] = [across * step, down * step];
  const { draft } = editor;
  if (event.altKey)
    editor.changeSelected((field) => resized(draft, field, LAST_CORNER, dx, dy), 'resize by keys');
  else editor.changeSelected((field) => moved(draft, field, dx, dy), 'move by keys');
  return true;
}

/** Selects the field that has the focus, or with Shift adds it, and focuses its properties. */
function choose(editor: Editor, event: KeyboardEvent): boolean {
  const id = event.target instanceof SVGGElement ? event.target.dataset.field : undefined;
  if (id === undefined) return false;
  const ids = editor.selected().map((field) => field.id);
  if (event.shiftKey) editor.select(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  else {
    editor.select([id]);
    document.querySelector<HTMLElement>('[data-first-property]')?.focus();
  }
  return true;
}

function doWithControl(
  editor: Editor,
  clipboard: Clipboard,
  event: KeyboardEvent,
  say: (text: string) => void,
): boolean {
  switch (event.key.toLowerCase()) {
    case 'z':
      if (event.shiftKey) editor.redo();
      else editor.undo();
      return true;
    case 'y':
      editor.redo();
      return true;
    case 'a':
      editor.select(editor.fields().map(({ id }) => id));
      say(`${editor.selected().length} fields are selected.`);
      return true;
    case 'd':
      return duplicateSelected(editor, say);
    case 'c':
      return clipboard.copy();
    case 'v':
      return clipboard.paste();
    default:
      return false;
  }
}

type Clipboard = { copy(): boolean; paste(): boolean };

/** Copies within this page, and leaves alone what other programs have copied. */
function createClipboard(
  editor: Editor,
  say: (text: string) => void,
  paste: (fields: readonly EditedField[]) => void,
): Clipboard {
  let copied: readonly EditedField[] = [];
  return {
    copy() {
      copied = editor.selected();
      if (copied.length > 0) say('Copied.');
      return copied.length > 0;
    },
    paste() {
      if (copied.length > 0) paste(copied);
      return copied.length > 0;
    },
  };
}

export function removeSelected(editor: Editor, say: (text: string) => void): boolean {
  const count = editor.selected().length;
  if (count === 0) return false;
  editor.change(editor.fields().filter(({ id }) => !editor.isSelected(id)));
  say(count === 1 ? 'Removed. Press Ctrl+Z to undo.' : `${count} fields were removed. Press Ctrl+Z to undo.`);
  return true;
}

export function duplicateSelected(editor: Editor, say: (text: string) => void): boolean {
  const copies = editor.selected().map((field) => copyOf(editor.draft, field));
  if (copies.length === 0) return false;
  editor.change([...editor.fields(), ...copies]);
  editor.select(copies.map(({ id }) => id));
  say('Copied.');
  return true;
}

const isInInput = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !['checkbox', 'radio', 'button'].includes(target.type)
    : target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
