// Breaks the pieces of a paragraph into lines: spaces, tabs, words that are too long, and the order of text that runs from
// right to left. Places are in points from the left edge of the column.
import { segmentsOf } from '../common/text.ts';
import { bidi, inVisualOrder } from '../pdf/fonts/runs.ts';
import type { Typesetting } from '../pdf/fonts/typesetting.ts';
import { type InlineItem, textWidth } from './inline-items.ts';
import type { ParagraphStyle, TabStop } from './model.ts';

export type PlacedItem = { item: InlineItem; x: number; width: number; direction: 'ltr' | 'rtl' };
export type TextLine = {
  placed: PlacedItem[];
  /** The end is `words` where there was no room for the next one. */
  end: 'words' | 'line' | 'page' | 'column' | 'paragraph';
};

export type Measure = {
  width: number;
  style: ParagraphStyle;
  defaultTab: number;
  typesetting: Typesetting;
};

type Open = { placed: PlacedItem[]; x: number; isFirst: boolean };

const LEAST_LINE = 24;

/** Returns the left and right edge of a line. Indents that leave no room are ignored. */
export function edgesOf(
  { width, style }: Pick<Measure, 'width' | 'style'>,
  isFirst: boolean,
): [number, number] {
  const right = width - Math.max(0, style.indentRight);
  const isNarrow = right - style.indentLeft < LEAST_LINE;
  const left = isNarrow ? 0 : style.indentLeft;
  // The first line of text that runs from right to left is indented on the other side.
  const first = isFirst && !isNarrow && !style.isRightToLeft ? style.indentFirst : 0;
  const edge = isNarrow ? width : right - (isFirst && style.isRightToLeft ? style.indentFirst : 0);
  const from = Math.max(left + first, -width);
  return [from, Math.max(from + LEAST_LINE, edge)];
}

export function breakLines(unfitted: readonly InlineItem[], measure: Measure): TextLine[] {
  const lines: TextLine[] = [];
  const items = thatFit(unfitted, measure);
  let open = begin(true);
  function begin(isFirst: boolean): Open {
    return { placed: [], x: edgesOf(measure, isFirst)[0], isFirst };
  }
  const finish = (end: TextLine['end']) => {
    lines.push({ placed: open.placed, end });
    open = begin(end === 'paragraph');
  };
  const place = (item: InlineItem, width = item.width) => {
    open.placed.push({ item, x: open.x, width, direction: 'ltr' });
    open.x += width;
  };
  const right = () => edgesOf(measure, open.isFirst)[1];
  for (let at = 0; at < items.length; ) {
    const item = items[at]!;
    if (item.kind === 'end') {
      place(item);
      finish(item.ends ?? 'line');
      at += 1;
    } else if (item.kind === 'space') {
      place(item);
      at += 1;
    } else if (item.kind === 'tab') {
      const width = tabWidth(items, at, open.x, measure);
      if (width === undefined && open.placed.length > 0) finish('words');
      else {
        place(item, width ?? 0);
        at += 1;
      }
    } else {
      const end = endOfCluster(items, at);
      const cluster = items.slice(at, end);
      const width = cluster.reduce((sum, entry) => sum + entry.width, 0);
      if (open.x + width > right() + 0.01 && open.placed.length > 0) finish('words');
      else {
        for (const entry of cluster) place(entry);
        at = end;
      }
    }
  }
  const isEnded = lines.length > 0 && open.placed.length === 0 && lines.at(-1)!.end !== 'line';
  if (!isEnded) finish('paragraph');
  return lines.map((line) => ({ ...line, placed: inOrder(line.placed, measure) }));
}

function endOfCluster(items: readonly InlineItem[], at: number): number {
  let end = at + 1;
  while (end < items.length && items[end]!.isGlued) end += 1;
  return end;
}

/** Cuts words that are longer than a line into their characters. */
function thatFit(items: readonly InlineItem[], measure: Measure): InlineItem[] {
  const rooms = [true, false]
    .map((isFirst) => edgesOf(measure, isFirst))
    .map(([left, right]) => right - left);
  const room = Math.min(...rooms);
  const fitting: InlineItem[] = [];
  for (let at = 0; at < items.length; ) {
    const end = endOfCluster(items, at);
    const cluster = items.slice(at, end);
    const isLong = cluster.reduce((sum, { width }) => sum + width, 0) > room;
    for (const item of cluster) {
      if (isLong && item.kind === 'word' && item.width > room)
        for (const entry of apart(item, measure.typesetting)) fitting.push(entry);
      else fitting.push(isLong ? { ...item, isGlued: item.text === '' } : item);
    }
    at = end;
  }
  return fitting;
}

const apart = (item: InlineItem, typesetting: Typesetting): InlineItem[] =>
  [...segmentsOf(item.text, 'grapheme')].map((text) => ({
    ...item,
    text,
    width: textWidth(text, item.appearance, typesetting),
    isGlued: false,
  }));

const MOST_BEHIND_TAB = 200;

/** Returns how far a tab goes; undefined where the next stop is beyond the end of the line. */
function tabWidth(items: readonly InlineItem[], at: number, x: number, measure: Measure): number | undefined {
  const stop = nextStop(x, measure);
  const edge = measure.width;
  if (stop.at > edge + 0.5 && stop.kind === 'left') return undefined;
  const to = Math.min(stop.at, edge);
  if (stop.kind === 'left') return to - x;
  const after = items.slice(at + 1, at + 1 + MOST_BEHIND_TAB);
  const end = after.findIndex(({ kind }) => kind === 'tab' || kind === 'end');
  const moving = end === -1 ? after : after.slice(0, end);
  const length = moving.reduce((sum, { width }) => sum + width, 0);
  if (stop.kind === 'center') return Math.max(1, to - length / 2 - x);
  return Math.max(1, to - (stop.kind === 'right' ? length : beforePoint(moving, measure)) - x);
}

function nextStop(x: number, { style, defaultTab }: Measure): TabStop {
  const isAhead = ({ at }: TabStop) => at > x + 0.1;
  const ownStop = style.tabs.find(isAhead);
  const hanging: TabStop = { at: style.indentLeft, kind: 'left', leader: '' };
  if (style.indentFirst < 0 && isAhead(hanging) && !(ownStop && ownStop.at < hanging.at)) return hanging;
  return ownStop ?? { at: (Math.floor((x + 0.1) / defaultTab) + 1) * defaultTab, kind: 'left', leader: '' };
}

export const leaderAt = (x: number, measure: Measure): string => nextStop(x, measure).leader;

function beforePoint(items: readonly InlineItem[], { typesetting }: Measure): number {
  let width = 0;
  for (const item of items) {
    const point = item.text.search(/[.,]\d*$/);
    if (point !== -1) return width + textWidth(item.text.slice(0, point), item.appearance, typesetting);
    width += item.width;
  }
  return width;
}

// --- Text that runs from right to left (Unicode Standard Annex 9). ---

const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202b\u202e\u2067\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const OBJECT = '\ufffc';

/** Orders the pieces of a line from left to right. */
function inOrder(placed: PlacedItem[], { style, typesetting }: Measure): PlacedItem[] {
  const isTurned =
    style.isRightToLeft ||
    placed.some(({ item }) => item.appearance.isRightToLeft || RIGHT_TO_LEFT.test(item.text));
  if (!isTurned || placed.length === 0) return placed;
  const texts = placed.map(({ item }) => (item.text === '' ? OBJECT : item.text));
  const { levels } = bidi.getEmbeddingLevels(texts.join(''), style.isRightToLeft ? 'rtl' : 'ltr');
  const leveled: { entry: PlacedItem; level: number }[] = [];
  let at = 0;
  for (const [index, entry] of placed.entries()) {
    leveled.push(
      ...atLevels(entry, texts[index]!, levels.subarray(at, at + texts[index]!.length), typesetting),
    );
    at += texts[index]!.length;
  }
  // Spaces at the end of a line lie at its end (rule L1).
  for (let last = leveled.length - 1; last >= 0 && isSpace(leveled[last]!.entry); last -= 1)
    leveled[last]!.level = style.isRightToLeft ? 1 : 0;
  let x = placed[0]!.x;
  return inVisualOrder(leveled).map(({ entry, level }) => {
    const here: PlacedItem = { ...entry, x, direction: level % 2 === 1 ? 'rtl' : 'ltr' };
    x += entry.width;
    return here;
  });
}

const isSpace = ({ item }: PlacedItem): boolean => item.kind === 'space' || item.kind === 'end';

/** Cuts a piece where its level changes. */
function atLevels(entry: PlacedItem, text: string, levels: Uint8Array, typesetting: Typesetting) {
  const first = levels[0] ?? 0;
  if (entry.item.kind !== 'word' || levels.every((level) => level === first))
    return [{ entry, level: first }];
  const pieces: { entry: PlacedItem; level: number }[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && levels[to] === levels[from]) to += 1;
    const part = text.slice(from, to);
    const width = textWidth(part, entry.item.appearance, typesetting);
    pieces.push({
      entry: { ...entry, item: { ...entry.item, text: part, width }, width },
      level: levels[from]!,
    });
    from = to;
  }
  return pieces;
}
