// Places the choices of a form beside their buttons, and names their options by the words after the buttons.
import type { PlacedWord } from '../pdf/engine/engine.ts';
import type { Box, Size } from '../pdf/geometry.ts';
import { type ChoiceButton, placeOfChoice, type TurnedField } from './form-fields.ts';
import { cut, oneLine } from './form-values.ts';

export function placeChoices(
  fields: readonly TurnedField[],
  words: readonly PlacedWord[],
  pages: readonly Size[],
): TurnedField[] {
  const placed = new Map<TurnedField, TurnedField>();
  for (const field of fields) {
    const { buttons, page } = field;
    const size = pages[page];
    if (!buttons || !size) continue;
    const onPage = words.filter((word) => word.page === page);
    const named = withNames(field, onPage, boxesOn(fields, page));
    const others = fields.filter((other) => other !== field && other.page === page);
    const occupied = [
      ...onPage,
      ...buttons.map(({ box }) => box),
      ...others.flatMap((other) => boxesOf(placed.get(other) ?? other)),
    ];
    const options = Array.isArray(named.properties.options) ? named.properties.options.map(String) : [''];
    const box = placeOfChoice(
      buttons.map((button) => button.box),
      options,
      size,
      occupied,
    );
    placed.set(field, { ...named, box });
  }
  return fields.map((field) => placed.get(field) ?? field);
}

/** A choice that is not placed yet takes the place of its buttons only. */
const boxesOf = ({ box, buttons = [] }: TurnedField): Box[] => [box, ...buttons.map((button) => button.box)];

const boxesOn = (fields: readonly TurnedField[], page: number): Box[] =>
  fields.filter((field) => field.page === page).flatMap(boxesOf);

function withNames(field: TurnedField, words: readonly PlacedWord[], others: readonly Box[]): TurnedField {
  const names = namesOfButtons(field.buttons ?? [], words, others);
  if (!names) return field;
  const nameOf = (option: unknown): string => cut(oneLine(names.get(String(option)) ?? String(option)));
  const { options, value, ...properties } = field.properties;
  if (!Array.isArray(options) || !options.every((option) => names.has(String(option)))) return field;
  return {
    ...field,
    properties: {
      ...properties,
      options: options.map(nameOf),
      ...(value !== undefined && { value: nameOf(value) }),
    },
  };
}

type Word = Box & { text: string };

// ── names for options that the form only numbers ────────────────────────────────────────────────────────────────

/** Programs give such names to options by themselves. */
const MADE_BY_PROGRAM = /^(?:choice|option|opt|radio|button|value|item|auswahl)?[ _-]?\d+$/i;

/** A name begins at most this far after its button, and has gaps up to the next length between its words, in heights of a word. */
const FIRST_GAP = 2.5;
const GAP = 1;
const LONGEST = 80;

/**
 * Finds a name for each option.
 * @param words of the page, in reading order
 * @param others boxes of other buttons, where a name ends
 * @returns undefined where the options have names already, or the page has no different names for all of them
 */
function namesOfButtons(
  buttons: readonly ChoiceButton[],
  words: readonly Word[],
  others: readonly Box[],
): Map<string, string> | undefined {
  const names = new Map<string, string>();
  for (const { box, option } of buttons) {
    if (option === undefined || names.has(option)) continue;
    if (!MADE_BY_PROGRAM.test(option)) return undefined;
    const name = wordsAfter(box, words, others);
    if (name === '' || [...names.values()].includes(name)) return undefined;
    names.set(option, name);
  }
  return names.size > 0 ? names : undefined;
}

function wordsAfter(button: Box, words: readonly Word[], others: readonly Box[]): string {
  const middle = button.y + button.height / 2;
  const isOnLine = ({ y, height }: Box) => y < middle && middle < y + height;
  const right = button.x + button.width;
  const end = others
    .filter((other) => isOnLine(other) && other.x >= right)
    .reduce((least, { x }) => Math.min(least, x), Number.POSITIVE_INFINITY);
  const after = words
    .filter((word) => isOnLine(word) && word.x >= right - 1 && word.x < end)
    .sort((a, b) => a.x - b.x);
  const named: string[] = [];
  let at = right;
  for (const { x, width, height, text } of after) {
    if (x - at > (named.length === 0 ? FIRST_GAP : GAP) * height) break;
    named.push(text);
    at = x + width;
  }
  const name = named.join(' ').replace(/[\s,;:.]+$/u, '');
  return name.length <= LONGEST ? name : '';
}
