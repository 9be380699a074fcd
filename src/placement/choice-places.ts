// Finds where the chosen option of buttons is written: beside them, where the page has no words and no other field.
import { type Box, isInside, isOverlapping, type Size } from '../pdf/geometry.ts';
import { roundPoints } from './length.ts';

/** Of a line with the ring before it, in points. */
const HEIGHT = 14;
const FONT_SIZE = 10;
/** A letter at this size is about as wide. */
const LETTER = 6;
const RING = 20;
const SHORTEST = 40;
const LONGEST = 160;
const GAP = 4;
/** Buttons beside which a place is looked for. */
const MOST_ROWS = 8;

export const CHOICE_FONT_SIZE = FONT_SIZE;

/** A radio button or check box, and the option that it stands for. */
export type ChoiceButton = { box: Box; option: string | undefined };

/**
 * Finds the place of a choice.
 * @param taken words and other fields of the page @returns the last resort, over the first button, where no place is empty
 */
export function placeOfChoice(
  buttons: readonly Box[],
  options: readonly string[],
  page: Size,
  taken: readonly Box[],
): Box {
  const places = placesFor(buttons, options, page);
  return places.find((place) => !taken.some((other) => isOverlapping(place, other))) ?? places.at(-1)!;
}

/** Lists places for a choice, the best first: after the buttons, below, above and before them, and over the first one at last. */
function placesFor(buttons: readonly Box[], options: readonly string[], page: Size): Box[] {
  const around = boxAround(buttons);
  const longest = Math.max(...options.map((option) => [...option].length));
  const size = {
    width: Math.min(LONGEST, page.width, Math.max(SHORTEST, RING + longest * LETTER)),
    height: Math.min(HEIGHT, page.height),
  };
  const rows = buttons.slice(0, MOST_ROWS).map(({ y, height }) => y + (height - size.height) / 2);
  const right = around.x + around.width;
  const corners = [
    ...rows.flatMap((y) => [GAP, 60, 120, 180, 240].map((gap) => ({ x: right + gap, y }))),
    { x: page.width - size.width - 2 * GAP, y: rows[0] ?? around.y },
    { x: around.x, y: around.y + around.height + GAP },
    { x: around.x, y: around.y - size.height - GAP },
    ...rows.map((y) => ({ x: around.x - size.width - GAP, y })),
  ];
  const boxes = corners.map((corner) => rounded({ ...corner, ...size })).filter((box) => isInside(box, page));
  const x = Math.max(0, Math.min(around.x, page.width - size.width));
  const y = Math.max(0, Math.min(around.y, page.height - size.height));
  return [...boxes, rounded({ x, y, ...size })];
}

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: roundPoints(x),
  y: roundPoints(y),
  width: roundPoints(width),
  height: roundPoints(height),
});

function boxAround(boxes: readonly Box[]): Box {
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    [x, y] = [Math.min(x, box.x), Math.min(y, box.y)];
    [right, bottom] = [Math.max(right, box.x + box.width), Math.max(bottom, box.y + box.height)];
  }
  return { x, y, width: right - x, height: bottom - y };
}
