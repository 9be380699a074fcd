// Lays out a paragraph: its lines with alignment, spacing, borders and shading.

import type { MeasuredRun } from '../pdf/fonts/typesetting.ts';
import { leastOf, mostOf } from '../pdf/geometry.ts';
import { type DisplayItem, type LayoutContext, type LineBox, lineBox } from './display-items.ts';
import {
  appearanceOf,
  type InlineItem,
  inlineItemsOf,
  type TextAppearance,
  textWidth,
} from './inline-items.ts';
import { breakLines, edgesOf, leaderAt, type Measure, type PlacedItem, type TextLine } from './lines.ts';
import type { Border, Paragraph, ParagraphStyle } from './model.ts';

/** Paragraphs with the same borders share them. */
export type Neighbours = { above: Paragraph | undefined; below: Paragraph | undefined };

export function layoutParagraph(
  paragraph: Paragraph,
  width: number,
  context: LayoutContext,
  near: Neighbours,
): LineBox[] {
  const { style } = paragraph;
  const measure: Measure = { width, style, defaultTab: context.defaultTab, typesetting: context.typesetting };
  const lines = breakLines(contentOf(paragraph, width, context), measure);
  const markAppearance = appearanceOf(paragraph.mark);
  const sides = bordersOf(style, near);
  const lineBoxes = lines.map((line, index) => {
    const isFirst = index === 0;
    const isLast = index === lines.length - 1;
    const laid = layoutLine(line, isFirst, {
      measure,
      markAppearance,
      context,
      background: style.background,
    });
    const room = { above: isFirst ? sides.above : 0, below: isLast ? sides.below : 0 };
    const height = laid.height + room.above + room.below;
    const edges = edgesOf(measure, false);
    const around = frameMarks(style, edges, height, {
      isFirst: isFirst && !sides.joinsAbove,
      isLast: isLast && !sides.joinsBelow,
    });
    const marks = [...around, ...laid.marks.map((mark) => ({ ...mark, y: mark.y + room.above }))];
    return lineBox(height, marks, {
      before: isFirst ? spaceAbove(style, near) : 0,
      after: isLast ? spaceBelow(style, near) : 0,
      notes: laid.notes,
      isKeptWithNext: isLast ? style.isKeptWithNext : isKept(index, lines.length, style),
      starts: isFirst && style.startsPage ? 'page' : startOf(lines[index - 1]),
    });
  });
  const ending = lines.at(-1)!.end;
  // A break at the end of a paragraph moves what comes after it.
  if (ending === 'page' || ending === 'column') lineBoxes.push(lineBox(0, [], { starts: ending }));
  return lineBoxes;
}

const startOf = (before: TextLine | undefined): LineBox['starts'] =>
  before?.end === 'page' || before?.end === 'column' ? before.end : undefined;

/** No line of a paragraph is left alone at the end or the beginning of a page. */
const isKept = (index: number, count: number, { isKeptTogether }: ParagraphStyle): boolean =>
  isKeptTogether || index === 0 || index === count - 2;

const spaceAbove = (style: ParagraphStyle, { above }: Neighbours): number =>
  style.hasNoSpaceBetween && above?.style.styleId === style.styleId ? 0 : Math.max(0, style.before);
const spaceBelow = (style: ParagraphStyle, { below }: Neighbours): number =>
  style.hasNoSpaceBetween && below?.style.styleId === style.styleId ? 0 : Math.max(0, style.after);

function contentOf({ inlines, label }: Paragraph, width: number, context: LayoutContext): InlineItem[] {
  const { typesetting, markOf, numbers, pageHeight } = context;
  const items = inlineItemsOf(inlines, { typesetting, markOf, numbers, room: { width, height: pageHeight } });
  if (!label) return items;
  const appearance = appearanceOf(label.style);
  const length = textWidth(label.text, appearance, typesetting);
  const share = { right: 1, center: 0.5, left: 0, both: 0 }[label.alignment];
  const text: InlineItem = {
    kind: 'word',
    text: label.text,
    appearance,
    width: length * (1 - share),
    shift: length * share,
    isGlued: false,
  };
  const behind: InlineItem = { kind: 'tab', text: '', appearance, width: 0, isGlued: false };
  if (label.follow === 'tab') return [text, behind, ...items];
  const space: InlineItem = {
    ...behind,
    kind: 'space',
    text: ' ',
    width: textWidth(' ', appearance, typesetting),
  };
  return label.follow === 'space' ? [text, space, ...items] : [text, ...items];
}

type LineContext = {
  measure: Measure;
  markAppearance: TextAppearance;
  context: LayoutContext;
  background: string | undefined;
};
type LaidLine = { height: number; marks: DisplayItem[]; notes: string[] };

const ABOVE_BASELINE = 0.8;

function layoutLine(line: TextLine, isFirst: boolean, lineContext: LineContext): LaidLine {
  const { measure, markAppearance } = lineContext;
  const texts = line.placed.filter(({ item }) => item.appearance.lineHeight > 0 && item.kind !== 'drawing');
  const heights =
    texts.length > 0 ? texts.map(({ item }) => item.appearance) : hasDrawing(line) ? [] : [markAppearance];
  const drawn = line.placed.flatMap(({ item }) => (item.drawing ? [item.drawing.height] : []));
  const above = Math.max(
    0,
    mostOf(
      heights.map(
        (appearance) => appearance.lineHeight * ABOVE_BASELINE + Math.max(0, appearance.raised / 2),
      ),
    ),
    mostOf(drawn),
  );
  const below = Math.max(
    0,
    mostOf(heights.map((appearance) => appearance.lineHeight * (1 - ABOVE_BASELINE))),
  );
  const natural = above + below;
  const { rule, value } = measure.style.line;
  const isExact = rule === 'exact' && drawn.length === 0;
  const lineHeight = rule === 'auto' ? natural * value : isExact ? value : Math.max(natural, value);
  const height = Math.min(lineHeight, lineContext.context.pageHeight);
  const baseline = height - below * Math.min(1, natural > 0 ? height / natural : 1);
  const placed = aligned(line, isFirst, measure);
  const notes = placed.flatMap(({ item }) => item.note ?? []);
  return { height, marks: marksOf(placed, baseline, height, lineContext), notes };
}

const hasDrawing = ({ placed }: TextLine): boolean =>
  placed.some(({ item }) => item.drawing && item.drawing.pictures.length + item.drawing.words.length > 0);

/** Aligns a line, and spreads its words where it is justified. */
function aligned(line: TextLine, isFirst: boolean, measure: Measure): PlacedItem[] {
  const { placed } = line;
  const [, right] = edgesOf(measure, isFirst);
  const { alignment, isRightToLeft } = measure.style;
  const visible = placed.filter(({ item }) => item.kind !== 'space' && item.kind !== 'end');
  if (visible.length === 0) return placed;
  const end = mostOf(visible.map(({ x, width }) => x + width));
  const begin = leastOf(visible.map(({ x }) => x));
  const [left] = edgesOf(measure, isFirst);
  const free = right - end;
  const isSpread = alignment === 'both' && line.end === 'words' && free > 0;
  if (isSpread) return spread(placed, free);
  // Spaces at the wrong end of a turned line do not count.
  const slack = isRightToLeft ? begin - left : 0;
  const shift = { left: -slack, both: isRightToLeft ? free : 0, center: (free - slack) / 2, right: free }[
    alignment
  ];
  return shift === 0 ? placed : placed.map((placedItem) => ({ ...placedItem, x: placedItem.x + shift }));
}

/** Only what is behind the last tab moves. */
function spread(placed: readonly PlacedItem[], free: number): PlacedItem[] {
  const from = placed.findLastIndex(({ item }) => item.kind === 'tab') + 1;
  const last = placed.findLastIndex(({ item }) => item.kind === 'word' || item.kind === 'drawing');
  const isGap = (index: number) => index >= from && index < last && placed[index]!.item.kind === 'space';
  const gaps = placed.filter((_, index) => isGap(index)).length;
  if (gaps === 0) return [...placed];
  let shift = 0;
  return placed.map((placedItem, index) => {
    const here = { ...placedItem, x: placedItem.x + shift };
    if (!isGap(index)) return here;
    shift += free / gaps;
    return { ...here, width: placedItem.width + free / gaps };
  });
}

const UNDERLINE_BELOW = 0.11;
const STRIKE_ABOVE = 0.28;
const THICKNESS = 0.055;

function marksOf(
  placed: readonly PlacedItem[],
  baseline: number,
  height: number,
  lineContext: LineContext,
): DisplayItem[] {
  const behind: DisplayItem[] = [];
  const marks: DisplayItem[] = [];
  for (const placedItem of joined(placed)) {
    const { item, x, width } = placedItem;
    const { appearance, drawing } = item;
    const color = colorOf(
      appearance,
      appearance.background ?? lineContext.background ?? lineContext.context.background,
    );
    const bar = (y: number, thick: number, fill: string): DisplayItem => ({
      kind: 'bar',
      x,
      y,
      width,
      height: thick,
      color: fill,
    });
    if (appearance.background && item.kind !== 'end') behind.push(bar(0, height, appearance.background));
    const line = baseline - appearance.raised;
    if (appearance.isUnderlined && item.kind !== 'end')
      marks.push(bar(line + appearance.size * UNDERLINE_BELOW, appearance.size * THICKNESS, color));
    if (appearance.isStruck && item.kind !== 'end')
      marks.push(bar(line - appearance.size * STRIKE_ABOVE, appearance.size * THICKNESS, color));
    if (drawing)
      marks.push({
        kind: 'picture',
        x,
        y: baseline - drawing.height,
        width: drawing.width,
        height: drawing.height,
        drawing,
      });
    if (item.kind === 'word' || item.kind === 'tab')
      marks.push(...textMarks(placedItem, line, color, lineContext));
    if (item.link) marks.push({ kind: 'link', x, y: 0, width, height, address: item.link });
  }
  return [...behind, ...marks];
}

/** Joins adjacent words of the same appearance whose positions follow from their widths, so that they are written and read as one text. */
function joined(placed: readonly PlacedItem[]): PlacedItem[] {
  const together: PlacedItem[] = [];
  let texts: string[] = [];
  for (const [index, placedItem] of placed.entries()) {
    const last = together.at(-1);
    // A space that was spread is wider than it is written: what stands behind it has a place of its own.
    const isSpread = index > 0 && placed[index - 1]!.width !== placed[index - 1]!.item.width;
    if (!last || isSpread || !joins(last, placedItem)) {
      finish();
      together.push(placedItem);
      texts = [placedItem.item.text];
      continue;
    }
    texts.push(placedItem.item.text);
    together[together.length - 1] = { ...last, width: placedItem.x + placedItem.width - last.x };
  }
  finish();
  return together;
  function finish(): void {
    const last = together.at(-1);
    if (last && texts.length > 1)
      together[together.length - 1] = {
        ...last,
        item: { ...last.item, kind: 'word', text: texts.join(''), words: texts },
      };
  }
}

function joins(before: PlacedItem, placedItem: PlacedItem): boolean {
  const isText = ({ item }: PlacedItem) =>
    (item.kind === 'word' || item.kind === 'space') && !item.note && !item.shift;
  const { item } = before;
  return (
    isText(before) &&
    isText(placedItem) &&
    item.appearance === placedItem.item.appearance &&
    item.link === placedItem.item.link &&
    before.direction === 'ltr' &&
    placedItem.direction === 'ltr' &&
    Math.abs(before.x + before.width - placedItem.x) < 0.01 &&
    placedItem.width === placedItem.item.width &&
    before.width > 0
  );
}

function textMarks(
  { item, x, width, direction }: PlacedItem,
  y: number,
  color: string,
  { context, measure }: LineContext,
): DisplayItem[] {
  const { appearance } = item;
  const text = item.kind === 'tab' ? leaders(item, x, width, context, measure) : item.text;
  if (text === '') return [];
  // The direction is that of the line: by itself, the "09-" of "09-7425733" would be drawn from right to left.
  const runs = runsOf(item.words ?? [text], appearance, direction, context);
  const at = x - (item.shift ?? 0);
  return [
    {
      kind: 'text',
      x: at,
      y,
      runs,
      size: appearance.size,
      color,
      spacing: appearance.spacing,
      family: appearance.family,
    },
  ];
}

/** Makes as few runs of adjacent words as there are faces. */
function runsOf(
  texts: readonly string[],
  appearance: TextAppearance,
  direction: 'ltr' | 'rtl',
  { typesetting }: LayoutContext,
): MeasuredRun[] {
  const runs: { texts: string[]; face: MeasuredRun['face']; width: number }[] = [];
  for (const text of texts)
    for (const run of typesetting.measure(text, appearance.typeface, direction).runs) {
      const last = runs.at(-1);
      if (last && last.face === run.face && direction === 'ltr') {
        last.texts.push(run.text);
        last.width += run.width;
      } else runs.push({ texts: [run.text], face: run.face, width: run.width });
    }
  return runs.map(({ texts, face, width }) => ({ text: texts.join(''), face, width }));
}

/** It has as many dots as there is room for. */
function leaders(
  { appearance }: InlineItem,
  x: number,
  width: number,
  { typesetting }: LayoutContext,
  measure: Measure,
): string {
  const leader = leaderAt(x, measure);
  if (leader === '') return '';
  const leaderWidth = textWidth(leader, appearance, typesetting);
  return leaderWidth > 0 ? leader.repeat(Math.max(0, Math.floor(width / leaderWidth) - 1)) : '';
}

const DARK = 0.4;

/** Automatic text is white where it stands on something dark. */
function colorOf({ color }: TextAppearance, background: string | undefined): string {
  if (color !== undefined) return color;
  return background !== undefined && brightness(background) < DARK ? 'FFFFFF' : '000000';
}

function brightness(color: string): number {
  const part = (at: number) => Number.parseInt(color.slice(at, at + 2), 16) / 255;
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

const isSameFrame = (a: ParagraphStyle, b: ParagraphStyle): boolean =>
  JSON.stringify(a.borders) === JSON.stringify(b.borders) &&
  a.indentLeft === b.indentLeft &&
  a.indentRight === b.indentRight;

function frameMarks(
  { borders, background }: ParagraphStyle,
  [left, right]: readonly [number, number],
  height: number,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): DisplayItem[] {
  const marks: DisplayItem[] = [];
  const hasSides = Boolean(borders.left ?? borders.right);
  const [from, to] = hasSides ? [left - PADDING, right + PADDING] : [left, right];
  const bar = (x: number, y: number, width: number, high: number, color: string) =>
    marks.push({ kind: 'bar', x, y, width, height: high, color });
  if (background) bar(from, 0, to - from, height, background);
  const across = (border: Border, y: number) => bar(from, y, to - from, border.width, border.color);
  const down = (border: Border, x: number) => bar(x, 0, border.width, height, border.color);
  if (borders.top && isFirst) across(borders.top, 0);
  if (borders.bottom && isLast) across(borders.bottom, height - borders.bottom.width);
  if (borders.left) down(borders.left, from);
  if (borders.right) down(borders.right, to - borders.right.width);
  return marks;
}
