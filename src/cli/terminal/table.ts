// Tables for a person at a terminal, as wide as the terminal. Must never be used for a pipe: cli-table3 draws and
// colours whatever it is given. Must never cut or wrap an id, an address or an e-mail.
import type { Tone } from '../command/outcome.ts';
import type { Paint } from './color.ts';
import { safeText } from './safe-text.ts';
import { createRuler, type Ruler } from './text-width.ts';

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
  middle: '  ',
};

const GAP = 2;

/** Below this, shortened text says nothing. */
const SHORTEST = 10;

/** A table whose cells are text already, safe to be shown. */
export type DrawnTable = {
  title?: string | undefined;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  tones?: readonly (Tone | undefined)[] | undefined;
};

/** @param width columns of the terminal; undefined or 0 where nobody knows, and then nothing is shortened */
export async function drawTable(table: DrawnTable, paint: Paint, width: number | undefined): Promise<string> {
  const ruler = await createRuler();
  const columns = table.columns.map(safeText);
  const rows = table.rows.map((row) => columns.map((_, index) => row[index] ?? ''));
  const widths = widthsFor(columns, rows, ruler, width || Number.POSITIVE_INFINITY);
  const text = widths
    ? await drawRows({ ...table, columns, rows }, widths, ruler, paint)
    : blocks({ ...table, columns, rows }, ruler, paint);
  return table.title ? `${paint.bold(safeText(table.title))}\n${text}` : text;
}

/** What must stay whole: a number, an address, an e-mail, an id. */
const WHOLE =
  /^-?[\d.,]+%?$|:\/\/|\S@\S|^[0-9a-f]{8}-[0-9a-f-]{27}$|^(?=\S*\d)[A-Za-z0-9_-]{16,}$|^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/;

/** The width of every column, or undefined when they do not fit however much text is shortened. */
function widthsFor(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  { widthOf }: Ruler,
  width: number,
): number[] | undefined {
  const cells = (index: number) => rows.map((row) => row[index] ?? '');
  const widths = columns.map((column, index) => Math.max(widthOf(column), ...cells(index).map(widthOf)));
  const least = columns.map((column, index) =>
    cells(index).some((cell) => WHOLE.test(cell))
      ? (widths[index] ?? 0)
      : Math.min(widths[index] ?? 0, Math.max(widthOf(column), SHORTEST)),
  );
  let excess = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width;
  while (excess > 0) {
    // The longest text loses most; a column of short words keeps them.
    const longest = widths.reduce((best, one, index) => {
      const spare = one - (least[index] ?? 0);
      return spare > 0 && (best < 0 || one > (widths[best] ?? 0)) ? index : best;
    }, -1);
    if (longest < 0) return undefined;
    widths[longest] = (widths[longest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

async function drawRows(
  { columns, rows, tones }: DrawnTable,
  widths: readonly number[],
  { shortened }: Ruler,
  paint: Paint,
): Promise<string> {
  const { default: CliTable } = await import('cli-table3');
  const drawn = new CliTable({
    ...(columns.some((column) => column !== '') && { head: columns.map((column) => paint.bold(column)) }),
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const [index, row] of rows.entries())
    drawn.push(
      row.map((cell, column) => {
        const text = shortened(cell, widths[column] ?? 0);
        return column === 0 ? toned(text, tones?.[index], paint) : text;
      }),
    );
  return drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/**
 * One block a row, `label  value`: for a terminal that is too narrow for the table. A mark, whose column has no name,
 * stands before the value that follows it.
 */
function blocks({ columns, rows, tones }: DrawnTable, { widthOf }: Ruler, paint: Paint): string {
  const labelled = Math.max(...columns.map(widthOf));
  const marks = columns[0] === '' ? 1 : 0;
  return rows
    .map((row, index) => {
      const mark = marks > 0 ? `${toned(row[0] ?? '', tones?.[index], paint)} ` : '';
      return columns
        .map((label, column) => ({ label, cell: row[column] ?? '', column }))
        .slice(marks)
        .filter(({ cell }) => cell !== '')
        .map(({ label, cell, column }) => {
          const isFirst = column === marks;
          const value = isFirst && marks === 0 ? toned(cell, tones?.[index], paint) : cell;
          return `${paint.dim(label)}${' '.repeat(labelled - widthOf(label) + GAP)}${isFirst ? mark : ''}${value}`;
        })
        .join('\n');
    })
    .join('\n\n');
}

export function toned(text: string, tone: Tone | undefined, paint: Paint): string {
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
