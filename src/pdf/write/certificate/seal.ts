// Draws the seal on the first page of a certificate: readers show it as the appearance of the signature.
import type { PDFContext, PDFRef } from '@cantoo/pdf-lib';
import type { EmbeddedFonts } from '../../fonts/embedding.ts';
import type { Typeface } from '../../fonts/faces.ts';
import { fontOf, type Typesetting } from '../../fonts/typesetting.ts';
import type { Box } from '../../geometry.ts';
import {
  buildFormXObject,
  drawCircle,
  drawStroke,
  drawText,
  type FormXObjectBuilder,
  fillBox,
  frameBox,
  newFormXObject,
} from '../form-x-object.ts';
import { fitText } from '../lay-out-field.ts';
import type { CertificateContent } from './content.ts';
import { ACCENT, INK, PAPER, SOFT, showable } from './flow.ts';
import { inUtc } from './words.ts';

export const SEAL = { width: 178, height: 66 };
/** The seal keeps this distance from what stands beside it. */
export const SEAL_GAP = 22;

const PLAIN: Typeface = { family: 'sans' };
const BOLD: Typeface = { family: 'sans', isBold: true };
const TEXT_FROM = 58;

export async function drawSeal(
  fonts: EmbeddedFonts,
  typesetting: Typesetting,
  { transaction }: CertificateContent,
  { context, isCalibrated }: { context: PDFContext; isCalibrated: boolean },
): Promise<PDFRef> {
  const sheet = newFormXObject(fonts, SEAL, { isCalibrated });
  const box = { x: 0, y: 0, ...SEAL };
  fillBox(sheet, box, PAPER);
  frameBox(sheet, box, { color: ACCENT, width: 1 });
  drawEmblem(sheet);
  const line = (text: string, y: number, height: number, typeface: Typeface, size: number, color: string) =>
    writeLine(
      sheet,
      typesetting,
      showable(text, typeface),
      { x: TEXT_FROM, y, width: SEAL.width - TEXT_FROM - 8, height },
      { typeface, size, color },
    );
  await line('Sealed electronically', 10, 14, BOLD, 10, ACCENT);
  await line(transaction.company, 26, 15, PLAIN, 8.5, INK);
  await line(inUtc(transaction.sealedAt), 43, 12, PLAIN, 7.5, SOFT);
  return buildFormXObject(sheet, context);
}

type Line = { typeface: Typeface; size: number; color: string };

async function writeLine(
  sheet: FormXObjectBuilder,
  typesetting: Typesetting,
  text: string,
  box: Box,
  { typeface, size, color }: Line,
): Promise<void> {
  const { lines, size: fitted } = fitText(text, box, { typeface, size }, typesetting);
  for (const [index, line] of lines.entries()) {
    const face = line.runs.find((run) => run.face)?.face;
    if (!face) continue;
    const { ascent, descent, unitsPerEm } = fontOf(face);
    const middle = lines.length === 1 ? box.height / 2 : (index + 0.5) * fitted * 1.2;
    const y = box.y + middle + ((ascent + descent) / 2 / unitsPerEm) * fitted;
    await drawText(sheet, line, { x: box.x, y, size: fitted, color });
  }
}

/** Draws the emblem: two rings and a check mark. */
function drawEmblem(sheet: FormXObjectBuilder): void {
  const middle = { x: 31, y: SEAL.height / 2 };
  drawCircle(sheet, { ...middle, radius: 19 }, { color: ACCENT, width: 1.6 });
  drawCircle(sheet, { ...middle, radius: 15.6 }, { color: ACCENT, width: 0.5 });
  const at = (x: number, y: number) => ({ x: middle.x + x, y: middle.y + y });
  drawStroke(sheet, [at(-7, 0.5), at(-2, 5.5), at(7.5, -5)], { color: ACCENT, width: 2.4 });
}
