// The languages of pages and mail for recipients, and the forms in which a date is written into a document in each of them and read everywhere
// else. The value of a date is always YYYY-MM-DD (assumed: A19).
import { isCalendarDay } from '../../common/instant.ts';

/** Each with its name in the language itself. */
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

/** The last two are the usual forms in German, and in Spanish and Portuguese. */
export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'D MMMM YYYY',
  'MMMM D, YYYY',
  'D. MMMM YYYY',
  'D de MMMM de YYYY',
] as const;

export type DateFormat = (typeof DATE_FORMATS)[number];

export const DEFAULT_DATE_FORMAT: DateFormat = 'YYYY-MM-DD';

export const DATE_LANGUAGES = Object.keys(LANGUAGES) as [Language, ...Language[]];

export const DEFAULT_DATE_LANGUAGE: Language = 'en';

/** The value of a date that its recipient does not enter: the service fills in the day on which they sign. */
export const TODAY = 'today';

export const isDateFormat = (value: unknown): value is DateFormat =>
  (DATE_FORMATS as readonly unknown[]).includes(value);

export type DateForm = { date_format: DateFormat; date_language: Language };

/**
 * The names stand as they do after the number of a day, where Polish has the genitive. They are not those of `Intl`, which differ between versions of Node,
 * because a page and a seal of another machine must have the same text.
 */
const MONTHS: Record<Language, string> = {
  en: 'January February March April May June July August September October November December',
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember',
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  it: 'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  pt: 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  nl: 'januari februari maart april mei juni juli augustus september oktober november december',
  pl: 'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
};

const monthsIn = (language: Language): string[] => MONTHS[language].split(' ');

/** The number of a month by its name in any of the languages, none of which has the name of another month; 0 for another word. */
function monthNamed(name: string): number {
  const lowerCase = name.normalize('NFC').toLowerCase();
  const positions = DATE_LANGUAGES.map((language) =>
    monthsIn(language).findIndex((month) => month.toLowerCase() === lowerCase),
  );
  return Math.max(...positions) + 1;
}

/** A calendar day such as 2026-11-30; any other text stays as it is. */
export function formatDate(day: string, { date_format, date_language }: DateForm): string {
  if (!isCalendarDay(day)) return day;
  const [year = '', month = '', date = ''] = day.split('-');
  const parts: Record<string, string> = {
    YYYY: year,
    MMMM: monthsIn(date_language)[Number(month) - 1] ?? month,
    MM: month,
    DD: date,
    D: `${Number(date)}`,
  };
  return date_format.replace(PARTS, (part) => parts[part] ?? part);
}

const PARTS = /YYYY|MMMM|MM|DD|D/g;

const TYPED: Record<string, string> = {
  YYYY: '(?<year>\\d{4})',
  MMMM: '(?<name>\\p{L}{3,12})',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<date>\\d{1,2})',
  D: '(?<date>\\d{1,2})',
};

/**
 * A date as people type it: in the form in which its field is written, or in any other that names the month, in any of the languages.
 * @returns YYYY-MM-DD; any other text stays as it is, and is refused by its rule
 */
export function readTypedDate(text: string, date_format: DateFormat): string {
  const typed = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  if (isCalendarDay(typed)) return typed;
  const forms = [date_format, ...DATE_FORMATS.filter((format) => format.includes('MMMM'))];
  for (const format of forms) {
    const pattern = format.replaceAll('.', '\\.').replace(PARTS, (part) => TYPED[part] ?? part);
    const { year, name, month, date } = new RegExp(`^${pattern}$`, 'iu').exec(typed)?.groups ?? {};
    if (year === undefined || date === undefined) continue;
    const number = name === undefined ? Number(month) : monthNamed(name);
    const day = `${year}-${`${number}`.padStart(2, '0')}-${date.padStart(2, '0')}`;
    if (isCalendarDay(day)) return day;
  }
  return text;
}
