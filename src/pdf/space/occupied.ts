// What is drawn on a page, as far as finding an empty place needs it: as a list of boxes, or as small squares. Boxes are in
// displayed points.
import { type Box, isOverlapping, type Size } from '../geometry.ts';

/** Where something that is in the way of a box ends, to the right, above and below: nothing nearer needs to be tried. */
export type Blocker = { right: number; top: number; bottom: number };

/** Across the whole page; between two of them nothing is drawn. */
export type Band = { top: number; bottom: number };

export type Occupied = {
  page: Size;
  /** The smallest box around all that is drawn; undefined for an empty page. */
  area: Box | undefined;
  /** The places from top to bottom, without those that fields will take. */
  bands: Band[];
  /** Undefined for an empty box. */
  blocker(box: Box): Blocker | undefined;
};

/** @param taken where something will be that is not drawn yet */
export function occupiedBy(page: Size, drawn: readonly Box[], taken: readonly Box[]): Occupied {
  const all = [...drawn, ...taken];
  return {
    page,
    area: areaOf(drawn),
    bands: bandsOf(drawn.map(({ y, height }) => ({ top: y, bottom: y + height }))),
    blocker(box) {
      const other = all.find((one) => isOverlapping(box, one));
      return other && { right: other.x + other.width, top: other.y, bottom: other.y + other.height };
    },
  };
}

/** Lines that are nearer, in points, belong together, such as those of a paragraph. */
const APART = 8;

function bandsOf(pieces: readonly Band[]): Band[] {
  const bands: Band[] = [];
  for (const { top, bottom } of [...pieces].sort((one, other) => one.top - other.top)) {
    const last = bands.at(-1);
    if (last && top - last.bottom < APART) last.bottom = Math.max(last.bottom, bottom);
    else bands.push({ top, bottom });
  }
  return bands;
}

function areaOf(boxes: readonly Box[]): Box | undefined {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
}

// ── squares ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Squares in rows, 1 where something is drawn. */
export type Squares = { page: Size; columns: number; rows: number; isDrawn: Uint8Array };

/** A box is empty or not in the same time whatever its size: sums are kept over all squares above and to the left of each. */
export function occupiedSquares(squares: Squares, taken: readonly Box[]): Occupied {
  const { page, columns, rows, isDrawn } = squares;
  const [wide, high] = [page.width / columns, page.height / rows];
  const across = columns + 1;
  const sums = new Uint32Array(across * (rows + 1));
  for (let row = 0; row < rows; row += 1) {
    let inRow = 0;
    for (let column = 0; column < columns; column += 1) {
      inRow += isDrawn[row * columns + column]!;
      sums[(row + 1) * across + column + 1] = sums[row * across + column + 1]! + inRow;
    }
  }
  const isEmpty = ({ x, y, width, height }: Box): boolean => {
    const columnsIn = spanOf(x / wide, (x + width) / wide, columns);
    const rowsIn = spanOf(y / high, (y + height) / high, rows);
    const at = (row: number, column: number) => sums[row * across + column]!;
    const above = at(rowsIn.from, columnsIn.to) - at(rowsIn.from, columnsIn.from);
    return at(rowsIn.to, columnsIn.to) - at(rowsIn.to, columnsIn.from) === above;
  };
  const drawn = drawnRows(squares);
  return {
    page,
    area: areaOf(drawn),
    bands: bandsOf(drawn.map(({ y, height }) => ({ top: y, bottom: y + height }))),
    blocker(box) {
      if (isEmpty(box) && !taken.some((one) => isOverlapping(box, one))) return undefined;
      return { right: box.x + wide, top: box.y + box.height - high, bottom: box.y + high };
    },
  };
}

const spanOf = (from: number, to: number, count: number) => ({
  from: Math.min(count, Math.max(0, Math.floor(from))),
  to: Math.min(count, Math.max(0, Math.ceil(to))),
});

/** A box around what is drawn in each row of squares. */
function drawnRows({ page, columns, rows, isDrawn }: Squares): Box[] {
  const [wide, high] = [page.width / columns, page.height / rows];
  const boxes: Box[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = isDrawn.subarray(row * columns, (row + 1) * columns);
    const first = line.indexOf(1);
    if (first === -1) continue;
    const last = line.lastIndexOf(1);
    boxes.push({ x: first * wide, y: row * high, width: (last + 1 - first) * wide, height: high });
  }
  return boxes;
}
