// Which language a recipient reads, and how dates and numbers are written and read in it.
import { epochMsOf } from '../../../api/contract/instant.ts';
import type { Words } from './words/en.ts';

/** With their names in themselves. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  nl: 'Nederlands',
  pl: 'Polski',
} as const;

export type Language = keyof typeof LANGUAGES;

export const isLanguage = (value: string | null | undefined): value is Language =>
  typeof value === 'string' && Object.hasOwn(LANGUAGES, value);

/** The words of a language, loaded when somebody reads it. */
const CATALOGUE: Record<Language, () => Promise<Words>> = {
  en: async () => (await import('./words/en.ts')).EN,
  de: async () => (await import('./words/en.ts')).EN,
  fr: async () => (await import('./words/en.ts')).EN,
  es: async () => (await import('./words/en.ts')).EN,
  it: async () => (await import('./words/en.ts')).EN,
  pt: async () => (await import('./words/en.ts')).EN,
  nl: async () => (await import('./words/en.ts')).EN,
  pl: async () => (await import('./words/en.ts')).EN,
};

export const wordsOf = (language: Language): Promise<Words> => CATALOGUE[language]();

/** RFC 9110 §12.5.4: the one we have that is wanted most; English where there is none. */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 50)
    .map((part, position) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find(Boolean);
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality), position };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || a.position - b.position);
  return wanted.map(({ language }) => language).find(isLanguage) ?? 'en';
}

/** Text from outside inside a sentence of ours: its direction does not reach beyond it (Unicode, UAX #9 FSI). */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

export const timeIn = (language: Language, instant: string, timeZone: string | null): string =>
  new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: timeZone ?? 'UTC',
  }).format(epochMsOf(instant)) + (timeZone === null ? ' UTC' : '');

/** A calendar day, such as 2026-11-21. */
export const dayIn = (language: Language, day: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    epochMsOf(`${day}T00:00:00.000Z`),
  );

/** As many digits after the point as the number has. */
export const numberIn = (language: Language, number: string): string =>
  new Intl.NumberFormat(language, {
    minimumFractionDigits: number.split('.')[1]?.length ?? 0,
    maximumFractionDigits: 20,
  }).format(number as unknown as number);

/**
 * A number as people write it, in the form that rules compare: "1.500,50" in German and "1,500.50" in English are both
 * 1500.50. What cannot be read stays as it is, and is refused by its rule.
 */
export function plainNumber(language: Language, text: string): string {
  const parts = new Intl.NumberFormat(language, {
    useGrouping: 'always',
  } as Intl.NumberFormatOptions).formatToParts(1234567.5);
  const decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  const group = parts.find(({ type }) => type === 'group')?.value ?? ',';
  const trimmed = text
    .trim()
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/^[−–]/, '-');
  const separators = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+(\\${decimal}\\d+)?$`);
  const isGrouped = /\S/.test(group) && separators.test(trimmed);
  const whole = isGrouped ? trimmed.replaceAll(group, '') : trimmed;
  const plain = whole.replace(decimal, '.');
  return /^-?\d+(\.\d+)?$/.test(plain) ? plain : text;
}
