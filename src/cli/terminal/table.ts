// Draws tables for a person, as wide as the terminal. It must never be used for a pipe, because cli-table3 always draws
// borders and colors. It must never cut values that identify something.
import type { Column, Tone } from '../command/outcome.ts';
import type { Paint } from './color.ts';
import { safeText } from './safe-text.ts';
import { createRuler, isAddress, type Ruler } from './text-width.ts';

export const GAP = 2;

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
};

/** A table whose cells are text already, safe to be shown. */
export type DrawnTable = {
  title?: string | undefined;
  columns: readonly (string | Column)[];
  rows: readonly (readonly string[])[];
  tones?: readonly (Tone | undefined)[] | undefined;
};

type Drawing = { ruler: Ruler; paint: Paint; width: number };

type Prepared = {
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  tones: readonly (Tone | undefined)[];
};

/** Draws a table. @param width columns of the terminal; undefined or 0 where it is unknown, and then nothing is shortened */
export async function drawTable(table: DrawnTable, paint: Paint, width: number | undefined): Promise<string> {
  const drawing: Drawing = { ruler: await createRuler(), paint, width: width || Number.POSITIVE_INFINITY };
  const columns = table.columns.map((column) =>
    typeof column === 'string' ? { name: safeText(column) } : { ...column, name: safeText(column.name) },
  );
  const rows = table.rows.map((row) => columns.map((_, index) => row[index] ?? ''));
  const prepared = { columns, rows, tones: table.tones ?? [] };
  const layout = layoutFor(columns, rows, drawing.ruler, drawing.width);
  const text = layout ? await drawRows(prepared, layout, drawing) : renderBlocks(prepared, drawing);
  return table.title ? `${paint.bold(safeText(table.title))}\n${text}` : text;
}

/** Draws the lines of each row, one below the other. */
async function drawRows(table: Prepared, layout: TableLayout, drawing: Drawing): Promise<string> {
  const drawn = await Promise.all(layout.map((places) => drawLine(table, places, drawing)));
  const hasHead = table.columns.some(({ name }) => name !== '');
  const parts = hasHead ? [-1, ...table.rows.keys()] : [...table.rows.keys()];
  return parts
    .flatMap((_, part) =>
      drawn.flatMap((lines, index) => {
        const own = lines[part] ?? [];
        return index === 0
          ? own
          : own.filter((line) => line !== '').map((line) => ' '.repeat(FOLD_INDENT) + line);
      }),
    )
    .join('\n');
}

/** Draws some columns of all rows, the head first. */
async function drawLine(
  { columns, rows, tones }: Prepared,
  places: readonly ColumnPlace[],
  { ruler, paint }: Drawing,
): Promise<string[][]> {
  const { default: CliTable } = await import('cli-table3');
  const hasHead = columns.some(({ name }) => name !== '');
  const fitted = rows.map((row, index) =>
    places.map(({ column, width }) => {
      const lines = fitIn(row[column] ?? '', width, columns[column]?.fit, ruler);
      return column === 0 ? lines.map((line) => paintTone(line, tones[index], paint)) : lines;
    }),
  );
  const head = places.map(({ column }) => [paint.bold(columns[column]?.name ?? '')]);
  const all = hasHead ? [head, ...fitted] : fitted;
  const table = new CliTable({
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const cells of all) table.push(cells.map((lines) => lines.join('\n')));
  const lines = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return all.map((cells) => lines.splice(0, Math.max(1, ...cells.map((cell) => cell.length))));
}

const fitIn = (text: string, width: number, fit: Column['fit'], ruler: Ruler): string[] =>
  fit === 'wraps' ? ruler.wrapped(text, width) : [fit === 'cuts' ? ruler.shortened(text, width) : text];

/**
 * Draws each row as a block of `label  value`, for a terminal that is too narrow for the table. A cell whose column has no name
 * is put before the next value.
 */
function renderBlocks({ columns, rows, tones }: Prepared, { ruler, paint, width }: Drawing): string {
  const labelled = Math.max(...columns.map(({ name }) => ruler.widthOf(name)));
  const marks = columns.length > 1 && columns[0]?.name === '' ? 1 : 0;
  const space = { labelled, width };
  return rows
    .map((row, index) =>
      columns
        .map(({ name }, column) => {
          const isFirst = column === marks;
          const mark = isFirst && marks > 0 && row[0] !== '' ? `${row[0]} ` : '';
          return { label: name, mark, text: mark + (row[column] ?? ''), isFirst };
        })
        .slice(marks)
        .filter(({ text }) => text !== '')
        .flatMap(({ label, mark, text, isFirst }) => {
          const lines = labelledLines(label, text, space, ruler);
          const coloured = isFirst ? lines.findIndex((line) => line.text !== '') : -1;
          return lines.map((line, at) => {
            const length = marks > 0 ? mark.length : line.text.length;
            return (
              paint.dim(line.before) +
              (at === coloured ? inTone(line.text, length, tones[index], paint) : line.text)
            );
          });
        })
        .join('\n'),
    )
    .join('\n\n');
}

const inTone = (text: string, length: number, tone: Tone | undefined, paint: Paint): string =>
  length === 0 ? text : paintTone(text.slice(0, length), tone, paint) + text.slice(length);

type LabelledLine = { before: string; text: string };

/**
 * Writes `label  value`, on as many lines as the value takes. A value with a word that has no room after the label begins on a
 * new line.
 * @param labelled the width of the labels
 * @param width of the terminal
 */
export function labelledLines(
  label: string,
  value: string,
  { labelled, width }: { labelled: number; width: number },
  { wrapped, longestWord, widthOf }: Ruler,
): LabelledLine[] {
  const before = `${label}${' '.repeat(Math.max(0, labelled - widthOf(label)) + GAP)}`;
  const room = width - labelled - GAP;
  if (widthOf(value) <= room) return [{ before, text: value }];
  if (longestWord(value) <= room)
    return wrapped(value, room).map((text, index) => ({
      before: index === 0 ? before : ' '.repeat(labelled + GAP),
      text,
    }));
  const isIndented = longestWord(value) <= width - FOLD_INDENT;
  const indent = isIndented ? ' '.repeat(FOLD_INDENT) : '';
  return [
    { before: label, text: '' },
    ...wrapped(value, width - indent.length).map((text) => ({ before: indent, text })),
  ];
}

export function paintTone(text: string, tone: Tone | undefined, paint: Paint): string {
  switch (tone) {
    case 'good':
      return paint.green(text);
    case 'bad':
      return paint.red(text);
    case 'now':
      return paint.cyan(text);
    case 'quiet':
      return paint.dim(text);
    default:
      return text;
  }
}

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
  let excess = widths.reduce((sum, width) => sum + width, GAP * (columns.length - 1)) - width;
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
