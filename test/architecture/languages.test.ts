// The built program has the words of each language in a file of its own, and loads only the one that somebody reads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isLanguage, LANGUAGES, wordsOf } from '../../src/service/web/sign/language.ts';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** Sentences that the build leaves as they are written. */
const isPlain = (entry: unknown): entry is string =>
  typeof entry === 'string' && /^[A-Z][a-z]+( [a-z]+){2,}$/.test(entry);

test('every language is a file of its own', async () => {
  const names = Object.keys(JSON.parse(await readFile(join(dist, 'contents.json'), 'utf8')));
  const scripts = await Promise.all(
    names.map(async (name) => ({ name, text: await readFile(join(dist, name), 'utf8') })),
  );
  const languages = Object.keys(LANGUAGES).filter(isLanguage);
  const found = await Promise.all(
    languages.map(async (language) => {
      const sentences = Object.values(await wordsOf(language)).filter(isPlain);
      expect(sentences.length).toBeGreaterThan(3);
      const holding = scripts.filter(({ text }) => sentences.every((sentence) => text.includes(sentence)));
      return holding.map(({ name }) => name);
    }),
  );
  expect(found.map((files) => files.length)).toEqual(languages.map(() => 1));
  expect(new Set(found.flat()).size).toBe(languages.length);
});
