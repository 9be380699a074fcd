// Finds empty boxes on a page, where a signature covers nothing: below the last text, otherwise as low as there is room. Headers and
// footers are no place for it. Knows what is drawn as boxes, and nothing of the document.

import { type DrawnBox, drawnBoxes } from '../content/drawn-boxes.ts';
import { type Box, isOverlapping, type Size } from '../geometry.ts';
import type { TooComplex } from '../limits.ts';
import type { CoveredText, CoveringBox } from '../text/covered-text.ts';

/** `gap` keeps boxes apart from each other, `margin` from the edges of a page that has no margins of its own. */
export type WantedBoxes = Size & { count: number; gap: number; margin: number };

/** Something else will stand in the `obstacles`. */
export type WantedPlace = WantedBoxes & { page: Size; obstacles: readonly Box[] };

/** `boxes` is null where the page has no such places. */
export type FreeBoxes = { ok: true; boxes: Box[] | null } | TooComplex;

/** A box keeps this distance from what is drawn beside it. */
const CLEARANCE = 3;
/** Places are tried at least this far apart. */
const STEP = 1;
/** A margin that takes more of a side than this is no margin: a short text on a large page. */
const WIDEST_MARGIN = 0.25;

/** Text that stands in these shares of the height of a page, and apart from the rest, is a header or a footer. */
const HEADER = 0.1;
const FOOTER = 0.88;

/**
 * Finds empty boxes in reading order, all of the wanted size, or undefined when there are not as many. Those below the last text come
 * first, then the lowest ones in the margins that the text has, then those that only keep away from the edges.
 */
export function findFreeBoxes(occupied: Occupied, wanted: WantedBoxes): Box[] | undefined {
  const body = bodyOf(occupied);
  const inMargins = cut(textArea(occupied, wanted.margin), body);
  const below = body.end === undefined ? undefined : { top: body.end + wanted.gap, bottom: body.bottom };
  return (
    (below && findIn(cut(inMargins, below), occupied, wanted, findHighest)) ??
    findIn(inMargins, occupied, wanted, findLowest) ??
    findIn(cut(insideEdges(occupied.page, wanted.margin), body), occupied, wanted, findLowest)
  );
}

/** It lies between the header and the footer of a page; `end` is where its last text ends, undefined where there is none. */
type Body = { top: number; bottom: number; end: number | undefined };

function bodyOf({ page, bands }: Occupied): Body {
  const isHeader = ({ bottom }: { bottom: number }) => bottom <= page.height * HEADER;
  const isFooter = ({ top }: { top: number }) => top >= page.height * FOOTER;
  const header = bands.filter(isHeader).at(-1);
  const footer = bands.find(isFooter);
  return {
    top: header ? header.bottom + CLEARANCE : 0,
    bottom: footer ? footer.top - CLEARANCE : page.height,
    end: bands.filter((band) => !isHeader(band) && !isFooter(band)).at(-1)?.bottom,
  };
}

/** Cuts an area between two heights. */
function cut({ x, y, width, height }: Box, { top, bottom }: { top: number; bottom: number }): Box {
  const from = Math.max(y, top);
  return { x, y: from, width, height: Math.max(0, Math.min(y + height, bottom) - from) };
}

const insideEdges = ({ width, height }: Size, margin: number): Box => ({
  x: margin,
  y: margin,
  width: width - 2 * margin,
  height: height - 2 * margin,
});

/** Uses the left margin of what is drawn on both sides, because lines may end anywhere; no other margin is wider than it. */
function textArea({ page, area }: Occupied, margin: number): Box {
  if (!area) return insideEdges(page, margin);
  const within = (distance: number, side: number) =>
    Math.max(margin, Math.min(distance, side * WIDEST_MARGIN));
  const left = within(area.x, page.width);
  const top = within(Math.min(area.y, left), page.height);
  const bottom = within(Math.min(page.height - area.y - area.height, left), page.height);
  return { x: left, y: top, width: page.width - 2 * left, height: page.height - top - bottom };
}

function findIn(
  area: Box,
  occupied: Occupied,
  { count, width, height, gap }: WantedBoxes,
  find: Find,
): Box[] | undefined {
  const boxes: Box[] = [];
  const blocker: Occupied['blocker'] = (box) => {
    const other = boxes.find((item) => isOverlapping(box, inflated(item, gap - CLEARANCE)));
    return other
      ? {
          right: other.x + other.width + gap - CLEARANCE,
          top: other.y - gap + CLEARANCE,
          bottom: other.y + other.height + gap - CLEARANCE,
        }
      : occupied.blocker(box);
  };
  while (boxes.length < count) {
    const box = find(area, { width, height }, blocker);
    if (!box) return undefined;
    boxes.push(box);
  }
  return boxes.sort((a, b) => a.y - b.y || a.x - b.x);
}

type Find = (area: Box, size: Size, blocker: Occupied['blocker']) => Box | undefined;

/** Finds the lowest box, and of those the one furthest to the left. */
const findLowest: Find = (area, size, blocker) => {
  for (let y = area.y + area.height - size.height; y >= area.y; ) {
    const { box, blockers } = findAcross(area, { y, ...size }, blocker);
    if (box) return box;
    y = Math.min(y - STEP, Math.max(...blockers.map(({ top }) => top)) - CLEARANCE - size.height);
  }
  return undefined;
};

const findHighest: Find = (area, size, blocker) => {
  for (let y = area.y; y + size.height <= area.y + area.height; ) {
    const { box, blockers } = findAcross(area, { y, ...size }, blocker);
    if (box) return box;
    y = Math.max(y + STEP, Math.min(...blockers.map(({ bottom }) => bottom)) + CLEARANCE);
  }
  return undefined;
};

function findAcross(
  area: Box,
  { y, width, height }: Size & { y: number },
  blocker: Occupied['blocker'],
): { box?: Box; blockers: Blocker[] } {
  const blockers: Blocker[] = [];
  for (let x = area.x; x + width <= area.x + area.width; ) {
    const box = { x, y, width, height };
    const other = blocker(inflated(box, CLEARANCE));
    if (!other) return { box, blockers };
    blockers.push(other);
    x = Math.max(x + STEP, other.right + CLEARANCE);
  }
  return { blockers };
}

const inflated = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

/** It says where something that is in the way of a box ends, to the right, above and below: nothing nearer needs to be tried. */
export type Blocker = { right: number; top: number; bottom: number };

/** A band goes across the whole page; nothing is drawn between two of them. */
export type Band = { top: number; bottom: number };

export type Occupied = {
  page: Size;
  /** The box encloses all that is drawn, and is undefined for an empty page. */
  area: Box | undefined;
  /** They go from top to bottom, without what fields will take. */
  bands: Band[];
  /** It returns undefined for an empty box. */
  blocker(box: Box): Blocker | undefined;
};

/** @param obstacles where something will be that is not drawn yet */
export function occupiedBy(page: Size, drawn: readonly Box[], obstacles: readonly Box[]): Occupied {
  const all = [...drawn, ...obstacles];
  return {
    page,
    area: areaOf(drawn),
    bands: bandsOf(drawn.map(({ y, height }) => ({ top: y, bottom: y + height }))),
    blocker(box) {
      const other = all.find((item) => isOverlapping(box, item));
      return other && { right: other.x + other.width, top: other.y, bottom: other.y + other.height };
    },
  };
}

/** Lines that are nearer, in points, belong together, such as those of a paragraph. */
const APART = 8;

function bandsOf(pieces: readonly Band[]): Band[] {
  const bands: Band[] = [];
  for (const { top, bottom } of [...pieces].sort((a, b) => a.top - b.top)) {
    const last = bands.at(-1);
    if (last && top - last.bottom < APART) last.bottom = Math.max(last.bottom, bottom);
    else bands.push({ top, bottom });
  }
  return bands;
}

function areaOf(boxes: readonly Box[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

// ── squares ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Squares lie in rows; they are 1 where something is drawn. */
export type Squares = { page: Size; columns: number; rows: number; isDrawn: Uint8Array };

/** A box is empty or not in the same time whatever its size: sums are kept over all squares above and to the left of each. */
export function occupiedSquares(squares: Squares, obstacles: readonly Box[]): Occupied {
  const { page, columns, rows, isDrawn } = squares;
  const [wide, high] = [page.width / columns, page.height / rows];
  const across = columns + 1;
  const sums = new Uint32Array(across * (rows + 1));
  for (let row = 0; row < rows; row += 1) {
    let inRow = 0;
    for (let column = 0; column < columns; column += 1) {
      inRow += isDrawn[row * columns + column]!;
      sums[(row + 1) * across + column + 1] = sums[row * across + column + 1]! + inRow;
    }
  }
  const isEmpty = ({ x, y, width, height }: Box): boolean => {
    const columnsIn = spanOf(x / wide, (x + width) / wide, columns);
    const rowsIn = spanOf(y / high, (y + height) / high, rows);
    const at = (row: number, column: number) => sums[row * across + column]!;
    const above = at(rowsIn.from, columnsIn.to) - at(rowsIn.from, columnsIn.from);
    return at(rowsIn.to, columnsIn.to) - at(rowsIn.to, columnsIn.from) === above;
  };
  const drawn = drawnRows(squares);
  return {
    page,
    area: areaOf(drawn),
    bands: bandsOf(drawn.map(({ y, height }) => ({ top: y, bottom: y + height }))),
    blocker(box) {
      if (isEmpty(box) && !obstacles.some((item) => isOverlapping(box, item))) return undefined;
      return { right: box.x + wide, top: box.y + box.height - high, bottom: box.y + high };
    },
  };
}

const spanOf = (from: number, to: number, count: number) => ({
  from: Math.min(count, Math.max(0, Math.floor(from))),
  to: Math.min(count, Math.max(0, Math.ceil(to))),
});

/** Surrounds what is drawn in each row of squares. */
function drawnRows({ page, columns, rows, isDrawn }: Squares): Box[] {
  const [wide, high] = [page.width / columns, page.height / rows];
  const boxes: Box[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = isDrawn.subarray(row * columns, (row + 1) * columns);
    const first = line.indexOf(1);
    if (first === -1) continue;
    const last = line.lastIndexOf(1);
    boxes.push({ x: first * wide, y: row * high, width: (last + 1 - first) * wide, height: high });
  }
  return boxes;
}

type DrawnQuery =
  | { do: 'free'; pageIndex: number; wanted: WantedPlace }
  | { do: 'covered'; pageIndex: number; boxes: readonly CoveringBox[] };

export function answerByDrawn(bytes: Uint8Array, query: DrawnQuery): FreeBoxes | CoveredText | undefined {
  const drawn = drawnBoxes(bytes, query.pageIndex);
  if (!drawn) return undefined;
  return query.do === 'free' ? findFreeAmong(drawn, query.wanted) : answerWhenNone(drawn, query.boxes);
}

/** More counts as drawn than is: where no place is found, PDFium may still find one. */
function findFreeAmong(drawn: readonly DrawnBox[], wanted: WantedPlace): FreeBoxes | undefined {
  const boxes = findFreeBoxes(occupiedBy(wanted.page, drawn, wanted.obstacles), wanted);
  return boxes && { ok: true, boxes };
}

/** PDFium alone knows which words lie under a box. */
function answerWhenNone(drawn: readonly DrawnBox[], boxes: readonly Box[]): CoveredText | undefined {
  const isFree = (box: Box) => drawn.every((item) => !item.isText || !isOverlapping(box, item));
  return boxes.every(isFree) ? { ok: true, words: boxes.map(() => []) } : undefined;
}
