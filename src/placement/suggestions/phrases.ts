// Joins the words of a page that stand together on one line.
import type { PageBlanks } from '../../pdf/engine/engine.ts';
import type { Box, Size } from '../../pdf/geometry.ts';

export type Word = PageBlanks['words'][number];

/** Words on one line that belong together. `isMargin`: a header or footer, at the same place of several pages. */
export type Phrase = Box & { words: Word[]; isMargin?: boolean };

export type ReadPage = PageBlanks & { phrases: Phrase[] };

/** Of the height of a page. */
const HEADER = 0.1;
const FOOTER = 0.88;

/** @param sizes of all pages of the document */
export function readPages(pages: readonly PageBlanks[], sizes: readonly Size[]): ReadPage[] {
  const read = pages.map((page) => ({ ...page, phrases: phrasesOf(page.words) }));
  const counts = new Map<string, number>();
  for (const { phrases } of read)
    for (const key of new Set(phrases.map(placeOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { page, phrases } of read)
    for (const phrase of phrases) {
      const at = middleOf(phrase) / (sizes[page]?.height ?? Infinity);
      const isRepeated = (counts.get(placeOf(phrase)) ?? 0) > 1;
      if (isRepeated && (at < HEADER || at > FOOTER)) phrase.isMargin = true;
    }
  return read;
}

/** Pages differ in their numbers. */
const placeOf = (phrase: Phrase): string =>
  `${Math.round(phrase.y)} ${textOf(phrase.words).replace(/\d+/g, '0')}`;

/** Times the height of a word: wider gaps end a phrase. */
const WORD_GAP = 0.9;

function phrasesOf(words: readonly Word[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const word of words) {
    const last = phrases.at(-1);
    if (last && isNext(last, word)) {
      last.words.push(word);
      Object.assign(last, around(last, word));
    } else phrases.push({ ...boxOf(word), words: [word] });
  }
  return phrases;
}

export const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

export const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

export const endOf = ({ x, width }: Pick<Box, 'x' | 'width'>): number => x + width;

export const middleOf = ({ y, height }: Pick<Box, 'y' | 'height'>): number => y + height / 2;

function isNext(phrase: Phrase, word: Word): boolean {
  const gap = word.x - endOf(phrase);
  const isBeside = Math.abs(middleOf(word) - middleOf(phrase)) < word.height / 2;
  return isBeside && gap < word.height * WORD_GAP && gap > -word.height;
}

export function around(one: Box, other: Box): Box {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)];
  const right = Math.max(endOf(one), endOf(other));
  const bottom = Math.max(one.y + one.height, other.y + other.height);
  return { x, y, width: right - x, height: bottom - y };
}
