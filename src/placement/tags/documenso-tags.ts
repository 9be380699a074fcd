// Reads tags of the form `{{signature, r1, required=false}}`, the dialect of documenso: a type, the number of a recipient and properties,
// with commas between them. `\` takes the next character as it is.
import type { FieldType } from '../../api/contract/fields.ts';
import {
  type AddProperty,
  allowOnly,
  isRefused,
  notHonoured,
  partsOf,
  type ReadTag,
  type ReadValue,
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
  signature: 'signature',
  initials: 'initials',
  name: 'person_name',
  email: 'email',
  date: 'date',
  text: 'text',
  number: 'number',
  radio: 'radio',
  checkbox: 'checkbox',
  dropdown: 'select',
};

const HOLDER = /^r([1-9]\d{0,3})$/i;

/** `other` for a text without the number of a recipient: it is meant for the API of that service, and stays where it is. */
export function readDocumensoTag(text: string): ReadTag {
  const [first, ...rest] = partsOf(text, ',');
  const holder = rest.find(({ name, value }) => value === undefined && HOLDER.test(name));
  if (!first || first.value !== undefined || !holder) return { kind: 'other' };
  if (!/^[a-z]+$/i.test(first.name)) return { kind: 'other' };
  const type = Object.hasOwn(TYPES, first.name.toLowerCase()) ? TYPES[first.name.toLowerCase()] : undefined;
  if (!type)
    return refuseTag(`has the type "${first.name}", which is none of ${Object.keys(TYPES).join(', ')}`);
  const tag: Tag = {
    kind: 'tag',
    dialect: 'documenso',
    type,
    holder: { number: Number(HOLDER.exec(holder.name)?.[1]) },
    properties: {},
  };
  for (const part of rest) {
    if (part === holder) continue;
    const refused = addProperty(tag, part);
    if (refused) return refused;
  }
  return refuseTwice(rest) ?? refuseNonsense(tag) ?? finish(tag);
}

const property =
  <T>(
    key: string,
    read: (name: string, value: string) => ReadValue<T>,
    types?: readonly FieldType[],
  ): AddProperty =>
  (tag, name, value) => {
    if (types && !types.includes(tag.type))
      return refuseTag(`has "${name}", which a field of its type cannot have`);
    const result = read(name, value);
    if (isRefused(result)) return result;
    if (result.value !== undefined) tag.properties[key] = result.value;
    return undefined;
  };

const WITH_OPTIONS = ['radio', 'select', 'checkbox'] as const;

const KEYS: Record<string, AddProperty> = {
  required: property('is_required', readSwitchValue),
  readonly: property('readonly', readSwitchValue),
  fontsize: property('font_size', readWholeValue),
  textalign: allowOnly('left'),
  label: property('label', readTextValue),
  placeholder: property('helper_text', readTextValue),
  text: property('value', readTextValue, ['text']),
  value: property('value', readTextValue, ['text', 'number', 'radio', 'select']),
  characterlimit: property('max_length', readWholeValue, ['text']),
  minvalue: property('min_value', readNumberValue, ['number']),
  maxvalue: property('max_value', readNumberValue, ['number']),
  numberformat: (_, name, value) => notHonoured(name, value),
  options: property('options', (name, value) => readListValue(name, value, '|'), WITH_OPTIONS),
  selected: property('value', readTextValue, ['radio', 'select']),
  checked: property('value', readTextValue, ['checkbox']),
  direction: allowOnly('vertical'),
};

function addProperty(tag: Tag, { name, value }: TagPart): RefusedTag | undefined {
  const add = Object.hasOwn(KEYS, name.toLowerCase()) ? KEYS[name.toLowerCase()] : undefined;
  if (name === '' && value === undefined) return undefined;
  if (HOLDER.test(name) && value === undefined) return refuseTag(`names a second recipient, "${name}"`);
  if (!add) return refuseTag(`has "${tagText(unescaped(name))}", which is unknown`);
  if (value === undefined) return refuseTag(`has "${name}" without a value`);
  return add(tag, name, value);
}

/** A checkbox has one box here: its option is its label, and `checked` names it or says true. */
function finish(tag: Tag): ReadTag {
  if (tag.type !== 'checkbox') return tag;
  const { options = [], value, ...properties } = tag.properties as { options?: string[]; value?: string };
  const [option, second] = options;
  if (second !== undefined) return refuseTag(`has ${options.length} options, and a checkbox can have one`);
  const isKnown = value === undefined || /^(true|false)$/i.test(value) || value === option;
  if (!isKnown) return refuseTag(`has "checked=${value}", which is none of its options`);
  return {
    ...tag,
    properties: {
      ...(option !== undefined && { label: option }),
      ...properties,
      ...(value !== undefined && { value: !/^false$/i.test(value) }),
    },
  };
}
