// Builds a form XObject (ISO 32000-1, 8.10) from lines of text, boxes, strokes and drawings, in points from its top left corner. It
// has resources of its own, and a page then shows it. It must never touch the resources of a page.
import { deflateSync } from 'node:zlib';
import { type PDFContext, type PDFDict, PDFName, type PDFRef } from '@cantoo/pdf-lib';
import { type EmbeddedFonts, fill, fontFor, n, readAs, runShown, stroke } from '../fonts/embedding.ts';
import { type Measured, underlineOf } from '../fonts/typesetting.ts';
import type { Box, Matrix, Point, Size } from '../geometry.ts';

export type FormXObjectBuilder = {
  readonly size: Size;
  readonly fonts: EmbeddedFonts;
  readonly operators: string[];
  readonly resources: Record<'Font' | 'XObject', Map<PDFRef, string>>;
  /** Colors refer to a definition, as archives require, and not to the colors of the output device. */
  readonly isCalibrated: boolean;
};

export const newFormXObject = (
  fonts: EmbeddedFonts,
  size: Size,
  { isCalibrated = false } = {},
): FormXObjectBuilder => ({
  size,
  fonts,
  isCalibrated,
  operators: [],
  resources: { Font: new Map(), XObject: new Map() },
});

/** `y` is that of the baseline. The color has six hexadecimal digits. */
export type TextPosition = Point & { size: number; color: string };

/** @throws Error for a character without a face: the caller must have checked for them */
export async function drawText(
  sheet: FormXObjectBuilder,
  line: Measured,
  { x, y, size, color }: TextPosition,
): Promise<void> {
  let along = x;
  for (const { text, face, width } of line.runs) {
    if (!face) throw new Error(`No font has ${codePointNames(text)}.`);
    const font = await fontFor(face, sheet.fonts);
    const name = nameIn(sheet, 'Font', font.ref);
    const start = along;
    const at = (dx: number, dy: number) => `1 0 0 1 ${n(start + dx)} ${n(sheet.size.height - y + dy)} Tm`;
    const shown = `BT ${runShown(text, { face, font, name, size }, at)} ET`;
    sheet.operators.push(fill(color), readAs(text, shown));
    along += width * size;
  }
}

export const codePointNames = (text: string): string =>
  [...text].map((character) => codePointOf(character)).join(' ');

const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Underlines a text at the position and in the width that its font defines. */
export function underline(
  sheet: FormXObjectBuilder,
  { width, runs }: Measured,
  { x, y, size, color }: TextPosition,
): void {
  const box = underlineOf({ width, runs }, { x, y, size });
  if (box) fillBox(sheet, box, color);
}

export function fillBox(
  { size, operators }: FormXObjectBuilder,
  { x, y, width, height }: Box,
  color: string,
): void {
  operators.push(fill(color), `${n(x)} ${n(size.height - y - height)} ${n(width)} ${n(height)} re f`);
}

/** Fills several boxes as one shape. */
export function fillBoxes(
  { size, operators }: FormXObjectBuilder,
  boxes: readonly Box[],
  color: string,
): void {
  const shape = boxes.map(
    ({ x, y, width, height }) =>
      `${precise(x)} ${precise(size.height - y - height)} ${precise(width)} ${precise(height)} re`,
  );
  operators.push(fill(color), ...shape, 'f');
}

/** Draws a closed frame inside the box. */
export function frameBox({ size, operators }: FormXObjectBuilder, box: Box, { color, width }: Stroke): void {
  const [x, y] = [box.x + width / 2, size.height - box.y - box.height + width / 2];
  const inner = `${n(x)} ${n(y)} ${n(box.width - width)} ${n(box.height - width)}`;
  operators.push(`q ${stroke(color)} ${n(width)} w ${inner} re S Q`);
}

export type Stroke = { color: string; width: number };

/** Draws a line from point to point, with round ends and corners. */
export function drawStroke(
  { size, operators }: FormXObjectBuilder,
  points: readonly Point[],
  { color, width }: Stroke,
): void {
  const path = points.map(({ x, y }, index) => `${n(x)} ${n(size.height - y)} ${index === 0 ? 'm' : 'l'}`);
  operators.push(`q ${stroke(color)} ${n(width)} w 1 J 1 j ${path.join(' ')} S Q`);
}

// How far the handles of four curves lie from their ends, in radii, so that they look like a circle.
const HANDLE = 0.5523;

export type Circle = Point & { radius: number };

export function fillCircle(sheet: FormXObjectBuilder, circle: Circle, color: string): void {
  sheet.operators.push(fill(color), `${circlePath(sheet, circle)} f`);
}

export function drawCircle(sheet: FormXObjectBuilder, circle: Circle, { color, width }: Stroke): void {
  sheet.operators.push(`q ${stroke(color)} ${n(width)} w ${circlePath(sheet, circle)} S Q`);
}

function circlePath({ size }: FormXObjectBuilder, { x, y: fromTop, radius }: Circle): string {
  const y = size.height - fromTop;
  const at = (across: number, up: number) => `${n(x + across * radius)} ${n(y + up * radius)}`;
  const curve = (...points: [number, number][]) => `${points.map((point) => at(...point)).join(' ')} c`;
  return [
    `${at(1, 0)} m`,
    curve([1, HANDLE], [HANDLE, 1], [0, 1]),
    curve([-HANDLE, 1], [-1, HANDLE], [-1, 0]),
    curve([-1, -HANDLE], [-HANDLE, -1], [0, -1]),
    curve([HANDLE, -1], [1, -HANDLE], [1, 0]),
  ].join(' ');
}

/** Shows another drawing or a picture. The matrix counts from the bottom left corner, as those of PDF do. */
export function showDrawing(sheet: FormXObjectBuilder, drawing: PDFRef, matrix: Matrix): void {
  const name = nameIn(sheet, 'XObject', drawing);
  sheet.operators.push(`q ${matrix.map(precise).join(' ')} cm ${name} Do Q`);
}

/** A matrix needs so many digits. */
export const precise = (value: number): string => `${Math.round(value * 1e6) / 1e6}`;

function nameIn({ resources }: FormXObjectBuilder, kind: 'Font' | 'XObject', ref: PDFRef): string {
  const names = resources[kind];
  const name = names.get(ref) ?? `/${kind[0]}${names.size}`;
  names.set(ref, name);
  return name;
}

/** Registers the drawing as a form XObject, with `matrix` applied to it. */
export function buildFormXObject(sheet: FormXObjectBuilder, context: PDFContext, matrix?: Matrix): PDFRef {
  const { size, operators } = sheet;
  const content = deflateSync(operators.join('\n'));
  const stream = context.stream(content, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, roundedUp(size.width), roundedUp(size.height)],
    ...(matrix && { Matrix: matrix.map((value) => Math.round(value * 1e6) / 1e6) }),
    Resources: resourcesOf(sheet, context),
    Filter: 'FlateDecode',
  });
  return context.register(stream);
}

const roundedUp = (points: number): number => Math.ceil(points * 1000) / 1000;

export function resourcesOf({ resources, isCalibrated }: FormXObjectBuilder, context: PDFContext): PDFDict {
  const dict = context.obj({});
  for (const [kind, names] of Object.entries(resources)) {
    if (names.size === 0) continue;
    const entries = [...names].map(([ref, name]) => [name.slice(1), ref] as const);
    dict.set(PDFName.of(kind), context.obj(Object.fromEntries(entries)));
  }
  if (isCalibrated) dict.set(PDFName.of('ColorSpace'), context.obj({ DefaultRGB: ['CalRGB', SRGB] }));
  return dict;
}

/** Three exponents approximate the color space of screens (IEC 61966-2-1). */
const SRGB = {
  WhitePoint: [0.9505, 1, 1.089],
  Gamma: [2.2, 2.2, 2.2],
  Matrix: [0.4124, 0.2126, 0.0193, 0.3576, 0.7152, 0.1192, 0.1805, 0.0722, 0.9505],
};
