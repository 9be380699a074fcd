// Shows the fields on the pages of the documents. Each keeps its element as long as it exists, so that it keeps the focus.
import { describe, type EditedField, fieldsByPlace, nameOfType, type PlacedPage, pagesOf } from './draft.ts';
import type { Editor } from './editor.ts';
import { drawing, setAttributes, shapePath } from './elements.ts';

export type EditorPaper = PlacedPage & {
  svg: SVGSVGElement;
  pointsPerPixel(): number;
  /** Converts a point of the screen to points of the page. */
  place(event: { clientX: number; clientY: number }): { x: number; y: number };
};

type Shown = {
  field: EditedField;
  element: SVGGElement;
  isSelected: boolean;
  error: string | undefined;
  scale: number;
};

/** @returns the pages, by their id */
export function showPapers(root: HTMLElement, editor: Editor): Map<string, EditorPaper> {
  const { draft } = editor;
  const papers = new Map<string, EditorPaper>();
  const layers = new Map<string, SVGGElement>();
  for (const page of pagesOf(draft)) {
    const svg = root.querySelector<SVGSVGElement>(`[data-page="${page.id}"] svg.over`);
    if (!svg) continue;
    const layer = drawing('g');
    svg.replaceChildren(layer, drawing('g', { class: 'guides' }));
    layers.set(`${page.document.id} ${page.index}`, layer);
    papers.set(page.id, { ...page, svg, ...measures(svg, page.width) });
  }
  const shown = new Map<string, Shown>();

  function show(): void {
    const removed = new Set(shown.keys());
    const scales = new Map([...papers.values()].map((paper) => [paper, 0]));
    for (const field of fieldsByPlace(draft, editor.fields())) {
      removed.delete(field.id);
      const layer = layers.get(`${field.document_id} ${field.page}`);
      const previous = shown.get(field.id);
      const isSelected = editor.isSelected(field.id);
      const error = editor.errors().get(field.id);
      const paper = [...papers.values()].find(
        ({ document, index }) => document.id === field.document_id && index === field.page,
      );
      if (!layer || !paper) continue;
      if (!scales.get(paper)) scales.set(paper, paper.pointsPerPixel());
      const scale = scales.get(paper) ?? 1;
      if (
        previous?.field === field &&
        previous.isSelected === isSelected &&
        previous.error === error &&
        (!isSelected || previous.scale === scale)
      )
        continue;
      const element =
        previous?.element ??
        drawing('g', { class: 'field-box', tabindex: 0, role: 'button', 'data-field': field.id });
      draw(editor, element, field, { isSelected, error, scale });
      if (element.parentNode !== layer) layer.append(element);
      shown.set(field.id, { field, element, isSelected, error, scale });
    }
    for (const id of removed) {
      shown.get(id)?.element.remove();
      shown.delete(id);
    }
  }

  editor.onChange(show);
  show();
  window.addEventListener('resize', show);
  return papers;
}

function measures(svg: SVGSVGElement, width: number): Pick<EditorPaper, 'pointsPerPixel' | 'place'> {
  const pointsPerPixel = (): number => width / (svg.getBoundingClientRect().width || width);
  return {
    pointsPerPixel,
    place({ clientX, clientY }) {
      const { left, top } = svg.getBoundingClientRect();
      const scale = pointsPerPixel();
      return { x: (clientX - left) * scale, y: (clientY - top) * scale };
    },
  };
}

/** A handle has so many pixels, and the place around it that takes a finger has more. */
const HANDLE = 9;
const FINGER = 26;

function draw(
  { draft }: Editor,
  element: SVGGElement,
  field: EditedField,
  { isSelected, error, scale }: { isSelected: boolean; error: string | undefined; scale: number },
): void {
  const { positionX: x, positionY: y, width, height } = field;
  const at = draft.recipients.findIndex(({ id }) => id === field.recipient_id);
  const color = draft.recipients[at]?.color ?? '#475569';
  setAttributes(element, {
    transform: `translate(${x} ${y})`,
    class: ['field-box', isSelected && 'selected', error && 'wrong'].filter(Boolean).join(' '),
    'aria-pressed': `${isSelected}`,
    'aria-label': `${describe(draft, field)}, ${Math.round(x)} points from the left, ${Math.round(y)} from the top${error ? `. ${error}` : ''}`,
  });
  const shape = Math.min(8, height - 2, width - 2);
  const text = `${field.label === field.type || field.label === '' ? nameOfType(draft, field.type) : field.label}${field.is_required ? ' *' : ''}`;
  const size = Math.max(4, Math.min(10, height * 0.6));
  element.replaceChildren(
    drawing('rect', { width, height, rx: 2, fill: color, stroke: color, class: 'box' }),
    ...(width > 12
      ? [
          drawing('path', {
            d: shapePath(at),
            fill: color,
            transform: `translate(3 ${(height - shape) / 2}) scale(${shape / 10})`,
          }),
        ]
      : []),
    ...(width > 30 ? [label(text, size, height, width)] : []),
    ...(isSelected ? handles(width, height, scale) : []),
  );
}

/** A label begins behind the shape of the recipient, and leaves some room behind it. */
const LABEL_FROM = 14;
const LABEL_END = 4;

/** Cuts a text that is too long for its room, with an ellipsis instead of half a letter. */
function shortened(text: string, size: number, room: number): string {
  if (!measure) return text;
  measure.font = `${size}px system-ui, sans-serif`;
  if (measure.measureText(text).width <= room) return text;
  const characters = [...text];
  while (characters.length > 0 && measure.measureText(`${characters.join('')}…`).width > room)
    characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

/** Measures text, also of elements that are not in the page yet. */
const measure = document.createElement('canvas').getContext('2d');

function label(text: string, size: number, height: number, width: number): SVGSVGElement {
  const written = drawing('text', {
    x: LABEL_FROM,
    y: height / 2,
    'font-size': size,
    'dominant-baseline': 'central',
  });
  written.textContent = shortened(text, size, width - LABEL_FROM - LABEL_END);
  // A drawing of its own cuts off what is still longer than the field, in a font of another width.
  return drawing('svg', { width: Math.max(0, width - 2), height, class: 'label' }, written);
}

const handles = (width: number, height: number, scale: number): SVGElement[] =>
  [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].flatMap(([x = 0, y = 0]) => {
    const corner = `${y === 0 ? 'top' : 'bottom'}-${x === 0 ? 'left' : 'right'}`;
    const square = (pixels: number, name: string) =>
      drawing('rect', {
        x: x - (pixels * scale) / 2,
        y: y - (pixels * scale) / 2,
        width: pixels * scale,
        height: pixels * scale,
        class: `${name} ${corner}`,
        'data-corner': corner,
      });
    return [square(FINGER, 'reach'), square(HANDLE, 'handle')];
  });
