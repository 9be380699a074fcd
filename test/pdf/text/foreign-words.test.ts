// Every long word that two foreign programs see at one place of a real file is there for us as well. They and PDFium share no code that finds
// text. Tolerance: beginnings within a point of each other, and boxes that overlap from top to bottom, because each program has heights of its own.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, describe, expect, test } from 'vitest';
import type { Box } from '../../../src/pdf/geometry.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { findWords } from '../../../src/pdf/text/find-words.ts';
import { listWords } from '../../../src/pdf/text/page-words.ts';
import { readWords, readWordsByMutool, type Word } from '../../support/documents/words.ts';
import { SLOW } from '../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus, unmet } from '../../support/tools.ts';

const LONG = 10;
/** It is in points. */
const NEAR = 1;
/** Of the words that one judge sees, the other may see so many elsewhere or in another way. */
const DISAGREED = 0.01;

/** The judges disagree about each of these words: about the order of letters that run from right to left, and where a word ends beside them. */
const DISAGREED_IN: Record<string, number> = {
  'habibi.pdf': 1,
  'habibi-oneline-cmap.pdf': 1,
  'habibi-rotated.pdf': 4,
};

const folder = join(CORPUS, 'py-pdf-sample-files');
const files = SLOW && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : [];
const needs = unmet(needsCorpus(), needsCommand('pdftotext'), needsCommand('mutool'));

const scratch = mkdtempSync(join(tmpdir(), 'esign-foreign-words-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const compared = (text: string): string => text.normalize('NFKC').replaceAll('\u00ad', '-');
const isLong = ({ text }: Word): boolean => (compared(text).match(/\p{L}/gu) ?? []).length >= LONG;

type Sides = Omit<Word, 'text'>;
type Turn = 0 | 90 | 180 | 270;

/** A word begins on this side, by how far it is turned clockwise. */
const BEGINNING = { 0: 'left', 90: 'top', 180: 'right', 270: 'bottom' } as const;

const isAt = (first: Sides, other: Sides, turn: Turn): boolean =>
  Math.abs(first[BEGINNING[turn]] - other[BEGINNING[turn]]) <= NEAR &&
  first.left < other.right &&
  first.right > other.left &&
  first.top < other.bottom &&
  first.bottom > other.top;

const sidesOf = ({ x, y, width, height }: Box): Sides => ({
  left: x,
  top: y,
  right: x + width,
  bottom: y + height,
});

type Judged = { agreed: number; disagreed: string[]; missing: string[] };

async function judge(path: string, turn: Turn = 0): Promise<Judged> {
  const judged: Judged = { agreed: 0, disagreed: [], missing: [] };
  const bytes = readFileSync(path);
  const inspected = await inspectPdf(bytes, { maxPages: 1000 });
  if (!inspected.ok) return judged;
  const pdf = inspected.repaired ?? bytes;
  const listed = await listWords(pdf, { from: 0, to: inspected.pages.length });
  if (!listed.ok) throw new Error(listed.limit);
  const byMutool = readWordsByMutool(path);
  const pages = readWords(path, { first: 1, last: inspected.pages.length }, ['-cropbox']);
  expect(byMutool).toHaveLength(pages.length);
  const common: { page: number; word: Word }[] = [];
  for (const [page, { words }] of pages.entries())
    for (const word of words.filter(isLong))
      if (byMutool[page]!.words.some((item) => isSame(word, item, turn))) common.push({ page, word });
      else judged.disagreed.push(nameOf(page, word));
  for (const { page, word } of common) {
    const isOurs = listed.words.some(
      (item) =>
        item.page === page && compared(item.text) === compared(word.text) && isAt(word, sidesOf(item), turn),
    );
    if (isOurs) judged.agreed += 1;
    else judged.missing.push(nameOf(page, word));
  }
  judged.missing.push(...(await notFound(pdf, inspected.pages.length, common, turn)));
  return judged;
}

const nameOf = (page: number, { text, left, top }: Word): string =>
  `page ${page + 1}, ${left.toFixed(1)} ${top.toFixed(1)}: ${text}`;

const isSame = (word: Word, other: Word, turn: Turn): boolean =>
  compared(other.text) === compared(word.text) && isAt(word, other, turn);

const MOST_SOUGHT = 100;

/** Lists the words, some of very many, that are not found where they are. */
async function notFound(
  pdf: Uint8Array,
  pageCount: number,
  common: readonly { page: number; word: Word }[],
  turn: Turn,
): Promise<string[]> {
  const step = Math.ceil(common.length / MOST_SOUGHT);
  const sought = common.filter((_, index) => index % step === 0);
  const queries = sought.map(({ page, word }) => ({ text: word.text, page }));
  const result = await findWords(pdf, { from: 0, to: pageCount }, queries);
  if (!result.ok) throw new Error(result.reason);
  return sought.flatMap(({ page, word }, index) => {
    const boxes = result.results[index]!.matches.map((match) => match.boxes[0]!);
    return boxes.some((box) => isAt(word, sidesOf(box), turn)) ? [] : [nameOf(page, word)];
  });
}

const seenIn = new Map<string, number>();

describe.skipIf(!SLOW || needs.skip)(`long words that two judges see${needs.why}`, () => {
  test.each(files)('are at the same place for us: %s', async (name) => {
    const { agreed, disagreed, missing } = await judge(join(folder, name));
    seenIn.set(name, agreed);
    expect(missing).toEqual([]);
    const most = DISAGREED_IN[name] ?? (agreed + disagreed.length) * DISAGREED;
    expect(disagreed.length, disagreed.join('\n')).toBeLessThanOrEqual(most);
  });

  test.each(
    [
      'multicolumn.pdf',
      'pdflatex-4-pages.pdf',
      'mistitled_outlines_example.pdf',
      '002-trivial-libre-office-writer.pdf',
    ].flatMap((name) => ([90, 180, 270] as const).map((turn) => [name, turn] as const)),
  )('are at the same place in %s, turned by %d degrees and cropped', async (name, turn) => {
    const document = await PDFDocument.load(readFileSync(join(folder, name)), { updateMetadata: false });
    for (const page of document.getPages()) {
      const { x, y, width, height } = page.getMediaBox();
      page.setCropBox(x + 30, y + 17, width - 70, height - 40);
      page.setRotation(degrees(turn));
    }
    const path = join(scratch, `${turn}-${name}`);
    writeFileSync(path, await document.save());
    const { agreed, disagreed, missing } = await judge(path, turn);
    expect(agreed).toBeGreaterThan(3);
    expect(missing).toEqual([]);
    expect(disagreed).toEqual([]);
  });

  test('are two thousand', () => {
    if (seenIn.size < files.length) return;
    expect([...seenIn.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2000);
  });
});
