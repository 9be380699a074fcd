// Draws what an annotation states of itself apart from its content: the background and the border of a form field, the border of a link.
import { PDFArray, type PDFDict, PDFName, PDFNumber } from '@cantoo/pdf-lib';
import { type EmbeddedFonts, n, stroke } from '../fonts/embedding.ts';
import type { Rect, Size } from '../geometry.ts';
import { hexOfComponents } from '../render/device-colors.ts';
import {
  buildFormXObject,
  drawCircle,
  drawStroke,
  fillBox,
  fillCircle,
  frameBox,
  newFormXObject,
} from '../render/form-x-object.ts';
import { dictIn, inheritedFrom, nameIn, numberArrayIn, numberIn, textIn } from './look-up.ts';
import type { PlacedForm } from './page-content.ts';

export type LookOptions = { fonts: EmbeddedFonts; isArchive: boolean };

/** @param rect in the page's own coordinates @returns undefined where nothing is drawn */
export function emptyLook(
  widget: PDFDict,
  rect: Rect | undefined,
  { fonts, isArchive }: LookOptions,
): PlacedForm | undefined {
  const look = dictIn(widget, 'MK');
  const background = look && colorIn(look, 'BG');
  const border = look && colorIn(look, 'BC');
  if (!rect || (background === undefined && border === undefined)) return undefined;
  const size = { width: rect.right - rect.left, height: rect.top - rect.bottom };
  if (!(size.width > 0 && size.height > 0)) return undefined;
  const width = Math.min(borderWidth(widget), size.width / 2, size.height / 2);
  const sheet = newFormXObject(fonts, size, { isCalibrated: isArchive });
  const whole = { x: 0, y: 0, ...size };
  const circle = isRound(widget) ? circleIn(size) : undefined;
  if (background !== undefined && circle) fillCircle(sheet, circle, background);
  else if (background !== undefined) fillBox(sheet, whole, background);
  if (border !== undefined && width > 0) {
    const pen = { color: border, width };
    if (circle) drawCircle(sheet, { ...circle, radius: circle.radius - width / 2 }, pen);
    else if (isUnderlined(widget)) drawStroke(sheet, bottomLine(size, width), pen);
    else frameBox(sheet, whole, pen);
  }
  return {
    form: buildFormXObject(sheet, widget.context),
    matrix: [1, 0, 0, 1, rect.left, rect.bottom],
  };
}

/** Draws the border of a link as PDFium does: a frame or a line below, dashed where the link says so, and blue where it names no colour. */
export function borderLook(
  link: PDFDict,
  rect: Rect,
  { fonts, isArchive }: LookOptions,
): PlacedForm | undefined {
  const size = { width: rect.right - rect.left, height: rect.top - rect.bottom };
  const width = Math.min(borderWidth(link), size.width / 2, size.height / 2);
  if (!(width > 0)) return undefined;
  const sheet = newFormXObject(fonts, size, { isCalibrated: isArchive });
  const [least, right, top] = [width / 2, size.width - width / 2, size.height - width / 2].map(n);
  // Dashes begin where the frame does.
  const frame = `${least} ${least} m ${least} ${top} l ${right} ${top} l ${right} ${least} l h`;
  const line = `${least} ${least} m ${right} ${least} l`;
  const color = colorIn(link, 'C') ?? '0000ff';
  const dashes = `[${dashesOf(link).map(n).join(' ')}] 0 d`;
  sheet.operators.push(`q ${stroke(color)} ${n(width)} w ${dashes} ${isUnderlined(link) ? line : frame} S Q`);
  return { form: buildFormXObject(sheet, link.context), matrix: [1, 0, 0, 1, rect.left, rect.bottom] };
}

/** The thinnest frame that a device can draw, gray, as PDFium draws it around a button without a look. */
export function hairlineLook(
  button: PDFDict,
  rect: Rect,
  { fonts, isArchive }: LookOptions,
): PlacedForm | undefined {
  const [width, height] = [rect.right - rect.left, rect.top - rect.bottom];
  if (!(width > 0 && height > 0)) return undefined;
  // A form shows nothing beyond its box, and half of the frame lies outside of the rectangle.
  const sheet = newFormXObject(fonts, { width: width + 2, height: height + 2 }, { isCalibrated: isArchive });
  sheet.operators.push(`q ${stroke('aaaaaa')} 0 w 1 1 ${n(width)} ${n(height)} re S Q`);
  const matrix: PlacedForm['matrix'] = [1, 0, 0, 1, rect.left - 1, rect.bottom - 1];
  return { form: buildFormXObject(sheet, button.context), matrix };
}

/** Empty for a line without gaps. */
function dashesOf(link: PDFDict): readonly number[] {
  const style = dictIn(link, 'BS');
  if (!style) return numbersIn(link.lookup(PDFName.of('Border')), 3);
  if (nameIn(style, 'S') !== 'D') return [];
  const dashes = numberArrayIn(style, 'D') ?? [3];
  return dashes.every((dash) => dash > 0) ? dashes : [];
}

/** The numbers of an array in an array. */
function numbersIn(array: unknown, index: number): number[] {
  const inner = array instanceof PDFArray ? array.lookup(index) : undefined;
  if (!(inner instanceof PDFArray)) return [];
  const numbers = inner.asArray().map((item) => (item instanceof PDFNumber ? item.asNumber() : 0));
  return numbers.every((number) => number > 0) ? numbers : [];
}

const circleIn = ({ width, height }: Size) => ({
  x: width / 2,
  y: height / 2,
  radius: Math.min(width, height) / 2,
});

const bottomLine = ({ width, height }: Size, pen: number) => [
  { x: pen / 2, y: height - pen / 2 },
  { x: width - pen / 2, y: height - pen / 2 },
];

// ISO 32000-1, table 226.
const RADIO = 1 << 15;

/** A radio button is round unless it states another sign than a dot. */
function isRound(widget: PDFDict): boolean {
  const flags = inheritedFrom(widget, (one) => numberIn(one, 'Ff')) ?? 0;
  const look = dictIn(widget, 'MK');
  const sign = (look && textIn(look, 'CA')) ?? 'l';
  const kind = inheritedFrom(widget, (one) => nameIn(one, 'FT'));
  return kind === 'Btn' && (flags & RADIO) !== 0 && sign === 'l';
}

export function borderWidth(annotation: PDFDict): number {
  const style = dictIn(annotation, 'BS');
  return Math.abs((style ? numberIn(style, 'W') : numberArrayIn(annotation, 'Border')?.[2]) ?? 1);
}

function isUnderlined(widget: PDFDict): boolean {
  const style = dictIn(widget, 'BS');
  return style !== undefined && nameIn(style, 'S') === 'U';
}

/** An empty array is transparent (ISO 32000-1, table 189). */
const colorIn = (look: PDFDict, key: string): string | undefined =>
  hexOfComponents(numberArrayIn(look, key) ?? []);
