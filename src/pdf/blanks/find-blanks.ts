// Finds the lines of pages that are there to be written on: rules, underscores and dots with nothing on them. The words of their
// pages come with them, because only these tell what is asked for.
import { type Box, displayedPage, type Size } from '../geometry.ts';
import { BLANK_LIMITS } from '../limits.ts';
import { type OpenPage, withPage } from '../render/open-page.ts';
import { type Pdfium, withDocument } from '../render/pdfium.ts';
import { userUnitsOf } from '../render/user-unit.ts';
import type { PageRange } from '../text/find-words.ts';
import { withLetters } from '../text/page-letters.ts';
import type { TooComplex } from '../too-complex.ts';
import { readDrawnLines } from './drawn-lines.ts';
import { type Blank, emptyLines, type Rule } from './empty-lines.ts';
import { type PageWord, splitLetters } from './written-lines.ts';

/** `rules`: lines that are filled in, and borders. `words`: without the underscores and dots that are blanks, in reading order. */
export type PageBlanks = { page: number; blanks: Blank[]; rules: Rule[]; words: PageWord[] };

/** The first pages, and all others that have a blank. */
export type BlanksFound = { ok: true; pages: PageBlanks[] } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findBlanks(bytes: Uint8Array, pages: PageRange): Promise<BlanksFound> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const found: PageBlanks[] = [];
      for (let page = pages.from; page < pages.to; page += 1)
        withPage(pdfium, document, { pageIndex: page, unit: units(page) }, (open) => {
          const here = blanksOf(pdfium, open);
          if (here.blanks.length > 0 || page < BLANK_LIMITS.firstPages) found.push({ page, ...here });
        });
      return found;
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, pages: opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

function blanksOf(pdfium: Pdfium, open: OpenPage): Omit<PageBlanks, 'page'> {
  const drawn = readDrawnLines(pdfium, open);
  const { words, written } = withLetters(pdfium, open, splitLetters);
  const size: Size = displayedPage(open.geometry);
  const { blanks, rules } = emptyLines({ drawn, written, words, page: size });
  return {
    blanks: blanks.map((blank) => ({
      ...roundedRule(blank),
      room: hundredths(blank.room),
      isCell: blank.isCell,
    })),
    rules: rules.map(roundedRule),
    words: words.map((word) => ({ text: word.text, ...roundedBox(word) })),
  };
}

const hundredths = (points: number): number => Math.round(points * 100) / 100;

const roundedRule = ({ x, y, width }: Rule): Rule => ({
  x: hundredths(x),
  y: hundredths(y),
  width: hundredths(width),
});

const roundedBox = ({ x, y, width, height }: Box): Box => ({
  x: hundredths(x),
  y: hundredths(y),
  width: hundredths(width),
  height: hundredths(height),
});
