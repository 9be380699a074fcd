// Parses lengths as people write them: `72pt`, `25mm`, `10%`. All become points (1/72 inch), except percentages, which stay
// until the page is known.

import { POINTS_PER_INCH, pointsOfPercent } from '../pdf/geometry.ts';

export type Length = { points: number } | { percent: number };

const POINTS_PER: Record<string, number> = {
  '': 1,
  pt: 1,
  in: POINTS_PER_INCH,
  cm: POINTS_PER_INCH / 2.54,
  mm: POINTS_PER_INCH / 25.4,
  px: POINTS_PER_INCH / 96,
};

const FORM = /^(-?\d+(?:\.\d+)?|-?\.\d+)(pt|in|cm|mm|px|%)?$/;

/** Parses a length. A number without a unit is in points (assumed: A18). Undefined when it is not a length. */
export function parseLength(text: string): Length | undefined {
  const match = FORM.exec(text.trim());
  if (!match) return undefined;
  const value = Number(match[1]);
  const unit = match[2] ?? '';
  return unit === '%' ? { percent: value } : { points: value * (POINTS_PER[unit] ?? 1) };
}

/** Converts a length into points. @param whole the side of the page that a percentage refers to, in points */
export const inPoints = (length: Length, whole: number): number =>
  roundPoints('points' in length ? length.points : pointsOfPercent(length.percent, whole));

/** Rounds to a hundredth of a point, which is too small to see. */
export const roundPoints = (points: number): number => Math.round(points * 100) / 100;
