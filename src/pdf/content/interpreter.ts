// Follows the content of pages, drawings and appearances (ISO 32000-1, 8 and 9) in one way for all who ask what it draws: one loop over the
// operators, one graphics state. A visitor says what it wants to know and where it gives up. Nothing is guessed.
import { IDENTITY, type Matrix, product } from '../geometry.ts';
import { numbersIn, type PdfView } from '../read/read-pdf.ts';
import { NOTHING, Scanner, wordIn } from '../read/scanner.ts';
import { type Dict, PdfStream, PdfString, type Value } from '../read/values.ts';
import { inlineImageEnd } from './inline-image.ts';

/** `start` is where the first operand begins, `end` where the operator ends. */
export type Operation = { operator: string; operands: readonly Value[]; start: number; end: number };

export type ReadingRules = {
  /** An operator with more operands is refused. */
  operands?: number;
  /** Content is refused in which a value is another one for some readers. */
  isUnambiguous?: boolean;
  /** Pictures that stand in the content are passed over; otherwise the visitor sees their operators. */
  skipsPictures?: boolean;
  /** Content is refused whose last operands belong to no operator. */
  isComplete?: boolean;
};

/**
 * Visits operator after operator, as long as `visit` answers true. Operands at the end that belong to no operator draw nothing.
 * @returns whether the content was read to its end
 */
export function readOperators(
  content: Buffer,
  visit: (operation: Operation) => boolean,
  rules: ReadingRules = {},
): boolean {
  const { operands: mostOperands = Infinity, isUnambiguous = false, skipsPictures = false } = rules;
  const scanner = new Scanner(content, 0);
  let operands: Value[] = [];
  let first: number | undefined;
  for (;;) {
    scanner.skipBlanks();
    const start = scanner.at;
    if (isUnambiguous && scanner.isAmbiguous) return false;
    if (start >= content.length) return rules.isComplete !== true || operands.length === 0;
    const value = scanner.value();
    if (value !== NOTHING) {
      first ??= start;
      operands.push(value);
      if (operands.length > mostOperands) return false;
      continue;
    }
    // The scanner stops at a stray bracket, and at more values than it reads.
    if (scanner.at <= start) return false;
    const operator = wordIn(content, start, scanner.at);
    if (operator === 'BI' && skipsPictures) {
      const end = endOfPicture(content, scanner.at);
      if (end === undefined) return false;
      scanner.at = end;
    } else if (!visit({ operator, operands, start: first ?? start, end: scanner.at })) return false;
    operands = [];
    first = undefined;
  }
}

/** Finds the end of a picture whose entries begin at `header`: its samples may look like anything. */
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

/** Joins the streams of a page, each ended by a line. Returns undefined where one of them cannot be read. */
export function contentOfPage(view: PdfView, contents: Value | undefined): Buffer | undefined {
  const streams = view.resolve(contents) === null ? [] : (view.array(contents) ?? [contents]);
  const data = streams.map((stream) => view.data(stream));
  return data.every((bytes) => bytes !== undefined)
    ? Buffer.concat(data.flatMap((bytes) => [bytes, LINE]))
    : undefined;
}

const LINE = Buffer.from('\n');

// ── the graphics state ──────────────────────────────────────────────────────────────────────────────────────────

/** It changes between two operators. `Font` is what a visitor knows of a font. */
export type GraphicsState<Font> = {
  /** The matrix leads from the coordinates of the content to those of the page. */
  matrix: Matrix;
  lineWidth: number;
  /** The fill is white for certain. */
  isWhite: boolean;
  font: Font | undefined;
  size: number;
  characterSpace: number;
  wordSpace: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
};

export const INITIAL_STATE: GraphicsState<never> = {
  matrix: IDENTITY,
  lineWidth: 1,
  isWhite: false,
  font: undefined,
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
};

export type Content<Font> = {
  view: PdfView;
  bytes: Buffer;
  resources: Dict | undefined;
  state: GraphicsState<Font>;
  /** The content is in so many drawings. */
  depth: number;
};

/** `line` is where the current line of text begins. */
export type Walk<Font> = Content<Font> & { saved: GraphicsState<Font>[]; line: Matrix };

/** So many bytes and operators may still be followed, in all content together. */
export type Budget = { bytes: number; operators: number };

/** Each function answers false where it gives up. */
export type Visitor<Font> = {
  budget: Budget;
  rules: ReadingRules & {
    savedStates: number;
    /** An operator has just the operands that it takes; otherwise the last ones count, as they do for viewers. */
    isExact: boolean;
  };
  readFont(value: Value | undefined): Font | undefined;
  /** The next text begins at the begin of a line. */
  startLine(): void;
  /** @param items strings, and numbers by which the next string is moved to the left, in thousandths of the size */
  showText(walk: Walk<Font>, items: readonly Value[], operation: Operation): boolean;
  drawObject(walk: Walk<Font>, object: Value | undefined, operation: Operation): boolean;
  /** Gets every operator that changes none of what `Walk` has. */
  applyOther(walk: Walk<Font>, operation: Operation): boolean;
};

/** @returns false where the visitor gave up, or where an operator of text or of the state cannot be followed */
export function followContent<Font>(content: Content<Font>, visitor: Visitor<Font>): boolean {
  const { budget, rules } = visitor;
  budget.bytes -= content.bytes.length;
  if (budget.bytes < 0) return false;
  const walk: Walk<Font> = { ...content, state: { ...content.state }, saved: [], line: IDENTITY };
  const visit = (operation: Operation): boolean => {
    budget.operators -= 1;
    if (budget.operators < 0) return false;
    const apply = OPERATORS.get(operation.operator);
    return apply ? apply(walk, operation, visitor) : visitor.applyOther(walk, operation);
  };
  return readOperators(content.bytes, visit, rules);
}

/** Reads a form without the state that it begins with; undefined for anything else, and where it cannot be read. */
export function readFormContent(
  { view, resources, state, depth }: Walk<unknown>,
  value: Value | undefined,
): (Omit<Content<never>, 'state'> & { matrix: Matrix }) | undefined {
  const form = view.resolve(value);
  const bytes = view.data(value);
  if (!(form instanceof PdfStream) || !bytes) return undefined;
  const matrix = form.dict.has('Matrix') ? numbersIn(view, form.dict.get('Matrix')) : IDENTITY;
  if (matrix?.length !== 6) return undefined;
  return {
    ...{ view, bytes, depth: depth + 1 },
    resources: view.dict(form.dict.get('Resources')) ?? resources,
    matrix: product(matrix as unknown as Matrix, state.matrix),
  };
}

export function resourceOf(
  { view, resources }: Walk<unknown>,
  kind: string,
  name: Value | undefined,
): Value | undefined {
  return typeof name === 'string' ? view.dict(resources?.get(kind))?.get(name) : undefined;
}

/** Returns the operands of an operator that takes `count` numbers; undefined where it has others. */
export function numbersOf(
  { operands }: Operation,
  count: number,
  { rules }: Visitor<unknown>,
): number[] | undefined {
  if (rules.isExact && operands.length !== count) return undefined;
  const numbers = operands.slice(-count);
  return numbers.length === count && numbers.every((number) => typeof number === 'number')
    ? (numbers as number[])
    : undefined;
}

export function setFont<Font>(
  { state }: Walk<Font>,
  font: Value | undefined,
  size: Value | undefined,
  visitor: Visitor<Font>,
): void {
  state.font = visitor.readFont(font);
  state.size = typeof size === 'number' ? size : 0;
}

// ── operators ───────────────────────────────────────────────────────────────────────────────────────────────────

type Operator = (walk: Walk<unknown>, operation: Operation, visitor: Visitor<unknown>) => boolean;

const numeric =
  (
    count: number,
    apply: (walk: Walk<unknown>, numbers: number[], visitor: Visitor<unknown>) => void,
  ): Operator =>
  (walk, operation, visitor) => {
    const numbers = numbersOf(operation, count, visitor);
    if (numbers) apply(walk, numbers, visitor);
    return numbers !== undefined;
  };

const setting = (name: 'characterSpace' | 'wordSpace' | 'leading' | 'rise' | 'mode'): Operator =>
  numeric(1, ({ state }, [value = 0]) => {
    state[name] = value;
  });

const OPERATORS = new Map<string, Operator>(
  Object.entries({
    q: ({ state, saved }, _, { rules }) => saved.push({ ...state }) <= rules.savedStates,
    Q: (walk) => {
      walk.state = walk.saved.pop() ?? walk.state;
      return true;
    },
    cm: numeric(6, ({ state }, numbers) => {
      state.matrix = product(numbers as unknown as Matrix, state.matrix);
    }),
    Do: (walk, operation, visitor) =>
      visitor.drawObject(walk, resourceOf(walk, 'XObject', operation.operands[0]), operation),
    BT: (walk, _, visitor) => startLine(walk, IDENTITY, visitor),
    Tf: (walk, { operands: [name, size] }, visitor) => {
      setFont(walk, resourceOf(walk, 'Font', name), size, visitor);
      return !visitor.rules.isExact || typeof size === 'number';
    },
    Tc: setting('characterSpace'),
    Tw: setting('wordSpace'),
    TL: setting('leading'),
    Ts: setting('rise'),
    Tr: setting('mode'),
    Tz: numeric(1, ({ state }, [percent = 0]) => {
      state.scale = percent / 100;
    }),
    Td: numeric(2, (walk, [x = 0, y = 0], visitor) => moveLine(walk, x, y, visitor)),
    TD: numeric(2, (walk, [x = 0, y = 0], visitor) => {
      walk.state.leading = -y;
      moveLine(walk, x, y, visitor);
    }),
    Tm: numeric(6, (walk, numbers, visitor) => startLine(walk, numbers as unknown as Matrix, visitor)),
    'T*': nextLine,
    Tj: (walk, operation, visitor) => showString(walk, operation, operation.operands[0], visitor),
    "'": (walk, operation, visitor) =>
      nextLine(walk, operation, visitor) && showString(walk, operation, operation.operands[0], visitor),
    '"': (walk, operation, visitor) => {
      const [wordSpace, characterSpace, text] = operation.operands;
      if (typeof wordSpace !== 'number' || typeof characterSpace !== 'number') return false;
      Object.assign(walk.state, { wordSpace, characterSpace });
      return nextLine(walk, operation, visitor) && showString(walk, operation, text, visitor);
    },
    TJ: (walk, operation, visitor) => {
      const [items] = operation.operands;
      return Array.isArray(items) && visitor.showText(walk, items, operation);
    },
  } satisfies Record<string, Operator>),
);

function startLine(walk: Walk<unknown>, matrix: Matrix, visitor: Visitor<unknown>): boolean {
  walk.line = matrix;
  visitor.startLine();
  return true;
}

const moveLine = (walk: Walk<unknown>, x: number, y: number, visitor: Visitor<unknown>): boolean =>
  startLine(walk, product([1, 0, 0, 1, x, y], walk.line), visitor);

function nextLine(walk: Walk<unknown>, _: Operation, visitor: Visitor<unknown>): boolean {
  return moveLine(walk, 0, -walk.state.leading, visitor);
}

function showString(
  walk: Walk<unknown>,
  operation: Operation,
  text: Value | undefined,
  visitor: Visitor<unknown>,
): boolean {
  if (text instanceof PdfString) return visitor.showText(walk, [text], operation);
  return !visitor.rules.isExact && visitor.showText(walk, [], operation);
}
