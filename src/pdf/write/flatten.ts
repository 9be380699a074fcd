// Flattens form fields: the appearance of each is drawn onto its page, and the field is removed. Annotations that would cover a value
// are flattened as well. It must never draw what was hidden.
import { PDFArray, PDFDict, PDFName, PDFNumber, PDFRef, PDFStream } from '@cantoo/pdf-lib';
import { type EmbeddedFonts, n, stroke } from '../fonts/embedding.ts';
import {
  type Box,
  boxOfRect,
  isOverlapping,
  type Matrix,
  type PageGeometry,
  type Point,
  type Rect,
  type Size,
  transformed,
} from '../geometry.ts';
import { STAMP_LIMITS } from '../limits.ts';
import { hexOfComponents } from '../read/device-colors.ts';
import type { PageLeaf } from '../read/repair.ts';
import type { Tally } from './clean.ts';
import {
  buildFormXObject,
  drawCircle,
  drawStroke,
  fillBox,
  fillCircle,
  frameBox,
  newFormXObject,
} from './form-x-object.ts';
import { dictIn, inheritedFrom, nameIn, numberArrayIn, numberIn, textIn } from './look-up.ts';
import type { PlacedForm } from './page-content.ts';

// ISO 32000-1, table 165.
const INVISIBLE = 1 << 0;
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;

const MULTIMEDIA = new Set(['Screen', 'Movie', 'Sound', '3D', 'RichMedia', 'TrapNet', 'Watermark']);

type Flattening = DrawingOptions & {
  geometry: PageGeometry;
  /** Values are going to be in these boxes, in displayed points. */
  covered: readonly Box[];
  /** They are positions of widgets in the list of annotations, which are drawn without their value. */
  emptied: ReadonlySet<number>;
  tally: Tally;
};

/** Tells whether a page has anything on it that is drawn from outside of its content. Links and closed windows of notes are not. */
export const showsAnnotations = ({ dict }: PageLeaf): boolean =>
  annotationsOf(dict).some((annotation) => !/^(Link|Popup)$/.test(nameIn(annotation, 'Subtype') ?? ''));

export function flattenPage(
  { dict }: PageLeaf,
  { geometry, covered, emptied, tally, ...options }: Flattening,
): PlacedForm[] {
  const annotations = dict.lookup(PDFName.of('Annots'));
  if (!(annotations instanceof PDFArray)) return [];
  const placed: PlacedForm[] = [];
  const remaining: PDFRef[] = [];
  const gone = new Set<unknown>();
  const refs = annotations.asArray();
  for (const [index, entry] of refs.entries()) {
    const annotation = dict.context.lookup(entry);
    if (!(annotation instanceof PDFDict)) continue;
    const fate = refs.length > STAMP_LIMITS.annotations ? 'draw' : fateOf(annotation, geometry, covered);
    if (fate === 'keep') {
      const border = takeBorderOver(annotation, { geometry, covered }, options);
      if (border) placed.push(border);
      remaining.push(entry instanceof PDFRef ? entry : dict.context.register(annotation));
      continue;
    }
    gone.add(annotation);
    countGone(annotation, tally);
    const drawing = drawingOf(annotation, emptied.has(index), options);
    if (drawing) placed.push(drawing);
  }
  const standing = remaining.filter((ref) => !isPopupOf(dict.context.lookup(ref), gone));
  if (standing.length === 0) dict.delete(PDFName.of('Annots'));
  else dict.set(PDFName.of('Annots'), dict.context.obj(standing));
  return placed;
}

/** Draws an annotation on the page instead. */
function drawingOf(annotation: PDFDict, isEmptied: boolean, options: DrawingOptions): PlacedForm | undefined {
  if (!isSeen(annotation)) return undefined;
  if (!isEmptied || nameIn(annotation, 'Subtype') !== 'Widget')
    return placedAppearance(annotation) ?? frameOfButton(annotation, options);
  return placedAppearance(annotation, 'Off') ?? emptyAppearance(annotation, rectOf(annotation), options);
}

/** PDFium frames a check box or radio button that has no appearance for the state that it is in. */
function frameOfButton(annotation: PDFDict, options: DrawingOptions): PlacedForm | undefined {
  const rect = isMarkedButton(annotation) ? rectOf(annotation) : undefined;
  return rect && hairlineFrame(annotation, rect, options);
}

function fateOf(annotation: PDFDict, geometry: PageGeometry, covered: readonly Box[]): 'keep' | 'draw' {
  const subtype = nameIn(annotation, 'Subtype');
  if (subtype === 'Widget' || MULTIMEDIA.has(subtype ?? '')) return 'draw';
  if (subtype === 'Link' || subtype === 'Popup') return 'keep';
  const rect = rectOf(annotation);
  const place = rect && boxOfRect(geometry, rect);
  return place && covered.some((box) => isOverlapping(place, box)) ? 'draw' : 'keep';
}

/** Takes the border of a link that would lie over a value. @returns the border as a drawing below the value */
function takeBorderOver(
  link: PDFDict,
  { geometry, covered }: Pick<Flattening, 'geometry' | 'covered'>,
  options: DrawingOptions,
): PlacedForm | undefined {
  const rect = nameIn(link, 'Subtype') === 'Link' ? rectOf(link) : undefined;
  if (!rect) return undefined;
  const width = borderWidth(link);
  const place = boxOfRect(geometry, {
    left: rect.left - width,
    bottom: rect.bottom - width,
    right: rect.right + width,
    top: rect.top + width,
  });
  if (!covered.some((box) => isOverlapping(place, box))) return undefined;
  const border = isSeen(link) ? borderDrawing(link, rect, options) : undefined;
  link.delete(PDFName.of('BS'));
  link.set(PDFName.of('Border'), link.context.obj([0, 0, 0]));
  return border;
}

/** The little window of a note goes with the note. */
function isPopupOf(annotation: unknown, gone: ReadonlySet<unknown>): boolean {
  if (!(annotation instanceof PDFDict) || nameIn(annotation, 'Subtype') !== 'Popup') return false;
  return gone.has(dictIn(annotation, 'Parent'));
}

function countGone(annotation: PDFDict, tally: Tally): void {
  const subtype = nameIn(annotation, 'Subtype') ?? '';
  if (subtype !== 'Widget') tally.count('annotations', subtype);
  else if (isSigned(annotation)) tally.count('earlier_signatures', nameOfField(annotation));
  else tally.count('form_fields', nameOfField(annotation));
}

const isSigned = (field: PDFDict): boolean =>
  isSignature(field) && inheritedFrom(field, (dict) => dictIn(dict, 'V')) !== undefined;

const nameOfField = (field: PDFDict): string => inheritedFrom(field, (dict) => textIn(dict, 'T')) ?? '';

/** Takes the flags as PDFium does: it shows no field that is invisible, and a signature that is not to be viewed. */
function isSeen(annotation: PDFDict): boolean {
  const flags = numberIn(annotation, 'F') ?? 0;
  if (nameIn(annotation, 'Subtype') !== 'Widget') return (flags & (HIDDEN | NO_VIEW)) === 0;
  return (flags & (isSignature(annotation) ? HIDDEN : INVISIBLE | HIDDEN | NO_VIEW)) === 0;
}

const isSignature = (field: PDFDict): boolean => inheritedFrom(field, (dict) => nameIn(dict, 'FT')) === 'Sig';

function rectOf(annotation: PDFDict): Rect | undefined {
  const [x1, y1, x2, y2] = numberArrayIn(annotation, 'Rect') ?? [];
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return undefined;
  return {
    left: Math.min(x1, x2),
    bottom: Math.min(y1, y2),
    right: Math.max(x1, x2),
    top: Math.max(y1, y2),
  };
}

/**
 * Finds the appearance of an annotation with the matrix to its position (ISO 32000-1, 12.5.5, algorithm 8.1).
 * @param state of a button; absent: the one that it shows now
 */
function placedAppearance(annotation: PDFDict, state?: string): PlacedForm | undefined {
  const [rect, appearance] = [rectOf(annotation), appearanceOf(annotation, state)];
  if (!rect || !appearance) return undefined;
  const { form, stream } = appearance;
  const box = numberArrayIn(stream.dict, 'BBox');
  if (box?.length !== 4) return undefined;
  const formMatrix = numberArrayIn(stream.dict, 'Matrix');
  const matrix = (formMatrix?.length === 6 ? formMatrix : [1, 0, 0, 1, 0, 0]) as unknown as Matrix;
  const [x1, y1, x2, y2] = box as [number, number, number, number];
  const corners = [
    { x: x1, y: y1 },
    { x: x1, y: y2 },
    { x: x2, y: y1 },
    { x: x2, y: y2 },
  ].map((corner) => transformed(matrix, corner));
  const shown = around(corners);
  const [width, height] = [shown.right - shown.left, shown.top - shown.bottom];
  if (!(width > 0 && height > 0)) return undefined;
  const across = (rect.right - rect.left) / width;
  const up = (rect.top - rect.bottom) / height;
  stream.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
  stream.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
  return {
    form,
    matrix: [across, 0, 0, up, rect.left - shown.left * across, rect.bottom - shown.bottom * up],
  };
}

const around = (points: readonly Point[]): Rect => ({
  left: Math.min(...points.map(({ x }) => x)),
  right: Math.max(...points.map(({ x }) => x)),
  bottom: Math.min(...points.map(({ y }) => y)),
  top: Math.max(...points.map(({ y }) => y)),
});

/** A button has an appearance for each of its states, any other annotation one. */
function appearanceOf(
  annotation: PDFDict,
  state: string | undefined,
): { form: PDFRef; stream: PDFStream } | undefined {
  const { context } = annotation;
  const named = dictIn(annotation, 'AP')?.get(PDFName.of('N'));
  let ref = named;
  const states = context.lookup(named);
  if (states instanceof PDFDict) {
    const shownState = state ?? stateOf(annotation, states);
    ref = shownState === undefined ? undefined : states.get(PDFName.of(shownState));
  } else if (state !== undefined || isMarkedButton(annotation)) return undefined;
  const stream = context.lookup(ref);
  if (!(stream instanceof PDFStream)) return undefined;
  return { form: ref instanceof PDFRef ? ref : context.register(stream), stream };
}

/** The signers saw nothing of a button that does not state what it shows, whatever its value is. */
function stateOf(annotation: PDFDict, states: PDFDict): string | undefined {
  // PDFium writes it as a string.
  const stated = nameIn(annotation, 'AS') ?? textIn(annotation, 'AS');
  if (stated !== undefined || isMarkedButton(annotation)) return stated;
  const value = nameIn(annotation, 'V') ?? inheritedFrom(annotation, (dict) => nameIn(dict, 'V'));
  return value !== undefined && states.has(PDFName.of(value)) ? value : 'Off';
}

// ISO 32000-1, table 226.
const PUSH_BUTTON = 1 << 16;

/** A check box or radio button shows nothing where it has one appearance for all its states. */
const isMarkedButton = (annotation: PDFDict): boolean =>
  nameIn(annotation, 'Subtype') === 'Widget' &&
  inheritedFrom(annotation, (dict) => nameIn(dict, 'FT')) === 'Btn' &&
  ((inheritedFrom(annotation, (dict) => numberIn(dict, 'Ff')) ?? 0) & PUSH_BUTTON) === 0;

/**
 * Returns true if what its fields and annotations show has to be made first: the file says so, a field has a value and shows nothing, or a
 * mark such as a strike-out leaves to the reader how it looks. The signers saw what PDFium makes of it.
 */
export function lacksAppearances(form: PDFDict | undefined, leaves: readonly PageLeaf[]): boolean {
  if (form?.lookup(PDFName.of('NeedAppearances'))?.toString() === 'true') return true;
  return leaves.some(({ dict }) => annotationsOf(dict).some(lacksAppearance));
}

function lacksAppearance(annotation: PDFDict): boolean {
  if (dictIn(annotation, 'AP') || !isSeen(annotation)) return false;
  const subtype = nameIn(annotation, 'Subtype');
  return subtype !== 'Link' && subtype !== 'Popup';
}

/** PDFium knows by this entry which appearances it has made, and makes them again. */
const MADE_BY_PDFIUM = PDFName.of('PDFIUM_HasGeneratedAP');

const TEXT_MARKUP = new Set(['Highlight', 'Underline', 'Squiggly', 'StrikeOut']);

/**
 * Makes appearances that PDFium has added to the document its own. Those of marked text stand where the text does, wherever the rectangle
 * is.
 */
export function keepPdfiumAppearances(leaves: readonly PageLeaf[]): void {
  for (const annotation of leaves.flatMap(({ dict }) => annotationsOf(dict))) {
    if (!annotation.delete(MADE_BY_PDFIUM) || !TEXT_MARKUP.has(nameIn(annotation, 'Subtype') ?? '')) continue;
    const numbers = numberArrayIn(annotation, 'QuadPoints') ?? [];
    const corners = Array.from({ length: Math.floor(numbers.length / 8) * 4 }, (_, index) => ({
      x: numbers[2 * index]!,
      y: numbers[2 * index + 1]!,
    }));
    if (corners.length === 0) continue;
    const { left, bottom, right, top } = around(corners);
    annotation.set(PDFName.of('Rect'), annotation.context.obj([left, bottom, right, top]));
  }
}

function annotationsOf(page: PDFDict): PDFDict[] {
  const annotations = page.lookup(PDFName.of('Annots'));
  if (!(annotations instanceof PDFArray)) return [];
  return annotations
    .asArray()
    .map((ref) => page.context.lookup(ref))
    .filter((item): item is PDFDict => item instanceof PDFDict);
}

type DrawingOptions = { fonts: EmbeddedFonts; isArchive: boolean };

/** @param rect in the page's own coordinates @returns undefined where nothing is drawn */
function emptyAppearance(
  widget: PDFDict,
  rect: Rect | undefined,
  { fonts, isArchive }: DrawingOptions,
): PlacedForm | undefined {
  const characteristics = dictIn(widget, 'MK');
  const background = characteristics && colorIn(characteristics, 'BG');
  const border = characteristics && colorIn(characteristics, 'BC');
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
function borderDrawing(
  link: PDFDict,
  rect: Rect,
  { fonts, isArchive }: DrawingOptions,
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

/** PDFium draws such a frame around a button without an appearance: gray, and as thin as a device can draw. */
function hairlineFrame(
  button: PDFDict,
  rect: Rect,
  { fonts, isArchive }: DrawingOptions,
): PlacedForm | undefined {
  const [width, height] = [rect.right - rect.left, rect.top - rect.bottom];
  if (!(width > 0 && height > 0)) return undefined;
  // A form shows nothing beyond its box, and half of the frame lies outside of the rectangle.
  const sheet = newFormXObject(fonts, { width: width + 2, height: height + 2 }, { isCalibrated: isArchive });
  sheet.operators.push(`q ${stroke('aaaaaa')} 0 w 1 1 ${n(width)} ${n(height)} re S Q`);
  const matrix: PlacedForm['matrix'] = [1, 0, 0, 1, rect.left - 1, rect.bottom - 1];
  return { form: buildFormXObject(sheet, button.context), matrix };
}

/** Dashes are empty for a line without gaps. */
function dashesOf(link: PDFDict): readonly number[] {
  const style = dictIn(link, 'BS');
  if (!style) return numbersIn(link.lookup(PDFName.of('Border')), 3);
  if (nameIn(style, 'S') !== 'D') return [];
  const dashes = numberArrayIn(style, 'D') ?? [3];
  return dashes.every((dash) => dash > 0) ? dashes : [];
}

/** Reads the numbers of an array in an array. */
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
  const flags = inheritedFrom(widget, (dict) => numberIn(dict, 'Ff')) ?? 0;
  const characteristics = dictIn(widget, 'MK');
  const sign = (characteristics && textIn(characteristics, 'CA')) ?? 'l';
  const kind = inheritedFrom(widget, (dict) => nameIn(dict, 'FT'));
  return kind === 'Btn' && (flags & RADIO) !== 0 && sign === 'l';
}

function borderWidth(annotation: PDFDict): number {
  const style = dictIn(annotation, 'BS');
  return Math.abs((style ? numberIn(style, 'W') : numberArrayIn(annotation, 'Border')?.[2]) ?? 1);
}

function isUnderlined(widget: PDFDict): boolean {
  const style = dictIn(widget, 'BS');
  return style !== undefined && nameIn(style, 'S') === 'U';
}

/** An empty array is transparent (ISO 32000-1, table 189). */
const colorIn = (characteristics: PDFDict, key: string): string | undefined =>
  hexOfComponents(numberArrayIn(characteristics, key) ?? []);
