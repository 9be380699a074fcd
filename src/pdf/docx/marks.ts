// The result of the layout: items with their positions, in points from the top left corner of their container.

import type { MeasuredRun } from '../fonts/typesetting.ts';
import type { Drawing, NoteKey } from './model.ts';

export type PageMark =
  /** `y` is that of the baseline. `family` is the font that the document asks for. */
  | {
      kind: 'text';
      x: number;
      y: number;
      runs: readonly MeasuredRun[];
      size: number;
      colour: string;
      spacing: number;
      family: string;
    }
  | { kind: 'bar'; x: number; y: number; width: number; height: number; colour: string }
  | { kind: 'picture'; x: number; y: number; width: number; height: number; drawing: Drawing }
  | { kind: 'link'; x: number; y: number; width: number; height: number; address: string };

export const moved = (mark: PageMark, x: number, y: number): PageMark => ({
  ...mark,
  x: mark.x + x,
  y: mark.y + y,
});

/** Something with its own position on the page. */
export type Floating =
  | { kind: 'drawing'; drawing: Drawing; isBehind: boolean }
  | { kind: 'watermark'; text: string };

/**
 * A horizontal part of a column, with the width of the column: a line of text, or a row of a table. Pages are made by
 * stacking these boxes.
 */
export type Strip = {
  height: number;
  /** Empty room above, which the top of a page does not need. */
  before: number;
  after: number;
  marks: PageMark[];
  floating: Floating[];
  notes: NoteKey[];
  /** Must not be the last one on a page. */
  isKeptWithNext: boolean;
  starts: 'page' | 'column' | undefined;
  /** Repeated above this box where it is the first on a page. */
  heads: readonly Strip[];
  /** Splits it into a part of at most this height, and the rest. Undefined where that is impossible. */
  split?: ((height: number) => [Strip, Strip] | undefined) | undefined;
  /** It is split only if it is higher than a page. */
  isKeptTogether: boolean;
};

export const strip = (height: number, marks: PageMark[] = [], more: Partial<Strip> = {}): Strip => ({
  height,
  before: 0,
  after: 0,
  marks,
  floating: [],
  notes: [],
  isKeptWithNext: false,
  starts: undefined,
  heads: [],
  isKeptTogether: false,
  ...more,
});

export const heightOf = (strips: readonly Strip[]): number =>
  strips.reduce((sum, { before, height, after }) => sum + before + height + after, 0);

/** The items of boxes that are stacked at this position. */
export function stacked(strips: readonly Strip[], x: number, y: number): PageMark[] {
  const marks: PageMark[] = [];
  let at = y;
  for (const one of strips) {
    at += one.before;
    for (const mark of one.marks) marks.push(moved(mark, x, at));
    at += one.height + one.after;
  }
  return marks;
}
