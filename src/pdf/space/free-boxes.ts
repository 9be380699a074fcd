// Finds empty boxes on a page, the lowest first: where a signature covers nothing. Knows what is drawn as boxes, and nothing of
// the document.
import { type Box, isOverlapping, type Size } from '../geometry.ts';
import type { Occupied } from './occupied.ts';

/** `gap` keeps boxes apart from each other, `margin` from the edges of a page that has no margins of its own. */
export type WantedBoxes = Size & { count: number; gap: number; margin: number };

/** Between a box and what is drawn beside it. */
const CLEARANCE = 3;
/** From one place that is tried to the next, at least. */
const STEP = 1;
/** A margin that takes more of a side than this is no margin: a short text on a large page. */
const WIDEST_MARGIN = 0.25;

/**
 * Empty boxes in reading order, all of the wanted size, or undefined when there are not as many. Those in the margins that
 * the text has come before those that only keep away from the edges.
 */
export function findFreeBoxes(occupied: Occupied, wanted: WantedBoxes): Box[] | undefined {
  for (const area of [textArea(occupied, wanted.margin), insideEdges(occupied.page, wanted.margin)]) {
    const found = findIn(area, occupied, wanted);
    if (found) return found;
  }
  return undefined;
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
): Box[] | undefined {
  const found: Box[] = [];
  const blocker: Occupied['blocker'] = (box) => {
    const other = found.find((one) => isOverlapping(box, inflated(one, gap - CLEARANCE)));
    return other
      ? { right: other.x + other.width + gap - CLEARANCE, top: other.y - gap + CLEARANCE }
      : occupied.blocker(box);
  };
  while (found.length < count) {
    const box = findLowest(area, { width, height }, blocker);
    if (!box) return undefined;
    found.push(box);
  }
  return found.sort((one, other) => one.y - other.y || one.x - other.x);
}

/** The lowest one, and of those the one furthest to the left. */
function findLowest(area: Box, { width, height }: Size, blocker: Occupied['blocker']): Box | undefined {
  for (let y = area.y + area.height - height; y >= area.y; ) {
    let next = Number.NEGATIVE_INFINITY;
    for (let x = area.x; x + width <= area.x + area.width; ) {
      const box = { x, y, width, height };
      const other = blocker(inflated(box, CLEARANCE));
      if (!other) return box;
      x = Math.max(x + STEP, other.right + CLEARANCE);
      next = Math.max(next, other.top - CLEARANCE - height);
    }
    y = Math.min(y - STEP, next);
  }
  return undefined;
}

const inflated = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});
