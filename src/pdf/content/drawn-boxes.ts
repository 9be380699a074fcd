// Tells where something is drawn on a page of a sound file, without PDFium, which takes longer to load than all of this. It
// may say too much, and must never leave out what a reader shows: a page that it cannot follow is answered with nothing.
// What is clipped, hidden or covered counts as drawn.
import {
  type Box,
  boxOfRect,
  geometryOf,
  type Matrix,
  type PageGeometry,
  type Point,
  product,
  type Rect,
  rectAround,
  scaleOf,
  transformed,
} from '../geometry.ts';
import { SPACE_LIMITS } from '../limits.ts';
import { numbersIn, type PdfView } from '../read/read-pdf.ts';
import { type SoundPage, soundFile } from '../read/sound-pages.ts';
import { type Dict, PdfStream, PdfString, type Value } from '../read/values.ts';
import {
  type Budget,
  contentOfPage,
  followContent,
  type GraphicsState,
  INITIAL_STATE,
  numbersOf,
  type Operation,
  readFormContent,
  resourceOf,
  type Visitor,
  type Walk,
} from './interpreter.ts';

export type DrawnBox = Box & { isText: boolean };

/** Lists the boxes of a page, or undefined where only PDFium can tell. */
export function drawnBoxes(bytes: Uint8Array, pageIndex: number): DrawnBox[] | undefined {
  const sound = soundFile(bytes);
  const page = sound?.pages[pageIndex];
  const view = sound?.file.latest;
  const geometry = page && view && geometryOfPage(view, page);
  if (!geometry) return undefined;
  const boxes: DrawnBox[] = [];
  const add = (rect: Rect, isText: boolean) => void boxes.push({ ...boxOfRect(geometry, rect), isText });
  const content = contentOfPage(view, page.dict.get('Contents'));
  if (!content || !addAnnotations(view, page.dict, add)) return undefined;
  const resources = view.dict(page.entries.Resources);
  const budget = { operators: SPACE_LIMITS.operators, bytes: SPACE_LIMITS.contentBytes };
  const isFollowed = followContent(
    { view, bytes: content, resources, state: INITIAL_STATE, depth: 0 },
    createVisitor(view, add, budget),
  );
  return isFollowed && !sound.file.isExhausted() ? boxes : undefined;
}

function geometryOfPage(view: PdfView, { entries, box }: SoundPage): PageGeometry | undefined {
  const mediaBox = numbersIn(view, entries.MediaBox);
  const cropBox = numbersIn(view, entries.CropBox);
  return mediaBox && geometryOf({ mediaBox, cropBox, rotate: box.rotation });
}

type Add = (rect: Rect, isText: boolean) => void;

/** Adds notes, stamps and form fields, empty ones as well. A link is where text is, and a popup is not shown. */
function addAnnotations(view: PdfView, page: Dict, add: Add): boolean {
  if (view.resolve(page.get('Annots')) === null) return true;
  for (const value of view.array(page.get('Annots')) ?? [null]) {
    const annotation = view.dict(value);
    const [x1, y1, x2, y2] = numbersIn(view, annotation?.get('Rect')) ?? [];
    if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return false;
    if (view.resolve(annotation?.get('Subtype')) === 'Popup') continue;
    const corners = [
      { x: x1, y: y1 },
      { x: x2, y: y2 },
    ];
    add(rectAround(corners), false);
  }
  return true;
}

/** `points` has all of a subpath, in the coordinates of the page; each of `pieces` has the points around one line or curve. */
type Subpath = { points: Point[]; pieces: Point[][] };

/** The next character begins between these two places along its line. */
type Pen = { least: number; most: number };

const LINE_START: Pen = { least: 0, most: 0 };

/** A drawing gathers everything that one content draws. */
type Drawing = { add: Add; path: Subpath[]; pen: Pen };

function createVisitor(view: PdfView, add: Add, budget: Budget): Visitor<WidthOfText> {
  const drawing: Drawing = { add, path: [], pen: LINE_START };
  const visitor: Visitor<WidthOfText> = {
    budget,
    rules: { operands: SPACE_LIMITS.operands, savedStates: SPACE_LIMITS.savedStates, isExact: true },
    readFont: (value) => widthBoundsOf(view, value),
    startLine() {
      drawing.pen = LINE_START;
    },
    showText: (walk, items) =>
      items.every((item) => {
        if (typeof item !== 'number') return item instanceof PdfString && showText(drawing, walk, item.bytes);
        const by = (-item / 1000) * walk.state.size * walk.state.scale;
        drawing.pen = { least: drawing.pen.least + by, most: drawing.pen.most + by };
        return true;
      }),
    /** A picture is a square of one unit (8.9.5); a form is content of its own. */
    drawObject(walk, value) {
      const object = view.resolve(value);
      const kind = object instanceof PdfStream ? view.resolve(object.dict.get('Subtype')) : undefined;
      if (kind === 'Image') {
        add(rectAround(UNIT_SQUARE.map((corner) => transformed(walk.state.matrix, corner))), false);
        return true;
      }
      const form =
        kind === 'Form' && walk.depth < SPACE_LIMITS.depth ? readFormContent(walk, value) : undefined;
      if (!form) return false;
      const state = { ...INITIAL_STATE, matrix: form.matrix };
      return followContent({ ...form, state }, createVisitor(view, add, budget));
    },
    applyOther: (walk, operation) => applyOperator(drawing, walk, operation, visitor),
  };
  return visitor;
}

const UNIT_SQUARE = [0, 1].flatMap((x) => [0, 1].map((y) => ({ x, y })));

// ── paths and colours ───────────────────────────────────────────────────────────────────────────────────────────

/** These operators draw nothing, or less than without them: clipping, colours of lines, marked content, dashes. */
const WITHOUT_EFFECT = new Set('W W* ET J j M d ri i G RG K CS SC SCN BMC BDC EMC MP DP BX EX'.split(' '));

/** An empty place that is filled with white stays empty: only these two make the fill white for certain. */
const setWhite: Numeric = (_, { state }, colors) => {
  state.isWhite = colors.every((color) => color === 1);
};
const OTHER_COLORS = new Set(['k', 'cs', 'sc', 'scn']);

type Numeric = (drawing: Drawing, walk: Walk<unknown>, numbers: readonly number[]) => void;

const startPath: Numeric = ({ path }, { state }, [x = 0, y = 0]) =>
  void path.push({ points: [transformed(state.matrix, { x, y })], pieces: [] });

/** They take so many numbers. */
const NUMERIC = new Map<string, [count: number, apply: Numeric]>(
  Object.entries({
    w: [
      1,
      (_, { state }, [width = 0]) => {
        state.lineWidth = width;
      },
    ],
    g: [1, setWhite],
    rg: [3, setWhite],
    m: [2, startPath],
    l: [2, extendPath],
    c: [6, extendPath],
    v: [4, extendPath],
    y: [4, extendPath],
    re: [
      4,
      (drawing, walk, [x = 0, y = 0, width = 0, height = 0]) => {
        startPath(drawing, walk, [x, y]);
        extendPath(drawing, walk, [x + width, y]);
        extendPath(drawing, walk, [x + width, y + height]);
        extendPath(drawing, walk, [x, y + height]);
        closePath(drawing);
      },
    ],
  }),
);

type Paint = { isFilled?: boolean; isStroked?: boolean; isClosed?: boolean };

const PAINTS = new Map<string, Paint>([
  ['n', {}],
  ...['f', 'F', 'f*'].map((operator): [string, Paint] => [operator, { isFilled: true }]),
  ['S', { isStroked: true }],
  ['s', { isStroked: true, isClosed: true }],
  ...['B', 'B*'].map((operator): [string, Paint] => [operator, { isFilled: true, isStroked: true }]),
  ...['b', 'b*'].map((operator): [string, Paint] => [
    operator,
    { isFilled: true, isStroked: true, isClosed: true },
  ]),
]);

function applyOperator(
  drawing: Drawing,
  walk: Walk<WidthOfText>,
  operation: Operation,
  visitor: Visitor<WidthOfText>,
): boolean {
  const { operator, operands } = operation;
  const numeric = NUMERIC.get(operator);
  if (numeric) {
    const [count, apply] = numeric;
    const numbers = numbersOf(operation, count, visitor);
    if (numbers) apply(drawing, walk, numbers);
    return numbers !== undefined;
  }
  const paint = PAINTS.get(operator);
  if (paint) paintPath(drawing, walk.state, paint);
  else if (operator === 'h') closePath(drawing);
  else if (OTHER_COLORS.has(operator)) walk.state.isWhite = false;
  else if (operator === 'gs') return isUsualState(walk.view, resourceOf(walk, 'ExtGState', operands[0]));
  else return WITHOUT_EFFECT.has(operator);
  return true;
}

/** A state that brings a font or a width of lines, or mixes colours so that white is seen, is rare. */
function isUsualState(view: PdfView, value: Value | undefined): boolean {
  const state = view.dict(value);
  if (!state || state.has('Font') || state.has('LW')) return false;
  const blend = view.resolve(state.get('BM'));
  return blend === null || blend === 'Normal' || blend === 'Compatible';
}

function extendPath(drawing: Drawing, { state }: Walk<unknown>, numbers: readonly number[]): void {
  const points: Point[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2)
    points.push(transformed(state.matrix, { x: numbers[index]!, y: numbers[index + 1]! }));
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

function paintPath(
  drawing: Drawing,
  state: GraphicsState<unknown>,
  { isFilled, isStroked, isClosed }: Paint,
): void {
  if (isClosed) closePath(drawing);
  const { path, add } = drawing;
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

function showText(drawing: Drawing, { state, line }: Walk<WidthOfText>, text: Buffer): boolean {
  const { font, size, rise } = state;
  if (!font) return false;
  const { pen } = drawing;
  const end = advanced(pen, state, text, font);
  drawing.pen = end;
  const along = [pen.least, pen.most, end.least, end.most];
  const matrix: Matrix = product(line, state.matrix);
  const from = Math.min(...along) - Math.abs(size) * OVERHANG.before;
  const to = Math.max(...along) + Math.abs(size) * OVERHANG.after;
  const corners = [from, to].flatMap((x) =>
    [rise + size * ASCENT, rise - size * DESCENT].map((y) => transformed(matrix, { x, y })),
  );
  drawing.add(rectAround(corners), true);
  return true;
}

/** Nobody can tell which of the bytes of a character is a space in a font with several bytes for each. */
function advanced(pen: Pen, state: GraphicsState<unknown>, bytes: Buffer, widthOf: WidthOfText): Pen {
  const { size, scale, characterSpace, wordSpace } = state;
  const { characters, least, most } = widthOf(bytes);
  const widths = [(least / 1000) * size, (most / 1000) * size];
  const spaces = [0, wordSpace === 0 ? 0 : bytes.filter((byte) => byte === SPACE).length * wordSpace];
  const between = [0, characters * characterSpace];
  const lowest = (Math.min(...widths) + Math.min(...spaces) + Math.min(...between)) * scale;
  const highest = (Math.max(...widths) + Math.max(...spaces) + Math.max(...between)) * scale;
  return { least: pen.least + Math.min(lowest, highest), most: pen.most + Math.max(lowest, highest) };
}

// ── widths of a text, from those that its font states ───────────────────────────────────────────────────────────

/** A text has at most so many characters. Their widths add up to between `least` and `most`, in thousandths of the size. */
type TextWidth = { characters: number; least: number; most: number };

type WidthOfText = (text: Buffer) => TextWidth;

/** The widest character of the standard fonts is narrower, in thousandths of the size. */
const WIDEST = 1100;

/** Returns undefined for fonts whose characters are drawings (Type 3), and for vertical writing. */
function widthBoundsOf(view: PdfView, value: Value | undefined): WidthOfText | undefined {
  const font = view.dict(value);
  const kind = font && view.resolve(font.get('Subtype'));
  if (!font || kind === 'Type3') return undefined;
  return kind === 'Type0' ? composite(view, font) : simple(view, font);
}

function simple(view: PdfView, font: Dict): WidthOfText {
  const first = view.resolve(font.get('FirstChar'));
  const widths = typeof first === 'number' ? view.array(font.get('Widths')) : undefined;
  if (!widths) return (text) => ({ characters: text.length, least: 0, most: text.length * WIDEST });
  const values = widths.map((width) => view.resolve(width));
  return (text) => {
    let [least, most] = [0, 0];
    for (const byte of text) {
      const width = values[byte - Number(first)];
      const isKnown = typeof width === 'number' && width > 0;
      least += isKnown ? width : 0;
      most += isKnown ? width : WIDEST;
    }
    return { characters: text.length, least, most };
  };
}

/** Takes each character for as wide as the widest. Only with two bytes for each is it known how many there are; otherwise there is at most one for each byte. */
function composite(view: PdfView, font: Dict): WidthOfText | undefined {
  const encoding = view.resolve(font.get('Encoding'));
  if (typeof encoding !== 'string' || encoding.endsWith('V')) return undefined;
  const descendant = view.dict(view.array(font.get('DescendantFonts'))?.[0]);
  if (!descendant) return undefined;
  const usual = view.resolve(descendant.get('DW'));
  const listed = widestOf(view, view.array(descendant.get('W')) ?? []);
  const widest = Math.max(typeof usual === 'number' ? usual : 1000, listed);
  const bytes = encoding === 'Identity-H' ? 2 : 1;
  return (text) => {
    const characters = Math.ceil(text.length / bytes);
    return { characters, least: 0, most: characters * widest };
  };
}

/** The array of widths reads `c [w1 w2 …]` and `c1 c2 w`, one after another (ISO 32000-1, 9.7.4.3). */
function widestOf(view: PdfView, items: readonly Value[]): number {
  let widest = 0;
  for (let at = 0; at + 1 < items.length; ) {
    const list = view.array(items[at + 1]);
    for (const width of list ?? [items[at + 2] ?? null]) {
      const number = view.resolve(width);
      if (typeof number === 'number') widest = Math.max(widest, number);
    }
    at += list ? 2 : 3;
  }
  return widest;
}
