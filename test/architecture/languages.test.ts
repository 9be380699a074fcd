// The built program has the words of each language in a module of its own, and loads only the language that is used.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLanguage, LANGUAGES, type Language } from '../../src/api/contract/languages.ts';
import { loadMailWords } from '../../src/service/mail/words.ts';
import { loadWords } from '../../src/service/web/sign/words.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** Whether the build leaves a sentence unchanged. */
const isPlain = (entry: unknown): entry is string =>
  typeof entry === 'string' && /^[A-Z][a-z]+( [a-z]+)+$/.test(entry);

/** Signing pages and mail have the same languages; the English of mail is loaded with every commit that writes one. */
const CATALOGUES = {
  'signing pages': { wordsOf: loadWords, isIn: () => true },
  mail: { wordsOf: loadMailWords, isIn: (language: Language) => language !== 'en' },
};

const FOLDERS = { 'signing pages': 'service/web/sign/words', mail: 'service/mail/words' };

/** The beginning of a module that runs when it is imported: a function with its name. */
const BEGIN = /"((?:src|node_modules)\/[^"]+|as-one:[^"]+)"\(/g;

/** All bundles of the program; those of earlier builds lie beside them for a day. */
async function textOfProgram(): Promise<string> {
  const built = Object.keys(JSON.parse(await readFile(join(dist, 'contents.json'), 'utf8')));
  const names = built.filter((name) => /^(main|(local|verify|rare)-\w+)\.cjs$/.test(name));
  return (await Promise.all(names.map((name) => readFile(join(dist, name), 'utf8')))).join('\n');
}

test.each(Object.entries(CATALOGUES))(
  'every language of %s is a module of its own',
  async (about, catalogue) => {
    const text = await textOfProgram();
    const begins = [...text.matchAll(BEGIN)];
    const moduleAt = (place: number) => begins.findLast(({ index }) => index < place)?.[1];
    const languages = Object.keys(LANGUAGES).filter(isLanguage).filter(catalogue.isIn);
    for (const language of languages) {
      const sentences = Object.values<unknown>(await catalogue.wordsOf(language)).filter(isPlain);
      expect(sentences.length).toBeGreaterThan(1);
      const expected = `src/${FOLDERS[about as keyof typeof FOLDERS]}/${language}.json`;
      const isThere = sentences.some((sentence) => moduleAt(text.indexOf(sentence)) === expected);
      expect(isThere, `${about} ${language}`).toBe(true);
    }
  },
);
