// Finds the language of a recipient, and writes and reads numbers in it.
import { isLanguage, LANGUAGES, type Language } from '../../../api/contract/languages.ts';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Field } from '../../domain/transaction.ts';

// ── which language ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Language ranges are those of RFC 9110 §12.5.4, such as `de-AT;q=0.8`. Only the first part is used. */
const RANGE = /^(\*|[a-z]{1,8})(?:-[a-z0-9]{1,8}){0,9}((?:[ \t]*;[^;]*)*)$/;
const QUALITY = /^[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*$/;
const RANGES_READ = 50;

type LanguageRange = { name: string; quality: number; position: number };

/**
 * Finds the language of ours that is wanted most, or English where none is. A part of the header that is malformed says
 * nothing.
 */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  const ranges = (acceptLanguage ?? '').toLowerCase().split(',', RANGES_READ).flatMap(rangeIn);
  const best = (name: string): LanguageRange | undefined =>
    ranges.filter((range) => range.name === name).sort(byPreference)[0];
  const others = best('*');
  const accepted = Object.keys(LANGUAGES)
    .filter(isLanguage)
    .flatMap((language) => {
      const range = best(language) ?? others;
      return range && range.quality > 0 ? [{ ...range, language }] : [];
    })
    .sort(byPreference);
  return accepted[0]?.language ?? 'en';
}

const byPreference = (a: LanguageRange, b: LanguageRange): number =>
  b.quality - a.quality || a.position - b.position;

function rangeIn(part: string, position: number): LanguageRange[] {
  const [, name = '', parameters = ''] = RANGE.exec(part.trim()) ?? [];
  const weight = parameters.split(';').find((parameter) => /^[ \t]*q[ \t]*=/.test(parameter));
  const quality = weight === undefined ? '1' : QUALITY.exec(weight)?.[1];
  return name === '' || quality === undefined ? [] : [{ name, quality: Number(quality), position }];
}

// ── numbers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

type Separators = { group: ',' | '.' | ' '; decimal: ',' | '.' };

/** A space stands for every kind of space. */
const SEPARATORS: Record<Language, Separators> = {
  en: { group: ',', decimal: '.' },
  de: { group: '.', decimal: ',' },
  fr: { group: ' ', decimal: ',' },
  es: { group: '.', decimal: ',' },
  it: { group: '.', decimal: ',' },
  pt: { group: '.', decimal: ',' },
  nl: { group: '.', decimal: ',' },
  pl: { group: ' ', decimal: ',' },
};

/** `Intl.NumberFormat` of every Node writes so many digits. */
const WRITABLE = /^-?\d+(?:\.(\d{1,20}))?(?:e[+-]?\d+)?$/;

/** Writes a plain number with as many digits after the point as it has; anything else stays as it is. */
export function formatNumber(language: Language, number: string): string {
  const written = WRITABLE.exec(number);
  return written
    ? new Intl.NumberFormat(language, {
        minimumFractionDigits: written[1]?.length ?? 0,
        maximumFractionDigits: 20,
      }).format(number as `${number}`)
    : number;
}

const UNGROUPED = /^([+-]?) ?(\d*)(?:([.,٫])(\d+))?$/;
const GROUPED = /^([+-]?) ?([1-9]\d{0,2}(?:([ .,'’٬])\d{3})(?:\3\d{3})*)(?:([.,٫])(\d+))?$/;

/**
 * Reads a number as people write it, in the form that rules compare: "1.500,50" in German and "1,500.50" in English are
 * both 1500.50. Another language's way is understood as well, unless it could mean two numbers. What cannot be understood
 * stays as it is, and is refused by its rule.
 */
export function plainNumber(language: Language, text: string): string {
  if (text.length > LIMITS.textLength) return text;
  const typed = inAscii(text);
  const grouped = groupedIn(typed);
  const ungrouped = ungroupedIn(typed);
  if (!grouped || !ungrouped) return grouped?.plain ?? ungrouped?.plain ?? text;
  const { group, decimal } = SEPARATORS[language];
  if (grouped.separator === group) return grouped.plain;
  if (ungrouped.separator === decimal) return ungrouped.plain;
  // "1.500" in French: the space at the end keeps the rule from taking it for one and a half.
  return `${text.trim()} `;
}

type Understood = { plain: string; separator: string | undefined };

function groupedIn(typed: string): Understood | undefined {
  const [match, sign = '', whole = '', separator = '', point, fraction] = GROUPED.exec(typed) ?? [];
  if (match === undefined || separator === point) return undefined;
  return { plain: plainOf(sign, whole.replaceAll(separator, ''), fraction), separator };
}

function ungroupedIn(typed: string): Understood | undefined {
  const [match, sign = '', whole = '', separator, fraction] = UNGROUPED.exec(typed) ?? [];
  if (match === undefined || (whole === '' && fraction === undefined)) return undefined;
  return { plain: plainOf(sign, whole, fraction), separator };
}

const plainOf = (sign: string, whole: string, fraction: string | undefined): string =>
  `${sign === '-' ? '-' : ''}${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;

/** Replaces digits, minus and space by those of ASCII, and drops marks of direction. */
const inAscii = (text: string): string =>
  text
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .trim()
    .replace(/^[−–‐‑－﹣]/, '-')
    .replace(/\s/g, ' ')
    .replace(/(?!\d)\p{Nd}/gu, asciiDigit);

/** Unicode keeps the decimal digits of a script together, from zero to nine. */
function asciiDigit(digit: string): string {
  const place = digit.codePointAt(0) ?? 0;
  let first = place;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return `${(place - first) % 10}`;
}

const USUAL = '1500.50';
/** The rule for numbers takes so many (domain/values.ts). */
const MOST_DECIMALS = 10;

/** Finds a plain number within the limits of the field, with as few decimals as it takes, for the sentence that asks for one. */
export function exampleNumber({
  min_value: min,
  max_value: max,
}: Pick<Field, 'min_value' | 'max_value'>): string {
  const fits = (number: number) => (min === null || number >= min) && (max === null || number <= max);
  if (fits(Number(USUAL))) return USUAL;
  const ideal = idealNumber(min, max);
  for (let decimals = 0; decimals <= MOST_DECIMALS; decimals += 1) {
    const unit = 10 ** decimals;
    const example = [Math.floor(ideal * unit) / unit, Math.ceil(ideal * unit) / unit].find(fits);
    if (example !== undefined) return example.toFixed(decimals);
  }
  return `${min ?? max}`;
}

/** Picks an example: a number in the middle is the best; with one limit, one well away from it. */
function idealNumber(min: number | null, max: number | null): number {
  if (min !== null && max !== null) return min + (max - min) / 2;
  if (min !== null) return min + Math.abs(min) / 2;
  return (max ?? 0) - Math.abs(max ?? 0) / 2;
}
