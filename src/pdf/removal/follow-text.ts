// Follows the content of a page and of the drawings on it as far as it shows text, and tells for each glyph where it stands on the page and
// in the content. It gives up where it would have to guess.
import { type Matrix, transformed } from '../geometry.ts';
import { REMOVAL_LIMITS } from '../limits.ts';
import { IDENTITY, numbersIn, product } from '../space/matrices.ts';
import { inlineImageEnd } from '../stamp/inline-image.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { NOTHING, Scanner } from '../syntax/scanner.ts';
import { type Dict, PdfStream, PdfString, Ref, type Value } from '../syntax/values.ts';
import { readShownFont, type ShownFont } from './shown-font.ts';

/** One glyph, at its origin in the coordinates of the page. */
export type Glyph = {
  x: number;
  y: number;
  /** How large a text of size 1 is on the page, along its line. */
  size: number;
  /** Which string of its operator it is in, where it begins there, and how many bytes it has. */
  item: number;
  at: number;
  length: number;
  /** What stands for it in an array of `TJ` so that everything after it stays in its place. */
  offset: number;
  /** The same for the same glyph of the same font. */
  key: string;
  isHidden: boolean;
  isClip: boolean;
  /** The text that is read in its place. */
  span: MarkedSpan | undefined;
};

/** An operator that shows text, from its first operand to its end. */
export type Show = { start: number; end: number; operator: string; operands: Value[]; glyphs: Glyph[] };

/** Content that is marked with the text that is read in its place (ISO 32000-1, 14.9.4). */
export type MarkedSpan = { start: number; end: number; tag: string; properties: Value; glyphs: Glyph[] };

/** A drawing (form XObject) that is shown. */
export type Draw = { start: number; end: number; name: string; inner: FollowedContent };

export type FollowedContent = {
  /** The number of the object of a drawing; absent for a page. */
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

/** Undefined where something is in it that cannot be followed. */
export function followText(given: TextContent): FollowedContent | undefined {
  const walk = { bytes: REMOVAL_LIMITS.contentBytes, glyphs: REMOVAL_LIMITS.glyphs, fonts: new Map() };
  return follow({ ...given, object: undefined, state: { ...START, matrix: IDENTITY }, depth: 0 }, walk);
}

/** `bytes` and `glyphs`: how many more are followed. */
type Walk = { bytes: number; glyphs: number; fonts: Map<Value, ShownFont | undefined> };

/** `state`: what the content begins with, of which a drawing has that of its place. */
type Given = TextContent & { object: number | undefined; state: State; depth: number };

type State = {
  matrix: Matrix;
  font: ShownFont | undefined;
  fontName: string;
  size: number;
  characterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
};

const START: Omit<State, 'matrix'> = {
  font: undefined,
  fontName: '',
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
};

type Reading = Given & {
  walk: Walk;
  saved: State[];
  line: Matrix;
  /** Undefined behind glyphs whose widths are not known. */
  pen: number | undefined;
  /** The marks that are open, with the text of those that have one. */
  marks: (MarkedSpan | undefined)[];
  made: FollowedContent;
};

function follow(given: Given, walk: Walk): FollowedContent | undefined {
  const { content, resources, object } = given;
  walk.bytes -= content.length;
  if (walk.bytes < 0) return undefined;
  const made: FollowedContent = { object, content, resources, shows: [], draws: [], spans: [] };
  const reading: Reading = {
    ...given,
    ...{ walk, made, saved: [], line: IDENTITY, pen: 0, marks: [] },
    state: { ...given.state },
  };
  const scanner = new Scanner(content, 0);
  let operands: Value[] = [];
  let first: number | undefined;
  for (;;) {
    scanner.skipBlanks();
    if (scanner.at >= content.length) return made;
    const start = scanner.at;
    const value = scanner.value();
    if (value !== NOTHING) {
      first ??= start;
      operands.push(value);
      if (operands.length > REMOVAL_LIMITS.operands) return undefined;
      continue;
    }
    const operator = content.toString('latin1', start, scanner.at);
    if (operator === '') return undefined;
    if (operator === 'BI') {
      const end = endOfPicture(content, scanner.at);
      if (end === undefined) return undefined;
      scanner.at = end;
    } else {
      const apply = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
      const at = { start: first ?? start, end: scanner.at, operator };
      if (apply && !apply(reading, operands, at)) return undefined;
    }
    operands = [];
    first = undefined;
  }
}

/** Behind a picture that stands in the content, whose samples may look like anything. */
function endOfPicture(content: Buffer, header: number): number | undefined {
  const scanner = new Scanner(content, header);
  for (;;) {
    scanner.skipBlanks();
    const start = scanner.at;
    if (start >= content.length) return undefined;
    if (scanner.value() !== NOTHING) continue;
    if (content.toString('latin1', start, scanner.at) !== 'ID') return undefined;
    const end = inlineImageEnd(content, { header, data: scanner.at });
    return end.isFound ? end.at : undefined;
  }
}

// ── operators ───────────────────────────────────────────────────────────────────────────────────────────────────

type Place = { start: number; end: number; operator: string };

/** False where it cannot be followed. */
type Operator = (reading: Reading, operands: readonly Value[], place: Place) => boolean;

/** An operator that takes `count` numbers, the last ones of its operands. */
const numeric =
  (count: number, apply: (reading: Reading, numbers: number[]) => void): Operator =>
  (reading, operands) => {
    const numbers = operands.slice(-count);
    if (numbers.length !== count || !numbers.every((one) => typeof one === 'number')) return false;
    apply(reading, numbers as number[]);
    return true;
  };

const setting = (name: 'characterSpace' | 'wordSpace' | 'leading' | 'rise' | 'mode'): Operator =>
  numeric(1, ({ state }, [value = 0]) => {
    state[name] = value;
  });

const always =
  (apply: (reading: Reading, operands: readonly Value[], place: Place) => void): Operator =>
  (reading, operands, place) => {
    apply(reading, operands, place);
    return true;
  };

const OPERATORS: Record<string, Operator> = {
  q: ({ state, saved }) => saved.push({ ...state }) <= REMOVAL_LIMITS.savedStates,
  Q: always((reading) => {
    reading.state = reading.saved.pop() ?? reading.state;
  }),
  cm: numeric(6, ({ state }, numbers) => {
    state.matrix = product(numbers as unknown as Matrix, state.matrix);
  }),
  gs: always((reading, [name]) => {
    const [font, size] =
      reading.view.array(reading.view.dict(resource(reading, 'ExtGState', name))?.get('Font')) ?? [];
    if (font !== undefined) setFont(reading, font, reading.view.resolve(size));
  }),
  BT: always((reading) => startLine(reading, IDENTITY)),
  Tf: always((reading, [name, size]) => setFont(reading, resource(reading, 'Font', name), size)),
  Tc: setting('characterSpace'),
  Tw: setting('wordSpace'),
  TL: setting('leading'),
  Ts: setting('rise'),
  Tr: setting('mode'),
  Tz: numeric(1, ({ state }, [percent = 0]) => {
    state.scale = percent / 100;
  }),
  Td: numeric(2, (reading, [x = 0, y = 0]) => moveLine(reading, x, y)),
  TD: numeric(2, (reading, [x = 0, y = 0]) => {
    reading.state.leading = -y;
    moveLine(reading, x, y);
  }),
  Tm: numeric(6, (reading, numbers) => startLine(reading, numbers as unknown as Matrix)),
  'T*': always(nextLine),
  Tj: always((reading, operands, place) => showText(reading, operands, operands.slice(0, 1), place)),
  "'": always((reading, operands, place) => {
    nextLine(reading);
    showText(reading, operands, operands.slice(0, 1), place);
  }),
  '"': (reading, operands, place) => {
    const [wordSpace, characterSpace, text] = operands;
    if (typeof wordSpace !== 'number' || typeof characterSpace !== 'number') return false;
    Object.assign(reading.state, { wordSpace, characterSpace });
    nextLine(reading);
    showText(reading, operands, [text ?? null], place);
    return true;
  },
  TJ: (reading, operands, place) => {
    const [items] = operands;
    if (!Array.isArray(items)) return false;
    showText(reading, operands, items, place);
    return true;
  },
  BMC: always(({ marks }) => void marks.push(marks.at(-1))),
  BDC: always((reading, [tag, properties], place) => openMark(reading, tag, properties, place)),
  EMC: always(({ marks }) => void marks.pop()),
  Do: (reading, [name], place) => drawObject(reading, name, place),
};

function resource({ view, resources }: Reading, kind: string, name: Value | undefined): Value | undefined {
  return typeof name === 'string' ? view.dict(resources?.get(kind))?.get(name) : undefined;
}

function openMark(
  reading: Reading,
  tag: Value | undefined,
  properties: Value | undefined,
  { start, end }: Place,
): void {
  const { view, marks, made } = reading;
  const found = typeof properties === 'string' ? resource(reading, 'Properties', properties) : properties;
  if (!view.dict(found)?.has('ActualText')) {
    marks.push(marks.at(-1));
    return;
  }
  const span: MarkedSpan = {
    ...{ start, end, glyphs: [] },
    tag: typeof tag === 'string' ? tag : 'Span',
    properties: found ?? null,
  };
  made.spans.push(span);
  marks.push(span);
}

/** The state that a drawing begins with is that of its place. PDFium, whose places count here, begins with the usual scale, rise and leading. */
const stateIn = (state: State, matrix: Matrix): State => ({
  ...state,
  ...{ matrix, scale: START.scale, rise: START.rise, leading: START.leading },
});

/** A drawing is content of its own; anything else that is drawn has no text. */
function drawObject(reading: Reading, name: Value | undefined, { start, end }: Place): boolean {
  const { view, depth, resources, state, walk, made } = reading;
  const value = resource(reading, 'XObject', name);
  const object = view.resolve(value);
  if (!(object instanceof PdfStream) || view.resolve(object.dict.get('Subtype')) !== 'Form') return true;
  const content = depth < REMOVAL_LIMITS.depth ? view.data(value) : undefined;
  const own = object.dict.has('Matrix') ? numbersIn(view, object.dict.get('Matrix')) : [...IDENTITY];
  if (!content || own?.length !== 6 || !(value instanceof Ref)) return false;
  const inner = follow(
    {
      ...{ view, content, depth: depth + 1, object: value.number },
      state: stateIn(state, product(own as unknown as Matrix, state.matrix)),
      resources: view.dict(object.dict.get('Resources')) ?? resources,
    },
    walk,
  );
  if (!inner) return false;
  made.draws.push({ start, end, name: String(name), inner });
  return true;
}

// ── text ────────────────────────────────────────────────────────────────────────────────────────────────────────

function setFont(reading: Reading, value: Value | undefined, size: Value | undefined): void {
  const { view, state, walk } = reading;
  // The same font is the same object; one that is written in place is the same dictionary.
  const identity = value instanceof Ref ? `${value.number}` : (value ?? null);
  if (!walk.fonts.has(identity)) walk.fonts.set(identity, readShownFont(view, value));
  state.font = walk.fonts.get(identity);
  state.fontName = String([...walk.fonts.keys()].indexOf(identity));
  state.size = typeof size === 'number' ? size : 0;
}

function startLine(reading: Reading, matrix: Matrix): void {
  reading.line = matrix;
  reading.pen = 0;
}

const moveLine = (reading: Reading, x: number, y: number): void =>
  startLine(reading, product([1, 0, 0, 1, x, y], reading.line));

function nextLine(reading: Reading): void {
  moveLine(reading, 0, -reading.state.leading);
}

const [HIDDEN, FIRST_CLIP] = [3, 4];

function showText(reading: Reading, operands: readonly Value[], items: readonly Value[], place: Place): void {
  const { state, made } = reading;
  const show: Show = { ...place, operands: [...operands], glyphs: [] };
  made.shows.push(show);
  for (const [item, value] of items.entries()) {
    if (typeof value === 'number') movePen(reading, (-value / 1000) * state.size);
    else if (value instanceof PdfString) showString(reading, show, item, value.bytes);
  }
}

function movePen(reading: Reading, by: number): void {
  if (reading.pen !== undefined) reading.pen += by * reading.state.scale;
}

function showString(reading: Reading, show: Show, item: number, bytes: Buffer): void {
  const { state, walk } = reading;
  const codes = reading.pen === undefined || state.size === 0 ? undefined : state.font?.(bytes);
  walk.glyphs -= bytes.length;
  if (!codes || walk.glyphs < 0) {
    reading.pen = undefined;
    return;
  }
  const { size, characterSpace, wordSpace, rise, mode } = state;
  const matrix = product(reading.line, state.matrix);
  const scale = Math.hypot(matrix[0], matrix[1]) * Math.abs(size);
  const span = reading.marks.at(-1);
  for (const { at, length, width, isWordSpace } of codes) {
    const advance = (width / 1000) * size + characterSpace + (isWordSpace ? wordSpace : 0);
    const glyph: Glyph = {
      ...transformed(matrix, { x: reading.pen ?? 0, y: rise }),
      ...{ size: scale, item, at, length, span },
      offset: (-advance / size) * 1000,
      key: `${state.fontName} ${bytes.toString('hex', at, at + length)}`,
      isHidden: mode === HIDDEN,
      isClip: mode >= FIRST_CLIP,
    };
    show.glyphs.push(glyph);
    span?.glyphs.push(glyph);
    movePen(reading, advance);
  }
}
