// Reads tags of the form `{{Name;type=text;role=Customer}}`, the dialect of docuseal: the name of a field and properties, with semicolons
// between them.

import type { FieldType } from '../../api/contract/fields.ts';
import { isDateFormat, TODAY } from '../../api/contract/languages.ts';
import {
  type AddProperty,
  allowOnly,
  isRefused,
  joined,
  notHonoured,
  partsOf,
  type ReadTag,
  type RefusedTag,
  readListValue,
  readNumberValue,
  readSwitchValue,
  readTextValue,
  readWholeValue,
  refuseNonsense,
  refuseTag,
  refuseTwice,
  type Tag,
  type TagPart,
  tagText,
  unescaped,
} from './tag.ts';

const TYPES: Record<string, FieldType> = {
  text: 'text',
  signature: 'signature',
  initials: 'initials',
  date: 'date',
  datenow: 'date',
  number: 'number',
  checkbox: 'checkbox',
  radio: 'radio',
  select: 'select',
};

/** Only a text with semicolons and equals signs counts; anything else in double braces is left to other programs. */
export function readDocusealTag(text: string): ReadTag {
  if (!text.includes(';') || !text.includes('=')) return { kind: 'other' };
  const pieces = partsOf(text, ';');
  const [first] = pieces;
  const name = first?.value === undefined ? tagText(unescaped(text.split(';')[0] ?? '')) : '';
  const tag: Tag = { kind: 'tag', dialect: 'docuseal', type: 'text', holder: undefined, properties: {} };
  if (name !== '') tag.properties.label = name;
  const properties = first?.value === undefined ? pieces.slice(1) : pieces;
  // The type first: what a value is depends on it.
  for (const part of [...properties].sort((a, b) => Number(isType(b)) - Number(isType(a)))) {
    if (part.name === '' && part.value === undefined) continue;
    const refused = addProperty(tag, part);
    if (refused) return refused;
  }
  return refuseTwice(properties) ?? refuseNonsense(tag) ?? finish(tag);
}

const isType = ({ name }: TagPart): boolean => name.toLowerCase() === 'type';

function addProperty(tag: Tag, { name, value }: TagPart): RefusedTag | undefined {
  const key = name.toLowerCase();
  const add = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (!add) return refuseTag(`has "${tagText(name)}", which is unknown`);
  if (value === undefined) return refuseTag(`has "${name}" without a value`);
  return add(tag, name, value);
}

const property =
  (
    key: string,
    read: (name: string, value: string) => { value: unknown } | RefusedTag,
    types?: readonly FieldType[],
  ): AddProperty =>
  (tag, name, value) => {
    if (types && !types.includes(tag.type))
      return refuseTag(`has "${name}", which a field of its type cannot have`);
    const result = read(name, value);
    if (isRefused(result)) return result;
    tag.properties[key] = result.value;
    return undefined;
  };

const never: AddProperty = (_, name, value) => notHonoured(name, value);

/** A pixel of a screen is the 96th part of an inch. */
const POINTS_OF_PIXEL = 0.75;

const length =
  (side: 'width' | 'height'): AddProperty =>
  (tag, name, value) => {
    const result = readNumberValue(name, value);
    if (isRefused(result)) return result;
    if (result.value <= 0) return refuseTag(`has "${name}=${result.value}", which is not a length`);
    tag[side] = result.value * POINTS_OF_PIXEL;
    return undefined;
  };

const KEYS: Record<string, AddProperty> = {
  type: (tag, _, value) => {
    const word = joined(value).toLowerCase();
    const type = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined;
    if (!type)
      return refuseTag(`has the type "${tagText(value)}", which is none of ${Object.keys(TYPES).join(', ')}`);
    tag.type = type;
    // The day of signing, which nobody else fills in.
    if (word === 'datenow') Object.assign(tag.properties, { value: TODAY, readonly: true });
    return undefined;
  },
  role: (tag, name, value) => {
    const role = tagText(unescaped(value));
    if (role === '') return refuseTag(`has "${name}" without a value`);
    tag.holder = { role };
    return undefined;
  },
  required: property('is_required', readSwitchValue),
  readonly: (tag, name, value) =>
    isOfSigning(tag)
      ? allowOnly('true')(tag, name, value)
      : property('readonly', readSwitchValue)(tag, name, value),
  default: (tag, name, value) =>
    isOfSigning(tag)
      ? notHonoured(name, value)
      : property('value', readTextValue, WITH_DEFAULT)(tag, name, value),
  title: property('label', readTextValue),
  description: property('helper_text', readTextValue),
  options: property('options', (name, value) => readListValue(name, value, ','), ['radio', 'select']),
  condition: never,
  width: length('width'),
  height: length('height'),
  format: (tag, name, value) => {
    const format = tagText(value);
    if (tag.type !== 'date' || !isDateFormat(format)) return notHonoured(name, value);
    tag.properties.date_format = format;
    return undefined;
  },
  min: property('min_value', readNumberValue, ['number']),
  max: property('max_value', readNumberValue, ['number']),
  font: property('font_family', readFont),
  font_size: property('font_size', readWholeValue),
  align: allowOnly('left'),
  valign: allowOnly('center'),
  hidden: allowOnly('false'),
  mask: allowOnly('false'),
};

const WITH_DEFAULT: readonly FieldType[] = ['text', 'date', 'number', 'checkbox', 'radio', 'select'];

const isOfSigning = ({ type, properties }: Tag): boolean => type === 'date' && properties.value === TODAY;

const FONTS: Record<string, string> = { helvetica: 'Helvetica', times: 'Times', courier: 'Courier' };

function readFont(name: string, value: string): { value: string } | RefusedTag {
  const font = FONTS[joined(value).toLowerCase()];
  return font === undefined ? notHonoured(name, value) : { value: font };
}

/** The value of a checkbox is whether it is ticked. */
function finish(tag: Tag): ReadTag {
  const { value } = tag.properties;
  if (tag.type !== 'checkbox' || value === undefined) return tag;
  const ticked = readSwitchValue('default', String(value));
  if (isRefused(ticked)) return ticked;
  return { ...tag, properties: { ...tag.properties, value: ticked.value } };
}
