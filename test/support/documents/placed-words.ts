// Writes a page of words in a given way, and says where a reader displays each of them: computed from the rules of the format (ISO 32000-1, 8.3
// and 9.4.4), without the geometry that is tested.
import type { Box } from '../../../src/pdf/geometry.ts';
import { type TextFont, textPdf } from './text-pdf.ts';

/** Lengths are in displayed points, unless they are of the page's own boxes. */
export type WordsPage = {
  font: TextFont;
  /** Columns of lines of words, as they are drawn from left to right; `text` is as they are read. */
  columns: readonly (readonly (readonly { text: string; drawn: string }[])[])[];
  rotate: 0 | 90 | 180 | 270;
  unit: number;
  /** The lower left corner of the MediaBox, in units of the page. */
  origin: { x: number; y: number };
  /** How much of each side is cut away by a CropBox. */
  crop: { left: number; bottom: number; right: number; top: number } | undefined;
  isInherited: boolean;
  /** Whether the text is upright for the reader of a page that is turned. */
  isUpright: boolean;
  size: number;
  /** What makes the size: the operator Tf, the matrix of the text, or that of the page. */
  scaledBy: 'font' | 'text' | 'page';
  /** In percent. */
  widened: number;
  letterSpacing: number;
  wordSpacing: number;
  rise: number;
  /** Thousandths of the size, taken away after each letter in turn. */
  kerning: readonly number[];
  /** Whether each word is placed by itself, without a space between two words. */
  isWordByWord: boolean;
  /** Whether lines that are beside each other are drawn one after the other. */
  isRowByRow: boolean;
};

export type PlacedText = Box & { text: string; baseLine: number };

/** The displayed size of each page: the longest lines fit in it. */
const SIDE = 760;
const COLUMN = 360;
const MARGIN = 30;

const number = (value: number): string => String(Math.round(value * 1e5) / 1e5);

export function placedWordsPdf(page: WordsPage): { pdf: Buffer; words: PlacedText[]; lines: PlacedText[] } {
  const { columns, isRowByRow } = page;
  const lineCount = Math.max(...columns.map((lines) => lines.length));
  const order = isRowByRow
    ? Array.from({ length: lineCount }, (_, line) => columns.map((__, column) => ({ column, line }))).flat()
    : columns.flatMap((lines, column) => lines.map((_, line) => ({ column, line })));
  const shown = order.flatMap(({ column, line }) => {
    const words = columns[column]?.[line];
    return words
      ? [drawLine(page, words, { u: MARGIN + column * COLUMN, v: MARGIN + (line + 1) * page.size * 2 })]
      : [];
  });
  return {
    pdf: textPdf({
      contents: [shown.map(({ content }) => content).join('\n')],
      fonts: [page.font],
      ...boxesOf(page),
    }),
    words: shown.flatMap(({ words }) => words),
    lines: shown.map(({ whole }) => whole),
  };
}

/** The visible part of the page, in its own units. */
function visibleOf({ origin, unit, crop }: WordsPage) {
  const side = SIDE / unit;
  const { left, bottom } = { left: origin.x + (crop?.left ?? 0), bottom: origin.y + (crop?.bottom ?? 0) };
  return { left, bottom, right: left + side, top: bottom + side };
}

function boxesOf(page: WordsPage): { page: string; tree: string } {
  const { rotate, unit, crop, isInherited } = page;
  const { left, bottom, right, top } = visibleOf(page);
  const box = (name: string, ...sides: number[]) => `/${name}[${sides.map(number).join(' ')}]`;
  const media = crop
    ? box('MediaBox', left - crop.left, bottom - crop.bottom, right + crop.right, top + crop.top)
    : box('MediaBox', left, bottom, right, top);
  const entries = `${media}${crop ? box('CropBox', left, bottom, right, top) : ''}/Rotate ${rotate}`;
  const own = unit === 1 ? '' : `/UserUnit ${unit}`;
  return isInherited ? { page: own, tree: entries } : { page: `${entries}${own}`, tree: '' };
}

// ── where a point of the text is ────────────────────────────────────────────────────────────────────────────────

/** How far along the lines, and how far below the first of them, in displayed points. */
type TextPoint = { u: number; v: number };

/** The direction of the lines in the page's own coordinates, counterclockwise. */
const quartersOf = ({ rotate, isUpright }: WordsPage): number => (isUpright ? rotate / 90 : 0);

const DIRECTIONS = [
  { along: { x: 1, y: 0 }, up: { x: 0, y: 1 } },
  { along: { x: 0, y: 1 }, up: { x: -1, y: 0 } },
  { along: { x: -1, y: 0 }, up: { x: 0, y: -1 } },
  { along: { x: 0, y: -1 }, up: { x: 1, y: 0 } },
] as const;

function ownPoint(page: WordsPage, { u, v }: TextPoint): { x: number; y: number } {
  const { left, bottom, right, top } = visibleOf(page);
  const quarters = quartersOf(page);
  const { along, up } = DIRECTIONS[quarters]!;
  const corner = [
    { x: left, y: top },
    { x: left, y: bottom },
    { x: right, y: bottom },
    { x: right, y: top },
  ][quarters]!;
  return {
    x: corner.x + (u * along.x - v * up.x) / page.unit,
    y: corner.y + (u * along.y - v * up.y) / page.unit,
  };
}

function displayedPoint(page: WordsPage, point: TextPoint): { x: number; y: number } {
  const { x, y } = ownPoint(page, point);
  const { left, bottom, right, top } = visibleOf(page);
  const displayed = {
    0: { x: x - left, y: top - y },
    90: { x: y - bottom, y: x - left },
    180: { x: right - x, y: y - bottom },
    270: { x: top - y, y: right - x },
  }[page.rotate];
  return { x: displayed.x * page.unit, y: displayed.y * page.unit };
}

/** The box of text from `start` on. */
function placed(page: WordsPage, text: string, { u, v }: TextPoint, width: number): PlacedText {
  const { font, size, rise } = page;
  const [ascent, descent] = [(font.ascent / 1000) * size + rise, (font.descent / 1000) * size + rise];
  const one = displayedPoint(page, { u, v: v - ascent });
  const other = displayedPoint(page, { u: u + width, v: v - descent });
  return {
    text,
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
    baseLine: displayedPoint(page, { u, v: v - rise }).y,
  };
}

// ── drawing ─────────────────────────────────────────────────────────────────────────────────────────────────────

function drawLine(page: WordsPage, words: readonly { text: string; drawn: string }[], start: TextPoint) {
  const { font, size, wordSpacing, letterSpacing, widened, isWordByWord } = page;
  const wide = widened / 100;
  const extra = letterSpacing + (font.takesWordSpacing ? wordSpacing : 0);
  const space = ((font.widthOf(' ') / 1000) * size + extra) * wide;
  let u = start.u;
  let end = u;
  const parts: { u: number; operands: string }[] = [];
  const found = words.map(({ text, drawn }, index) => {
    if (index > 0) u += space;
    const { operands, advance, width } = show(page, drawn);
    const word = placed(page, text, { u, v: start.v }, width);
    parts.push({ u, operands: index > 0 && !isWordByWord ? `${font.encode(' ')} ${operands}` : operands });
    end = u + width;
    u += advance;
    return word;
  });
  const content = isWordByWord
    ? parts.map((part) => block(page, { u: part.u, v: start.v }, part.operands)).join('\n')
    : block(page, start, parts.map(({ operands }) => operands).join(' '));
  const whole = placed(page, '', start, end - start.u);
  return { content, words: found, whole };
}

/** The operands of TJ for a word, and how wide it is: with the space after its last letter, and without. */
function show({ font, size, widened, letterSpacing, kerning }: WordsPage, drawn: string) {
  const operands: string[] = [];
  let advance = 0;
  let width = 0;
  for (const [index, letter] of lettersOf(drawn).entries()) {
    const kern = kerning[index % kerning.length] ?? 0;
    const glyph = (font.widthOf(letter) / 1000) * size;
    width = advance + (glyph * widened) / 100;
    advance += ((glyph + letterSpacing - (kern / 1000) * size) * widened) / 100;
    operands.push(`${font.encode(letter)}${kern === 0 ? '' : ` ${number(kern)}`}`);
  }
  return { operands: operands.join(' '), advance, width };
}

const lettersOf = (text: string): string[] => text.match(/fi|./gu) ?? [];

function block(page: WordsPage, point: TextPoint, operands: string): string {
  const { size, unit, scaledBy, letterSpacing, wordSpacing, widened, rise } = page;
  const { along, up } = DIRECTIONS[quartersOf(page)]!;
  const { x, y } = ownPoint(page, point);
  const fontSize = scaledBy === 'font' ? size / unit : scaledBy === 'text' ? 1 : size / unit / 2;
  const scale = scaledBy === 'text' ? size / unit : 1;
  const zoom = scaledBy === 'page' ? 2 : 1;
  const own = (length: number) => number(length / unit / scale / zoom);
  const matrix = [along.x, along.y, up.x, up.y].map((one) => number(one * scale));
  const text = [
    `BT /F0 ${number(fontSize)} Tf ${own(letterSpacing)} Tc ${own(wordSpacing)} Tw ${number(widened)} Tz ${own(rise)} Ts`,
    `${matrix.join(' ')} ${number(x / zoom)} ${number(y / zoom)} Tm [${operands}] TJ ET`,
  ].join(' ');
  return zoom === 1 ? text : `q ${zoom} 0 0 ${zoom} 0 0 cm ${text} Q`;
}
