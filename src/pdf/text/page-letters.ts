// Reads the letters of a page in the order in which they are read, each with its place on request: places cost more than
// letters, and only those of words that are found are needed.

import { runsFromRight } from '../fonts/runs.ts';
import { FIND_LIMITS } from '../limits.ts';
import type { OpenPage } from '../read/open-page.ts';
import { type Pdfium, withMemory } from '../read/pdfium.ts';
import { type CharacterBox, characterReader, letterOf, MEMORY_BYTES } from './characters.ts';
import { columnsInReadingOrder, isMixedLine, isSameLine, type LineItem } from './lines.ts';

/**
 * The text of a page has letters; spaces of the page; gaps that PDFium reads as spaces; gaps between columns, where they are known; ends of
 * lines; and hyphens that break words at the end of a line.
 */
export type LetterKind = 'letter' | 'space' | 'gap' | 'column' | 'line' | 'hyphen';

export type PageLetter = Readonly<{ text: string; kind: LetterKind }>;

export type PageLetters = {
  letters: readonly PageLetter[];
  /** The page has more letters than are read. */
  isCut: boolean;
  /** Returns where a letter is on the page as it is displayed; undefined for one that is not on it. */
  placeOf(index: number): CharacterBox | undefined;
};

/** Calls `use` with the letters of an open page, whose places can be read until it returns. */
export function withLetters<T>(pdfium: Pdfium, open: OpenPage, use: (page: PageLetters) => T): T {
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return use({ letters: [], isCut: false, placeOf: () => undefined });
  try {
    const count = pdfium.FPDFText_CountChars(text);
    const most = Math.min(count, FIND_LIMITS.characters);
    const letters: PageLetter[] = [];
    let hasRightToLeft = false;
    for (let index = 0; index < most; index += 1) {
      const letter = readLetter(pdfium, text, index);
      hasRightToLeft ||= isBeyondLatin(letter.text) && runsFromRight(letter.text);
      letters.push(letter);
    }
    markHyphens(letters);
    return withMemory(pdfium, MEMORY_BYTES, (pointer) => {
      const readAt = characterReader(pdfium, text, open, pointer);
      const placeAt = (index: number): CharacterBox | undefined => {
        const character = readAt(index);
        return character === 'hidden' ? undefined : character.place;
      };
      const page = { letters, isCut: count > most, placeOf: placeAt };
      return use(hasRightToLeft ? inReadingOrder(page) : page);
    });
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

const isBeyondLatin = (text: string): boolean => text >= '\u0300';

function readLetter(pdfium: Pdfium, text: number, index: number): PageLetter {
  const letter = letterOf(pdfium, text, index);
  const plain = PLAIN_LETTERS[letter.charCodeAt(0)];
  if (plain) return plain;
  if (letter === '\n') return LINE;
  if (letter === '-' && pdfium.FPDFText_IsHyphen(text, index) === 1) return { text: letter, kind: 'hyphen' };
  if (letter === '' || letter.trim() !== '') return { text: letter, kind: 'letter' };
  return pdfium.FPDFText_IsGenerated(text, index) === 1 ? GAP : SPACE;
}

const LINE: PageLetter = { text: '\n', kind: 'line' };
const GAP: PageLetter = { text: ' ', kind: 'gap' };
const SPACE: PageLetter = { text: ' ', kind: 'space' };
/** A long document has a million of these: letters, digits and signs of ASCII, but for the hyphen. */
const PLAIN_LETTERS: readonly (PageLetter | undefined)[] = Array.from({ length: 0x7f }, (_, code) => {
  const text = String.fromCharCode(code);
  return code > 0x20 && text !== '-' ? { text, kind: 'letter' } : undefined;
});

const HYPHEN = /^[-\u00ad\u2010]$/;

/** Marks the hyphens that touch a word before the end of a line, which PDFium only does where no line end follows. */
function markHyphens(letters: PageLetter[]): void {
  let [last, beforeLast] = [-1, -1];
  for (let index = 0; index < letters.length; index += 1) {
    const { text, kind } = letters[index]!;
    if (kind === 'line') {
      const hyphen = letters[last];
      if (hyphen && beforeLast !== -1 && HYPHEN.test(hyphen.text))
        letters[last] = { ...hyphen, kind: 'hyphen' };
      [last, beforeLast] = [-1, -1];
    } else if (kind === 'letter' && text !== '') {
      beforeLast = last === -1 || letters[index - 1]?.kind === 'letter' ? last : -1;
      last = index;
    }
  }
}

/**
 * Reorders the lines with letters that run from right to left, as `text-layer.ts` does. PDFium ends a line where the next piece of it is
 * further left.
 */
function inReadingOrder({ letters, isCut, placeOf }: PageLetters): PageLetters {
  const ordered: PageLetter[] = [];
  const places: (CharacterBox | undefined)[] = [];
  const add = (letter: PageLetter, place?: CharacterBox) => {
    ordered.push(letter);
    places.push(place);
  };
  let line: { letter: PageLetter; place: CharacterBox | undefined }[] = [];
  let lastPlace: CharacterBox | undefined;

  function endLine(): void {
    const items = line.map(({ letter: { text, kind }, place }): LineItem => {
      if (kind === 'line') return 'end';
      return place ? { text, place } : { text };
    });
    const columns = isMixedLine(items) ? columnsInReadingOrder(items) : undefined;
    if (!columns) for (const { letter, place } of line) add(letter, place);
    for (const [index, column] of (columns ?? []).entries()) {
      if (index > 0) add({ text: ' ', kind: 'column' });
      for (const glyph of column)
        add({ text: glyph.text, kind: glyph.isGap ? 'gap' : glyph.text === ' ' ? 'space' : 'letter' }, glyph);
    }
    line = [];
  }

  for (const [index, letter] of letters.entries()) {
    const place = placeOf(index);
    if (place && lastPlace && !isSameLine(lastPlace, place)) {
      endLine();
      if (ordered.at(-1)?.kind !== 'line') add({ text: '\n', kind: 'line' });
    }
    if (place) lastPlace = place;
    line.push({ letter, place });
  }
  endLine();
  markHyphens(ordered);
  return { letters: ordered, isCut, placeOf: (index) => places[index] };
}
