// Shows the tools above the pages: undo, redo, zoom, and whether everything is saved.
import type { Editor } from './editor.ts';
import { button, element } from './elements.ts';
import { icon, wordsBesideIcon } from './icons.ts';
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
