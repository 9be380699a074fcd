// Reads the words of a page that lie under boxes. What says nothing without a letter or a digit is no word: the line of
// underscores or dots that a field is meant to stand on.
import { type Box, boxOfRect } from '../geometry.ts';
import { DOCUMENT_LIMITS, SPACE_LIMITS } from '../limits.ts';
import { type OpenPage, withPage } from '../open-page.ts';
import { type Pdfium, withDocument, withMemory } from '../pdfium.ts';
import { letterOf } from '../text-layer.ts';
import type { TooComplex } from '../too-complex.ts';
import { userUnitsOf } from '../user-unit.ts';

/** Of each box the words under it, in reading order; at most as many as are named. */
export type CoveredText = { ok: true; words: string[][] } | TooComplex;

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findCoveredText(
  bytes: Uint8Array,
  pageIndex: number,
  boxes: readonly Box[],
): Promise<CoveredText> {
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const unit = userUnitsOf(pdfium, document, bytes)(pageIndex);
      return withPage(pdfium, document, { pageIndex, unit }, (page) => wordsOf(pdfium, page));
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

/** Whether the two lie on one another. */
export const isCovered = (box: Box, other: Box): boolean =>
  box.x + TOUCHING < other.x + other.width &&
  other.x + TOUCHING < box.x + box.width &&
  box.y + TOUCHING < other.y + other.height &&
  other.y + TOUCHING < box.y + box.height;

type Word = { text: string; boxes: Box[] };

const READABLE = /[\p{L}\p{N}]/u;

function wordsUnder(box: Box, words: readonly Word[]): string[] {
  return words
    .filter(({ text, boxes }) => READABLE.test(text) && boxes.some((one) => isCovered(box, one)))
    .slice(0, SPACE_LIMITS.words)
    .map(({ text }) => [...text].slice(0, SPACE_LIMITS.wordLength).join(''));
}

function wordsOf(pdfium: Pdfium, open: OpenPage): Word[] {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return [];
  try {
    const count = Math.min(pdfium.FPDFText_CountChars(text), DOCUMENT_LIMITS.textCharacters);
    return withMemory(pdfium, BOX_BYTES, (pointer) => {
      const words: Word[] = [];
      let word: Word = { text: '', boxes: [] };
      for (let index = 0; index <= count; index += 1) {
        const letter = index < count ? letterOf(pdfium, text, index) : ' ';
        if (letter.trim() === '' && letter !== '') {
          if (word.text !== '') words.push(word);
          word = { text: '', boxes: [] };
          continue;
        }
        word.text += letter;
        const box = letter === '' ? undefined : boxOfCharacter(pdfium, open, text, { index, pointer });
        if (box) word.boxes.push(box);
      }
      return words;
    });
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

/** Four numbers of 64 bits. */
const BOX_BYTES = 32;

/** What is drawn of the character, which is less than its line is high. */
function boxOfCharacter(
  pdfium: Pdfium,
  { geometry }: OpenPage,
  text: number,
  { index, pointer }: { index: number; pointer: number },
): Box | undefined {
  const places = [0, 8, 16, 24].map((position) => pointer + position);
  const [left = 0, right = 0, bottom = 0, top = 0] = places;
  if (!pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)) return undefined;
  const number = (place: number) => pdfium.pdfium.getValue(place, 'double');
  const rect = { left: number(left), right: number(right), bottom: number(bottom), top: number(top) };
  return boxOfRect(geometry, rect);
}
