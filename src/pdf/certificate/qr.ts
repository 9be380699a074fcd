// Draws a QR code (ISO/IEC 18004) as squares, all of them one shape so that no light shows between them.
import qrcode from 'qrcode-generator';
import type { Box } from '../geometry.ts';
import { type FormXObjectBuilder, fillBoxes } from '../render/form-x-object.ts';

/** The smallest version that has room, and 15 % that may be damaged. */
const SMALLEST_THAT_FITS = 0;
const CORRECTION = 'M';

export function drawQr(sheet: FormXObjectBuilder, text: string, { x, y, width }: Box, color: string): void {
  const code = qrcode(SMALLEST_THAT_FITS, CORRECTION);
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount();
  const module = width / count;
  const boxes: Box[] = [];
  for (let row = 0; row < count; row += 1)
    for (let column = 0; column < count; column += 1) {
      if (!code.isDark(row, column)) continue;
      let end = column + 1;
      while (end < count && code.isDark(row, end)) end += 1;
      const box = {
        x: x + column * module,
        y: y + row * module,
        width: (end - column) * module,
        height: module,
      };
      boxes.push(box);
      column = end;
    }
  fillBoxes(sheet, boxes, color);
}
