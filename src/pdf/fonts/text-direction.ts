// Finds the order of text with letters that run from right to left (Unicode Standard Annex 9): the order in which pieces are drawn, and the order in
// which what is drawn is read.
import bidiFactory from 'bidi-js';

export const bidi = bidiFactory();

const RIGHT_TO_LEFT =
  /(?=\p{L}|\p{M})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LETTER = /\p{L}/u;

/** Whether the text has letters that run from right to left. Digits of these scripts do not: ١٢ is twelve. */
export const runsFromRight = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** Orders pieces from left to right (rule L2): from the highest level down to 1, reverses what is at that level or above. */
export function inVisualOrder<T extends { level: number }>(pieces: readonly T[]): T[] {
  const visual = [...pieces];
  const highest = pieces.reduce((most, { level }) => Math.max(most, level), 0);
  for (let level = highest; level > 0; level -= 1) {
    for (let start = 0; start < visual.length; start += 1) {
      let end = start;
      while (end < visual.length && visual[end]!.level >= level) end += 1;
      for (let first = start, last = end - 1; first < last; first += 1, last -= 1)
        [visual[first], visual[last]] = [visual[last]!, visual[first]!];
      if (end > start) start = end;
    }
  }
  return visual;
}

/** A letter with its marks, or several letters that one glyph shows. `from` and `to` are along the line. */
export type PlacedText = { text: string; from: number; to: number };

/**
 * Orders the text of a line, given in any order, as it is read.
 * @param isFromRight whether the line itself begins at the right
 */
export function inReadingOrder<T extends PlacedText>(pieces: readonly T[], isFromRight: boolean): T[] {
  const line = sortByMiddle(pieces);
  if (isFromRight) line.reverse();
  // Rule L2 undoes itself: what is drawn has the levels of what is read, as long as it is given from the side where the line begins.
  const text = line.map((piece) => piece.text).join('');
  const { levels } = bidi.getEmbeddingLevels(text, isFromRight ? 'rtl' : 'ltr');
  let at = 0;
  const leveled = line.map((piece) => {
    const level = levels[at]!;
    at += piece.text.length;
    return { piece, level };
  });
  const ordered = inVisualOrder(leveled).map(({ piece }) => piece);
  return isFromRight ? ordered.reverse() : ordered;
}

/** Whether a line begins at the right: its first and its last letter run from there, or else most of its letters. */
export function beginsAtRight(pieces: readonly PlacedText[]): boolean {
  const letters = sortByMiddle(pieces).filter(({ text }) => LETTER.test(text));
  const isFromRight = letters.map(({ text }) => runsFromRight(text));
  if (isFromRight[0] === isFromRight.at(-1)) return isFromRight[0] === true;
  return isFromRight.filter(Boolean).length * 2 >= letters.length;
}

/** The middle of a piece, along the line. */
export const middleOf = ({ from, to }: PlacedText): number => (from + to) / 2;

export const sortByMiddle = <T extends PlacedText>(pieces: readonly T[]): T[] =>
  [...pieces].sort((one, other) => middleOf(one) - middleOf(other));
