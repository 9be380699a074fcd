// Undoes the filters of the rows of a PNG (ISO/IEC 15948, 9) in the memory where they are.

/**
 * The rows one after another, at the beginning of the bytes that were given, which are used again.
 * Undefined for a filter that does not exist.
 * @param back bytes from a sample to the same one of the pixel before it
 */
export function undoFilters(
  filtered: Uint8Array,
  rowBytes: number,
  height: number,
  back: number,
): Uint8Array | undefined {
  for (let y = 0; y < height; y += 1) {
    // A row begins after the bytes that name the filters of those before it, and moves forward by as many.
    const from = y * (rowBytes + 1) + 1;
    const filter = filtered[from - 1]!;
    if (filter > 4) return undefined;
    unfilterRow(filtered, { from, to: y * rowBytes, rowBytes, back, filter, isFirst: y === 0 });
  }
  return filtered.subarray(0, rowBytes * height);
}

type Row = { from: number; to: number; rowBytes: number; back: number; filter: number; isFirst: boolean };

function unfilterRow(bytes: Uint8Array, { from, to, rowBytes, back, filter, isFirst }: Row): void {
  if (filter === 0) {
    bytes.copyWithin(to, from, from + rowBytes);
    return;
  }
  for (let x = 0; x < rowBytes; x += 1) {
    const left = x < back ? 0 : bytes[to + x - back]!;
    const up = isFirst ? 0 : bytes[to + x - rowBytes]!;
    const upLeft = isFirst || x < back ? 0 : bytes[to + x - rowBytes - back]!;
    bytes[to + x] = bytes[from + x]! + expected(filter, left, up, upLeft);
  }
}

function expected(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
