// Lays out a paragraph: its lines with alignment, spacing, borders and shading.

import type { MeasuredRun } from '../fonts/typesetting.ts';
import type { LayoutContext } from './layout.ts';
import { breakLines, edgesOf, leaderAt, type Measure, type PlacedPiece, type TextLine } from './lines.ts';
import { type PageMark, type Strip, strip } from './marks.ts';
import type { Border, Paragraph, ParagraphStyle } from './model.ts';
import { lookOf, type Piece, piecesOf, type TextLook, widthOf } from './pieces.ts';

/** The paragraphs above and below: paragraphs with the same borders share them. */
export type Neighbours = { above: Paragraph | undefined; below: Paragraph | undefined };

export function layoutParagraph(
  paragraph: Paragraph,
  width: number,
  context: LayoutContext,
  near: Neighbours,
): Strip[] {
  const { style } = paragraph;
  const measure: Measure = { width, style, defaultTab: context.defaultTab, typesetting: context.typesetting };
  const lines = breakLines(contentOf(paragraph, width, context), measure);
  const own = lookOf(paragraph.mark);
  const sides = bordersOf(style, near);
  const strips = lines.map((line, index) => {
    const isFirst = index === 0;
    const isLast = index === lines.length - 1;
    const laid = layoutLine(line, isFirst, { measure, own, context, background: style.background });
    const room = { above: isFirst ? sides.above : 0, below: isLast ? sides.below : 0 };
    const height = laid.height + room.above + room.below;
    const edges = edgesOf(measure, false);
    const around = frameMarks(style, edges, height, {
      isFirst: isFirst && !sides.joinsAbove,
      isLast: isLast && !sides.joinsBelow,
    });
    const marks = [...around, ...laid.marks.map((mark) => ({ ...mark, y: mark.y + room.above }))];
    return strip(height, marks, {
      before: isFirst ? spaceAbove(style, near) : 0,
      after: isLast ? spaceBelow(style, near) : 0,
      notes: laid.notes,
      isKeptWithNext: isLast ? style.isKeptWithNext : isKept(index, lines.length, style),
      starts: isFirst && style.startsPage ? 'page' : startOf(lines[index - 1]),
    });
  });
  const ending = lines.at(-1)!.end;
  // A break at the end of a paragraph moves what comes after it.
  if (ending === 'page' || ending === 'column') strips.push(strip(0, [], { starts: ending }));
  return strips;
}

const startOf = (before: TextLine | undefined): Strip['starts'] =>
  before?.end === 'page' || before?.end === 'column' ? before.end : undefined;

/** No line of a paragraph is left alone at the end or the beginning of a page. */
const isKept = (index: number, count: number, { isKeptTogether }: ParagraphStyle): boolean =>
  isKeptTogether || index === 0 || index === count - 2;

const spaceAbove = (style: ParagraphStyle, { above }: Neighbours): number =>
  style.hasNoSpaceBetween && above?.style.styleId === style.styleId ? 0 : Math.max(0, style.before);
const spaceBelow = (style: ParagraphStyle, { below }: Neighbours): number =>
  style.hasNoSpaceBetween && below?.style.styleId === style.styleId ? 0 : Math.max(0, style.after);

function contentOf({ inlines, label }: Paragraph, width: number, context: LayoutContext): Piece[] {
  const { typesetting, markOf, numbers, pageHeight } = context;
  const pieces = piecesOf(inlines, { typesetting, markOf, numbers, room: { width, height: pageHeight } });
  if (!label) return pieces;
  const look = lookOf(label.style);
  const length = widthOf(label.text, look, typesetting);
  const share = { right: 1, center: 0.5, left: 0, both: 0 }[label.alignment];
  const text: Piece = {
    kind: 'word',
    text: label.text,
    look,
    width: length * (1 - share),
    shift: length * share,
    isGlued: false,
  };
  const behind: Piece = { kind: 'tab', text: '', look, width: 0, isGlued: false };
  if (label.follow === 'tab') return [text, behind, ...pieces];
  const space: Piece = { ...behind, kind: 'space', text: ' ', width: widthOf(' ', look, typesetting) };
  return label.follow === 'space' ? [text, space, ...pieces] : [text, ...pieces];
}

type LineParts = { measure: Measure; own: TextLook; context: LayoutContext; background: string | undefined };
type LaidLine = { height: number; marks: PageMark[]; notes: string[] };

const ABOVE_BASELINE = 0.8;

function layoutLine(line: TextLine, isFirst: boolean, parts: LineParts): LaidLine {
  const { measure, own } = parts;
  const looks = line.placed.filter(({ piece }) => piece.look.lineHeight > 0 && piece.kind !== 'drawing');
  const heights = looks.length > 0 ? looks.map(({ piece }) => piece.look) : hasDrawing(line) ? [] : [own];
  const drawn = line.placed.flatMap(({ piece }) => (piece.drawing ? [piece.drawing.height] : []));
  const above = Math.max(
    0,
    ...heights.map((look) => look.lineHeight * ABOVE_BASELINE + Math.max(0, look.raised / 2)),
    ...drawn,
  );
  const below = Math.max(0, ...heights.map((look) => look.lineHeight * (1 - ABOVE_BASELINE)));
  const natural = above + below;
  const { rule, value } = measure.style.line;
  const isExact = rule === 'exact' && drawn.length === 0;
  const asked = rule === 'auto' ? natural * value : isExact ? value : Math.max(natural, value);
  const height = Math.min(asked, parts.context.pageHeight);
  const baseline = height - below * Math.min(1, natural > 0 ? height / natural : 1);
  const placed = aligned(line, isFirst, measure);
  const notes = placed.flatMap(({ piece }) => piece.note ?? []);
  return { height, marks: marksOf(placed, baseline, height, parts), notes };
}

const hasDrawing = ({ placed }: TextLine): boolean =>
  placed.some(({ piece }) => piece.drawing && piece.drawing.pictures.length + piece.drawing.words.length > 0);

/** Aligns a line, and spreads its words where it is justified. */
function aligned(line: TextLine, isFirst: boolean, measure: Measure): PlacedPiece[] {
  const { placed } = line;
  const [, right] = edgesOf(measure, isFirst);
  const { alignment, isRightToLeft } = measure.style;
  const visible = placed.filter(({ piece }) => piece.kind !== 'space' && piece.kind !== 'end');
  if (visible.length === 0) return placed;
  const end = Math.max(...visible.map(({ x, width }) => x + width));
  const begin = Math.min(...visible.map(({ x }) => x));
  const [left] = edgesOf(measure, isFirst);
  const free = right - end;
  const isSpread = alignment === 'both' && line.end === 'words' && free > 0;
  if (isSpread) return spread(placed, free);
  // Spaces at the wrong end of a turned line do not count.
  const slack = isRightToLeft ? begin - left : 0;
  const shift = { left: -slack, both: isRightToLeft ? free : 0, center: (free - slack) / 2, right: free }[
    alignment
  ];
  return shift === 0 ? placed : placed.map((one) => ({ ...one, x: one.x + shift }));
}

/** Only what is behind the last tab moves. */
function spread(placed: readonly PlacedPiece[], free: number): PlacedPiece[] {
  const from = placed.findLastIndex(({ piece }) => piece.kind === 'tab') + 1;
  const last = placed.findLastIndex(({ piece }) => piece.kind === 'word' || piece.kind === 'drawing');
  const isGap = (index: number) => index >= from && index < last && placed[index]!.piece.kind === 'space';
  const gaps = placed.filter((_, index) => isGap(index)).length;
  if (gaps === 0) return [...placed];
  let shift = 0;
  return placed.map((one, index) => {
    const here = { ...one, x: one.x + shift };
    if (!isGap(index)) return here;
    shift += free / gaps;
    return { ...here, width: one.width + free / gaps };
  });
}

const UNDERLINE_BELOW = 0.11;
const STRIKE_ABOVE = 0.28;
const THICKNESS = 0.055;

function marksOf(
  placed: readonly PlacedPiece[],
  baseline: number,
  height: number,
  parts: LineParts,
): PageMark[] {
  const behind: PageMark[] = [];
  const marks: PageMark[] = [];
  for (const one of joined(placed)) {
    const { piece, x, width } = one;
    const { look, drawing } = piece;
    const colour = colourOf(look, look.background ?? parts.background ?? parts.context.background);
    const bar = (y: number, thick: number, fill: string): PageMark => ({
      kind: 'bar',
      x,
      y,
      width,
      height: thick,
      colour: fill,
    });
    if (look.background && piece.kind !== 'end') behind.push(bar(0, height, look.background));
    const line = baseline - look.raised;
    if (look.isUnderlined && piece.kind !== 'end')
      marks.push(bar(line + look.size * UNDERLINE_BELOW, look.size * THICKNESS, colour));
    if (look.isStruck && piece.kind !== 'end')
      marks.push(bar(line - look.size * STRIKE_ABOVE, look.size * THICKNESS, colour));
    if (drawing)
      marks.push({
        kind: 'picture',
        x,
        y: baseline - drawing.height,
        width: drawing.width,
        height: drawing.height,
        drawing,
      });
    if (piece.kind === 'word' || piece.kind === 'tab') marks.push(...textMarks(one, line, colour, parts));
    if (piece.link) marks.push({ kind: 'link', x, y: 0, width, height, address: piece.link });
  }
  return [...behind, ...marks];
}

/** Joins adjacent words of the same look whose positions follow from their widths, so that they are written and read as one text. */
function joined(placed: readonly PlacedPiece[]): PlacedPiece[] {
  const together: PlacedPiece[] = [];
  let texts: string[] = [];
  for (const one of placed) {
    const last = together.at(-1);
    if (!last || !joins(last, one)) {
      finish();
      together.push(one);
      texts = [one.piece.text];
      continue;
    }
    texts.push(one.piece.text);
    together[together.length - 1] = { ...last, width: one.x + one.width - last.x };
  }
  finish();
  return together;
  function finish(): void {
    const last = together.at(-1);
    if (last && texts.length > 1)
      together[together.length - 1] = {
        ...last,
        piece: { ...last.piece, kind: 'word', text: texts.join(''), parts: texts },
      };
  }
}

function joins(before: PlacedPiece, one: PlacedPiece): boolean {
  const isText = ({ piece }: PlacedPiece) =>
    (piece.kind === 'word' || piece.kind === 'space') && !piece.note && !piece.shift;
  const { piece } = before;
  return (
    isText(before) &&
    isText(one) &&
    piece.look === one.piece.look &&
    piece.link === one.piece.link &&
    before.direction === 'ltr' &&
    one.direction === 'ltr' &&
    !piece.look.isRightToLeft &&
    Math.abs(before.x + before.width - one.x) < 0.01 &&
    one.width === one.piece.width &&
    before.width > 0
  );
}

function textMarks(
  { piece, x, width, direction }: PlacedPiece,
  y: number,
  colour: string,
  { context, measure }: LineParts,
): PageMark[] {
  const { look } = piece;
  const text = piece.kind === 'tab' ? leaders(piece, x, width, context, measure) : piece.text;
  if (text === '') return [];
  const runs = runsOf(piece.parts ?? [text], look, look.isRightToLeft ? 'rtl' : direction, context);
  const at = x - (piece.shift ?? 0);
  return [
    { kind: 'text', x: at, y, runs, size: look.size, colour, spacing: look.spacing, family: look.family },
  ];
}

/** The runs of words that stand behind each other, as few as there are faces. */
function runsOf(
  texts: readonly string[],
  look: TextLook,
  direction: 'ltr' | 'rtl',
  { typesetting }: LayoutContext,
): MeasuredRun[] {
  const runs: { texts: string[]; face: MeasuredRun['face']; width: number }[] = [];
  for (const text of texts)
    for (const run of typesetting.measure(text, look.typeface, direction).runs) {
      const last = runs.at(-1);
      if (last && last.face === run.face && direction === 'ltr') {
        last.texts.push(run.text);
        last.width += run.width;
      } else runs.push({ texts: [run.text], face: run.face, width: run.width });
    }
  return runs.map(({ texts, face, width }) => ({ text: texts.join(''), face, width }));
}

/** As many dots as there is room for. */
function leaders(
  { look }: Piece,
  x: number,
  width: number,
  { typesetting }: LayoutContext,
  measure: Measure,
): string {
  const leader = leaderAt(x, measure);
  if (leader === '') return '';
  const one = widthOf(leader, look, typesetting);
  return one > 0 ? leader.repeat(Math.max(0, Math.floor(width / one) - 1)) : '';
}

const DARK = 0.4;

/** Automatic text is white where it stands on something dark. */
function colourOf({ colour }: TextLook, background: string | undefined): string {
  if (colour !== undefined) return colour;
  return background !== undefined && brightness(background) < DARK ? 'FFFFFF' : '000000';
}

function brightness(colour: string): number {
  const part = (at: number) => Number.parseInt(colour.slice(at, at + 2), 16) / 255;
  return 0.299 * part(0) + 0.587 * part(2) + 0.114 * part(4);
}

// --- Borders and shading. ---

const PADDING = 4;
type Sides = { above: number; below: number; joinsAbove: boolean; joinsBelow: boolean };

function bordersOf(style: ParagraphStyle, { above, below }: Neighbours): Sides {
  const joinsAbove = above !== undefined && isSameFrame(style, above.style);
  const joinsBelow = below !== undefined && isSameFrame(style, below.style);
  const { top, bottom } = style.borders;
  return {
    joinsAbove,
    joinsBelow,
    above: top && !joinsAbove ? top.width + 1 : 0,
    below: bottom && !joinsBelow ? bottom.width + 1 : 0,
  };
}

const isSameFrame = (one: ParagraphStyle, other: ParagraphStyle): boolean =>
  JSON.stringify(one.borders) === JSON.stringify(other.borders) &&
  one.indentLeft === other.indentLeft &&
  one.indentRight === other.indentRight;

function frameMarks(
  { borders, background }: ParagraphStyle,
  [left, right]: readonly [number, number],
  height: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): PageMark[] {
  const marks: PageMark[] = [];
  const hasSides = Boolean(borders.left ?? borders.right);
  const [from, to] = hasSides ? [left - PADDING, right + PADDING] : [left, right];
  const bar = (x: number, y: number, width: number, high: number, colour: string) =>
    marks.push({ kind: 'bar', x, y, width, height: high, colour });
  if (background) bar(from, 0, to - from, height, background);
  const across = (border: Border, y: number) => bar(from, y, to - from, border.width, border.colour);
  const down = (border: Border, x: number) => bar(x, 0, border.width, height, border.colour);
  if (borders.top && isFirst) across(borders.top, 0);
  if (borders.bottom && isLast) across(borders.bottom, height - borders.bottom.width);
  if (borders.left) down(borders.left, from);
  if (borders.right) down(borders.right, to - borders.right.width);
  return marks;
}
