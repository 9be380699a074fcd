// Follows the content of a page (ISO 32000-1, 8 and 9) as far as it says where something is drawn, and gives up where it
// would have to guess. What is clipped, hidden or covered counts as drawn.
import { type Matrix, type Point, type Rect, transformed } from '../geometry.ts';
import { SPACE_LIMITS } from '../limits.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { NOTHING, Scanner } from '../syntax/scanner.ts';
import { type Dict, PdfStream, PdfString, type Value } from '../syntax/values.ts';
import { type WidthOfText, widthBoundsOf } from './fonts.ts';
import { IDENTITY, numbersIn, product, rectAround, scaleOf } from './matrices.ts';

export type PageContent = {
  view: PdfView;
  content: Buffer;
  resources: Dict | undefined;
  /** From the coordinates of the content to those of the page. */
  matrix: Matrix;
  /** In how many forms it is. */
  depth: number;
};

type Add = (rect: Rect, isText: boolean) => void;

/** False where something is in it that is not followed here. */
export function followContent(content: PageContent, add: Add, budget = createBudget()): boolean {
  budget.bytes -= content.content.length;
  if (budget.bytes < 0) return false;
  const drawing = createDrawing(content, add, budget);
  const scanner = new Scanner(content.content, 0);
  let operands: Value[] = [];
  for (;;) {
    scanner.skipBlanks();
    if (scanner.at >= content.content.length) return true;
    const start = scanner.at;
    const value = scanner.value();
    if (value !== NOTHING) {
      operands.push(value);
      if (operands.length > SPACE_LIMITS.operands) return false;
      continue;
    }
    const operator = content.content.toString('latin1', start, scanner.at);
    budget.operators -= 1;
    if (budget.operators < 0) return false;
    if (!WITHOUT_EFFECT.has(operator)) {
      const follow = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : undefined;
      if (follow?.(drawing, operands) !== true) return false;
    }
    operands = [];
  }
}

type Budget = { operators: number; bytes: number };
const createBudget = (): Budget => ({ operators: SPACE_LIMITS.operators, bytes: SPACE_LIMITS.contentBytes });

/** What draws nothing, or less than it would: clipping, colours of lines, marked content, dashes. */
const WITHOUT_EFFECT = new Set('W W* ET Tr J j M d ri i G RG K CS SC SCN BMC BDC EMC MP DP BX EX'.split(' '));

// ── what is known between two operators ─────────────────────────────────────────────────────────────────────────

type State = {
  matrix: Matrix;
  lineWidth: number;
  /** The fill is white for certain: an empty place that is filled with it stays empty. */
  isWhite: boolean;
  font: WidthOfText | undefined;
  size: number;
  characterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
};

const START: Omit<State, 'matrix'> = {
  lineWidth: 1,
  isWhite: false,
  font: undefined,
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
};

/** From where to where the next character may begin, along its line. */
type Pen = { least: number; most: number };

/** `points` are all of a subpath, in the coordinates of the page; each of `pieces` has the points around one line or curve. */
type Subpath = { points: Point[]; pieces: Point[][] };

type Drawing = PageContent & {
  add: Add;
  budget: Budget;
  state: State;
  saved: State[];
  line: Matrix;
  pen: Pen;
  path: Subpath[];
};

const createDrawing = (content: PageContent, add: Add, budget: Budget): Drawing => ({
  ...content,
  add,
  budget,
  state: { ...START, matrix: content.matrix },
  saved: [],
  line: IDENTITY,
  pen: { least: 0, most: 0 },
  path: [],
});

function resource({ view, resources }: Drawing, kind: string, name: Value | undefined): Value | undefined {
  return typeof name === 'string' ? view.dict(resources?.get(kind))?.get(name) : undefined;
}

// ── operators ───────────────────────────────────────────────────────────────────────────────────────────────────

/** True when it was followed. */
type Operator = (drawing: Drawing, operands: readonly Value[]) => boolean;

/** An operator that takes `count` numbers. */
const numeric =
  (count: number, follow: (drawing: Drawing, numbers: number[]) => void): Operator =>
  (drawing, operands) => {
    if (operands.length !== count || !operands.every((one) => typeof one === 'number')) return false;
    follow(drawing, operands as number[]);
    return true;
  };

const always =
  (follow: (drawing: Drawing) => void): Operator =>
  (drawing) => {
    follow(drawing);
    return true;
  };

const white = (count: number): Operator =>
  numeric(count, ({ state }, colors) => {
    state.isWhite = colors.every((one) => one === 1);
  });

const OTHER_COLOR = always(({ state }) => {
  state.isWhite = false;
});

const paint = (isFilled: boolean, isStroked: boolean, isClosed = false): Operator =>
  always((drawing) => {
    if (isClosed) closePath(drawing);
    paintPath(drawing, isFilled, isStroked);
  });

const OPERATORS: Record<string, Operator> = {
  q: ({ state, saved }) => saved.push({ ...state }) <= SPACE_LIMITS.savedStates,
  Q: always((drawing) => {
    drawing.state = drawing.saved.pop() ?? drawing.state;
  }),
  cm: numeric(6, ({ state }, numbers) => {
    state.matrix = product(numbers as unknown as Matrix, state.matrix);
  }),
  w: numeric(1, ({ state }, [width = 0]) => {
    state.lineWidth = width;
  }),
  gs: (drawing, [name]) => isUsualState(drawing.view, resource(drawing, 'ExtGState', name)),
  g: white(1),
  rg: white(3),
  k: OTHER_COLOR,
  cs: OTHER_COLOR,
  sc: OTHER_COLOR,
  scn: OTHER_COLOR,
  m: numeric(
    2,
    (drawing, [x = 0, y = 0]) => void drawing.path.push({ points: [at(drawing, x, y)], pieces: [] }),
  ),
  l: numeric(2, (drawing, numbers) => extendPath(drawing, numbers)),
  c: numeric(6, (drawing, numbers) => extendPath(drawing, numbers)),
  v: numeric(4, (drawing, numbers) => extendPath(drawing, numbers)),
  y: numeric(4, (drawing, numbers) => extendPath(drawing, numbers)),
  h: always(closePath),
  re: numeric(4, (drawing, [x = 0, y = 0, width = 0, height = 0]) => {
    drawing.path.push({ points: [at(drawing, x, y)], pieces: [] });
    extendPath(drawing, [x + width, y]);
    extendPath(drawing, [x + width, y + height]);
    extendPath(drawing, [x, y + height]);
    closePath(drawing);
  }),
  n: paint(false, false),
  f: paint(true, false),
  F: paint(true, false),
  'f*': paint(true, false),
  S: paint(false, true),
  s: paint(false, true, true),
  B: paint(true, true),
  'B*': paint(true, true),
  b: paint(true, true, true),
  'b*': paint(true, true, true),
  Do: (drawing, [name]) => followObject(drawing, resource(drawing, 'XObject', name)),
  BT: always((drawing) => startLine(drawing, IDENTITY)),
  Tf: (drawing, [name, size]) => {
    drawing.state.font = widthBoundsOf(drawing.view, resource(drawing, 'Font', name));
    drawing.state.size = typeof size === 'number' ? size : 0;
    return typeof size === 'number';
  },
  Tc: numeric(1, ({ state }, [space = 0]) => {
    state.characterSpace = space;
  }),
  Tw: numeric(1, ({ state }, [space = 0]) => {
    state.wordSpace = space;
  }),
  Tz: numeric(1, ({ state }, [percent = 0]) => {
    state.scale = percent / 100;
  }),
  TL: numeric(1, ({ state }, [leading = 0]) => {
    state.leading = leading;
  }),
  Ts: numeric(1, ({ state }, [rise = 0]) => {
    state.rise = rise;
  }),
  Td: numeric(2, (drawing, [x = 0, y = 0]) => moveLine(drawing, x, y)),
  TD: numeric(2, (drawing, [x = 0, y = 0]) => {
    drawing.state.leading = -y;
    moveLine(drawing, x, y);
  }),
  Tm: numeric(6, (drawing, numbers) => startLine(drawing, numbers as unknown as Matrix)),
  'T*': always(nextLine),
  Tj: (drawing, [text]) => showText(drawing, text),
  "'": (drawing, [text]) => {
    nextLine(drawing);
    return showText(drawing, text);
  },
  '"': (drawing, [wordSpace, characterSpace, text]) => {
    if (typeof wordSpace !== 'number' || typeof characterSpace !== 'number') return false;
    Object.assign(drawing.state, { wordSpace, characterSpace });
    nextLine(drawing);
    return showText(drawing, text);
  },
  TJ: (drawing, [items]) =>
    Array.isArray(items) &&
    items.every((item) => (typeof item === 'number' ? shiftPen(drawing, item) : showText(drawing, item))),
};

/** A state that brings a font or a width of lines, or mixes colours so that white is seen, is rare. */
function isUsualState(view: PdfView, value: Value | undefined): boolean {
  const state = view.dict(value);
  if (!state || state.has('Font') || state.has('LW')) return false;
  const blend = view.resolve(state.get('BM'));
  return blend === null || blend === 'Normal' || blend === 'Compatible';
}

/** A picture is a square of one unit (8.9.5); a form is content of its own. */
function followObject(drawing: Drawing, value: Value | undefined): boolean {
  const { view, add, budget, depth, resources, state } = drawing;
  const object = view.resolve(value);
  if (!(object instanceof PdfStream)) return false;
  const kind = view.resolve(object.dict.get('Subtype'));
  if (kind === 'Image') {
    add(rectAround(UNIT_SQUARE.map((corner) => transformed(state.matrix, corner))), false);
    return true;
  }
  const content = kind === 'Form' && depth < SPACE_LIMITS.depth ? view.data(value) : undefined;
  const own = object.dict.has('Matrix') ? numbersIn(view, object.dict.get('Matrix')) : [...IDENTITY];
  if (!content || own?.length !== 6) return false;
  const matrix = product(own as unknown as Matrix, state.matrix);
  const inner = view.dict(object.dict.get('Resources')) ?? resources;
  return followContent({ view, content, resources: inner, matrix, depth: depth + 1 }, add, budget);
}

const UNIT_SQUARE = [0, 1].flatMap((x) => [0, 1].map((y) => ({ x, y })));

// ── paths ───────────────────────────────────────────────────────────────────────────────────────────────────────

const at = ({ state }: Drawing, x: number, y: number): Point => transformed(state.matrix, { x, y });

function extendPath(drawing: Drawing, numbers: readonly number[]): void {
  const points: Point[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2)
    points.push(at(drawing, numbers[index]!, numbers[index + 1]!));
  let subpath = drawing.path.at(-1);
  if (!subpath) {
    subpath = { points: [], pieces: [] };
    drawing.path.push(subpath);
  }
  subpath.pieces.push([...subpath.points.slice(-1), ...points]);
  subpath.points.push(...points);
}

function closePath({ path }: Drawing): void {
  const subpath = path.at(-1);
  const [first] = subpath?.points ?? [];
  if (!subpath || !first) return;
  subpath.pieces.push([...subpath.points.slice(-1), first]);
  subpath.points.push(first);
}

function paintPath(drawing: Drawing, isFilled: boolean, isStroked: boolean): void {
  const { path, state, add } = drawing;
  drawing.path = [];
  // Corners reach further than half the width of their lines.
  const reach = Math.max(state.lineWidth * scaleOf(state.matrix), LEAST_LINE);
  for (const { points, pieces } of path) {
    if (isFilled && !state.isWhite && points.length > 0) add(rectAround(points, LEAST_LINE / 2), false);
    if (isStroked) for (const piece of pieces) add(rectAround(piece, reach), false);
  }
}

/** Readers draw a line without a width as thin as they can. */
const LEAST_LINE = 1;

// ── text ────────────────────────────────────────────────────────────────────────────────────────────────────────

// In sizes of the text: accents on capitals, the deepest letters, and what leans over the end.
const ASCENT = 1.1;
const DESCENT = 0.35;
const OVERHANG = { before: 0.05, after: 0.2 };
const SPACE = 0x20;

function startLine(drawing: Drawing, matrix: Matrix): void {
  drawing.line = matrix;
  drawing.pen = { least: 0, most: 0 };
}

const moveLine = (drawing: Drawing, x: number, y: number): void =>
  startLine(drawing, product([1, 0, 0, 1, x, y], drawing.line));

function nextLine(drawing: Drawing): void {
  moveLine(drawing, 0, -drawing.state.leading);
}

function shiftPen(drawing: Drawing, thousandths: number): boolean {
  const { pen, state } = drawing;
  const by = (-thousandths / 1000) * state.size * state.scale;
  drawing.pen = { least: pen.least + by, most: pen.most + by };
  return true;
}

function showText(drawing: Drawing, text: Value | undefined): boolean {
  const { state, pen, line } = drawing;
  const { font, size, rise } = state;
  if (!(text instanceof PdfString) || !font) return false;
  const end = advanced(pen, state, text.bytes, font);
  drawing.pen = end;
  const along = [pen.least, pen.most, end.least, end.most];
  const matrix = product(line, state.matrix);
  const from = Math.min(...along) - Math.abs(size) * OVERHANG.before;
  const to = Math.max(...along) + Math.abs(size) * OVERHANG.after;
  const corners = [from, to].flatMap((x) =>
    [rise + size * ASCENT, rise - size * DESCENT].map((y) => transformed(matrix, { x, y })),
  );
  drawing.add(rectAround(corners), true);
  return true;
}

/** Of a font with several bytes for a character it is not known which of them is a space. */
function advanced(pen: Pen, state: State, bytes: Buffer, font: WidthOfText): Pen {
  const { size, scale, characterSpace, wordSpace } = state;
  const { characters, least, most } = font(bytes);
  const widths = [(least / 1000) * size, (most / 1000) * size];
  const spaces = [0, wordSpace === 0 ? 0 : bytes.filter((byte) => byte === SPACE).length * wordSpace];
  const between = [0, characters * characterSpace];
  const lowest = (Math.min(...widths) + Math.min(...spaces) + Math.min(...between)) * scale;
  const highest = (Math.max(...widths) + Math.max(...spaces) + Math.max(...between)) * scale;
  return { least: pen.least + Math.min(lowest, highest), most: pen.most + Math.max(lowest, highest) };
}
