// Finds texts in double braces on a page, as PDFium reads it, and tells which of its characters they are.
import type { Box } from '../geometry.ts';
import { REMOVAL_LIMITS, type TooComplex } from '../limits.ts';
import { type OpenPage, userUnitsOf, withPage } from '../read/open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../read/pdfium.ts';
import { boxAround, type CharacterBox, characterReader, letterOf, MEMORY_BYTES } from './characters.ts';
import type { PageRange } from './find-words.ts';
import { around, isSameLine } from './lines.ts';

/** A line end in a text in double braces is a line feed. */
export type BracedText = {
  /** It has the braces. */
  text: string;
  /** It has the part on each line that the text is on, in displayed points. */
  boxes: Box[];
  /** PDFium counts its first character, and the one behind its last, so. */
  from: number;
  to: number;
};

/** PDFium reads a letter, or puts a space or the end of a line between letters. */
type Letter = { text: string; isGenerated: boolean };

/** `unfinished` are the beginnings of texts whose end is not on the page. */
type BracedOnPage = { texts: BracedText[]; unfinished: string[] };

/** @param text the text page of the open page */
export function findBracedTexts(pdfium: Pdfium, text: number, open: OpenPage): BracedOnPage {
  const count = Math.min(pdfium.FPDFText_CountChars(text), REMOVAL_LIMITS.characters);
  const letters = Array.from(
    { length: count },
    (_, index): Letter => ({
      text: letterOf(pdfium, text, index),
      isGenerated: pdfium.FPDFText_IsGenerated(text, index) === 1,
    }),
  );
  const { ranges, unfinished } = bracedRanges(letters);
  const beginnings = unfinished.map((at) => textOf(letters.slice(at, at + SHOWN_LETTERS)));
  if (ranges.length === 0) return { texts: [], unfinished: beginnings };
  const texts = withMemory(pdfium, MEMORY_BYTES, (pointer) => {
    const readAt = characterReader(pdfium, text, open, pointer);
    return ranges.flatMap(({ from, to }) => {
      const places = Array.from({ length: to - from }, (_, at) => readAt(from + at)).flatMap((item) =>
        item !== 'hidden' && item.place ? [item.place] : [],
      );
      const boxes = linesOf(places).map(boxAround);
      return boxes.length === 0 ? [] : [{ from, to, boxes, text: textOf(letters.slice(from, to)) }];
    });
  });
  return { texts, unfinished: beginnings };
}

const SHOWN_LETTERS = 40;

const textOf = (letters: readonly Letter[]): string => letters.map(({ text }) => text).join('');

function linesOf(places: readonly CharacterBox[]): CharacterBox[] {
  const lines: CharacterBox[] = [];
  for (const place of places) {
    const line = lines.at(-1);
    if (line && isSameLine(line, place)) lines[lines.length - 1] = around(line, place);
    else lines.push(place);
  }
  return lines;
}

type Range = { from: number; to: number };

/**
 * Two braces belong together with nothing but what PDFium puts between them, and a text in braces has none in it.
 * @returns the texts, and where those begin that have no end
 */
function bracedRanges(letters: readonly Letter[]): { ranges: Range[]; unfinished: number[] } {
  const ranges: Range[] = [];
  const unfinished: number[] = [];
  let start: number | undefined;
  for (let index = 0; index < letters.length; index += 1) {
    const { text } = letters[index]!;
    if (start !== undefined && text === '\\') {
      index += 1;
      continue;
    }
    if (text !== '{' && text !== '}') continue;
    const next = nextLetter(letters, index);
    if (letters[next]?.text !== text) {
      start = undefined;
      continue;
    }
    if (text === '{') {
      if (start !== undefined) unfinished.push(start);
      start = index;
    } else if (start !== undefined) {
      if (next - start < REMOVAL_LIMITS.tagCharacters) ranges.push({ from: start, to: next + 1 });
      start = undefined;
    }
    index = next;
  }
  if (start !== undefined) unfinished.push(start);
  return { ranges, unfinished };
}

function nextLetter(letters: readonly Letter[], index: number): number {
  let next = index + 1;
  while (letters[next]?.isGenerated || letters[next]?.text === '') next += 1;
  return next;
}

/** `index` is the position among the texts in double braces of its page, from 0. */
export type ListedBraced = { page: number; index: number; text: string; boxes: Box[] };

/** The end of the text is not on its page. */
type UnfinishedBraced = { page: number; text: string };

export type BracedListed =
  | { ok: true; texts: ListedBraced[]; unfinished: UnfinishedBraced[]; isCut: boolean }
  | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function listBraced(bytes: Uint8Array, pages: PageRange): Promise<BracedListed> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const texts: ListedBraced[] = [];
      const unfinished: UnfinishedBraced[] = [];
      for (let page = pages.from; page < pages.to && texts.length <= REMOVAL_LIMITS.tags; page += 1)
        withPage(pdfium, document, { pageIndex: page, unit: units(page) }, (open) => {
          const braced = withTextPage(pdfium, open, (text) => findBracedTexts(pdfium, text, open));
          for (const [index, { text, boxes }] of braced?.texts.entries() ?? [])
            texts.push({ page, index, text, boxes });
          for (const text of braced?.unfinished ?? []) unfinished.push({ page, text });
        });
      return {
        texts: texts.slice(0, REMOVAL_LIMITS.tags),
        unfinished: unfinished.slice(0, REMOVAL_LIMITS.tags),
        isCut: texts.length > REMOVAL_LIMITS.tags,
      };
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, ...opened.value };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

/** Opens the text of a page around `use`. Returns undefined where PDFium cannot. */
export function withTextPage<T>(pdfium: Pdfium, open: OpenPage, use: (text: number) => T): T | undefined {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return undefined;
  try {
    return use(text);
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}
