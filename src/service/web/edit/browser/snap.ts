// Finds where a field that is moved lines up with the text, with other fields, and with the middle of the page.
import type { EditedField, EditedPage } from './draft.ts';

export type Line = { x: number; y: number; width: number; height: number };

/** How far it is to be moved, and the lines that show why: positions on the page, in points. */
export type Snap = { dx: number; dy: number; across?: number; down?: number };

/** Letters of a font hang a fifth of their height below the line they stand on. */
const BASELINE = 0.8;

export type Targets = { xs: number[]; ys: number[] };

/** @param others fields of the page that stay where they are */
export function targetsOf(others: readonly EditedField[], lines: readonly Line[], page: EditedPage): Targets {
  return {
    xs: [
      page.width / 2,
      ...others.flatMap(({ positionX: x, width }) => [x, x + width]),
      ...lines.flatMap(({ x, width }) => [x, x + width]),
    ],
    ys: [
      page.height / 2,
      ...others.flatMap(({ positionY: y, height }) => [y, y + height]),
      ...lines.flatMap(({ y, height }) => [y + height * BASELINE, y]),
    ],
  };
}

/** @param reach how near, in points */
export function snap(box: EditedField, { xs, ys }: Targets, reach: number): Snap {
  const { positionX: x, positionY: y, width, height } = box;
  const across = nearest([x, x + width, x + width / 2], xs, reach);
  const down = nearest([y + height, y, y + height / 2], ys, reach);
  return {
    dx: across?.by ?? 0,
    dy: down?.by ?? 0,
    ...(across && { across: across.at }),
    ...(down && { down: down.at }),
  };
}

function nearest(edges: readonly number[], targets: readonly number[], reach: number) {
  let best: { by: number; at: number } | undefined;
  for (const at of targets)
    for (const edge of edges) {
      const by = at - edge;
      if (Math.abs(by) <= reach && (!best || Math.abs(by) < Math.abs(best.by))) best = { by, at };
    }
  return best;
}
