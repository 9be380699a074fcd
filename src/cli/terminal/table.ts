// Tables for a person at a terminal. Must never be used for a pipe: cli-table3 draws and colours whatever it is given.
import type { Cell, Table } from '../outcome.ts';
import type { Paint } from './color.ts';
import { safeText } from './safe-text.ts';

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

export const cellText = (cell: Cell): string =>
  cell === null || cell === undefined ? '' : safeText(String(cell));

export async function drawTable(table: Table, paint: Paint): Promise<string> {
  const { default: CliTable } = await import('cli-table3');
  const drawn = new CliTable({
    head: table.columns.map((column) => paint.bold(safeText(column))),
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const row of table.rows) drawn.push(row.map(cellText));
  const text = drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
  return table.title ? `${paint.bold(safeText(table.title))}\n${text}` : text;
}
