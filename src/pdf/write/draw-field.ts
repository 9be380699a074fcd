// Draws the layout of a value into the page that is sealed.

import type { Typesetting } from '../fonts/typesetting.ts';
import { STAMP_LIMITS } from '../limits.ts';
import {
  codePointNames,
  drawCircle,
  drawStroke,
  drawText,
  type FormXObjectBuilder,
  fillCircle,
  showDrawing,
  underline,
} from './form-x-object.ts';
import type { InkPicture } from './ink-picture.ts';
import { type FieldShape, layOutField } from './lay-out-field.ts';
import { missingFor } from './missing.ts';
import type { NotSealable, StampField } from './plan.ts';

/** What cannot be drawn because no font has it. Asked of all fields before the first is drawn. */
export function notDrawable(field: StampField): NotSealable | undefined {
  const missing = missingFor(field.value, field);
  if (missing.length === 0) return undefined;
  const what = codePointNames(missing.slice(0, STAMP_LIMITS.named).join(''));
  return { ok: false, reason: 'not_sealable', why: 'characters', label: field.label, what };
}

/** @returns whether it had to be set smaller than can be read */
export async function drawField(
  sheet: FormXObjectBuilder,
  field: StampField,
  ink: InkPicture | undefined,
  typesetting: Typesetting,
): Promise<{ isSmall: boolean }> {
  const { shapes, isSmall } = layOutField(field, ink, typesetting);
  for (const shape of shapes) await drawShape(sheet, shape, ink);
  return { isSmall };
}

async function drawShape(
  sheet: FormXObjectBuilder,
  shape: FieldShape,
  ink: InkPicture | undefined,
): Promise<void> {
  switch (shape.kind) {
    case 'text':
      await drawText(sheet, shape.line, shape);
      if (shape.isUnderlined) underline(sheet, shape.line, shape);
      return;
    case 'stroke':
      return drawStroke(sheet, shape.points, shape.pen);
    case 'ring':
      return drawCircle(sheet, shape.circle, shape.pen);
    case 'disc':
      return fillCircle(sheet, shape.circle, shape.color);
    case 'ink': {
      const { x, y, width, height } = shape.box;
      if (ink) showDrawing(sheet, ink.ref, [width, 0, 0, height, x, sheet.size.height - y - height]);
    }
  }
}
