// Reads the letters and words of a page, with the box of each letter.
import { type Box, boxOfRect } from '../geometry.ts';
import { DOCUMENT_LIMITS, SPACE_LIMITS } from '../limits.ts';
import type { OpenPage } from '../render/open-page.ts';
import { type Pdfium, withMemory } from '../render/pdfium.ts';
import { letterOf } from '../text/characters.ts';

/** `text` is a space between words, and empty where nothing is shown. PDFium puts in letters that have no box. */
export type Letter = { text: string; box?: Box };

export type Word = { text: string; boxes: Box[] };

/** Without a letter or a digit it is none: the line of underscores or dots that a field is meant to stand on. */
const READABLE = /[\p{L}\p{N}]/u;

/** As much of a word as is said of it. */
export const shortWord = ({ text }: Word): string => [...text].slice(0, SPACE_LIMITS.wordLength).join('');

/** In reading order. */
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

/** In reading order. */
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

/** Four numbers of 64 bits. */
const BOX_BYTES = 32;

/** What is drawn of the character, which is less than its line is high. */
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
