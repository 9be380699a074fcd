// Tells whether a later picture of a page shows something else where an earlier one shows letters that are no text, such as those of a scan or of a
// drawing. A line to sign on is none.
import type { Box } from '../geometry.ts';
import { inwards, type Picture, pixelRowsIn } from './page-picture.ts';

/** Of 255: what is so much darker or lighter than the paper around it is read. */
const CONTRAST = 64;
/** Pixels in a row or a column: a letter of usual size has no stroke as long, and lines to sign on are longer. */
const LINE = 24;
/** A digit of six points has more. */
const LEAST_PIXELS = 12;

/** @param box the place, in pixels */
export function coversInk(was: Picture, is: Picture, box: Box): boolean {
  const rows = pixelRowsIn(was, inwards(box));
  const marks = rows.map(([start, end]) => lightnessOf(was.pixels.subarray(start, end)));
  const paper = mostFrequent(marks);
  const isInk = (row: number, column: number) => Math.abs((marks[row]?.[column] ?? paper) - paper) > CONTRAST;
  const runFrom = (row: number, column: number, [down, across]: readonly [number, number]) => {
    let length = 0;
    while (length <= LINE && isInk(row + length * down, column + length * across)) length += 1;
    return length;
  };
  const isOfLine = (row: number, column: number) =>
    DIRECTIONS.some(([down, across]) => {
      const length = runFrom(row, column, [down, across]) + runFrom(row, column, [-down, -across]) - 1;
      return length >= LINE;
    });
  let covered = 0;
  for (const [row, lightness] of marks.entries())
    for (const column of lightness.keys()) {
      const at = rows[row]![0] + column * 4;
      const isCovered = isInk(row, column) && was.pixels.compare(is.pixels, at, at + 4, at, at + 4) !== 0;
      if (isCovered && !isOfLine(row, column)) covered += 1;
      if (covered >= LEAST_PIXELS) return true;
    }
  return false;
}

const DIRECTIONS = [
  [0, 1],
  [1, 0],
] as const;

/** Of each pixel, from 0 to 255. */
const lightnessOf = (pixels: Buffer): number[] =>
  Array.from({ length: pixels.length / 4 }, (_, index) =>
    Math.round((pixels[index * 4]! + pixels[index * 4 + 1]! + pixels[index * 4 + 2]!) / 3),
  );

function mostFrequent(rows: readonly number[][]): number {
  const counts = new Array<number>(256).fill(0);
  for (const row of rows) for (const lightness of row) counts[lightness]! += 1;
  return counts.indexOf(Math.max(...counts));
}
