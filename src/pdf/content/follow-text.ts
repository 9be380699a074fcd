// Follows the content of a page and of the drawings on it as far as it shows text, and tells for each glyph where it stands on the page and
// in the content. It gives up where it would have to guess.
import { product, transformed } from '../geometry.ts';
import { REMOVAL_LIMITS } from '../limits.ts';
import type { PdfView } from '../read/read-pdf.ts';
import { type Dict, PdfStream, PdfString, Ref, type Value } from '../read/values.ts';
import {
  type Budget,
  type Content,
  followContent,
  type GraphicsState,
  INITIAL_STATE,
  type Operation,
  readFormContent,
  resourceOf,
  setFont,
  type Visitor,
  type Walk,
} from './interpreter.ts';
import { readShownFont, type ShownFont } from './shown-font.ts';

/** `x` and `y` are its origin in the coordinates of the page. */
export type Glyph = {
  x: number;
  y: number;
  /** A text of size 1 is so large on the page, along its line. */
  size: number;
  /** The glyph is in this string of its operator, begins there at `at`, and has `length` bytes. */
  item: number;
  at: number;
  length: number;
  /** This number stands for the glyph in an array of `TJ`, so that everything after it stays in its place. */
  offset: number;
  /** The same glyph of the same font has the same key. */
  key: string;
  isHidden: boolean;
  isClip: boolean;
  /** This text is read in its place. */
  span: MarkedSpan | undefined;
};

/** It reaches from the first operand of an operator that shows text to the end of the operator. */
export type Show = { start: number; end: number; operator: string; operands: Value[]; glyphs: Glyph[] };

/** Content may be marked with the text that is read in its place (ISO 32000-1, 14.9.4). */
export type MarkedSpan = { start: number; end: number; tag: string; properties: Value; glyphs: Glyph[] };

/** A drawing (form XObject) is shown here. */
export type Draw = { start: number; end: number; name: string; inner: FollowedContent };

export type FollowedContent = {
  /** A page has no number of an object; a drawing has. */
  object: number | undefined;
  content: Buffer;
  resources: Dict | undefined;
  shows: Show[];
  draws: Draw[];
  spans: MarkedSpan[];
};

export type TextContent = {
  view: PdfView;
  content: Buffer;
  resources: Dict | undefined;
};

/** Returns undefined where something is in the content that cannot be followed. */
export function followText({ view, content, resources }: TextContent): FollowedContent | undefined {
  const { contentBytes, glyphs } = REMOVAL_LIMITS;
  const run: Run = {
    ...{ view, glyphs, fonts: new Map() },
    budget: { bytes: contentBytes, operators: Infinity },
  };
  return follow({ view, bytes: content, resources, state: INITIAL_STATE, depth: 0 }, undefined, run);
}

/** All content of a page shares this. `glyphs` says how many more are followed. */
type Run = { view: PdfView; budget: Budget; glyphs: number; fonts: Map<Value, FontOfText> };

/** `name` is the same for the same font. */
type FontOfText = { name: string; codesOf: ShownFont | undefined };

type Reading = {
  run: Run;
  /** Behind a glyph whose width is not known, the position is not known either. */
  pen: number | undefined;
  /** The marks are open, and some have a text of their own. */
  marks: (MarkedSpan | undefined)[];
  followed: FollowedContent;
};

/** @param object the number of the object of a drawing */
function follow(
  content: Content<FontOfText>,
  object: number | undefined,
  run: Run,
): FollowedContent | undefined {
  const { bytes, resources } = content;
  const followed = { object, content: bytes, resources, shows: [], draws: [], spans: [] };
  const visitor = createVisitor({ run, followed, pen: 0, marks: [] });
  return followContent(content, visitor) ? followed : undefined;
}

function createVisitor(reading: Reading): Visitor<FontOfText> {
  const { operands, savedStates } = REMOVAL_LIMITS;
  const visitor: Visitor<FontOfText> = {
    budget: reading.run.budget,
    rules: { operands, savedStates, skipsPictures: true, isExact: false },
    readFont: (value) => readFont(reading.run, value),
    startLine() {
      reading.pen = 0;
    },
    showText(walk, items, operation) {
      showText(reading, walk, items, operation);
      return true;
    },
    drawObject: (walk, value, operation) => drawObject(reading, walk, value, operation),
    applyOther(walk, operation) {
      const { operator, operands } = operation;
      const { marks } = reading;
      if (operator === 'BMC') marks.push(marks.at(-1));
      else if (operator === 'BDC') openMark(reading, walk, operation);
      else if (operator === 'EMC') marks.pop();
      else if (operator === 'gs') {
        const state = walk.view.dict(resourceOf(walk, 'ExtGState', operands[0]));
        const [font, size] = walk.view.array(state?.get('Font')) ?? [];
        if (font !== undefined) setFont(walk, font, walk.view.resolve(size), visitor);
      }
      return true;
    },
  };
  return visitor;
}

function openMark(
  { marks, followed }: Reading,
  walk: Walk<FontOfText>,
  { operands, start, end }: Operation,
): void {
  const [tag, entry] = operands;
  const properties = typeof entry === 'string' ? resourceOf(walk, 'Properties', entry) : entry;
  if (!walk.view.dict(properties)?.has('ActualText')) {
    marks.push(marks.at(-1));
    return;
  }
  const span: MarkedSpan = {
    ...{ start, end, glyphs: [] },
    tag: typeof tag === 'string' ? tag : 'Span',
    properties: properties ?? null,
  };
  followed.spans.push(span);
  marks.push(span);
}

/** A drawing is content of its own; anything else that is drawn has no text. */
function drawObject(
  { run, followed }: Reading,
  walk: Walk<FontOfText>,
  value: Value | undefined,
  { operands, start, end }: Operation,
): boolean {
  const { view, state, depth } = walk;
  const object = view.resolve(value);
  if (!(object instanceof PdfStream) || view.resolve(object.dict.get('Subtype')) !== 'Form') return true;
  const form = depth < REMOVAL_LIMITS.depth ? readFormContent(walk, value) : undefined;
  if (!form || !(value instanceof Ref)) return false;
  // A drawing begins with the state of its place; PDFium, whose places count here, begins it with the usual scale, rise and leading.
  const { scale, rise, leading } = INITIAL_STATE;
  const innerState = { ...state, matrix: form.matrix, scale, rise, leading };
  const inner = follow({ ...form, state: innerState }, value.number, run);
  if (!inner) return false;
  followed.draws.push({ start, end, name: String(operands[0]), inner });
  return true;
}

// ── text ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The same font is the same object; a font that is written in place is the same dictionary. */
function readFont({ view, fonts }: Run, value: Value | undefined): FontOfText {
  const identity = value instanceof Ref ? `${value.number}` : (value ?? null);
  const font = fonts.get(identity) ?? { name: String(fonts.size), codesOf: readShownFont(view, value) };
  fonts.set(identity, font);
  return font;
}

const [HIDDEN, FIRST_CLIP] = [3, 4];

function showText(
  reading: Reading,
  walk: Walk<FontOfText>,
  items: readonly Value[],
  { operator, operands, start, end }: Operation,
): void {
  const show: Show = { start, end, operator, operands: [...operands], glyphs: [] };
  reading.followed.shows.push(show);
  for (const [item, value] of items.entries()) {
    if (typeof value === 'number') movePen(reading, walk.state, (-value / 1000) * walk.state.size);
    else if (value instanceof PdfString) showString(reading, walk, { show, item, bytes: value.bytes });
  }
}

function movePen(reading: Reading, { scale }: GraphicsState<FontOfText>, by: number): void {
  if (reading.pen !== undefined) reading.pen += by * scale;
}

function showString(
  reading: Reading,
  { state, line }: Walk<FontOfText>,
  { show, item, bytes }: { show: Show; item: number; bytes: Buffer },
): void {
  const { run } = reading;
  const { font, size, characterSpace, wordSpace, rise, mode } = state;
  const codes = reading.pen === undefined || size === 0 ? undefined : font?.codesOf?.(bytes);
  run.glyphs -= bytes.length;
  if (!codes || run.glyphs < 0) {
    reading.pen = undefined;
    return;
  }
  const matrix = product(line, state.matrix);
  const scale = Math.hypot(matrix[0], matrix[1]) * Math.abs(size);
  const span = reading.marks.at(-1);
  for (const { at, length, width, isWordSpace } of codes) {
    const advance = (width / 1000) * size + characterSpace + (isWordSpace ? wordSpace : 0);
    const glyph: Glyph = {
      ...transformed(matrix, { x: reading.pen ?? 0, y: rise }),
      ...{ size: scale, item, at, length, span },
      offset: (-advance / size) * 1000,
      key: `${font?.name ?? ''} ${bytes.toString('hex', at, at + length)}`,
      isHidden: mode === HIDDEN,
      isClip: mode >= FIRST_CLIP,
    };
    show.glyphs.push(glyph);
    span?.glyphs.push(glyph);
    movePen(reading, state, advance);
  }
}
