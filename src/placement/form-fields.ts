// Turns the fields of a document's form into fields: what each asks for, where it stands, and what of it cannot be carried over.
import type { FieldType } from '../api/contract/fields.ts';
import { LIMITS } from '../api/contract/limits.ts';
import type { AcroFormField, FormPlace, FormWidget } from '../pdf/engine/engine.ts';
import { type Box, isInside, isOverlapping, isTouching, type Size } from '../pdf/geometry.ts';
import type { FormNote, FormNoteCode } from './form-notes.ts';
import {
  choiceProperties,
  cut,
  type FormProperties,
  oneLine,
  optionTexts,
  textProperties,
} from './form-values.ts';
import { roundPoints } from './sizes.ts';

export type TurnedField = {
  name: string;
  type: FieldType;
  /** It counts from 0. */
  page: number;
  box: Box;
  properties: Record<string, unknown>;
  /** The choice is written beside these buttons, all of which are on its page. */
  buttons?: readonly ChoiceButton[] | undefined;
};

type TurnedForm = {
  fields: TurnedField[];
  /** The fields now have the values of these places of the form. */
  emptied: FormPlace[];
  notes: FormNote[];
};

/** @param mayChange whether values can be taken out of the document; it is sent as it is otherwise */
export function turnForm(
  form: readonly AcroFormField[],
  pages: readonly Size[],
  { mayChange }: { mayChange: boolean },
): TurnedForm {
  const turned: TurnedForm = { fields: [], emptied: [], notes: [] };
  for (const field of form) {
    const note = (code: FormNoteCode, page = field.widgets[0]?.page ?? 0) =>
      turned.notes.push({ code, name: nameOf(field), page });
    const places = placesOf(field, pages);
    const reason = reasonToLeave(field, places, mayChange);
    if (reason) {
      note(reason);
      continue;
    }
    const { fields, notes } = fieldsOf(field, places);
    for (const code of notes) note(code, places[0]?.page);
    turned.fields.push(...fields);
    turned.emptied.push(...places.map(({ page, annotation }) => ({ page, annotation })));
  }
  return { ...turned, fields: inReadingOrder(turned.fields), emptied: mayChange ? turned.emptied : [] };
}

const nameOf = ({ name, tooltip }: AcroFormField): string =>
  cut(oneLine(name)) || cut(oneLine(tooltip ?? ''));

/** Orders the pages; on a page the order of the form stays, in which a keyboard goes through it. */
const inReadingOrder = (fields: readonly TurnedField[]): TurnedField[] =>
  [...fields].sort((a, b) => a.page - b.page);

type ShownPlace = FormWidget & { box: Box };

/** Lists the places that a page shows, cut at the edges of the page. */
function placesOf({ widgets }: AcroFormField, pages: readonly Size[]): ShownPlace[] {
  return widgets.flatMap((widget) => {
    const page = pages[widget.page];
    if (widget.isHidden || !page || !isTouching(widget.box, page)) return [];
    return [{ ...widget, box: withinPage(widget.box, page) }];
  });
}

function withinPage(box: Box, page: Size): Box {
  const x = roundPoints(Math.max(0, box.x));
  const y = roundPoints(Math.max(0, box.y));
  return {
    x,
    y,
    width: roundPoints(Math.min(box.x + box.width, page.width) - x),
    height: roundPoints(Math.min(box.y + box.height, page.height) - y),
  };
}

function reasonToLeave(
  { kind, traits, values, widgets }: AcroFormField,
  places: readonly ShownPlace[],
  mayChange: boolean,
): FormNoteCode | undefined {
  if (kind === 'unknown') return 'unknown';
  if (widgets.length === 0) return 'no_place';
  if (widgets.every(({ isHidden }) => isHidden)) return 'hidden';
  if (places.length === 0) return 'off_page';
  if (kind === 'button') return 'button';
  if (traits.includes('file')) return 'file';
  if (traits.includes('password')) return 'password';
  if (kind === 'signature') return traits.includes('signed') ? 'signed' : undefined;
  if (traits.includes('readonly')) return 'readonly';
  return values.length > 0 && !mayChange ? 'value_stays' : undefined;
}

/** No field can have these traits, whatever its type. */
const CARRIED_BY_NO_FIELD = [
  'calculated',
  'validated',
  'formatted',
  'acting',
  'aligned',
  'rich',
  'comb',
] as const;

type Turned = { fields: TurnedField[]; notes: FormNoteCode[] };

function fieldsOf(field: AcroFormField, places: readonly ShownPlace[]): Turned {
  const [first] = places;
  if (!first) return { fields: [], notes: [] };
  const label = oneLine(field.tooltip ?? '') || oneLine(field.name);
  const notes: FormNoteCode[] = CARRIED_BY_NO_FIELD.filter((trait) => field.traits.includes(trait));
  if (cut(label) !== label) notes.push('label_cut');
  const isRequired = field.traits.includes('required') || field.kind === 'signature';
  const common = { ...(label !== '' && { label: cut(label) }), is_required: isRequired };
  const color = field.fontColor === undefined ? {} : { font_color: field.fontColor };
  const name = nameOf(field);
  if (isChoiceOfButtons(field)) {
    const choice = choiceProperties(field, 'radio');
    const texts = optionTexts(field.options);
    const here = places
      .filter(({ page }) => page === first.page)
      .map(({ box, state }) => ({
        box,
        option: texts[field.options.findIndex(({ value }) => value === state)],
      }));
    const choiceField = {
      ...{ name, type: choice.type, page: first.page, box: first.box, buttons: here },
      properties: { ...common, font_size: FONT_SIZE, ...choice.properties },
    };
    return { fields: [choiceField], notes: [...notes, ...choice.notes, 'choice_written'] };
  }
  const ownProperties = propertiesOf(field);
  const fields = places.map((place) => {
    const size = ownProperties.type === 'text' ? textSize(field, place.box) : fontSize(field, place.box);
    const font = FONTLESS.has(ownProperties.type) ? {} : { font_size: size, ...color };
    const { page, box } = place;
    return {
      name,
      type: ownProperties.type,
      page,
      box,
      properties: { ...common, ...font, ...ownProperties.properties },
    };
  });
  notes.push(...ownProperties.notes);
  if (places.length > 1) notes.push('several_places');
  if (ownProperties.type === 'text' && places.some(({ box }) => isTooLow(field, box)))
    notes.push('single_line');
  return { fields, notes };
}

/** Radio buttons are one choice, and so are check boxes of which one is ticked at most. */
const isChoiceOfButtons = ({ kind, options }: AcroFormField): boolean =>
  (kind === 'radio' || kind === 'checkbox') && options.length > 1;

function propertiesOf(field: AcroFormField): FormProperties {
  const { kind, values } = field;
  if (kind === 'signature') return { type: 'signature', properties: {}, notes: [] };
  if (kind === 'choice') return choiceProperties(field, 'select');
  if (kind === 'text') return textProperties(field);
  return { type: 'checkbox', properties: values.length > 0 ? { value: true } : {}, notes: [] };
}

// ── the size of text ────────────────────────────────────────────────────────────────────────────────────────────

/** These types have no text, or a text that is as large as the field. */
const FONTLESS = new Set<FieldType>(['signature', 'checkbox']);

const USUAL_SIZE = 12;
const SMALLEST_SIZE = 6;
/** A text that is as large as it fits takes this part of the height of its field. */
const FILLING = 0.6;
const LARGEST_FILLING = 24;
/** The signing page takes several lines where this many fit. */
const LINES = 3;
const LINE_HEIGHT = 1.2;

function fontSize({ fontSize: statedSize }: AcroFormField, { height }: Box): number {
  const size = statedSize ?? Math.min(LARGEST_FILLING, height * FILLING);
  return Math.min(LIMITS.fontSizeMax, Math.max(1, Math.round(size)));
}

/** A text of several lines is small enough for some, as far as it can still be read. */
function textSize(field: AcroFormField, box: Box): number {
  if (!field.traits.includes('multiline')) return fontSize(field, box);
  const size = field.fontSize ?? USUAL_SIZE;
  const fitting = Math.floor(box.height / (LINES * LINE_HEIGHT));
  return Math.max(1, Math.round(fitting >= SMALLEST_SIZE ? Math.min(size, fitting) : size));
}

const isTooLow = (field: AcroFormField, box: Box): boolean =>
  field.traits.includes('multiline') && box.height < LINES * LINE_HEIGHT * SMALLEST_SIZE;

// ── where the chosen option of buttons is written ───────────────────────────────────────────────────────────────

/** A line of a choice, with the ring before it, is this high in points. */
const HEIGHT = 14;
const FONT_SIZE = 10;
/** A letter at this size is about as wide. */
const LETTER = 6;
const RING = 20;
const SHORTEST = 40;
const LONGEST = 160;
const GAP = 4;
/** Places are looked for beside this many buttons at most. */
const MOST_ROWS = 8;

/** The option is the one that the radio button or check box stands for. */
export type ChoiceButton = { box: Box; option: string | undefined };

/**
 * Finds the place of a choice.
 * @param obstacles words and other fields of the page
 * @returns the last resort, over the first button, where no place is empty
 */
export function placeOfChoice(
  buttons: readonly Box[],
  options: readonly string[],
  page: Size,
  obstacles: readonly Box[],
): Box {
  const places = placesFor(buttons, options, page);
  return places.find((place) => !obstacles.some((other) => isOverlapping(place, other))) ?? places.at(-1)!;
}

/** Lists places for a choice, the best first: after the buttons, below, above and before them, and over the first one at last. */
function placesFor(buttons: readonly Box[], options: readonly string[], page: Size): Box[] {
  const around = boxAround(buttons);
  const longest = Math.max(...options.map((option) => [...option].length));
  const size = {
    width: Math.min(LONGEST, page.width, Math.max(SHORTEST, RING + longest * LETTER)),
    height: Math.min(HEIGHT, page.height),
  };
  const rows = buttons.slice(0, MOST_ROWS).map(({ y, height }) => y + (height - size.height) / 2);
  const right = around.x + around.width;
  const corners = [
    ...rows.flatMap((y) => [GAP, 60, 120, 180, 240].map((gap) => ({ x: right + gap, y }))),
    { x: page.width - size.width - 2 * GAP, y: rows[0] ?? around.y },
    { x: around.x, y: around.y + around.height + GAP },
    { x: around.x, y: around.y - size.height - GAP },
    ...rows.map((y) => ({ x: around.x - size.width - GAP, y })),
  ];
  const boxes = corners.map((corner) => rounded({ ...corner, ...size })).filter((box) => isInside(box, page));
  const x = Math.max(0, Math.min(around.x, page.width - size.width));
  const y = Math.max(0, Math.min(around.y, page.height - size.height));
  return [...boxes, rounded({ x, y, ...size })];
}

const rounded = ({ x, y, width, height }: Box): Box => ({
  x: roundPoints(x),
  y: roundPoints(y),
  width: roundPoints(width),
  height: roundPoints(height),
});

function boxAround(boxes: readonly Box[]): Box {
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    [x, y] = [Math.min(x, box.x), Math.min(y, box.y)];
    [right, bottom] = [Math.max(right, box.x + box.width), Math.max(bottom, box.y + box.height)];
  }
  return { x, y, width: right - x, height: bottom - y };
}
