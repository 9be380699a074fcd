// The size of a field for which none is given, by its type.
import type { FieldType } from '../api/contract/fields.ts';
import type { Size } from '../pdf/geometry.ts';

/** In points. A line of text at the usual size of values is 14 high; a date and a number need a third of a line. */
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
