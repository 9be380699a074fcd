// Fits a value into its box: on one line or on several, at the size that was asked for or the largest below it that has
// room. It must never omit a character.

import type { Typeface } from '../fonts/faces.ts';
import type { Measured, Typesetting } from '../fonts/typesetting.ts';
import { paragraphOf } from '../fonts/wrap.ts';
import type { Size } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';

export type Fitted = {
  size: number;
  lines: readonly Measured[];
  /** Smaller than can be read. */
  isSmall: boolean;
};

type Style = { typeface: Typeface; size: number };

export function fitText(
  value: string,
  room: Size,
  { typeface, size }: Style,
  typesetting: Typesetting,
): Fitted {
  const paragraphs = value
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((text) => paragraphOf(text, typeface, typesetting));
  const ink = paragraphs.reduce((sum, paragraph) => sum + paragraph.inkWidth, 0);
  const at = (tried: number): Fitted | undefined => {
    const most = room.width / tried;
    if (isTooLong(ink, tried, room)) return undefined;
    const lines = paragraphs.flatMap((paragraph) => paragraph.lines(most));
    const height = lines.length === 1 ? tried : lines.length * tried * STAMP_LIMITS.lineHeight;
    const isWide = lines.some(({ width }) => width * tried > room.width + TOLERANCE);
    if (height > room.height || isWide) return undefined;
    return { size: tried, lines, isSmall: tried < Math.min(size, STAMP_LIMITS.sizeFloor) };
  };
  for (let tried = size; tried >= STAMP_LIMITS.sizeLeast; tried = smaller(tried)) {
    const fitted = at(tried);
    if (fitted) return fitted;
  }
  return onOneLineEach(
    paragraphs.map((paragraph) => paragraph.whole()),
    room,
  );
}

/**
 * Whether so much text needs more lines than there is room for, however it is broken: no size that this rules out has to be tried.
 * @param ink the width of the words without the spaces between them, in sizes of the text
 */
const isTooLong = (ink: number, size: number, room: Size): boolean => {
  const lines = Math.ceil((ink * size) / (room.width + TOLERANCE));
  return lines > 1 && lines * size * STAMP_LIMITS.lineHeight > room.height;
};

/** Lines may be wider than the room by as much as a rounding. */
const TOLERANCE = 0.01;

const smaller = (size: number): number =>
  size > STAMP_LIMITS.sizeFloor
    ? Math.max(STAMP_LIMITS.sizeFloor, size - STAMP_LIMITS.sizeStep)
    : size * 0.95;

/** In a box that has no room for anything: as small as it takes. */
function onOneLineEach(lines: readonly Measured[], room: Size): Fitted {
  const widest = Math.max(...lines.map(({ width }) => width), 0.01);
  const size = Math.min(room.width / widest, room.height / (lines.length * STAMP_LIMITS.lineHeight));
  return { size: Math.max(size, 0.01), lines, isSmall: true };
}
