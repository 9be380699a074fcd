// Defines the result of the layout: items with their positions, in points from the top left corner of their container.
import type { MeasuredRun, Typesetting } from '../pdf/fonts/typesetting.ts';
import type { PageNumbers } from './inline-items.ts';
import type { Block, Drawing, NoteKey } from './model.ts';

export type DisplayItem =
  /** `y` is that of the baseline. `family` is the font that the document asks for. */
  | {
      kind: 'text';
      x: number;
      y: number;
      runs: readonly MeasuredRun[];
      size: number;
      color: string;
      spacing: number;
      family: string;
    }
  | { kind: 'bar'; x: number; y: number; width: number; height: number; color: string }
  | { kind: 'picture'; x: number; y: number; width: number; height: number; drawing: Drawing }
  | { kind: 'link'; x: number; y: number; width: number; height: number; address: string };

export const translated = (mark: DisplayItem, x: number, y: number): DisplayItem => ({
  ...mark,
  x: mark.x + x,
  y: mark.y + y,
});

/** It has its own position on the page. */
export type Floating =
  | { kind: 'drawing'; drawing: Drawing; isBehind: boolean }
  | { kind: 'watermark'; text: string };

/**
 * It is a horizontal part of a column, with the width of the column: a line of text, or a row of a table. Pages are made by stacking these
 * boxes.
 */
export type LineBox = {
  height: number;
  /** The top of a page does not need this empty room. */
  before: number;
  after: number;
  marks: DisplayItem[];
  floating: Floating[];
  notes: NoteKey[];
  /** It must not be the last one on a page. */
  isKeptWithNext: boolean;
  starts: 'page' | 'column' | undefined;
  /** The heads of a table are repeated above its first row on each page. */
  heads: readonly LineBox[];
  /** Splits it into a part of at most this height, and the rest. Undefined where that is impossible. */
  split?: ((height: number) => [LineBox, LineBox] | undefined) | undefined;
  /** A box that is kept together is split only if it is higher than a page. */
  isKeptTogether: boolean;
};

export const lineBox = (height: number, marks: DisplayItem[] = [], more: Partial<LineBox> = {}): LineBox => ({
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

export const heightOf = (lineBoxes: readonly LineBox[]): number =>
  lineBoxes.reduce((sum, { before, height, after }) => sum + before + height + after, 0);

export function stacked(lineBoxes: readonly LineBox[], x: number, y: number): DisplayItem[] {
  const marks: DisplayItem[] = [];
  let at = y;
  for (const lineBox of lineBoxes) {
    at += lineBox.before;
    for (const mark of lineBox.marks) marks.push(translated(mark, x, at));
    at += lineBox.height + lineBox.after;
  }
  return marks;
}

/** Every file of the layout receives it. `layoutBlocks` is part of it because blocks contain tables, and tables blocks. */
export type LayoutContext = {
  typesetting: Typesetting;
  defaultTab: number;
  /** Nothing may be higher than the text area of a page. */
  pageHeight: number;
  numbers: PageNumbers;
  background: string | undefined;
  markOf(note: NoteKey): string;
  layoutBlocks(blocks: readonly Block[], width: number, context: LayoutContext): LineBox[];
};
