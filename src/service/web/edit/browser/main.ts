// Starts the editor of fields on its page (editor-page.ts): takes the place of the list that is there without a script.
import { centeredIn, insidePage, newField, newId } from './boxes.ts';
import { type EditedField, readDraft } from './draft.ts';
import { createEditor, type Editor } from './editor.ts';
import { button, element } from './elements.ts';
import { showFieldList } from './field-list.ts';
import { startKeys } from './keys.ts';
import { type EditorPaper, showPapers } from './paper.ts';
import { addField, startPointing } from './pointing.ts';
import { showProperties } from './properties.ts';
import { type Saving, type SavingNotices, startSaving } from './saving.ts';
import { showSuggestions } from './suggestions.ts';
import { showPalette, showTools } from './tools.ts';

function start(page: HTMLElement): void {
  const draft = readDraft(page);
  if (draft.documents.length === 0 || draft.recipients.length === 0) return;
  const part = (name: string): HTMLElement => page.querySelector<HTMLElement>(`[data-${name}]`) ?? page;
  page.classList.add('scripted');
  document.body.classList.add('editing');
  const editor = createEditor(draft);
  const notices = createNotices(part('pages').parentElement ?? page);
  const papers = showPapers(page, editor);
  const saving = startSaving(editor, noticesOfSaving(notices));
  part('tools').replaceChildren(...showTools(editor, saving, part('pages')));
  part('pages').before(showPalette(editor, () => placeInMiddle(editor, papers, notices.say)));
  part('side').replaceChildren(
    showProperties(editor, notices.say),
    showSuggestions(editor, papers, notices.say),
    showFieldList(editor),
  );
  startPointing(editor, papers, notices.say);
  startKeys(editor, notices.say, (fields) => pasteInMiddle(editor, papers, fields));
  saveBeforeLeaving(part('done'), saving, notices);
}

const noticesOfSaving = (notices: Notices): SavingNotices => ({
  merged: () => notices.show('Someone else has changed fields of this draft. You see theirs and yours.'),
  lost: (count, putBack) =>
    notices.show(
      count === 1
        ? 'Someone else has changed a field that you changed too. You see theirs.'
        : `Someone else has changed ${count} fields that you changed too. You see theirs.`,
      { label: count === 1 ? 'Put mine back' : 'Put all of mine back', do: putBack },
    ),
  partiesChanged: () =>
    notices.show('Recipients or documents were changed. Reload the page to see them.', {
      label: 'Reload',
      do: () => location.reload(),
    }),
  over: (why) =>
    notices.show(
      why === 'signed_out'
        ? 'You are signed out, and the last changes are not saved. Sign in in another tab, then reload this page. Changes that are not saved are lost by that.'
        : 'The fields can no longer be edited: the transaction has been started or ended, or it was removed.',
    ),
});

function saveBeforeLeaving(done: HTMLElement, saving: Saving, notices: Notices): void {
  done.addEventListener('click', (event) => {
    if (!(done instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void saving.flush().then((isSaved) => {
      if (isSaved || saving.status() === 'over') location.assign(done.href);
      else
        notices.show(
          'The last changes are not saved yet. Correct the fields that are marked, or try again in a moment.',
        );
    });
  });
}

/** Finds the page of which most is visible, and the visible part of it in points. */
function visiblePaper(
  papers: ReadonlyMap<string, EditorPaper>,
): { paper: EditorPaper; top: number; bottom: number } | undefined {
  let most: { paper: EditorPaper; top: number; bottom: number; pixels: number } | undefined;
  for (const paper of papers.values()) {
    const { top, bottom } = paper.svg.getBoundingClientRect();
    const [from, to] = [Math.max(0, top), Math.min(window.innerHeight, bottom)];
    if (most && to - from <= most.pixels) continue;
    const scale = paper.pointsPerPixel();
    most = { paper, top: (from - top) * scale, bottom: (to - top) * scale, pixels: to - from };
  }
  return most;
}

function placeInMiddle(
  editor: Editor,
  papers: ReadonlyMap<string, EditorPaper>,
  say: (text: string) => void,
): void {
  const [visible, type] = [visiblePaper(papers), editor.type()];
  if (!visible || type === undefined) return;
  const { document, index: page, width } = visible.paper;
  const party = { recipient_id: editor.recipientId(), document_id: document.id, page };
  const field = newField(editor.draft, { type, ...party, x: 0, y: 0 });
  const x = (width - field.width) / 2;
  addField(editor, newField(editor.draft, { type, ...party, x, y: centeredIn(visible, field.height) }), say);
}

/** Copies keep their places, on the page that is seen. */
function pasteInMiddle(
  editor: Editor,
  papers: ReadonlyMap<string, EditorPaper>,
  fields: readonly EditedField[],
): void {
  const visible = visiblePaper(papers);
  if (!visible) return;
  const { document, index: page } = visible.paper;
  const isThere = (copy: EditedField) =>
    editor
      .fields()
      .some(
        (other) =>
          other.document_id === copy.document_id &&
          other.page === copy.page &&
          other.positionX === copy.positionX &&
          other.positionY === copy.positionY,
      );
  const copies = fields.map((field) => {
    const copy = { ...field, id: newId(), document_id: document.id, page };
    const moved = isThere(copy)
      ? { ...copy, positionX: copy.positionX + 12, positionY: copy.positionY + 12 }
      : copy;
    return insidePage(moved, visible.paper);
  });
  editor.change([...editor.fields(), ...copies]);
  editor.select(copies.map(({ id }) => id));
}

const root = document.querySelector<HTMLElement>('[data-editor]');
if (root) start(root);

type Notices = {
  /** Announces a text to screen readers. */
  say(text: string): void;
  /**
   * Shows a notice, which stays until it is closed or another takes its place.
   * @param action what can be done about it
   */
  show(text: string, action?: { label: string; do: () => void }): void;
};

/** @param before the element above which they are shown */
function createNotices(before: HTMLElement): Notices {
  const place = element('div', { role: 'alert' });
  const spoken = element('p', { class: 'unseen', role: 'status' });
  before.before(place, spoken);
  const close = (): void => place.replaceChildren();
  return {
    say(text) {
      spoken.textContent = text;
    },
    show(text, action) {
      const buttons = [
        ...(action
          ? [
              button(
                action.label,
                () => {
                  close();
                  action.do();
                },
                { class: 'small' },
              ),
            ]
          : []),
        button('Close', close, { class: 'small' }),
      ];
      place.replaceChildren(
        element(
          'div',
          { class: 'notice' },
          element('p', {}, text),
          element('span', { class: 'tools' }, ...buttons),
        ),
      );
    },
  };
}
