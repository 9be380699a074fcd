// Fits a table to the width of a terminal: unchanged; with sentences wrapped and free text cut; with columns omitted; folded, so
// that a row takes two or three lines; or not at all, and then each row becomes a block. Pure: it computes places of columns.
import type { Column } from '../command/outcome.ts';
import { isAddress, type Ruler } from './text-width.ts';

export const GAP = 2;

/** The further lines of a folded row begin here. */
export const FOLD_INDENT = 2;

/** cli-table3 draws an empty column this wide. */
const NARROWEST = 1;

/** Below this, cut text says nothing. */
const SHORTEST_CUT = 16;

/** Below this, a sentence is a column of single words. */
const SHORTEST_WRAP = 30;

/** A row of more lines is read better as a block. */
const MOST_LINES = 3;

/** The place of one column: its number in the table, and its width. */
export type ColumnPlace = { column: number; width: number };

/** The lines of a row, each with its columns. */
export type TableLayout = readonly (readonly ColumnPlace[])[];

type Measured = { at: number; natural: number; least: number; leaveOut: number | undefined };

/** Chooses a layout. @returns undefined when none fits and each row has to become a block */
export function layoutFor(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { widthOf }: Pick<Ruler, 'widthOf'>,
  width: number,
): TableLayout | undefined {
  const measured = columns.map(({ name, fit, leaveOut }, at): Measured => {
    const natural = Math.max(NARROWEST, widthOf(name), ...rows.map((row) => widthOf(row[at] ?? '')));
    const least = leastOf(fit, natural, () => rows.map((row) => row[at] ?? ''), widthOf);
    return { at, natural, least: Math.min(natural, Math.max(widthOf(name), least)), leaveOut };
  });
  let kept = measured;
  for (;;) {
    const line = fitOnOneLine(kept, width);
    if (line) return [line];
    const next = lastToStay(kept);
    if (next === undefined) break;
    kept = kept.filter(({ at }) => at !== next);
  }
  return foldColumns(kept, width);
}

function leastOf(
  fit: Column['fit'],
  natural: number,
  cells: () => readonly string[],
  widthOf: Ruler['widthOf'],
): number {
  if (fit === undefined) return natural;
  if (fit === 'cuts') return SHORTEST_CUT;
  return Math.max(
    SHORTEST_WRAP,
    ...cells().flatMap((cell) => cell.split(' ').filter(isAddress).map(widthOf)),
  );
}

/** Finds the column that is omitted next. */
const lastToStay = (columns: readonly Measured[]): number | undefined =>
  columns
    .filter(({ leaveOut }) => leaveOut !== undefined)
    .sort((a, b) => (a.leaveOut ?? 0) - (b.leaveOut ?? 0))[0]?.at;

/** Puts all columns on one line, and shortens the longest most; undefined when they do not fit. */
function fitOnOneLine(columns: readonly Measured[], width: number): ColumnPlace[] | undefined {
  const widths = columns.map(({ natural }) => natural);
  let excess = widths.reduce((sum, one) => sum + one, GAP * (columns.length - 1)) - width;
  while (excess > 0) {
    const longest = columns.reduce((best, { least }, index) => {
      const isSpare = (widths[index] ?? 0) > least;
      return isSpare && (best < 0 || (widths[index] ?? 0) > (widths[best] ?? 0)) ? index : best;
    }, -1);
    if (longest < 0) return undefined;
    widths[longest] = (widths[longest] ?? 0) - 1;
    excess -= 1;
  }
  return columns.map(({ at }, index) => ({ column: at, width: widths[index] ?? 0 }));
}

/** Distributes the columns in their order, as many on each line as fit there. */
function foldColumns(columns: readonly Measured[], width: number): TableLayout | undefined {
  const lines: Measured[][] = [];
  const roomIn = (line: number) => (line === 0 ? width : width - FOLD_INDENT);
  for (const column of columns) {
    const last = lines.at(-1);
    if (last && fitOnOneLine([...last, column], roomIn(lines.length - 1))) last.push(column);
    else lines.push([column]);
  }
  if (lines.length > MOST_LINES) return undefined;
  const placed = lines.map((line, index) => fitOnOneLine(line, roomIn(index)));
  return placed.every((line) => line !== undefined) ? placed : undefined;
}
