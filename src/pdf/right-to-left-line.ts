// Puts the letters of a line in the order they are read in, where some run from right to left. PDFium returns such lines in pieces whose order
// is neither that of reading nor that of the eye; where each letter stands on the page is certain.
import bidiFactory from 'bidi-js';

/** A letter with its marks, or several that one glyph shows. `from` and `to` are along the line. */
export type Glyph = { text: string; from: number; to: number };

const RIGHT_TO_LEFT =
  /(?=\p{L}|\p{M})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

const bidi = bidiFactory();

/** Whether the text has letters that run from right to left. Digits of these scripts do not. */
export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/**
 * Returns the glyphs in the order they are read in.
 * @param isFromRight whether the line itself begins at the right
 */
export function inReadingOrder<T extends Glyph>(glyphs: readonly T[], isFromRight: boolean): T[] {
  const line = sortByPlace(glyphs);
  if (isFromRight) line.reverse();
  // The levels of a line that is turned round are those of the line itself (Unicode Standard Annex 9): what runs the other way is turned back.
  const { levels } = bidi.getEmbeddingLevels(
    line.map(({ text }) => text).join(''),
    isFromRight ? 'rtl' : 'ltr',
  );
  const base = isFromRight ? 1 : 0;
  const ordered: T[] = [];
  let turned: T[] = [];
  let at = 0;
  for (const glyph of line) {
    if (levels[at]! > base) turned.unshift(glyph);
    else {
      ordered.push(...turned, glyph);
      turned = [];
    }
    at += glyph.text.length;
  }
  return [...ordered, ...turned];
}

/** Whether a line begins at the right: its first and its last letter run from there, or else most of its letters. */
export function beginsAtRight(glyphs: readonly Glyph[]): boolean {
  const letters = sortByPlace(glyphs).filter(({ text }) => LETTER.test(text));
  const isFromRight = letters.map(({ text }) => hasRightToLeft(text));
  if (isFromRight[0] === isFromRight.at(-1)) return isFromRight[0] === true;
  return isFromRight.filter(Boolean).length * 2 >= letters.length;
}

const sortByPlace = <T extends Glyph>(glyphs: readonly T[]): T[] =>
  [...glyphs].sort((one, other) => one.from + one.to - (other.from + other.to));
