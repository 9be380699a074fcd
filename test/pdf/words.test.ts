// No word that poppler finds on a page is missing on its picture: what a recipient cannot see they must not sign.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { shown } from '../support/documents/pixels.ts';
import { byGlyphName, byGlyphNumber, linesPdf, standard } from '../support/documents/unembedded-fonts.ts';
import { readWords, wordsWithoutInk } from '../support/documents/words.ts';
import { SLOW } from '../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus } from '../support/tools.ts';

const corpusFolder = join(CORPUS, 'py-pdf-sample-files');
const all = existsSync(corpusFolder) ? readdirSync(corpusFolder).filter((name) => name.endsWith('.pdf')) : [];
// In the short tier: two scripts, a form, fonts of type 3, standard fonts, each in a moment.
const SHORT = [
  'habibi-rotated.pdf',
  'libreoffice-form.pdf',
  'pdflatex-forms.pdf',
  'reportlab-overlay.pdf',
  'pdfkit.pdf',
];
const UNREADABLE = ['libreoffice-writer-password.pdf', 'unreadablemetadata.pdf'];
const files = all.filter((name) => !UNREADABLE.includes(name) && (SLOW || SHORT.includes(name)));
const pages = { first: 1, last: SLOW ? 1000 : 2 };

// Two signs of an integral, which TeX's font draws beside the box that poppler takes for it.
const BESIDE = ['GeoTopo-komprimiert.pdf page 99: Z', 'GeoTopo-komprimiert.pdf page 99: Z'];

const corpus = needsCorpus();
const poppler = needsCommand('pdftotext');
const skip = corpus.skip || poppler.skip;

const scratch = mkdtempSync(join(tmpdir(), 'esign-words-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe.skipIf(skip)(`words of the corpus${corpus.why}${poppler.why}`, () => {
  test.each(files)('all have ink where they are: %s', { timeout: 240_000 }, async (name) => {
    const path = join(corpusFolder, name);
    expect((await missingWords(path, name)).filter((word) => !BESIDE.includes(word))).toEqual([]);
  });
});

test.skipIf(poppler.skip)(`words whose font is not in the file${poppler.why}`, async () => {
  const words = ['Живот', 'Ωμέγα', 'Čeština', 'tiếng', 'हम', 'שלום', 'عقد'];
  const lines = [standard('Plain'), ...words.flatMap((word) => [byGlyphName(word), byGlyphNumber(word)])];
  const path = join(scratch, 'lines.pdf');
  writeFileSync(path, linesPdf(lines));
  expect(readWords(path, pages)[0]!.words).toHaveLength(lines.length);
  expect(await missingWords(path, 'lines.pdf')).toEqual([]);
});

async function missingWords(path: string, name: string): Promise<string[]> {
  const bytes = readFileSync(path);
  const missing: string[] = [];
  for (const [index, page] of readWords(path, pages).entries()) {
    if (page.words.length === 0) continue;
    const words = wordsWithoutInk(page, await shown(bytes, index, 100));
    missing.push(...words.map((word) => `${name} page ${index + 1}: ${word}`));
  }
  return missing;
}
