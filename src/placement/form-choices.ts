// Places the choices of a form beside their buttons, and names their options by the words after the buttons.
import type { PlacedWord } from '../pdf/engine/engine.ts';
import type { Box, Size } from '../pdf/geometry.ts';
import { namesOfButtons } from './button-names.ts';
import { placeOfChoice } from './choice-places.ts';
import type { TurnedField } from './form-fields.ts';
import { cut, oneLine } from './form-values.ts';

/** @param words of the pages that have choices */
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
    const taken = [
      ...onPage,
      ...buttons.map(({ box }) => box),
      ...others.flatMap((other) => boxesOf(placed.get(other) ?? other)),
    ];
    const options = Array.isArray(named.properties.options) ? named.properties.options.map(String) : [''];
    const box = placeOfChoice(
      buttons.map((button) => button.box),
      options,
      size,
      taken,
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
