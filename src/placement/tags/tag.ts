// Defines what a tag in a document asks for: a field where the tag stands.
import type { FieldType } from '../../api/contract/fields.ts';

type TagDialect = 'documenso' | 'docuseal';

/** A field is filled in by the number of a recipient from 1, or by a role that a recipient is given; undefined means the only recipient. */
type TagHolder = { number: number } | { role: string } | undefined;

export type Tag = {
  kind: 'tag';
  dialect: TagDialect;
  type: FieldType;
  holder: TagHolder;
  /** They have the names of the contract: `label`, `is_required`, … */
  properties: Record<string, unknown>;
  /** Only some tags say a width, in points. */
  width?: number | undefined;
  height?: number | undefined;
};

/** It says something that no field can have. `problem` is what is wrong, as the end of a sentence about the tag. */
export type RefusedTag = { kind: 'refused'; problem: string };

/** The kind `other` is a text in double braces that is no tag of these dialects. */
export type ReadTag = Tag | RefusedTag | { kind: 'other' };

/** Refuses what no field could be: a value that is none of the options, limits that nothing is within. */
export function refuseNonsense({ type, properties }: Tag): RefusedTag | undefined {
  const { options, value, readonly, min_value: least, max_value: most } = properties;
  const isChoice = (type === 'select' || type === 'radio') && Array.isArray(options);
  if (isChoice && value !== undefined && !options.includes(String(value)))
    return refuseTag(`has the value "${value}", which is none of its options`);
  if (readonly === true && value === undefined) return refuseTag('is read-only, but has no value');
  if (Number(least) > Number(most))
    return refuseTag(`has the least value ${least} above the greatest ${most}`);
  return undefined;
}

export const refuseTag = (problem: string): RefusedTag => ({ kind: 'refused', problem });

/** A part reads `name=value`, or is a word without a value. */
export type TagPart = { name: string; value: string | undefined };

/** A line end in a tag is a space, as people read it. */
export const tagText = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Spaces in a word that is written without them are ends of lines. */
export const joined = (text: string): string => text.replace(/\s+/g, '');

/** Splits at a separator that no backslash stands before. The backslashes stay. */
function splitAt(text: string, separator: string): string[] {
  const pieces = [''];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (letter === '\\' && at + 1 < text.length) {
      pieces[pieces.length - 1] += letter + text[at + 1]!;
      at += 1;
    } else if (letter === separator) pieces.push('');
    else pieces[pieces.length - 1] += letter;
  }
  return pieces;
}

export const unescaped = (text: string): string => text.replace(/\\(.)/gsu, '$1');

export function partsOf(text: string, separator: string): TagPart[] {
  return splitAt(text, separator).map((part) => {
    const [name = '', ...value] = splitAt(part, '=');
    return { name: joined(unescaped(name)), value: value.length === 0 ? undefined : value.join('=') };
  });
}

/** A key that stands twice says two things. */
export function refuseTwice(tagParts: readonly TagPart[]): RefusedTag | undefined {
  const names = new Set<string>();
  for (const { name, value } of tagParts) {
    const key = name.toLowerCase();
    if (value !== undefined && names.has(key)) return refuseTag(`has "${name}" twice`);
    if (value !== undefined) names.add(key);
  }
  return undefined;
}

export type ReadValue<T> = { value: T } | RefusedTag;

export const isRefused = (read: object): read is RefusedTag => 'kind' in read;

const named = (name: string, value: string) => `has "${name}=${tagText(unescaped(value))}"`;

export function readSwitchValue(name: string, value: string): ReadValue<boolean> {
  const word = joined(value).toLowerCase();
  if (word === 'true' || word === 'false') return { value: word === 'true' };
  return refuseTag(`${named(name, value)}, which is neither true nor false`);
}

export function readNumberValue(name: string, value: string): ReadValue<number> {
  const text = joined(value);
  if (/^-?\d+(\.\d+)?$/.test(text)) return { value: Number(text) };
  return refuseTag(`${named(name, value)}, which is not a number`);
}

export function readWholeValue(name: string, value: string): ReadValue<number> {
  const text = joined(value);
  if (/^\d+$/.test(text)) return { value: Number(text) };
  return refuseTag(`${named(name, value)}, which is not a whole number`);
}

export const readTextValue = (_: string, value: string): ReadValue<string> => ({
  value: tagText(unescaped(value)),
});

export function readListValue(name: string, value: string, separator: string): ReadValue<string[]> {
  const items = splitAt(value, separator).map((item) => tagText(unescaped(item)));
  if (items.every((item) => item !== '')) return { value: items };
  return refuseTag(`${named(name, value)}, which has an empty option`);
}

export type AddProperty = (tag: Tag, name: string, value: string) => RefusedTag | undefined;

/** A key that says what is so anyway is honoured; with any other value it is not. */
export const allowOnly =
  (...allowed: string[]): AddProperty =>
  (_, name, value) =>
    allowed.includes(joined(value).toLowerCase()) ? undefined : notHonoured(name, value);

export const notHonoured = (name: string, value: string | undefined): RefusedTag =>
  refuseTag(
    value === undefined
      ? `has "${name}", which cannot be honoured`
      : `${named(name, value)}, which cannot be honoured`,
  );
