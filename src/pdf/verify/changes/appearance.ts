// Tells what the box of a field may show, in any reader: whether it is seen at all, whether its appearance shows more than an empty field does,
// and what readers write in a box without an appearance.
import { type Operation, readOperators } from '../../content/interpreter.ts';
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, PdfStream, PdfString, type Value } from '../../read/values.ts';
import { isBlankAppearance } from './blank-appearance.ts';
import { inherited, oncePerStream } from './diff-context.ts';

// Flags of annotations (ISO 32000-2, table 167), and of choice fields (table 233).
export const HIDDEN = 2;
export const PRINT = 4;
export const NO_VIEW = 32;
export const CHOICE_COMBO = 1 << 17;
const TOGGLE_NO_VIEW = 256;

export const isFlagged = (flags: Value, flag: number): boolean =>
  typeof flags === 'number' && (flags & flag) !== 0;

/** Tells whether readers may draw an annotation that has no appearance of its own with the fonts of the form. */
export const isLettered = (view: PdfView, annotation: Dict | undefined): boolean =>
  LETTERED.has(view.resolve(annotation?.get('Subtype')));

const LETTERED = new Set<Value>(['FreeText', 'Widget']);

/** Tells whether a reader may show the box of a field, on the screen or on paper, whatever its flags say: pdf.js shows hidden signatures. */
export const isVisible = (view: PdfView, widget: Dict | undefined): boolean =>
  widget !== undefined && drawsSomething(view, widget, isFlat(view, widget.get('Rect')));

/** Tells whether the box of a field, which is not hidden, has a place on its page, with or without an appearance. */
export const hasPlace = (view: PdfView, widget: Dict | undefined): boolean =>
  isUnhidden(widget) && widget.has('Rect') && !isFlat(view, widget.get('Rect'));

/** Tells whether a box that may be shown has no rectangle with an area: some readers draw its appearance over the whole page. */
export const isMisplaced = (view: PdfView, widget: Dict | undefined): boolean =>
  isVisible(view, widget) && (!isRectangle(view, widget?.get('Rect')) || isFlat(view, widget?.get('Rect')));

function isUnhidden(widget: Dict | undefined): widget is Dict {
  // Readers disagree on flags that are objects of their own: some see none.
  const written = widget?.get('F');
  const flags = typeof written === 'number' ? written : 0;
  const isUnseen = (flags & NO_VIEW) !== 0 && (flags & (PRINT | TOGGLE_NO_VIEW)) === 0;
  return widget !== undefined && (flags & HIDDEN) === 0 && !isUnseen;
}

const cornersOf = (view: PdfView, rect: Value | undefined): Value[] =>
  view.array(rect)?.map((value) => view.resolve(value)) ?? [];

/** A rectangle has four numbers. Readers put what has others at different places. */
export function isRectangle(view: PdfView, rect: Value | undefined): boolean {
  const corners = cornersOf(view, rect);
  return corners.length === 4 && corners.every((value) => typeof value === 'number');
}

/** A flat rectangle has no area, as far as numbers of 32 bits tell. What is none may be drawn anywhere. */
function isFlat(view: PdfView, rect: Value | undefined): boolean {
  const [left, bottom, right, top] = cornersOf(view, rect).map(Number) as [number, number, number, number];
  return (
    isRectangle(view, rect) && (Math.abs(right - left) < LEAST_SIDE || Math.abs(top - bottom) < LEAST_SIDE)
  );
}

/** A printer resolves sides that are a hundred times as long; it counts points. */
const LEAST_SIDE = 0.001;

/**
 * Tells whether a box draws something. One without an area may: readers divide by its size, or leave that out where it is nothing, and draw
 * the appearance in its own size. /MK says a border and a background, which some readers draw as a line even where the box is flat.
 */
function drawsSomething(view: PdfView, widget: Dict, isFlatBox: boolean): boolean {
  const marks = view.resolve(widget.get('MK'));
  if (marks instanceof Map ? marks.size > 0 : marks !== null) return true;
  const appearances = view.dict(widget.get('AP'));
  return [...(appearances?.values() ?? [])].some((value) => {
    const appearance = view.resolve(value);
    if (!isForm(appearance)) return appearance !== null;
    const isFlatLook =
      isFlatBox && isFlat(view, appearance.dict.get('BBox')) && !isEnlarged(view, appearance);
    return !isFlatLook && !isBlank(view, appearance);
  });
}

/** Tells whether an appearance has a matrix that is not 1: the size in which some readers draw it is that of the box after the matrix. */
function isEnlarged(view: PdfView, appearance: PdfStream): boolean {
  if (view.resolve(appearance.dict.get('Matrix')) === null) return false;
  const matrix = view.array(appearance.dict.get('Matrix'))?.map((item) => view.resolve(item)) ?? [];
  return matrix.length !== 6 || [1, 0, 0, 1].some((value, index) => matrix[index] !== value);
}

/** Metadata is no form, because only some readers decrypt it, nor is a picture, which some readers draw where it has no data. */
const isForm = (appearance: Value | undefined): appearance is PdfStream =>
  appearance instanceof PdfStream &&
  (appearance.dict.get('Type') ?? 'XObject') === 'XObject' &&
  appearance.dict.get('Subtype') === 'Form';

/** These operators draw nothing by themselves; Do draws what it names. */
const PLACING = new Set(['q', 'Q', 'cm', 'Do']);
/** Acrobat and iText place up to seven forms in one another. */
const MOST_FORMS = 100;

/**
 * Tells whether an appearance draws nothing: it is empty, or places only forms that draw nothing, as iText writes it. What cannot be read
 * may draw something.
 */
const isBlank = oncePerStream((view, appearance) =>
  drawsNothing(view, appearance, { remaining: MOST_FORMS }),
);

function drawsNothing(view: PdfView, appearance: PdfStream, forms: { remaining: number }): boolean {
  const content = view.data(appearance);
  forms.remaining -= 1;
  if (!content || forms.remaining < 0) return false;
  const drawings = view.dict(view.dict(appearance.dict.get('Resources'))?.get('XObject'));
  const mayFollow = ({ operator, operands }: Operation): boolean => {
    if (operator !== 'Do') return PLACING.has(operator);
    // Of two names, some readers take the first and others the last.
    const name = operands.length === 1 ? operands[0] : undefined;
    const drawing = typeof name === 'string' ? view.resolve(drawings?.get(name)) : undefined;
    return isForm(drawing) && drawsNothing(view, drawing, forms);
  };
  return readOperators(content, mayFollow, { isUnambiguous: true, isComplete: true });
}

/**
 * Tells whether the appearance of a field, or of one of its boxes, shows more than a border and a background. What cannot be read may show
 * anything.
 */
export function showsText(view: PdfView, field: Dict, depth = 0): boolean {
  if (depth > DOCUMENT_LIMITS.formDepth) return true;
  const appearances = view.dict(field.get('AP'));
  const isShown = [...(appearances?.values() ?? [])].some((value) => {
    const appearance = view.resolve(value);
    return appearance !== null && !(isForm(appearance) && isBlankAppearance(view, appearance));
  });
  return (
    isShown ||
    (view.array(field.get('Kids')) ?? []).some((item) => {
      const kid = view.dict(item);
      return kid !== undefined && showsText(view, kid, depth + 1);
    })
  );
}

/**
 * Returns the appearance that each reader shows. An appearance for each state is for buttons, by the state that they are in: of others some
 * readers make an appearance anew.
 */
export function shownAppearance(view: PdfView, box: Dict): PdfStream | undefined {
  const appearances = view.resolve(view.dict(box.get('AP'))?.get('N'));
  const state = view.resolve(box.get('AS'));
  const isButton = view.resolve(inherited(view, box, 'FT')) === 'Btn';
  const isState = appearances instanceof Map && isButton && typeof state === 'string';
  const stream = isState ? view.resolve(appearances.get(state)) : appearances;
  return stream instanceof PdfStream ? stream : undefined;
}

/** Tells whether there is an appearance for each state: readers choose different ones where the field is no button. */
export const hasStates = (view: PdfView, appearances: Value | undefined): boolean =>
  [...(view.dict(appearances)?.values() ?? [])].some((appearance) => view.resolve(appearance) instanceof Map);

/**
 * Each operator for a font, its size or a colour has these operands, and so have those for the distances of letters, of which Acrobat
 * writes one: no reader draws or moves anything by them outside of the field.
 */
const OPERANDS = new Map([
  ['Tf', 2],
  ['Tc', 1],
  ['Tw', 1],
  ['Tz', 1],
  ['TL', 1],
  ['Ts', 1],
  ['g', 1],
  ['G', 1],
  ['rg', 3],
  ['RG', 3],
  ['k', 4],
  ['K', 4],
]);

/** Tells whether a default appearance sets nothing but a font, its size, distances and colours. Acrobat writes none as an empty text. */
export const isPlainDefault = (view: PdfView, value: Value | undefined): boolean =>
  fontOf(view, value) !== undefined;

/** Returns the name of the font that is set last, or an empty text; undefined where the default appearance sets anything else. */
function fontOf(view: PdfView, value: Value | undefined): string | undefined {
  const written = view.resolve(value);
  if (written === null) return '';
  if (!(written instanceof PdfString)) return undefined;
  let font = '';
  const mayFollow = ({ operator, operands }: Operation): boolean => {
    const [first, ...others] = operands;
    const isFont = operator === 'Tf' && typeof first === 'string';
    const numbers = isFont ? others : operands;
    if (operands.length !== OPERANDS.get(operator) || !numbers.every((item) => typeof item === 'number'))
      return false;
    if (isFont) font = first;
    return isFont || operator !== 'Tf';
  };
  const isPlain = readOperators(written.bytes, mayFollow, { isUnambiguous: true, isComplete: true });
  return isPlain ? font : undefined;
}

/**
 * Tells whether a reader that writes the appearance of a field anew draws letters and nothing else: with a plain default appearance, and a
 * font whose letters are no drawings of their own (Type 3).
 */
export function writesPlainText(view: PdfView, form: Value | undefined, field: Value | undefined): boolean {
  const [above, dict] = [view.dict(form), view.dict(field)];
  if (!dict) return false;
  const font = fontOf(view, inherited(view, dict, 'DA') ?? above?.get('DA'));
  if (font === undefined) return false;
  const fonts = [above, dict].map((owner) => view.dict(view.dict(owner?.get('DR'))?.get('Font')));
  return fonts.every((named) => view.resolve(view.dict(named?.get(font))?.get('Subtype')) !== 'Type3');
}
