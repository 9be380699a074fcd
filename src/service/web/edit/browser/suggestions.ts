// Offers fields that the documents seem to ask for, and fields at words that are looked for. One press takes one, another takes all of them.
import { describe, nameOfType } from './draft.ts';
import type { Editor } from './editor.ts';
import { button, drawing, element } from './elements.ts';
import { createOffers, type Suggested } from './offers.ts';
import type { EditorPaper } from './paper.ts';
import { addField } from './pointing.ts';

const OF_TAG =
  'A tag stays in the text of the document. To remove it, upload the document again with --tags.';

/** @param say tells those who do not see it */
export function showSuggestions(
  editor: Editor,
  papers: ReadonlyMap<string, EditorPaper>,
  say: (text: string) => void,
): HTMLElement {
  const title = element('h2', { id: 'suggestions-title' }, 'Suggestions');
  const list = element('ul');
  const aboutTags = element('p', { class: 'hint', hidden: true }, OF_TAG);
  const all = button('Add all', () => takeAll(), { class: 'small', hidden: true });
  const answer = element('p', { class: 'hint', role: 'status' });
  const offers = createOffers(editor, () => show());
  const lines = new Map<string, HTMLElement>();
  const boxes = new Map<string, SVGGElement>();

  function take({ field }: Suggested): void {
    const at = offers.open().findIndex((item) => item.field === field);
    const isFromList = lines.get(field.id)?.contains(document.activeElement) ?? false;
    addField(editor, field, say);
    // By keyboard one after another is taken.
    const next = offers.open()[at] ?? offers.open().at(-1);
    if (isFromList && next) lines.get(next.field.id)?.querySelector('button')?.focus();
  }

  function takeAll(): void {
    const fields = offers.open().map(({ field }) => field);
    editor.change([...editor.fields(), ...fields]);
    editor.select([]);
    say(`${fields.length} fields were added. Press Ctrl+Z to undo.`);
    title.focus();
  }

  function lineOf(suggested: Suggested): HTMLElement {
    return element(
      'li',
      {},
      button(nameOf(editor, suggested), () => take(suggested), { class: 'small' }),
    );
  }

  function show(): void {
    const open = offers.open();
    keepOnly(lines, open, lineOf);
    const items = open.flatMap(({ field }) => lines.get(field.id) ?? []);
    if (items.some((item, at) => item !== list.children[at])) list.replaceChildren(...items);
    keepOnly(boxes, open, (suggested) => boxOf(editor, suggested, () => take(suggested)));
    for (const [id, box] of boxes) if (!box.parentNode) layerOf(papers, open, id)?.append(box);
    all.hidden = open.length < 2;
    all.textContent = `Add all ${open.length}`;
    list.hidden = open.length === 0;
    aboutTags.hidden = !open.some(({ from }) => from === 'tag');
    title.textContent = open.length === 0 ? 'Suggestions' : `Suggestions (${open.length})`;
  }

  editor.onChange(show);
  show();
  void offers.load();
  title.tabIndex = -1;
  return element(
    'section',
    { class: 'sheet suggestions', 'aria-labelledby': 'suggestions-title' },
    title,
    list,
    aboutTags,
    all,
    searchForm(async (text) => {
      answer.textContent = await offers.search(text);
    }),
    answer,
  );
}

function searchForm(search: (text: string) => Promise<void>): HTMLElement {
  const input = element('input', { id: 'words', type: 'search', maxlength: 200, autocomplete: 'off' });
  const form = element(
    'form',
    { class: 'search' },
    element('label', { for: 'words' }, 'Words in the documents'),
    element('div', { class: 'tools' }, input, element('button', { type: 'submit', class: 'small' }, 'Find')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text !== '') void search(text);
  });
  return form;
}

// ── on the pages ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Keeps the elements of what is still offered, so that they keep the focus, and removes the others. */
function keepOnly<T extends Element>(
  elements: Map<string, T>,
  offered: readonly Suggested[],
  make: (suggested: Suggested) => T,
): void {
  const ids = new Set(offered.map(({ field }) => field.id));
  for (const [id, item] of elements)
    if (!ids.has(id)) {
      item.remove();
      elements.delete(id);
    }
  for (const suggested of offered)
    if (!elements.has(suggested.field.id)) elements.set(suggested.field.id, make(suggested));
}

/** The document does not always say whose a field is. */
const nameOf = ({ draft }: Editor, { field, isGuessed }: Suggested): string =>
  describe(draft, field) + (isGuessed && draft.recipients.length > 1 ? ' (guessed by order)' : '');

function boxOf(editor: Editor, suggested: Suggested, take: () => void): SVGGElement {
  const { draft } = editor;
  const { field } = suggested;
  const { positionX, positionY, width, height } = field;
  const size = Math.max(4, Math.min(10, height * 0.6));
  const words = drawing('text', { x: 4, y: height / 2, 'font-size': size, 'dominant-baseline': 'central' });
  words.textContent = `+ ${nameOfType(draft, field.type)}`;
  const group = drawing(
    'g',
    {
      class: 'suggestion',
      transform: `translate(${positionX} ${positionY})`,
      tabindex: 0,
      role: 'button',
      'aria-label': `Add ${nameOf(editor, suggested)}`,
      'data-suggestion': field.id,
    },
    drawing('rect', { width, height, rx: 2, class: 'box' }),
    ...(width > 30 ? [words] : []),
  );
  group.addEventListener('click', take);
  group.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    take();
  });
  return group;
}

/** Makes the layer of suggestions, below the fields of its page. */
function layerOf(
  papers: ReadonlyMap<string, EditorPaper>,
  offered: readonly Suggested[],
  id: string,
): SVGGElement | undefined {
  const field = offered.find((suggested) => suggested.field.id === id)?.field;
  const paper = [...papers.values()].find(
    ({ document, index }) => field && document.id === field.document_id && index === field.page,
  );
  if (!paper) return undefined;
  const there = paper.svg.querySelector<SVGGElement>('g.offered');
  if (there) return there;
  const layer = drawing('g', { class: 'offered' });
  paper.svg.prepend(layer);
  return layer;
}
