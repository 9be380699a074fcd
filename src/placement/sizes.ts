// Reads lengths as people write them, `72pt`, `25mm`, `10%`, which become points (1/72 inch) once the page is known; and lists the sizes of
// fields.
import type { FieldType } from '../api/contract/fields.ts';
import { POINTS_PER_INCH, pointsOfPercent, type Size } from '../pdf/geometry.ts';

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

/** A field without a size has this one, in points. A line of text at the usual size of values is 14 high; a date and a number need a third of a line. */
export const FIELD_SIZES: Record<FieldType, Size> = {
  signature: { width: 180, height: 48 },
  initials: { width: 60, height: 30 },
  text: { width: 180, height: 20 },
  person_name: { width: 180, height: 20 },
  email: { width: 180, height: 20 },
  select: { width: 140, height: 20 },
  radio: { width: 140, height: 20 },
  date: { width: 90, height: 20 },
  number: { width: 90, height: 20 },
  checkbox: { width: 14, height: 14 },
};

/** A type that only another service knows is as large as a text. */
export const sizeOfType = (type: string): Size =>
  Object.hasOwn(FIELD_SIZES, type) ? FIELD_SIZES[type as FieldType] : FIELD_SIZES.text;
