// Which language a recipient reads, how numbers, days and times look in it, and what every catalogue has to keep.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLanguage, LANGUAGES, type Language } from '../../../../src/api/contract/languages.ts';
import { isolateDirection, timeIn } from '../../../../src/service/rendering/language.ts';
import {
  exampleNumber,
  formatNumber,
  plainNumber,
  preferredLanguage,
} from '../../../../src/service/web/sign/language.ts';
import { CONSENT_VERSION } from '../../../../src/service/web/sign/start-page.ts';
import { loadWords, VALUES, type Words } from '../../../../src/service/web/sign/words.ts';

const EN = await loadWords('en');

const ALL = Object.keys(LANGUAGES).filter(isLanguage);
const NO_BREAK = '\u00a0';
const NARROW = '\u202f';

/** Versions of Node differ in which space they write. */
const plainSpaces = (text: string): string => text.replaceAll(/\s/g, ' ');

describe('the language that a browser asks for', () => {
  test.each<[string | undefined, Language]>([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
    ['zh-CN,zh;q=0.9,fr;q=0.8,en;q=0.7', 'fr'],
    ['en;q=0.5,pl', 'pl'],
    ['en;q=0.5, pl;q=0.500, it;Q=0.7', 'it'],
    ['nl;q=0.5,es;q=0.5', 'nl'],
    ['de;q=0.3,de-CH;q=0.9,fr;q=0.8', 'de'],
    ['fr ; q=0.4 ,\tes;q=0.6', 'es'],
    ['*', 'en'],
    ['*;q=0.5,it;q=0.2', 'en'],
    ['it,*;q=0.5', 'it'],
    ['ja,*;q=0.1', 'en'],
    ['en;q=0,*', 'de'],
    ['en;q=0,de;q=0,*;q=0.1', 'fr'],
    ['fr;q=0', 'en'],
    ['fr;q=0,*;q=0', 'en'],
    ['fr;q=0,fr-CA;q=0.1', 'fr'],
    ['fr;q=2,de;q=0.1', 'de'],
    ['fr;q=-1,de;q=0.1', 'de'],
    ['fr;q=abc,de;q=0.1', 'de'],
    ['fr;q=,de;q=0.1', 'de'],
    ['fr;q=0.1234,de;q=0.1', 'de'],
    ['fr;level=1;q=0.2,es;q=0.3', 'es'],
    [';q=1,,  ,de', 'de'],
    ['<script>,de', 'de'],
    ['deutsch,english', 'en'],
    ['de_DE', 'en'],
    ['constructor,__proto__,toString', 'en'],
    ['x-de,i-klingon,es-419', 'es'],
  ])('%j: %s', (header, language) => {
    expect(preferredLanguage(header)).toBe(language);
  });

  test('is found in a header of any size and any text', () => {
    expect(preferredLanguage(`de,${'fr;q=0.1,'.repeat(12_000)}`)).toBe('de');
    expect(preferredLanguage(`${'a-'.repeat(50_000)},de`)).toBe('de');
    expect(preferredLanguage(`${';'.repeat(100_000)},de`)).toBe('de');
    expect(preferredLanguage(`${' '.repeat(100_000)}de`)).toBe('de');
    expect(preferredLanguage(`it;${'q=1;'.repeat(25_000)}`)).toBe('it');
    const pieces = fc.constantFrom('de', 'FR', '*', '-', ';', 'q', '=', '0', '.5', ',', ' ', '\0', 'é');
    const header = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(fc.property(header, (one) => isLanguage(preferredLanguage(one))));
  });
});

/** By the sign and the digits that a number is typed with: what comes of it in each language that differs from `all`. */
const TYPED: [string, string, Partial<Record<Language, string>>?][] = [
  ['1500', '1500'],
  ['007', '7'],
  ['0', '0'],
  ['1500.5', '1500.5'],
  ['1500,5', '1500.5'],
  ['1,5', '1.5'],
  ['1.5', '1.5'],
  ['0,500', '0.500'],
  ['0.500', '0.500'],
  ['1500,500', '1500.500'],
  [',5', '0.5'],
  ['.5', '0.5'],
  ['1.500,50', '1500.50'],
  ['1,500.50', '1500.50'],
  ['1.500.000', '1500000'],
  ['1,500,000', '1500000'],
  ['1 500', '1500'],
  ['1 500,50', '1500.50'],
  ['1 500.50', '1500.50'],
  [`1${NO_BREAK}500,50`, '1500.50'],
  [`1${NARROW}234${NARROW}567,5`, '1234567.5'],
  ['1\u2009500', '1500'],
  ['1’500.50', '1500.50'],
  ["1'500", '1500'],
  ['  42\t', '42'],
  ['-5', '-5'],
  ['−5', '-5'],
  ['–5,5', '-5.5'],
  ['- 5', '-5'],
  ['+5', '5'],
  ['-1.500,50', '-1500.50'],
  ['\u200e-5\u200f', '-5'],
  ['١٬٢٣٤٫٥', '1234.5'],
  ['۱۲۳', '123'],
  ['१२३', '123'],
  ['１２３', '123'],
  ['𝟏𝟐𝟗', '129'],
  // One group of three digits is read as the language writes it; where it writes neither way, it means two numbers.
  ['1.500', '1500', { en: '1.500', fr: '1.500 ', pl: '1.500 ' }],
  [' 1.500 ', '1500', { en: '1.500', fr: '1.500 ', pl: '1.500 ' }],
  ['-12.500', '-12500', { en: '-12.500', fr: '-12.500 ', pl: '-12.500 ' }],
  ['1,500', '1.500', { en: '1500' }],
];

const WRONG = [
  '',
  ' ',
  'abc',
  '5 €',
  '1e3',
  '0x10',
  'Infinity',
  '5.',
  '5,',
  '-',
  '.',
  '--5',
  '5-',
  '1.2.3',
  '1 5',
  '12 34',
  '1,500,50',
  '1.500 000',
  '1,500,000,5',
  '1.500.000.5',
  '01.500.000',
  '1500 000 000',
  '1..5',
  '1.5,0',
  '٫',
  '5²',
  '½',
  '三',
];

describe.each(ALL)('numbers in %s', (language) => {
  test('are read as people write them', () => {
    const read = TYPED.map(([typed]) => [typed, plainNumber(language, typed)]);
    expect(read).toEqual(TYPED.map(([typed, all, other = {}]) => [typed, other[language] ?? all]));
  });

  test('that cannot be understood stay as they are', () => {
    expect(WRONG.map((typed) => plainNumber(language, typed))).toEqual(WRONG);
    const tooLong = '٣'.repeat(20_000);
    expect(plainNumber(language, tooLong)).toBe(tooLong);
  });

  test('that could mean two numbers are refused by their rule, however often they are sent', () => {
    const kept = plainNumber(language, '1.500');
    expect(/^-?\d{1,15}(\.\d{1,10})?$/.test(kept)).toBe(language !== 'fr' && language !== 'pl');
    if (kept.endsWith(' ')) expect(plainNumber(language, kept)).toBe(kept);
  });

  test('are read as they are written', () => {
    const number = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9]\d{0,17})$/),
        fc.stringMatching(/^(\.\d{1,20})?$/),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(number, (plain) => {
        expect(plainNumber(language, formatNumber(language, plain))).toBe(plain);
      }),
    );
  });

  test('are understood by every other language, unless it writes another number that way', () => {
    for (const plain of ['1200.5', '1234567.25', '0.125', '-15000.75', '12', '1500.1234']) {
      const written = formatNumber(language, plain);
      expect(ALL.map((other) => plainNumber(other, written))).toEqual(ALL.map(() => plain));
    }
  });

  test('are written with the separators of the language', () => {
    const parts = new Intl.NumberFormat(language, { useGrouping: true }).formatToParts(1234567.5);
    const separator = (type: string) => plainSpaces(parts.find((part) => part.type === type)?.value ?? '');
    const [group, decimal] = [separator('group'), separator('decimal')];
    expect(plainNumber(language, `1${group}234${group}567${decimal}5`)).toBe('1234567.5');
    expect(plainNumber(language, `1${decimal}234`)).toBe('1.234');
    expect(plainNumber(language, `1${group}234`)).toBe('1234');
  });

  test('that no language can write are shown as they are', () => {
    for (const typed of ['abc', '', `1.${'1'.repeat(21)}`, '1.500 ', '1,5', '٣'])
      expect(formatNumber(language, typed)).toBe(typed);
    expect(formatNumber(language, '1e-7')).toMatch(/^0[.,]0000001$/);
    expect(formatNumber(language, `${1e21}`)).toMatch(/^1\D000/);
  });
});

test('the digits of every script that has ten of them are read', () => {
  const read = Intl.supportedValuesOf('numberingSystem').flatMap((system) => {
    const written = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false }).format(1234567890);
    return /^\p{Nd}+$/u.test(written) ? [[system, plainNumber('en', written)]] : [];
  });
  expect(read.length).toBeGreaterThan(50);
  expect(read).toEqual(read.map(([system]) => [system, '1234567890']));
});

describe('times', () => {
  const DAYS: Record<Language, string> = {
    en: 'March 1, 2026',
    de: '1. März 2026',
    fr: '1 mars 2026',
    es: '1 de marzo de 2026',
    it: '1 marzo 2026',
    pt: '1 de março de 2026',
    nl: '1 maart 2026',
    pl: '1 marca 2026',
  };
  test.each(ALL)('in %s', (language) => {
    const inUtc = plainSpaces(timeIn(language, '2026-03-01T13:05:00.000Z', null));
    expect(inUtc).toContain(DAYS[language]);
    expect(inUtc).toMatch(language === 'en' ? /1:05 PM UTC$/ : /13:05 UTC$/);
    const inBerlin = plainSpaces(timeIn(language, '2026-03-01T13:05:00.000Z', 'Europe/Berlin'));
    expect(inBerlin).toMatch(language === 'en' ? /2:05 PM \S+$/ : /14:05 \S+$/);
    expect(inBerlin).not.toContain('UTC ');
  });
});

describe('the catalogues', () => {
  let catalogues: [Language, Words][];
  beforeAll(async () => {
    catalogues = await Promise.all(
      ALL.map(async (language) => [language, await loadWords(language)] as const),
    );
  });

  const keys = Object.keys(EN) as (keyof Words)[];
  /** Letters that no sentence has by itself. */
  const NAME = isolateDirection('Qwxz');
  const valuesOf = (key: keyof Words): readonly string[] =>
    (VALUES as Record<string, readonly string[]>)[key] ?? [];
  const isNumber = (name: string): boolean => ['count', 'page', 'number'].includes(name);
  const said = (words: Words, key: keyof Words, count = 3): string => {
    const entry = words[key] as string | ((values: object) => string);
    if (typeof entry === 'string') return entry;
    return entry(Object.fromEntries(valuesOf(key).map((name) => [name, isNumber(name) ? count : NAME])));
  };
  const everySentence = (count = 3) =>
    catalogues.flatMap(([language, words]) =>
      keys.map((key) => ({
        language,
        key,
        sentence: said(words, key, count),
        english: said(EN, key, count),
      })),
    );

  test('say something everywhere, with all that they are given and nothing left open', () => {
    const isWrong = (count: number, key: keyof Words, sentence: string): boolean =>
      sentence.trim() !== sentence ||
      !/\p{L}/u.test(sentence) ||
      /[#{}$<>"']|undefined|NaN|\bnull\b|\[object|TODO|\s\s/.test(sentence) ||
      valuesOf(key).some((name) =>
        isNumber(name) ? !sentence.replaceAll(/\D/g, '').includes(`${count}`) : !sentence.includes(NAME),
      );
    for (const count of [1, 2, 5, 22, 1000])
      expect(everySentence(count).filter(({ key, sentence }) => isWrong(count, key, sentence))).toEqual([]);
  });

  test('say what English says in other words, but for a few that are the same', () => {
    const words = (text: string) => text.replace(NAME, '').split(' ').length;
    const same = everySentence().filter(
      ({ language, sentence, english }) => language !== 'en' && sentence === english,
    );
    expect(same.filter(({ english }) => words(english) > 2)).toEqual([]);
    for (const language of ALL)
      expect(same.filter((one) => one.language === language).length, language).toBeLessThan(12);
  });

  test('end sentences as English does', () => {
    const mark = (text: string) => /[.?…]$/.exec(text)?.[0];
    const differing = everySentence().filter(({ sentence, english }) => mark(sentence) !== mark(english));
    expect(differing).toEqual([]);
  });

  test('count as their language does', async () => {
    const [german, polish, french] = await Promise.all([loadWords('de'), loadWords('pl'), loadWords('fr')]);
    expect([1, 2].map((count) => german.fieldsLeft({ count }))).toEqual(['Noch 1 Feld', 'Noch 2 Felder']);
    expect([1, 2, 5, 12, 22, 25, 101].map((count) => polish.pageCount({ count }))).toEqual([
      '1 strona',
      '2 strony',
      '5 stron',
      '12 stron',
      '22 strony',
      '25 stron',
      '101 stron',
    ]);
    expect([0, 1, 2].map((count) => french.pageCount({ count }))).toEqual(['0 page', '1 page', '2 pages']);
    expect(german.reasonTooLong({ count: 2000 })).toContain('2.000 Zeichen');
  });

  test('have a new version of the consent when its words change', () => {
    const texts = catalogues.map(([language, { consent }]) => `${language}: ${consent}`).join('\n');
    const hash = createHash('sha256').update(texts).digest('hex').slice(0, 16);
    expect({ version: CONSENT_VERSION, hash }).toEqual({ version: '1', hash: 'cd78e81f0fdf9b66' });
  });

  test('do not compile with a value missing, or with one of another name', () => {
    // @ts-expect-error the sentence takes a label as well
    const missing = EN.wrongMinLength({ count: 1 });
    // @ts-expect-error its value is `count`
    const other = EN.pageCount({ pages: 1 });
    // @ts-expect-error its value is a number
    const text = EN.pageCount({ count: '1' });
    expect([missing, other, text]).toHaveLength(3);
  });
});

test.each([
  [null, null, '1500.50'],
  [1, 50, '25'],
  [100, 5000, '1500.50'],
  [0, 1, '0'],
  [0.5, 0.9, '0.7'],
  [2.25, 2.26, '2.25'],
  [0.001, 0.002, '0.001'],
  [5, 5, '5'],
  [-20, -10, '-15'],
  [2000, null, '3000'],
  [null, 10, '5'],
  [null, -10, '-15'],
  [null, 0, '0'],
])('an example for %s to %s is %s', (min_value, max_value, example) => {
  expect(exampleNumber({ min_value, max_value })).toBe(example);
});
