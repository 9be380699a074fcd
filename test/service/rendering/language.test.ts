// The files of words: every language has what English has, with the same placeholders, and the plural forms that it needs.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isLanguage, LANGUAGES } from '../../../src/api/contract/languages.ts';
import { VALUES as OF_MAILS } from '../../../src/service/mail/words.ts';
import { type PluralForms, sentencesOf } from '../../../src/service/rendering/language.ts';
import { VALUES as OF_PAGES } from '../../../src/service/web/sign/words.ts';

type Text = string | PluralForms;

const FILES = { 'mail/words': OF_MAILS, 'web/sign/words': OF_PAGES };

const ROWS = Object.entries(FILES).flatMap(([folder, values]) =>
  Object.keys(LANGUAGES)
    .filter(isLanguage)
    .map((language) => ({
      folder,
      language,
      values: new Map<string, readonly string[]>(Object.entries(values)),
    })),
);

async function read(folder: string, language: string): Promise<Record<string, Text>> {
  const path = new URL(`../../../src/service/${folder}/${language}.json`, import.meta.url);
  return JSON.parse(await readFile(path, 'utf8'));
}

const placeholdersOf = (text: string): string[] => (text.match(/[{}#]\w*\}?/g) ?? []).sort();

/** Numbers that occur in sentences are whole and far below. */
const MOST = 10_000;

function categoriesOf(language: string): { needed: Set<string>; allowed: Set<string> } {
  const rules = new Intl.PluralRules(language);
  const counts = Array.from({ length: MOST }, (_, count) => rules.select(count));
  return {
    needed: new Set([...counts, 'other']),
    allowed: new Set(rules.resolvedOptions().pluralCategories),
  };
}

describe.each(ROWS)('$folder, $language', ({ folder, language, values }) => {
  test('has the keys of English in their order', async () => {
    expect(Object.keys(await read(folder, language))).toEqual(Object.keys(await read(folder, 'en')));
  });

  test('has the values of each sentence, each in every form', async () => {
    for (const [key, text] of Object.entries(await read(folder, language))) {
      const names = (values.get(key) ?? []).map((name) => `{${name}}`);
      const counted = names.map((name) => (name === '{count}' ? '#' : name));
      if (typeof text === 'string') expect([key, placeholdersOf(text)]).toEqual([key, names.sort()]);
      else
        for (const form of Object.values(text))
          expect([key, placeholdersOf(form)]).toEqual([key, counted.sort()]);
    }
  });

  test('has the plural forms that the language needs, where English has forms', async () => {
    const english = await read(folder, 'en');
    const { needed, allowed } = categoriesOf(language);
    for (const [key, text] of Object.entries(await read(folder, language))) {
      expect([key, typeof text]).toEqual([key, typeof english[key]]);
      if (typeof text === 'string') continue;
      expect([key, [...needed].filter((category) => !(category in text))]).toEqual([key, []]);
      expect([key, Object.keys(text).filter((category) => !allowed.has(category))]).toEqual([key, []]);
    }
  });
});

describe('a value', () => {
  type English = { hello: string; pages: { one: string; other: string } };
  const NAMES = { hello: ['name', 'other'], pages: ['count', 'name'] } as const;
  const words = sentencesOf<English, typeof NAMES>(
    'en',
    { hello: '{name} and {other} in # {}', pages: { one: '# page of {name}', other: '# pages of {name}' } },
    NAMES,
  );

  test('is put in as it is, and is not searched for placeholders', () => {
    expect(words.hello({ name: '{other} $& #', other: '{name}' })).toBe('{other} $& # and {name} in # {}');
    expect(words.pages({ count: 2000, name: '# {count}' })).toBe('2,000 pages of # {count}');
    expect(words.pages({ count: 1, name: 'Ada' })).toBe('1 page of Ada');
  });
});
