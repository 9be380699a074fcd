// Lays a value out in its box: the lines, their size and their places, or ink and marks. The sealed document and the signing page
// draw the same layout. It must never place anything beyond the box, and never leave out a part of the value.

import type { Typeface } from '../fonts/faces.ts';
import { fontOf, type Measured, paragraphOf, type Typesetting } from '../fonts/typesetting.ts';
import type { Box, Point, Size } from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';
import type { Circle, Stroke, TextPosition } from './form-x-object.ts';
import { isHand, typefaceOf } from './missing.ts';
import type { StampField } from './plan.ts';

/** Lengths are displayed points of the page. Colors have six hexadecimal digits. */
export type FieldShape =
  | ({ kind: 'text'; line: Measured; isUnderlined: boolean } & TextPosition)
  | { kind: 'stroke'; points: readonly Point[]; pen: Stroke }
  | { kind: 'ring'; circle: Circle; pen: Stroke }
  | { kind: 'disc'; circle: Circle; color: string }
  | { kind: 'ink'; box: Box };

/** `isSmall` says that it had to be set smaller than can be read. */
type FieldLayout = { shapes: readonly FieldShape[]; isSmall: boolean };

/** Ink and check marks have this color. */
const INK = '111111';

/** @param ink the size of the picture, where the value is one */
export function layOutField(field: StampField, ink: Size | undefined, typesetting: Typesetting): FieldLayout {
  if (field.value === '') return { shapes: [], isSmall: false };
  if (field.type === 'checkbox')
    return { shapes: field.value === 'true' ? [tickIn(field)] : [], isSmall: false };
  if (ink) return { shapes: [inkIn(field, ink)], isSmall: false };
  return isHand(field.type) ? layOutTyped(field, typesetting) : layOutValue(field, typesetting);
}

function tickIn({ x, y, width, height }: Box): FieldShape {
  const at = (across: number, down: number) => ({ x: x + across * width, y: y + down * height });
  const pen = { color: INK, width: Math.max(1, Math.min(width, height) * 0.1) };
  return { kind: 'stroke', points: [at(0.2, 0.55), at(0.42, 0.78), at(0.8, 0.22)], pen };
}

/** Ink is as large as fits, at the left edge, vertically centered. */
function inkIn(field: Box, ink: Size): FieldShape {
  const inset = STAMP_LIMITS.insetPicture;
  const room = { width: Math.max(1, field.width - 2 * inset), height: Math.max(1, field.height - 2 * inset) };
  const scale = Math.min(room.width / ink.width, room.height / ink.height);
  const [width, height] = [ink.width * scale, ink.height * scale];
  const x = field.x + Math.min(inset, field.width / 2);
  return { kind: 'ink', box: { x, y: field.y + field.height / 2 - height / 2, width, height } };
}

function layOutTyped(field: StampField, typesetting: Typesetting): FieldLayout {
  const line = typesetting.measure(field.value.replace(/\s+/g, ' '), typefaceOf(field));
  const room = roomIn(field);
  const size = Math.min(
    Math.max(STAMP_LIMITS.signatureLeast, field.height * STAMP_LIMITS.signatureHeight),
    room.width / Math.max(line.width, 0.01),
  );
  const isSmall = size < STAMP_LIMITS.sizeFloor;
  return { shapes: linesIn(field, { size, lines: [line], isSmall }, INK, false), isSmall };
}

function layOutValue(field: StampField, typesetting: Typesetting): FieldLayout {
  const mark = field.type === 'radio' ? chosenMark(field) : undefined;
  const box = mark?.rest ?? field;
  const style = { typeface: typefaceOf(field), size: field.font_size };
  const fitted = fitText(field.value, roomIn(box), style, typesetting);
  const lines = linesIn(box, fitted, field.font_color.slice(1), field.is_underline);
  return { shapes: [...(mark?.shapes ?? []), ...lines], isSmall: fitted.isSmall };
}

/** Divides the box into the ring of a chosen option and the room for its name. */
function chosenMark({ x, y, width, height, font_size, font_color }: StampField): {
  shapes: FieldShape[];
  rest: Box;
} {
  const diameter = Math.min(font_size * 0.8, height * 0.8, width * 0.3);
  const inset = Math.min(STAMP_LIMITS.insetText, width * 0.1);
  const circle = { x: x + inset + diameter / 2, y: y + height / 2, radius: diameter / 2 };
  const color = font_color.slice(1);
  const pen = { color, width: Math.max(0.4, diameter * 0.1) };
  return {
    shapes: [
      { kind: 'ring', circle: { ...circle, radius: circle.radius - pen.width / 2 }, pen },
      { kind: 'disc', circle: { ...circle, radius: circle.radius * 0.5 }, color },
    ],
    rest: { x: x + inset + diameter, y, width: width - inset - diameter, height },
  };
}

function roomIn({ width, height }: Size): Size {
  return { width: Math.max(width - 2 * insetOf(width), 0.5), height };
}

const insetOf = (width: number): number => Math.min(STAMP_LIMITS.insetText, width * 0.1);

function linesIn(box: Box, { lines, size }: Fitted, color: string, isUnderlined: boolean): FieldShape[] {
  const step = size * STAMP_LIMITS.lineHeight;
  const first = lines.length === 1 ? box.height / 2 : step / 2;
  const widest = Math.max(...lines.map(({ width }) => width));
  return lines.flatMap((line, index): FieldShape[] => {
    if (line.runs.length === 0) return [];
    // Lines from right to left stand under each other where they begin.
    const indent = isRightToLeft(line) ? (widest - line.width) * size : 0;
    const x = box.x + insetOf(box.width) + indent;
    const y = box.y + first + index * step + belowMiddle(line) * size;
    return [{ kind: 'text', line, isUnderlined, x, y, size, color }];
  });
}

const isRightToLeft = ({ runs }: Measured): boolean =>
  /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(runs.at(-1)?.text ?? '');

/** Measures how far the baseline is below the middle of a line, in sizes of the text: between what is above and below it in its font. */
function belowMiddle({ runs }: Measured): number {
  const face = runs.find((run) => run.face)?.face;
  if (!face) return 0;
  const { ascent, descent, unitsPerEm } = fontOf(face);
  return (ascent + descent) / 2 / unitsPerEm;
}

type Fitted = {
  size: number;
  lines: readonly Measured[];
  /** The text had to be made smaller than can be read. */
  isSmall: boolean;
};

type Style = { typeface: Typeface; size: number };

export function fitText(
  value: string,
  room: Size,
  { typeface, size }: Style,
  typesetting: Typesetting,
): Fitted {
  const paragraphs = value
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((text) => paragraphOf(text, typeface, typesetting));
  const ink = paragraphs.reduce((sum, paragraph) => sum + paragraph.inkWidth, 0);
  const at = (tried: number): Fitted | undefined => {
    const most = room.width / tried;
    if (isTooLong(ink, tried, room)) return undefined;
    const lines = paragraphs.flatMap((paragraph) => paragraph.lines(most));
    const height = lines.length === 1 ? tried : lines.length * tried * STAMP_LIMITS.lineHeight;
    const isWide = lines.some(({ width }) => width * tried > room.width + TOLERANCE);
    if (height > room.height || isWide) return undefined;
    return { size: tried, lines, isSmall: tried < Math.min(size, STAMP_LIMITS.sizeFloor) };
  };
  for (let tried = size; tried >= STAMP_LIMITS.sizeLeast; tried = smaller(tried)) {
    const fitted = at(tried);
    if (fitted) return fitted;
  }
  return onOneLineEach(
    paragraphs.map((paragraph) => paragraph.whole()),
    room,
  );
}

/**
 * Returns true if so much text needs more lines than there is room for, however it is broken: no size that this rules out has to be tried.
 * @param ink the width of the words without the spaces between them, in sizes of the text
 */
const isTooLong = (ink: number, size: number, room: Size): boolean => {
  const lines = Math.ceil((ink * size) / (room.width + TOLERANCE));
  return lines > 1 && lines * size * STAMP_LIMITS.lineHeight > room.height;
};

/** Lines may be wider than the room by as much as a rounding. */
const TOLERANCE = 0.01;

const smaller = (size: number): number =>
  size > STAMP_LIMITS.sizeFloor
    ? Math.max(STAMP_LIMITS.sizeFloor, size - STAMP_LIMITS.sizeStep)
    : size * 0.95;

/** A box that has no room for anything gets letters as small as it takes. */
function onOneLineEach(lines: readonly Measured[], room: Size): Fitted {
  const widest = Math.max(...lines.map(({ width }) => width), 0.01);
  const size = Math.min(room.width / widest, room.height / (lines.length * STAMP_LIMITS.lineHeight));
  return { size: Math.max(size, 0.01), lines, isSmall: true };
}
