// Divides the fields of a page and the words around them into blocks, one for each signature: columns where signatures stand beside each
// other, otherwise what is between one signature and the next.
import { type Box, leastOf, mostOf } from '../../pdf/geometry.ts';
import { endOf, middleOf, type Phrase, type ReadPage, textOf } from './label-words.ts';
import { SUGGESTION_LIMITS, type Suggestion } from './suggestion.ts';

/** Signatures whose heights differ by less, in points, stand beside each other, although one may have a line of text more above it. */
const BESIDE = 60;
/** Words above the first signature and below the last one may be this far away, and this far from each other. */
const AROUND = 170;
const FURTHEST_GAP = 45;
/** Longer phrases are running text, which names everybody. */
const RUNNING_WORDS = 14;
/** A line to write on counts as this high, so that it is a row with the words before it. */
const LINE_HEIGHT = 10;
/**
 * Added to the gap above what looks like the beginning of a block: as many fields, or as many rows, as the first block has above its
 * signature, or a heading.
 */
const FIELDS_AS_FIRST = 25;
const ROWS_AS_FIRST = 12;
const AS_HEADING = 10;
/** Rows that are further apart than this many times the first gap are not counted among the rows above a signature. */
const WIDER = 1.6;

type Item = {
  left: number;
  top: number;
  bottom: number;
  text?: string;
  field?: Suggestion;
  isRunning?: boolean;
};
type Row = { top: number; bottom: number; items: Item[] };
type Group = { signatures: Suggestion[]; top: number; bottom: number };

/** @returns the same suggestions, each with the number of its block and the words of that. @param first number */
export function withBlocks(
  suggestions: readonly Suggestion[],
  page: Pick<ReadPage, 'phrases' | 'blanks'>,
  first: number,
): Suggestion[] {
  const groups = groupsOf(suggestions.filter(({ type }) => type === 'signature'));
  if (groups.length === 0) return [...suggestions];
  const items = itemsOf(suggestions, page, groups);
  setHeights(groups, items);
  const blocks = groups.flatMap((group) => columnsOf(group, items));
  return suggestions.map((suggestion) => {
    const index = blocks.findIndex((block) => block.some(({ field }) => field === suggestion));
    if (index === -1) return suggestion;
    const texts = blocks[index]!.flatMap(({ text }) => text ?? []);
    return {
      ...suggestion,
      block: first + index,
      context: { field: suggestion.context?.field ?? [], block: texts },
    };
  });
}

/** Returns the height of the line of a field. */
const lineOf = ({ box }: Suggestion): number => box.y + box.height;

const isOver = (a: Box, b: Box): boolean => Math.min(endOf(a), endOf(b)) > Math.max(a.x, b.x);

function groupsOf(signatures: readonly Suggestion[]): Group[] {
  const groups: Group[] = [];
  for (const signature of [...signatures].sort((a, b) => lineOf(a) - lineOf(b))) {
    const last = groups.at(-1)?.signatures ?? [];
    const isBeside =
      last[0] !== undefined &&
      lineOf(signature) - lineOf(last[0]) < BESIDE &&
      !last.some(({ box }) => isOver(box, signature.box));
    if (isBeside) last.push(signature);
    else groups.push({ signatures: [signature], top: 0, bottom: 0 });
  }
  for (const { signatures } of groups) signatures.sort((a, b) => a.box.x - b.box.x);
  return groups;
}

function itemsOf(
  suggestions: readonly Suggestion[],
  { phrases, blanks }: Pick<ReadPage, 'phrases' | 'blanks'>,
  groups: readonly Group[],
): Item[] {
  const isRunning = (phrase: Phrase): boolean =>
    phrase.words.length > RUNNING_WORDS ||
    textOf(phrase.words).length > SUGGESTION_LIMITS.characters ||
    groups.some(({ signatures }) =>
      signatures.some(
        ({ box }, index) =>
          phrase.x < endOf(signatures[index - 1]?.box ?? { x: -Infinity, width: 0 }) - LINE_HEIGHT &&
          endOf(phrase) > box.x + LINE_HEIGHT,
      ),
    );
  return [
    ...suggestions.map((field) => ({
      ...{ left: field.box.x, top: lineOf(field) - LINE_HEIGHT, bottom: lineOf(field), field },
    })),
    ...blanks.map(({ x, y }) => ({ left: x, top: y - LINE_HEIGHT, bottom: y })),
    ...phrases
      .filter(({ isMargin }) => !isMargin)
      .map((phrase) => ({
        ...{ left: phrase.x, top: phrase.y, bottom: phrase.y + phrase.height },
        ...(isRunning(phrase) ? { isRunning: true } : { text: textOf(phrase.words) }),
      })),
  ].sort((a, b) => a.top - b.top);
}

/** Joins what stands on one line. */
function rowsOf(items: readonly Item[]): Row[] {
  const rows: Row[] = [];
  for (const item of [...items].sort((a, b) => a.top - b.top)) {
    const last = rows.at(-1);
    const middle = middleOf({ y: item.top, height: item.bottom - item.top });
    if (last && middle < last.bottom) {
      last.bottom = Math.max(last.bottom, item.bottom);
      last.items.push(item);
    } else rows.push({ top: item.top, bottom: item.bottom, items: [item] });
  }
  return rows;
}

// ── from top to bottom ──────────────────────────────────────────────────────────────────────────────────────────────

function setHeights(groups: readonly Group[], items: readonly Item[]): void {
  const first = groups[0]!;
  const [start, end] = [startOf(first), endOfGroup(groups.at(-1)!)];
  const above = near(
    rowsOf(items.filter(({ bottom }) => bottom <= start + 1)).reverse(),
    (row) => [row.bottom, row.top],
    start,
  );
  first.top = above.at(-1)?.top ?? start;
  for (const [index, group] of groups.entries()) {
    const next = groups[index + 1];
    if (!next) continue;
    group.bottom = boundaryBetween(group, next, items, countsOf(above, start));
    next.top = group.bottom;
  }
  const below = near(rowsOf(items.filter(({ top }) => top >= end - 1)), (row) => [row.top, row.bottom], end);
  groups.at(-1)!.bottom = below.at(-1)?.bottom ?? end;
}

const startOf = ({ signatures }: Group): number => leastOf(signatures.map(lineOf)) - LINE_HEIGHT;
const endOfGroup = ({ signatures }: Group): number => mostOf(signatures.map(lineOf));

/** Yields rows one after another, from a place on, up to running text or a wide gap. */
function near(rows: readonly Row[], edgesOf: (row: Row) => [number, number], from: number): Row[] {
  const result: Row[] = [];
  let edge = from;
  for (const row of rows) {
    const [start, end] = edgesOf(row);
    if (
      row.items.some(({ isRunning }) => isRunning) ||
      Math.abs(start - edge) > FURTHEST_GAP ||
      Math.abs(end - from) > AROUND
    )
      break;
    result.push(row);
    edge = end;
  }
  return result;
}

type Counts = { rows: number; fields: number };

const hasField = ({ items }: Row): boolean => items.some(({ field }) => field);

const fieldRows = (rows: readonly Row[]): number => rows.filter(hasField).length;

/** @param above rows upwards from a place on */
function countsOf(above: readonly Row[], from: number): Counts {
  const gaps = above.map(({ bottom }, index) => (above[index - 1]?.top ?? from) - bottom);
  const most = Math.max(LINE_HEIGHT, (gaps[0] ?? 0) * WIDER);
  const end = gaps.findIndex((gap) => gap > most);
  const rows = above.slice(0, end === -1 ? undefined : end);
  return { rows: rows.length, fields: fieldRows(rows) };
}

/** One block ends and the next begins at the widest gap, or where the next one begins like the first. */
function boundaryBetween(a: Group, b: Group, items: readonly Item[], first: Counts): number {
  const [from, to] = [endOfGroup(a), startOf(b)];
  const between = rowsOf(
    items.filter(({ top, bottom }) => (top + bottom) / 2 > from && (top + bottom) / 2 < to),
  );
  let best = { gap: -Infinity, at: (from + to) / 2 };
  let fieldsAfter = fieldRows(between);
  for (let index = 0; index <= between.length; index += 1) {
    const row = between[index];
    const [before, after] = [between[index - 1]?.bottom ?? from, row?.top ?? to];
    const gap =
      after -
      before +
      (between.length - index === first.rows ? ROWS_AS_FIRST : 0) +
      (fieldsAfter === first.fields ? FIELDS_AS_FIRST : 0) +
      (isHeading(row) ? AS_HEADING : 0);
    if (gap > best.gap) best = { gap, at: (before + after) / 2 };
    if (row && hasField(row)) fieldsAfter -= 1;
  }
  return best.at;
}

const HEADING = /[:：]$/u;

/** A heading is a row of words that end with a colon, without a field. */
const isHeading = (row: Row | undefined): boolean =>
  row?.items.every(({ field }) => !field) === true &&
  row.items.some(({ text }) => text !== undefined && HEADING.test(text));

// ── from left to right ──────────────────────────────────────────────────────────────────────────────────────────────

function columnsOf({ signatures, top, bottom }: Group, items: readonly Item[]): Item[][] {
  const within = items.filter(
    (item) => (item.top + item.bottom) / 2 >= top - 1 && (item.top + item.bottom) / 2 <= bottom + 1,
  );
  const starts = signatures.map(({ box }, index) => {
    const previous = signatures[index - 1];
    if (!previous) return -Infinity;
    const behind = within.map((item) => item.left).filter((x) => x > endOf(previous.box) - 2);
    return Math.min(box.x, leastOf(behind)) - 2;
  });
  return signatures.map((_, index) =>
    within.filter(
      (item) =>
        item.left >= starts[index]! &&
        item.left < (starts[index + 1] ?? Infinity) &&
        !beginsLeftOf(item, starts[index]!),
    ),
  );
}

/** The words before a line are nearer to it than this. */
const BEFORE_LINE = 30;

/** A line whose words begin in another column is in none. */
function beginsLeftOf({ field, left }: Item, start: number): boolean {
  const words = field?.words?.box;
  return words !== undefined && words.x < start && endOf(words) > left - BEFORE_LINE;
}
