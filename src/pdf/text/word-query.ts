// What is looked for on a page, and how a match is told.
import type { PageLetters } from './page-letters.ts';

export type WordQuery = {
  text: string;
  /** The text is an expression in the dialect RE2, which takes linear time. */
  isRegex?: boolean | undefined;
  isCaseSensitive?: boolean | undefined;
  /** No letter or digit may touch the words. */
  isWholeWord?: boolean | undefined;
};

/** `part` is how far into a letter: one that is a ligature may be found in part. */
type LetterPoint = { letter: number; part: number };

/** The first and the last letter of a match. */
export type LetterRange = { from: LetterPoint; to: LetterPoint };

export type WordMatcher = (page: PageLetters) => Iterable<LetterRange>;

/** Quotation marks and dashes are typed in one way and printed in many. */
export const withPlainSigns = (text: string): string =>
  text
    .replace(/[\u2018\u2019\u201a\u201b\u02bc]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
