// Lays out a table: one box for each row, with cells that span columns and rows, and rows that are split where a page ends.

import { mostOf } from '../pdf/geometry.ts';
import {
  type DisplayItem,
  heightOf,
  type LayoutContext,
  type LineBox,
  lineBox,
  stacked,
  translated,
} from './display-items.ts';
import { inlineItemsOf } from './inline-items.ts';
import type { Block, Border, DocxTable, TableCell, TableRow } from './model.ts';

const LEAST_COLUMN = 6;
/** A table may reach this far into the margin on both sides: its cells begin there, so that their text stands in line. */
const OVERHANG = 11;

export function layoutTable(table: DocxTable, width: number, context: LayoutContext): LineBox[] {
  const columns = columnWidths(table, width, context);
  const total = columns.reduce((sum, width) => sum + width, 0);
  const left = leftOf(table, total, width);
  const cells = table.rows.map((row, index) =>
    row.cells.map((cell) => laidCell(cell, index, table, columns, context)),
  );
  growForMerged(cells, table, context.pageHeight);
  const heads: LineBox[] = [];
  const lineBoxes: LineBox[] = [];
  for (const [index, row] of table.rows.entries()) {
    const laid = rowBox(cells[index]!, row, left);
    const isHead = row.isHeader && heads.length === index;
    const joins = cells[index + 1]?.some(({ cell }) => cell.merge === 'continue') ?? false;
    const laidRow: LineBox = { ...laid, isKeptWithNext: isHead || joins, heads: isHead ? [] : [...heads] };
    if (isHead && heightOf([...heads, laid]) < context.pageHeight / 3) heads.push(laidRow);
    lineBoxes.push(laidRow);
  }
  return lineBoxes;
}

type LaidCell = {
  cell: TableCell;
  x: number;
  width: number;
  lineBoxes: LineBox[];
  /** The content makes the row at least this high. */
  height: number;
  endsMerge: boolean;
  /** The content of a cell over several rows leaves this much empty in all of them. */
  free?: number;
};

function laidCell(
  cell: TableCell,
  row: number,
  table: DocxTable,
  columns: readonly number[],
  context: LayoutContext,
): LaidCell {
  const from = sum(columns.slice(0, cell.column));
  const width = sum(columns.slice(cell.column, cell.column + cell.span));
  const x = table.isRightToLeft ? sum(columns) - from - width : from;
  const { left, right, top, bottom } = cell.margins;
  const inner = Math.max(LEAST_COLUMN, width - left - right);
  const background = cell.background ?? context.background;
  const isContinued = cell.merge === 'continue';
  const lineBoxes = isContinued ? [] : context.layoutBlocks(cell.blocks, inner, { ...context, background });
  const below = table.rows[row + 1]?.cells.find(({ column }) => column === cell.column);
  return {
    cell,
    x,
    width,
    lineBoxes,
    height: heightOf(lineBoxes) + top + bottom,
    endsMerge: below?.merge !== 'continue',
  };
}

const sum = (lengths: readonly number[]): number => lengths.reduce((total, width) => total + width, 0);

/**
 * The content of a cell over several rows hangs down into them. What does not fit makes the last of them higher; where they are higher than
 * a page, the first one, which can be cut.
 */
function growForMerged(rows: LaidCell[][], table: DocxTable, pageHeight: number): void {
  const natural = (index: number) =>
    Math.max(
      table.rows[index]!.height,
      ...rows[index]!.filter(({ cell }) => cell.merge !== 'start').map(({ height }) => height),
    );
  for (const [index, cells] of rows.entries())
    for (const start of cells) {
      if (start.cell.merge !== 'start' || start.endsMerge) continue;
      const ends = lastOfMerge(rows, index, start.cell.column);
      const rowsHeight = sum(rows.slice(index, ends + 1).map((_, offset) => natural(index + offset)));
      const missing = start.height - rowsHeight;
      if (Math.max(rowsHeight, start.height) > pageHeight * 0.9) continue;
      start.height = Math.min(start.height, natural(index));
      const last = rows[ends]!.find(({ cell }) => cell.column === start.cell.column);
      if (last && missing > 0) last.height = natural(ends) + missing;
      start.free = Math.max(0, -missing);
    }
}

function lastOfMerge(rows: readonly LaidCell[][], from: number, column: number): number {
  let last = from;
  while (rows[last + 1]?.some(({ cell }) => cell.column === column && cell.merge === 'continue')) last += 1;
  return last;
}

function rowBox(cells: readonly LaidCell[], row: TableRow, left: number): LineBox {
  const height = Math.max(row.height, mostOf(cells.map((cell) => cell.height)), 1);
  const marks = [
    ...cells.flatMap((cell) => backgroundOf(cell, height)),
    ...cells.flatMap((cell) => contentOf(cell, height)),
  ];
  for (const cell of cells) marks.push(...linesOf(cell, height));
  const inside = cells.flatMap(({ lineBoxes }) => lineBoxes);
  return lineBox(
    height,
    marks.map((mark) => translated(mark, left, 0)),
    {
      notes: inside.flatMap(({ notes }) => notes),
      floating: inside.flatMap(({ floating }) => floating),
      isKeptTogether: row.isKeptTogether,
      split: (room) => splitRow(cells, row, left, room),
    },
  );
}

function backgroundOf({ cell, x, width }: LaidCell, height: number): DisplayItem[] {
  return cell.background ? [{ kind: 'bar', x, y: 0, width, height, color: cell.background }] : [];
}

function contentOf({ cell, x, lineBoxes, free: ofRows }: LaidCell, height: number): DisplayItem[] {
  const { left, top, bottom } = cell.margins;
  const free = ofRows ?? Math.max(0, height - heightOf(lineBoxes) - top - bottom);
  const shift = { top: 0, center: free / 2, bottom: free }[cell.align];
  return stacked(lineBoxes, x + left, top + shift);
}

function linesOf({ cell, x, width, endsMerge }: LaidCell, height: number): DisplayItem[] {
  const { top, bottom, left, right } = cell.borders;
  const across = (border: Border, y: number): DisplayItem => ({
    kind: 'bar',
    x: x - border.width / 2,
    y: y - border.width / 2,
    width: width + border.width,
    height: border.width,
    color: border.color,
  });
  const down = (border: Border, at: number): DisplayItem => ({
    kind: 'bar',
    x: at - border.width / 2,
    y: 0,
    width: border.width,
    height,
    color: border.color,
  });
  return [
    ...(top && cell.merge !== 'continue' ? [across(top, 0)] : []),
    ...(bottom && (cell.merge === 'none' || endsMerge) ? [across(bottom, height)] : []),
    ...(left ? [down(left, x)] : []),
    ...(right ? [down(right, x + width)] : []),
  ];
}

/** Every cell is cut at the same height, between two lines of it. */
function splitRow(
  cells: readonly LaidCell[],
  row: TableRow,
  left: number,
  room: number,
): [LineBox, LineBox] | undefined {
  const halves = cells.map((cell) => {
    const { top, bottom } = cell.cell.margins;
    return { cell, cut: splitLineBoxes(cell.lineBoxes, room - top - bottom) };
  });
  const isStuck = halves.some(({ cell, cut }) => cell.lineBoxes.length > 0 && cut[0].length === 0);
  const isWhole = halves.every(({ cut }) => cut[1].length === 0);
  if (isStuck || isWhole) return undefined;
  const half = (index: 0 | 1) => {
    const cells = halves.map(({ cell, cut }) => {
      const lineBoxes = cut[index];
      const { top, bottom } = cell.cell.margins;
      return { ...cell, lineBoxes, height: heightOf(lineBoxes) + top + bottom };
    });
    const first = index === 0 ? { ...row, height: 0 } : { ...row, height: 0, isHeader: false };
    return rowBox(cells, first, left);
  };
  return [half(0), half(1)];
}

/** Splits the boxes into those that fit and the others; the first that does not fit may itself be cut. */
export function splitLineBoxes(lineBoxes: readonly LineBox[], room: number): [LineBox[], LineBox[]] {
  let used = 0;
  for (const [index, lineBox] of lineBoxes.entries()) {
    const height = lineBox.before + lineBox.height;
    if (used + height > room + 0.01) {
      const halves = lineBox.split?.(room - used - lineBox.before);
      const [first, second] = [lineBoxes.slice(0, index), lineBoxes.slice(index + 1)];
      return halves
        ? [
            [...first, halves[0]],
            [halves[1], ...second],
          ]
        : [first, lineBoxes.slice(index)];
    }
    used += height + lineBox.after;
  }
  return [[...lineBoxes], []];
}

// --- How wide columns are. ---

function leftOf({ indent, align, rows }: DocxTable, total: number, width: number): number {
  if (align === 'center') return (width - total) / 2;
  if (align === 'right') return width - total;
  // The text of the first column stands in line with that above: its cells begin further left.
  const margin = rows[0]?.cells[0]?.margins.left ?? 0;
  return Math.min(Math.max(indent - margin, -OVERHANG), Math.max(0, width - total));
}

function columnWidths(table: DocxTable, width: number, context: LayoutContext): number[] {
  const room = width + OVERHANG;
  const preferredWidth = table.width < 0 ? -table.width * width : table.width;
  const gridWidth = sum(table.columns);
  const isComplete = table.columns.every((width) => width > 0);
  const columns = isComplete
    ? [...table.columns]
    : byContent(table, preferredWidth > 0 ? Math.min(preferredWidth, room) : room, context);
  const total = isComplete ? gridWidth : sum(columns);
  const wanted = Math.min(
    room,
    table.width < 0 || (isComplete && preferredWidth > total) ? preferredWidth : total,
  );
  return columns.map((cell) => Math.max(LEAST_COLUMN, (cell * wanted) / (total || 1)));
}

type Needs = { least: number; most: number };

/** Columns without a width get what their text needs, as far as there is room. */
function byContent(table: DocxTable, room: number, context: LayoutContext): number[] {
  const needs: Needs[] = table.columns.map(() => ({ least: LEAST_COLUMN, most: LEAST_COLUMN }));
  for (const { cells } of table.rows)
    for (const { column, span, blocks, margins } of cells) {
      const need = span === 1 ? needOf(blocks, context) : undefined;
      const columnNeeds = needs[column];
      if (!need || !columnNeeds) continue;
      const around = margins.left + margins.right;
      columnNeeds.least = Math.max(columnNeeds.least, need.least + around);
      columnNeeds.most = Math.max(columnNeeds.most, need.most + around);
    }
  const [least, most] = [sum(needs.map((need) => need.least)), sum(needs.map((need) => need.most))];
  if (most <= room) return needs.map((width) => width.most + 1);
  if (least >= room) return needs.map((cell) => (cell.least / least) * room);
  const share = (room - least) / (most - least);
  return needs.map((cell) => cell.least + (cell.most - cell.least) * share);
}

/** `least` is the longest word, and `most` the longest line if it is never broken. */
function needOf(blocks: readonly Block[], context: LayoutContext): Needs {
  const need: Needs = { least: 0, most: 0 };
  const { typesetting, markOf, numbers, pageHeight } = context;
  for (const block of blocks) {
    if (block.kind === 'table') {
      const inner = byContent(block, Number.MAX_SAFE_INTEGER, context);
      need.most = Math.max(need.most, sum(inner));
    }
    if (block.kind !== 'paragraph') continue;
    const room = { width: 400, height: pageHeight };
    const items = inlineItemsOf(block.inlines, { typesetting, markOf, numbers, room });
    let line = block.style.indentLeft;
    for (const { kind, width } of items) {
      if (kind === 'word' || kind === 'drawing') need.least = Math.max(need.least, width);
      line = kind === 'end' ? block.style.indentLeft : line + width;
      need.most = Math.max(need.most, line);
    }
  }
  return need;
}
