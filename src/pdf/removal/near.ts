// Finds points near a place, without looking at all of them.
import type { Point } from '../geometry.ts';

export type NearPoints<T> = {
  add(point: T): void;
  /** @param distance at most the side of a cell */
  near(place: Point, distance: number): T[];
};

export const CELL = 8;

export function createNearPoints<T extends Point>(points: Iterable<T> = []): NearPoints<T> {
  const cells = new Map<string, T[]>();
  const cellOf = (x: number, y: number) => `${Math.floor(x / CELL)} ${Math.floor(y / CELL)}`;
  const add = (point: T) => {
    const key = cellOf(point.x, point.y);
    const known = cells.get(key);
    if (known) known.push(point);
    else cells.set(key, [point]);
  };
  for (const point of points) add(point);
  return {
    add,
    near({ x, y }, distance) {
      const found: T[] = [];
      for (const dx of [-CELL, 0, CELL])
        for (const dy of [-CELL, 0, CELL])
          for (const point of cells.get(cellOf(x + dx, y + dy)) ?? [])
            if (Math.hypot(point.x - x, point.y - y) <= distance) found.push(point);
      return found;
    },
  };
}
