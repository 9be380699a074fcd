// Describes how the value of a field is drawn, for the signing page and for the sealed document alike. It must not load the
// code that draws, because every start of a transaction needs it.
import type { StampField } from '../../pdf/write/plan.ts';
import type { SignatureFace } from '../domain/adoption.ts';
import { writtenValue } from '../domain/known-value.ts';
import type { Field } from '../domain/transaction.ts';

/** @param face of a signature that was typed */
export function stampedField(field: Field, value: string, face: SignatureFace | undefined): StampField {
  const { page, type, label, width, height, positionX: x, positionY: y } = field;
  const { font_family, font_size, font_color, bold, italic, underline } = field;
  return {
    x,
    y,
    width,
    height,
    page,
    type,
    value: writtenValue(field, value),
    label,
    ...(face && { face }),
    font_family,
    font_size,
    font_color,
    is_bold: bold,
    is_italic: italic,
    is_underline: underline,
  };
}
