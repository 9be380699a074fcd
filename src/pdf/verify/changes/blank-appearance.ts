// Tells whether the appearance of a field draws nothing but a border, a background and lines that divide it. Letters and numbers can be drawn with lines
// and rectangles too, so each of them has to reach from one side of the box to the other.
import { type Operation, readOperators } from '../../content/interpreter.ts';
import { IDENTITY, type Matrix, type Point, product, transformed } from '../../geometry.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { numbersIn } from '../../read/read-pdf.ts';
import type { PdfStream, Value } from '../../read/values.ts';
import { oncePerStream } from './diff-context.ts';

/** Operators that set up text without showing it, colours and marks draw nothing. */
const SILENT = new Set(
  'w J j M d ri i g G rg RG k K cs CS BMC BDC EMC MP DP BT ET Tc Tw Tz TL Tf Tr Ts Td TD Tm T*'.split(' '),
);
/** These operators end a path; the value tells whether the path goes back to its beginning before. */
const ENDS = new Map(
  Object.entries({
    S: false,
    s: true,
    f: false,
    F: false,
    'f*': false,
    B: false,
    'B*': false,
    b: true,
    'b*': true,
    n: false,
  }),
);
/** A comb has a line between two characters. */
const MOST_LINES = 60;
/** A line that has this share of the width or the height of the box reaches from side to side: a border may be wide. */
const MOST_OF_BOX = 0.75;
/** Clipping paths hide parts of what is drawn after them. */
const MOST_CLIPS = 2;
/** The bevelled corners of a border that looks raised or sunken have this size, in points. */
const CORNER = 6;

type Piece = { from: Point; to: Point; isLine: boolean };
type Box = { left: number; bottom: number; width: number; height: number };

export const isBlankAppearance = oncePerStream((view, appearance) => hasOnlyBorders(view, appearance, false));

/**
 * Tells whether an appearance draws nothing but what an empty one may, and letters that are seen and come from a font that is no collection
 * of drawings.
 */
export const isTextAppearance = oncePerStream(
  (view, appearance) => hasOnlyBorders(view, appearance, true) && !hasDrawnFont(view, appearance),
);

const TEXTS = new Set(['Tj', 'TJ', "'", '"']);
/** Letters are seen that are filled, outlined, or both (ISO 32000-2, table 104): others are not, or cut off what follows. */
const SEEN_MODES = new Set<unknown>([0, 1, 2]);

function hasDrawnFont(view: PdfView, appearance: PdfStream): boolean {
  const fonts = view.dict(view.dict(appearance.dict.get('Resources'))?.get('Font'));
  return [...(fonts?.values() ?? [])].some(
    (font) => view.resolve(view.dict(font)?.get('Subtype')) === 'Type3',
  );
}

function hasOnlyBorders(view: PdfView, appearance: PdfStream, isText: boolean): boolean {
  const content = view.data(appearance);
  if (!content) return false;
  const drawing = createDrawing(boxOf(view, appearance));
  const mayFollow = ({ operator, operands }: Operation): boolean => {
    if (isText && operator === 'Tr' && !SEEN_MODES.has(operands[0])) return false;
    return (isText && TEXTS.has(operator)) || drawing.takes(operator, operands);
  };
  return readOperators(content, mayFollow, { isUnambiguous: true });
}

function boxOf(view: PdfView, appearance: PdfStream): Box | undefined {
  const [x1, y1, x2, y2, ...more] = numbersIn(view, appearance.dict.get('BBox')) ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined || more.length > 0)
    return undefined;
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    width: Math.abs(x2 - x1),
    height: Math.abs(y2 - y1),
  };
}

/** Follows the paths. `takes` answers whether an appearance with this operator may still be an empty one. */
function createDrawing(box: Box | undefined) {
  const saved: Matrix[] = [];
  let matrix: Matrix = IDENTITY;
  let path: Piece[] = [];
  let [first, last]: Point[] = [];
  let isClip = false;
  let [lines, clips] = [0, 0];
  const draw = (from: Point | undefined, to: Point | undefined, isLine = true): boolean => {
    if (!from || !to) return false;
    path.push({ from, to, isLine });
    lines += 1;
    last = to;
    return lines <= MOST_LINES;
  };
  const finish = (isClosed: boolean, isDrawn: boolean): boolean => {
    if (isClosed && path.length > 0) draw(last, first);
    const isSound =
      (!isDrawn || path.every((piece) => isAcross(piece, box))) && (!isClip || isWide(path, box));
    [path, isClip] = [[], false];
    return isSound;
  };
  const turn = (numbers: number[]): boolean => {
    const [a, b, c, d, e, f] = numbers;
    if (f === undefined || numbers.length > 6) return false;
    matrix = product([a!, b!, c!, d!, e!, f], matrix);
    return (b === 0 && c === 0) || (a === 0 && d === 0);
  };
  return {
    takes(operator: string, operands: readonly Value[]): boolean {
      const numbers = operands.filter((operand) => typeof operand === 'number');
      const [x = 0, y = 0, width = 0, height = 0] = numbers;
      const ends = ENDS.get(operator);
      if (SILENT.has(operator)) return true;
      if (ends !== undefined) return finish(ends, operator !== 'n');
      if (operator === 'q') return saved.push(matrix) <= MOST_LINES;
      if (operator === 'Q') {
        matrix = saved.pop() ?? matrix;
        return true;
      }
      if (operator === 'cm') return turn(numbers);
      if (operator === 'W' || operator === 'W*') {
        isClip = true;
        clips += 1;
        return clips <= MOST_CLIPS;
      }
      if (operator === 'h') return draw(last, first);
      const at = transformed(matrix, { x, y });
      if (operator === 'm' && numbers.length === 2) {
        [first, last] = [at, at];
        return true;
      }
      if (operator === 'l' && numbers.length === 2) return draw(last, at);
      if (operator !== 're' || numbers.length !== 4) return false;
      return draw(at, transformed(matrix, { x: x + width, y: y + height }), false);
    },
  };
}

const sizeOf = ({ from, to }: Piece) => ({ wide: Math.abs(to.x - from.x), high: Math.abs(to.y - from.y) });

/** A piece goes across if it is a rectangle or a straight line from one side of the box to the other, or cuts off a corner. */
function isAcross(piece: Piece, box: Box | undefined): boolean {
  if (!box) return false;
  const { wide, high } = sizeOf(piece);
  const corner = Math.min(CORNER, box.width / 4, box.height / 4);
  const isStraight = !piece.isLine || Math.min(wide, high) <= corner;
  if (isStraight && (wide >= box.width * MOST_OF_BOX || high >= box.height * MOST_OF_BOX)) return true;
  if (wide > corner || high > corner) return false;
  const isNear = (at: number, side: number, length: number) =>
    Math.min(Math.abs(at - side), Math.abs(at - side - length)) <= corner;
  return [piece.from, piece.to].every(
    ({ x, y }) => isNear(x, box.left, box.width) && isNear(y, box.bottom, box.height),
  );
}

/** Tells whether the clipping path hides only content near the sides of the box. */
function isWide(path: readonly Piece[], box: Box | undefined): boolean {
  const [piece] = path;
  if (!piece || !box || path.length > 1) return false;
  const { wide, high } = sizeOf(piece);
  return wide >= box.width * MOST_OF_BOX && high >= box.height / 2;
}
