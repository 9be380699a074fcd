// Places, moves and resizes fields by mouse, pen and finger.
import {
  type Corner,
  insidePage,
  type Line,
  moved,
  newField,
  resized,
  snap,
  type Targets,
  targetsOf,
} from './boxes.ts';
import type { EditedField } from './draft.ts';
import type { Editor } from './editor.ts';
import { drawing } from './elements.ts';
import type { EditorPaper } from './paper.ts';
import { loadLines } from './requests.ts';

/** A pointer that moves by fewer pixels has clicked. */
const CLICK = 5;
/** A field that is so many pixels near to a line jumps to it. */
const REACH = 5;

type Drag = { move(event: PointerEvent): void; end(event: PointerEvent): void; cancel(): void };

/** @param say tells those who do not see it */
export function startPointing(
  editor: Editor,
  papers: ReadonlyMap<string, EditorPaper>,
  say: (text: string) => void,
): void {
  const lines = new Map<string, Line[]>();
  for (const paper of papers.values()) {
    let drag: Drag | undefined;
    paper.svg.addEventListener('pointerdown', (event) => {
      if (event.button !== 0 || drag) return;
      drag = begin(editor, paper, event, lines, say);
      if (!drag) return;
      if (!lines.has(paper.id)) {
        lines.set(paper.id, []);
        void loadLines(editor.draft, paper.id).then((loaded) => lines.set(paper.id, loaded));
      }
      paper.svg.setPointerCapture(event.pointerId);
      if (event.pointerType !== 'touch') event.preventDefault();
    });
    paper.svg.addEventListener('pointermove', (event) => drag?.move(event));
    paper.svg.addEventListener('pointerup', (event) => {
      drag?.end(event);
      drag = undefined;
      showGuides(paper, {});
    });
    paper.svg.addEventListener('pointercancel', () => {
      drag?.cancel();
      drag = undefined;
      showGuides(paper, {});
    });
  }
}

function begin(
  editor: Editor,
  paper: EditorPaper,
  event: PointerEvent,
  lines: ReadonlyMap<string, Line[]>,
  say: (text: string) => void,
): Drag | undefined {
  const target = event.target as Element;
  if (target.closest('[data-suggestion]')) return undefined;
  const id = target.closest<SVGGElement>('[data-field]')?.dataset.field;
  const corner = target.closest<SVGElement>('[data-corner]')?.dataset.corner;
  const targets = (moving: ReadonlySet<string>): Targets =>
    targetsOf(
      editor
        .fields()
        .filter(
          (field) =>
            field.document_id === paper.document.id && field.page === paper.index && !moving.has(field.id),
        ),
      lines.get(paper.id) ?? [],
      paper,
    );
  if (id !== undefined && corner !== undefined) return resizing(editor, paper, event, id, corner, targets);
  if (id !== undefined) return moving(editor, paper, event, id, targets);
  if (editor.type() !== undefined) return placing(editor, paper, event, targets, say);
  if (event.pointerType === 'touch') return tapping(editor, event);
  return choosing(editor, paper, event);
}

const distance = (from: MouseEvent, to: MouseEvent): number =>
  Math.hypot(from.clientX - to.clientX, from.clientY - to.clientY);

// ── moving ──────────────────────────────────────────────────────────────────────────────────────────────────────────

function moving(
  editor: Editor,
  paper: EditorPaper,
  start: PointerEvent,
  id: string,
  targets: (moving: ReadonlySet<string>) => Targets,
): Drag {
  const isMore = start.shiftKey || start.ctrlKey || start.metaKey;
  const wasSelected = editor.isSelected(id);
  if (isMore) {
    const ids = editor.selected().map((field) => field.id);
    editor.select(wasSelected ? ids.filter((other) => other !== id) : [...ids, id]);
  } else if (!wasSelected) editor.select([id]);
  const before = new Map(editor.selected().map((field) => [field.id, field]));
  const held = before.get(id);
  const series = `move ${start.timeStamp}`;
  const from = paper.place(start);
  let hasMoved = false;
  return {
    move(event) {
      if (!held || (!hasMoved && distance(start, event) < CLICK)) return;
      hasMoved = true;
      const to = paper.place(event);
      const target = {
        ...held,
        positionX: held.positionX + to.x - from.x,
        positionY: held.positionY + to.y - from.y,
      };
      const jump = event.altKey
        ? { dx: 0, dy: 0 }
        : snap(target, targets(new Set(before.keys())), REACH * paper.pointsPerPixel());
      showGuides(paper, jump);
      const [dx, dy] = [to.x - from.x + jump.dx, to.y - from.y + jump.dy];
      editor.changeSelected((field) => moved(editor.draft, before.get(field.id) ?? field, dx, dy), series);
    },
    end() {
      if (!hasMoved && !isMore) editor.select([id]);
      document.querySelector<SVGGElement>(`[data-field="${id}"]`)?.focus({ preventScroll: true });
    },
    cancel() {
      if (hasMoved) editor.undo();
    },
  };
}

function resizing(
  editor: Editor,
  paper: EditorPaper,
  start: PointerEvent,
  id: string,
  name: string,
  targets: (moving: ReadonlySet<string>) => Targets,
): Drag | undefined {
  const field = editor.fields().find((item) => item.id === id);
  if (!field) return undefined;
  editor.select([id]);
  const corner: Corner = { left: name.endsWith('left'), top: name.startsWith('top') };
  const series = `resize ${start.timeStamp}`;
  const from = paper.place(start);
  let hasMoved = false;
  return {
    move(event) {
      if (!hasMoved && distance(start, event) < CLICK) return;
      hasMoved = true;
      const to = paper.place(event);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const pulled: EditedField = {
        ...field,
        positionX: field.positionX + (corner.left ? 0 : field.width) + dx,
        positionY: field.positionY + (corner.top ? 0 : field.height) + dy,
        width: 0,
        height: 0,
      };
      const jump = event.altKey
        ? { dx: 0, dy: 0 }
        : snap(pulled, targets(new Set([id])), REACH * paper.pointsPerPixel());
      showGuides(paper, jump);
      editor.changeSelected(() => resized(editor.draft, field, corner, dx + jump.dx, dy + jump.dy), series);
    },
    end: () => undefined,
    cancel() {
      if (hasMoved) editor.undo();
    },
  };
}

// ── placing and choosing ────────────────────────────────────────────────────────────────────────────────────────────

function placing(
  editor: Editor,
  paper: EditorPaper,
  start: PointerEvent,
  targets: (moving: ReadonlySet<string>) => Targets,
  say: (text: string) => void,
): Drag {
  const from = paper.place(start);
  const frame = drawing('rect', { class: 'frame' });
  return {
    move(event) {
      if (event.pointerType === 'touch') return;
      if (!frame.parentNode) paper.svg.append(frame);
      setBox(frame, boxBetween(from, paper.place(event)));
    },
    end(event) {
      frame.remove();
      const type = editor.type();
      if (type === undefined) return;
      const isDrawn = event.pointerType !== 'touch' && distance(start, event) >= CLICK;
      const drawn = boxBetween(from, paper.place(event));
      const box = isDrawn ? drawn : { x: from.x, y: from.y };
      let field = newField(editor.draft, {
        type,
        recipient_id: editor.recipientId(),
        document_id: paper.document.id,
        page: paper.index,
        ...box,
      });
      if (!isDrawn) {
        // A click points at the middle of the field's left edge, where its text begins.
        field = insidePage({ ...field, positionY: from.y - field.height / 2 }, paper);
        const jump = event.altKey
          ? { dx: 0, dy: 0 }
          : snap(field, targets(new Set()), REACH * paper.pointsPerPixel());
        field = moved(editor.draft, field, jump.dx, jump.dy);
      }
      addField(editor, field, say);
    },
    cancel: () => frame.remove(),
  };
}

/** Adds a field, selects it, and ends placing. */
export function addField(editor: Editor, field: EditedField, say: (text: string) => void): void {
  editor.change([...editor.fields(), field]);
  editor.setType(undefined);
  editor.select([field.id]);
  document.querySelector<SVGGElement>(`[data-field="${field.id}"]`)?.focus({ preventScroll: true });
  say('Added.');
}

/** A finger that scrolls selects nothing. */
const tapping = (editor: Editor, start: PointerEvent): Drag => ({
  move: () => undefined,
  end: (event) => distance(start, event) < CLICK && editor.select([]),
  cancel: () => undefined,
});

function choosing(editor: Editor, paper: EditorPaper, start: PointerEvent): Drag {
  const from = paper.place(start);
  const frame = drawing('rect', { class: 'frame' });
  const before = start.shiftKey ? editor.selected().map(({ id }) => id) : [];
  return {
    move(event) {
      if (distance(start, event) < CLICK) return;
      if (!frame.parentNode) paper.svg.append(frame);
      const box = boxBetween(from, paper.place(event));
      setBox(frame, box);
      const inside = editor
        .fields()
        .filter(
          (field) =>
            field.document_id === paper.document.id &&
            field.page === paper.index &&
            field.positionX < box.x + box.width &&
            field.positionX + field.width > box.x &&
            field.positionY < box.y + box.height &&
            field.positionY + field.height > box.y,
        );
      editor.select([...before, ...inside.map(({ id }) => id)]);
    },
    end(event) {
      frame.remove();
      if (distance(start, event) < CLICK) editor.select(before);
    },
    cancel: () => frame.remove(),
  };
}

type Point = { x: number; y: number };

const boxBetween = (corner: Point, other: Point) => ({
  x: Math.min(corner.x, other.x),
  y: Math.min(corner.y, other.y),
  width: Math.abs(corner.x - other.x),
  height: Math.abs(corner.y - other.y),
});

function setBox(frame: SVGRectElement, box: ReturnType<typeof boxBetween>): void {
  for (const [name, value] of Object.entries(box)) frame.setAttribute(name, `${value}`);
}

/** Shows what a field lines up with. */
function showGuides(paper: EditorPaper, { across, down }: { across?: number; down?: number }): void {
  const guides = paper.svg.querySelector('.guides');
  guides?.replaceChildren(
    ...(across === undefined ? [] : [drawing('line', { x1: across, x2: across, y1: 0, y2: paper.height })]),
    ...(down === undefined ? [] : [drawing('line', { x1: 0, x2: paper.width, y1: down, y2: down })]),
  );
}
