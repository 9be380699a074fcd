// Comments, identifiers, titles of tests and decisions are in plain words, what does something is called by a verb, and an exported name exists
// once (CONTRIBUTING.md).
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SLOW } from '../support/tier.ts';
import { actionsOf, BANNED, exportsOf, isNoVerb, phrasesOf } from './plain-words.ts';

const ROOT = new URL('../../', import.meta.url);
const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}${name}`);
const textOf = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');

const sources = filesIn('src/', /\.ts$/);
const all = [...sources, ...filesIn('test/', /\.[tj]s$/), ...filesIn('scripts/', /\.js$/)];
/** Where the words themselves stand. */
const ABOUT_WORDS = ['test/architecture/plain-words.ts', 'test/architecture/plain-words.test.ts'];

describe('the words', () => {
  test.skipIf(!SLOW)('of comments, identifiers and titles are plain', () => {
    const found = all
      .filter((path) => !ABOUT_WORDS.includes(path))
      .flatMap((path) =>
        phrasesOf(textOf(path))
          .filter(({ text }) => BANNED.test(text))
          .map(({ line, text }) => `${path}:${line} "${BANNED.exec(text)?.[0]}" in: ${text}`),
      );
    expect(found).toEqual([]);
  });

  test('of decisions are plain', () => {
    const pages = [
      ...filesIn('src/decisions/', /\.md$/),
      'src/README.md',
      '.github/CONTRIBUTING.md',
      'test/README.md',
    ];
    expect(pages.length).toBeGreaterThan(30);
    const found = pages.flatMap((path) =>
      textOf(path)
        .split('\n')
        .flatMap((line, index) =>
          BANNED.test(line) ? `${path}:${index + 1} "${BANNED.exec(line)?.[0]}"` : [],
        ),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['a comment', 'one();\n// Tells somebody.\ntwo();'],
    ['a comment over two lines', '\n/**\n * What is left\n * out.\n */\nexport const one = 1;'],
    ['a comment behind a statement', '\none(); // for nobody\n'],
    ['the last comment', '\n// for nobody\n'],
    ['an identifier', '\nconst leftOut = 1;'],
    ['a constant', '\nconst CUT_OFF = 1;'],
    ['a title', "\ntest('is told apart', () => undefined);"],
  ])('are found in %s', (_, source) => {
    const found = phrasesOf(source).filter(({ text }) => BANNED.test(text));
    expect(found.map(({ line }) => line)).toEqual([2]);
  });

  test('may stand in other texts', () => {
    const source = "const colourful = say('for somebody'); // a colourful one";
    expect(phrasesOf(source).filter(({ text }) => BANNED.test(text))).toEqual([]);
  });
});

describe('a function that does something', () => {
  test.skipIf(!SLOW)('is called by a verb', () => {
    const found = sources.flatMap((path) =>
      actionsOf(textOf(path))
        .filter(({ name }) => isNoVerb(name))
        .map(({ name, line }) => `${path}:${line} ${name}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['async function fetched() {}', ['fetched']],
    ['const kept = async () => {};', ['kept']],
    ['function untold(): void {}', ['untold']],
    ['const whatIsLeft = function (): Promise<number> { return one(); };', ['whatIsLeft']],
    ['const sorted = (list: number[]) => [...list].sort();', []],
  ])('is found: %s', (source, names) => {
    expect(actionsOf(source).map(({ name }) => name)).toEqual(names);
  });

  test('is called by a verb that ends like a participle', () => {
    expect(['embedFont', 'seedStore', 'fetchedFont', 'keptOne', 'whileBusy'].map(isNoVerb)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('an exported name', () => {
  /** What each file of a kind has under the same name: commands, the languages of pages and mails, error catalogues by the same topic. */
  const SHARED = /^(?:command|ARGUMENTS|OPTIONS|[A-Z]{2})$/;

  /** Declare for programs what other files declare for us: the sources of scripts/declarations.js. */
  const PUBLISHED =
    /^src\/(?:service\/published|testing\/sandbox|client\/(?:contract|create-client|errors|options|verify-webhook))\.ts$/;

  test('exists once', () => {
    const places = new Map<string, string[]>();
    for (const path of sources.filter((one) => !PUBLISHED.test(one)))
      for (const name of exportsOf(textOf(path))) places.set(name, [...(places.get(name) ?? []), path]);
    const twice = [...places].filter(([name, paths]) => paths.length > 1 && !SHARED.test(name));
    expect(twice).toEqual([]);
  });

  test('is counted once in a file that declares it several times', () => {
    const source =
      'export function one(): void;\nexport function one(two?: number): void {}\nexport type Two = 1;';
    expect(exportsOf(source)).toEqual(['one', 'Two']);
  });
});
