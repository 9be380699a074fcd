// A date in each of the forms and languages that a field can have, and as people type it. What is no calendar day stays as it was typed.
import { expect, test } from 'vitest';
import {
  DATE_FORMATS,
  DATE_LANGUAGES,
  type DateFormat,
  formatDate,
  type Language,
  readTypedDate,
} from '../../../src/api/contract/languages.ts';

test.each([
  ['YYYY-MM-DD', '2026-03-05', '0987-12-31'],
  ['DD.MM.YYYY', '05.03.2026', '31.12.0987'],
  ['DD/MM/YYYY', '05/03/2026', '31/12/0987'],
  ['MM/DD/YYYY', '03/05/2026', '12/31/0987'],
  ['D MMMM YYYY', '5 March 2026', '31 December 0987'],
  ['MMMM D, YYYY', 'March 5, 2026', 'December 31, 0987'],
  ['D. MMMM YYYY', '5. March 2026', '31. December 0987'],
  ['D de MMMM de YYYY', '5 de March de 2026', '31 de December de 0987'],
] as const)('%s', (date_format, spring, winter) => {
  expect(formatDate('2026-03-05', { date_format, date_language: 'en' })).toBe(spring);
  expect(formatDate('0987-12-31', { date_format, date_language: 'en' })).toBe(winter);
});

test.each<[Language, DateFormat, string]>([
  ['en', 'D MMMM YYYY', '5 March 2026'],
  ['de', 'D. MMMM YYYY', '5. März 2026'],
  ['fr', 'D MMMM YYYY', '5 mars 2026'],
  ['es', 'D de MMMM de YYYY', '5 de marzo de 2026'],
  ['it', 'D MMMM YYYY', '5 marzo 2026'],
  ['pt', 'D de MMMM de YYYY', '5 de março de 2026'],
  ['nl', 'D MMMM YYYY', '5 maart 2026'],
  ['pl', 'D MMMM YYYY', '5 marca 2026'],
])('in %s: %s', (date_language, date_format, written) => {
  expect(formatDate('2026-03-05', { date_format, date_language })).toBe(written);
});

/** As Unicode (CLDR) has them beside a day. `Intl` has other names in some versions of Node, or English ones only. */
const MONTHS = {
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  de: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  fr: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  it: [
    'gennaio',
    'febbraio',
    'marzo',
    'aprile',
    'maggio',
    'giugno',
    'luglio',
    'agosto',
    'settembre',
    'ottobre',
    'novembre',
    'dicembre',
  ],
  pt: [
    'janeiro',
    'fevereiro',
    'março',
    'abril',
    'maio',
    'junho',
    'julho',
    'agosto',
    'setembro',
    'outubro',
    'novembro',
    'dezembro',
  ],
  nl: [
    'januari',
    'februari',
    'maart',
    'april',
    'mei',
    'juni',
    'juli',
    'augustus',
    'september',
    'oktober',
    'november',
    'december',
  ],
  pl: [
    'stycznia',
    'lutego',
    'marca',
    'kwietnia',
    'maja',
    'czerwca',
    'lipca',
    'sierpnia',
    'września',
    'października',
    'listopada',
    'grudnia',
  ],
} as const satisfies Record<Language, readonly string[]>;

test.each(DATE_LANGUAGES)('the months in %s are those of Unicode', (date_language) => {
  for (const [index, name] of MONTHS[date_language].entries()) {
    const day = `2026-${`${index + 1}`.padStart(2, '0')}-05`;
    expect(formatDate(day, { date_format: 'D MMMM YYYY', date_language })).toBe(`5 ${name} 2026`);
  }
});

test.each(['', '2026-02-30', '5 March', '2026-03-05T00:00'])('"%s" stays as it is', (text) => {
  for (const date_format of DATE_FORMATS) {
    expect(formatDate(text, { date_format, date_language: 'de' })).toBe(text);
    expect(readTypedDate(text, date_format)).toBe(text);
  }
});

test('what is written is read back, in every form and language', () => {
  for (const date_format of DATE_FORMATS)
    for (const date_language of DATE_LANGUAGES)
      for (let month = 1; month <= 12; month += 1) {
        const day = `2026-${`${month}`.padStart(2, '0')}-09`;
        expect(readTypedDate(formatDate(day, { date_format, date_language }), date_format)).toBe(day);
      }
});

test.each<[string, DateFormat, string]>([
  [' 5.  MÄRZ 2026 ', 'YYYY-MM-DD', '2026-03-05'],
  ['5. Ma\u0308rz 2026', 'DD.MM.YYYY', '2026-03-05'],
  ['5 De Marzo De 2026', 'MM/DD/YYYY', '2026-03-05'],
  ['5.3.2026', 'DD.MM.YYYY', '2026-03-05'],
  ['3/5/2026', 'MM/DD/YYYY', '2026-03-05'],
  ['3/5/2026', 'DD/MM/YYYY', '2026-05-03'],
])('"%s" in the form %s is read', (typed, date_format, day) => {
  expect(readTypedDate(typed, date_format)).toBe(day);
});

test.each<[string, DateFormat]>([
  ['3/5/2026', 'DD.MM.YYYY'],
  ['5 Foo 2026', 'D MMMM YYYY'],
  ['31 February 2026', 'D MMMM YYYY'],
  ['5 March 26', 'D MMMM YYYY'],
  ['today', 'DD.MM.YYYY'],
])('"%s" in the form %s is no date', (typed, date_format) => {
  expect(readTypedDate(typed, date_format)).toBe(typed);
});
