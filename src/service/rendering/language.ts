// Writes times, names inside of sentences, and the sentences themselves in the language of a reader, for pages and mail. A file of words
// (decision 0058) becomes sentences: a key with values is a function that takes them by name, and every other key is its text. A
// value is never searched for placeholders.
import type { Language } from '../../api/contract/languages.ts';
import { epochMsOf } from '../../common/instant.ts';
import { once } from '../../common/once.ts';

/** Keeps the direction of text from outside within that text, inside a sentence of ours (Unicode, UAX #9 FSI). */
export const isolateDirection = (text: string): string => `\u2068${text}\u2069`;

/** Writes a time and names its zone, without which a deadline means nothing. */
export const timeIn = (language: Language, instant: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  }).format(epochMsOf(instant));

/**
 * They are the forms of a sentence that counts, by the categories of Unicode (CLDR). `#` stands for the value `count`.
 */
export type PluralForms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The file of a language contains the keys of English, and forms where English has forms. */
export type WordFile<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : PluralForms;
};

/** Each key that has values lists their names. A placeholder is such a name in braces. */
export type ValueNames<English> = Readonly<Partial<Record<keyof English, readonly string[]>>>;

type ValueOf<Name> = Name extends 'count' | 'number' | 'page' ? number : string;

/** @template Names a key of English that has forms and no names does not compile */
export type Sentences<English, Names extends ValueNames<English>> = {
  readonly [Key in keyof English]: Names[Key] extends readonly (infer Name extends string)[]
    ? (values: Readonly<{ [N in Name]: ValueOf<N> }>) => string
    : English[Key] extends string
      ? string
      : never;
};

type Values = Readonly<Record<string, string | number>>;

export function sentencesOf<English, Names extends ValueNames<English>>(
  language: string,
  words: WordFile<English>,
  names: Names,
): Sentences<English, Names> {
  const plural = once(() => new Intl.PluralRules(language));
  const numbers = once(() => new Intl.NumberFormat(language));
  const say = (text: string | PluralForms, values: Values): string => {
    if (typeof text === 'string') return filledIn(text, values);
    const count = Number(values.count);
    return filledIn(text[plural().select(count)] ?? text.other, values, () => numbers().format(count));
  };
  const entries = Object.entries<string | PluralForms>(words).map(([key, text]) => [
    key,
    Object.hasOwn(names, key) ? (values: Values) => say(text, values) : text,
  ]);
  return Object.fromEntries(entries);
}

const filledIn = (text: string, values: Values, number: () => string = () => '#'): string =>
  text.replaceAll(/#|\{(\w+)\}/g, (_, name?: string) => (name === undefined ? number() : `${values[name]}`));
