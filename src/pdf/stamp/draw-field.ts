// Draws a value into its box, as the signing page showed it: text, a typed signature, ink, a mark. It must never draw beyond
// the box, and never leave out a part of the value.

import {
  codePointNames,
  drawCircle,
  drawStroke,
  drawText,
  type FormXObjectBuilder,
  fillCircle,
  showDrawing,
  underline,
} from '../drawing/form-x-object.ts';
import { fontOf, type Measured, type Typesetting } from '../fonts/typesetting.ts';
import type { Box } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';
import { type Fitted, fitText } from './fit.ts';
import type { InkPicture } from './ink-picture.ts';
import { isHand, missingFor, typefaceOf } from './missing.ts';
import type { NotSealable, StampField } from './plan.ts';

/** The color of ink and check marks. */
const INK = '111111';

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
  if (field.value === '') return { isSmall: false };
  if (field.type === 'checkbox') {
    if (field.value === 'true') drawTick(sheet, field);
    return { isSmall: false };
  }
  if (ink) {
    showInk(sheet, field, ink);
    return { isSmall: false };
  }
  return isHand(field.type) ? drawTyped(sheet, field, typesetting) : drawValue(sheet, field, typesetting);
}

function drawTick(sheet: FormXObjectBuilder, { x, y, width, height }: Box): void {
  const at = (across: number, down: number) => ({ x: x + across * width, y: y + down * height });
  const pen = { color: INK, width: Math.max(1, Math.min(width, height) * 0.1) };
  drawStroke(sheet, [at(0.2, 0.55), at(0.42, 0.78), at(0.8, 0.22)], pen);
}

/** Draws ink as large as fits, at the left edge, vertically centered. */
function showInk(sheet: FormXObjectBuilder, field: Box, ink: InkPicture): void {
  const inset = STAMP_LIMITS.insetPicture;
  const room = { width: Math.max(1, field.width - 2 * inset), height: Math.max(1, field.height - 2 * inset) };
  const scale = Math.min(room.width / ink.width, room.height / ink.height);
  const [width, height] = [ink.width * scale, ink.height * scale];
  const bottom = sheet.size.height - field.y - field.height / 2 - height / 2;
  showDrawing(sheet, ink.ref, [width, 0, 0, height, field.x + Math.min(inset, field.width / 2), bottom]);
}

async function drawTyped(
  sheet: FormXObjectBuilder,
  field: StampField,
  typesetting: Typesetting,
): Promise<{ isSmall: boolean }> {
  const line = typesetting.measure(field.value.replace(/\s+/g, ' '), typefaceOf(field));
  const room = roomIn(field);
  const size = Math.min(
    Math.max(STAMP_LIMITS.signatureLeast, field.height * STAMP_LIMITS.signatureHeight),
    room.width / Math.max(line.width, 0.01),
  );
  await drawLines(sheet, field, { size, lines: [line], isSmall: false }, INK);
  return { isSmall: size < STAMP_LIMITS.sizeFloor };
}

async function drawValue(
  sheet: FormXObjectBuilder,
  field: StampField,
  typesetting: Typesetting,
): Promise<{ isSmall: boolean }> {
  const box = field.type === 'radio' ? besideMark(sheet, field) : field;
  const style = { typeface: typefaceOf(field), size: field.font_size };
  const fitted = fitText(field.value, roomIn(box), style, typesetting);
  await drawLines(sheet, { ...field, ...box }, fitted, field.font_color.slice(1));
  return { isSmall: fitted.isSmall };
}

/** Draws the ring of a chosen option, and returns the rest of the box for its name. */
function besideMark(
  sheet: FormXObjectBuilder,
  { x, y, width, height, font_size, font_color }: StampField,
): Box {
  const diameter = Math.min(font_size * 0.8, height * 0.8, width * 0.3);
  const inset = Math.min(STAMP_LIMITS.insetText, width * 0.1);
  const circle = { x: x + inset + diameter / 2, y: y + height / 2, radius: diameter / 2 };
  const color = font_color.slice(1);
  const pen = Math.max(0.4, diameter * 0.1);
  drawCircle(sheet, { ...circle, radius: circle.radius - pen / 2 }, { color, width: pen });
  fillCircle(sheet, { ...circle, radius: circle.radius * 0.5 }, color);
  return { x: x + inset + diameter, y, width: width - inset - diameter, height };
}

function roomIn({ width, height }: Box): { width: number; height: number } {
  return { width: Math.max(width - 2 * insetOf(width), 0.5), height };
}

const insetOf = (width: number): number => Math.min(STAMP_LIMITS.insetText, width * 0.1);

async function drawLines(
  sheet: FormXObjectBuilder,
  field: StampField,
  { lines, size }: Fitted,
  color: string,
): Promise<void> {
  const step = size * STAMP_LIMITS.lineHeight;
  const first = lines.length === 1 ? field.height / 2 : step / 2;
  const widest = Math.max(...lines.map(({ width }) => width));
  for (const [index, line] of lines.entries()) {
    if (line.runs.length === 0) continue;
    // Lines from right to left stand under each other where they begin.
    const indent = isRightToLeft(line) ? (widest - line.width) * size : 0;
    const x = field.x + insetOf(field.width) + indent;
    const place = { x, y: field.y + first + index * step + belowMiddle(line) * size, size, color };
    await drawText(sheet, line, place);
    if (field.is_underline && !isHand(field.type)) underline(sheet, line, place);
  }
}

const isRightToLeft = ({ runs }: Measured): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(runs.at(-1)?.text ?? '');

/** How far the baseline is below the middle of a line, in sizes of the text: between what is above and below it in its font. */
function belowMiddle({ runs }: Measured): number {
  const face = runs.find((run) => run.face)?.face;
  if (!face) return 0;
  const { ascent, descent, unitsPerEm } = fontOf(face);
  return (ascent + descent) / 2 / unitsPerEm;
}
