// Arithmetic for following the content of a page: matrices one after another, and rectangles around points.
import type { Matrix, Point, Rect } from '../geometry.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import type { Value } from '../syntax/values.ts';

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** First `one`, then `other`. */
export const product = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix => [
  a * g + b * i,
  a * h + b * j,
  c * g + d * i,
  c * h + d * j,
  e * g + f * i + k,
  e * h + f * j + l,
];

/** How many times longer a length becomes, at most. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.max(Math.hypot(a, b), Math.hypot(c, d));

/** Undefined for what is no array of numbers. */
export function numbersIn(view: PdfView, value: Value | undefined): number[] | undefined {
  const items = view.array(value)?.map((item) => view.resolve(item));
  return items?.every((item) => typeof item === 'number') ? items : undefined;
}

/** @param by how much further it reaches on each side */
export function rectAround(points: readonly Point[], by = 0): Rect {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return { left: left - by, bottom: bottom - by, right: right + by, top: top + by };
}
