// Reads the values of tags: both dialects write them as text.
import { type RefusedTag, refuseTag } from './tag.ts';

/** A part of a tag: `name=value`, or a word without a value. */
export type TagPart = { name: string; value: string | undefined };

/** Text as people read it: a line end in a tag is a space. */
export const tagText = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A word that is written without spaces: those in it are ends of lines. */
export const joined = (text: string): string => text.replace(/\s+/g, '');

/** Splits at a separator that no backslash stands before. The backslashes stay. */
export function splitAt(text: string, separator: string): string[] {
  const parts = [''];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (letter === '\\' && at + 1 < text.length) {
      parts[parts.length - 1] += letter + text[at + 1]!;
      at += 1;
    } else if (letter === separator) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

export const unescaped = (text: string): string => text.replace(/\\(.)/gsu, '$1');

export function partsOf(text: string, separator: string): TagPart[] {
  return splitAt(text, separator).map((part) => {
    const [name = '', ...value] = splitAt(part, '=');
    return { name: joined(unescaped(name)), value: value.length === 0 ? undefined : value.join('=') };
  });
}

/** A key that stands twice says two things. */
export function refuseTwice(parts: readonly TagPart[]): RefusedTag | undefined {
  const seen = new Set<string>();
  for (const { name, value } of parts) {
    const key = name.toLowerCase();
    if (value !== undefined && seen.has(key)) return refuseTag(`has "${name}" twice`);
    if (value !== undefined) seen.add(key);
  }
  return undefined;
}

/** What is read of one value: what it means, or why it is refused. */
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

/** A key that says what is so anyway is honoured; with any other value it is not. */
export function checkAllowedValue(
  name: string,
  value: string,
  allowed: readonly string[],
): ReadValue<undefined> {
  if (allowed.includes(joined(value).toLowerCase())) return { value: undefined };
  return notHonoured(name, value);
}

export const notHonoured = (name: string, value: string | undefined): RefusedTag =>
  refuseTag(
    value === undefined
      ? `has "${name}", which cannot be honoured`
      : `${named(name, value)}, which cannot be honoured`,
  );
