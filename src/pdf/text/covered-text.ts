// Reads the words of a page that lie under boxes.
import { type Box, boxOfRect } from '../geometry.ts';
import { DOCUMENT_LIMITS, SPACE_LIMITS, type TooComplex } from '../limits.ts';
import { type OpenPage, userUnitsOf, withPage } from '../read/open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../read/pdfium.ts';
import { letterOf } from './characters.ts';

/** The words in the places of `except` are meant to be under the box. */
export type CoveringBox = Box & { except?: readonly Box[] | undefined };

/** `words` lists for each box the words under it, in reading order; at most as many as are named. */
export type CoveredText = { ok: true; words: string[][] } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findCoveredText(
  bytes: Uint8Array,
  pageIndex: number,
  boxes: readonly CoveringBox[],
): Promise<CoveredText> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => wordsOfPage(pdfium, page));
    },
    { wasAccepted: true },
  );
  if (opened.ok) return { ok: true, words: boxes.map((box) => wordsUnder(box, opened.value)) };
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

/** Boxes that only touch letters, or reach into the space above a line, cover nothing. */
const TOUCHING = 1;

const isCovered = (box: Box, other: Box): boolean =>
  box.x + TOUCHING < other.x + other.width &&
  other.x + TOUCHING < box.x + box.width &&
  box.y + TOUCHING < other.y + other.height &&
  other.y + TOUCHING < box.y + box.height;

function wordsUnder({ except = [], ...box }: CoveringBox, words: readonly Word[]): string[] {
  const isMeant = (letter: Box) => except.some((item) => isCovered(item, letter));
  return words
    .filter(({ boxes }) => boxes.some((item) => isCovered(box, item) && !isMeant(item)))
    .slice(0, SPACE_LIMITS.words)
    .map(shortWord);
}

/** `text` is a space between words, and empty where nothing is shown. PDFium puts in letters that have no box. */
export type Letter = { text: string; box?: Box };

export type Word = { text: string; boxes: Box[] };

/** A word without a letter or a digit is none: the line of underscores or dots that a field is meant to stand on. */
const READABLE = /[\p{L}\p{N}]/u;

/** A sentence names this much of a word. */
export const shortWord = ({ text }: Word): string => [...text].slice(0, SPACE_LIMITS.wordLength).join('');

/** Lists the words of a page in reading order. */
export function wordsOfPage(pdfium: Pdfium, open: OpenPage): Word[] {
  const words: Word[] = [];
  let word: Word = { text: '', boxes: [] };
  for (const { text, box } of [...lettersOf(pdfium, open), { text: ' ', box: undefined }]) {
    if (text.trim() === '' && text !== '') {
      if (READABLE.test(word.text)) words.push(word);
      word = { text: '', boxes: [] };
      continue;
    }
    word.text += text;
    if (text !== '' && box) word.boxes.push(box);
  }
  return words;
}

/** Lists the letters of a page in reading order. */
export function lettersOf(pdfium: Pdfium, open: OpenPage): Letter[] {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return [];
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), DOCUMENT_LIMITS.textCharacters);
    return withMemory(pdfium, BOX_BYTES, (pointer) =>
      Array.from({ length: count }, (_, index) => {
        const box = boxOfCharacter(pdfium, open, text, { index, pointer });
        return { text: letterOf(pdfium, text, index), ...(box && { box }) };
      }),
    );
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** A box has four numbers of 64 bits. */
const BOX_BYTES = 32;

/** The box surrounds what is drawn of the character, which is less than its line is high. */
function boxOfCharacter(
  pdfium: Pdfium,
  { geometry }: OpenPage,
  text: number,
  { index, pointer }: { index: number; pointer: number },
): Box | undefined {
  if (!pdfium.FPDFText_GetCharBox(text, index, pointer, pointer + 8, pointer + 16, pointer + 24))
    return undefined;
  const { HEAPF64 } = pdfium.pdfium;
  const first = pointer >> 3;
  return boxOfRect(geometry, {
    left: HEAPF64[first]!,
    right: HEAPF64[first + 1]!,
    bottom: HEAPF64[first + 2]!,
    top: HEAPF64[first + 3]!,
  });
}
