// Finds empty boxes on a page, where a signature covers nothing: below the last text, otherwise as low as there is room. Headers and
// footers are no place for it. Knows what is drawn as boxes, and nothing of the document.
import { type Box, isOverlapping, type Size } from '../geometry.ts';
import type { Blocker, Occupied } from './occupied.ts';

/** `gap` keeps boxes apart from each other, `margin` from the edges of a page that has no margins of its own. */
export type WantedBoxes = Size & { count: number; gap: number; margin: number };

/** Between a box and what is drawn beside it. */
const CLEARANCE = 3;
/** From one place that is tried to the next, at least. */
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

/** Between the header and the footer of a page; `end` is where its last text ends, undefined where there is none. */
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

/** What of an area is between two heights. */
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

/** The left margin of what is drawn on both sides, because lines may end anywhere; no other margin is wider than it. */
function textArea({ page, area }: Occupied, margin: number): Box {
  if (!area) return insideEdges(page, margin);
  const within = (own: number, side: number) => Math.max(margin, Math.min(own, side * WIDEST_MARGIN));
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
  const found: Box[] = [];
  const blocker: Occupied['blocker'] = (box) => {
    const other = found.find((one) => isOverlapping(box, inflated(one, gap - CLEARANCE)));
    return other
      ? {
          right: other.x + other.width + gap - CLEARANCE,
          top: other.y - gap + CLEARANCE,
          bottom: other.y + other.height + gap - CLEARANCE,
        }
      : occupied.blocker(box);
  };
  while (found.length < count) {
    const box = find(area, { width, height }, blocker);
    if (!box) return undefined;
    found.push(box);
  }
  return found.sort((one, other) => one.y - other.y || one.x - other.x);
}

type Find = (area: Box, size: Size, blocker: Occupied['blocker']) => Box | undefined;

/** The lowest one, and of those the one furthest to the left. */
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
