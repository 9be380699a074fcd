// What is looked for on a page, and what a match consists of.
import type { PageLetters } from './page-letters.ts';

export type WordQuery = {
  text: string;
  /** The text is an expression in the dialect RE2, which takes linear time. */
  isRegex?: boolean | undefined;
  isCaseSensitive?: boolean | undefined;
  /** No letter or digit may touch the words. */
  isWholeWord?: boolean | undefined;
  /** The only page that is searched, from 0. */
  page?: number | undefined;
};

/** `part` is how far into a letter: one that is a ligature may be found in part. */
type LetterPoint = { letter: number; part: number };

/** The first and the last letter of a match. */
export type LetterRange = { from: LetterPoint; to: LetterPoint };

/** Stands after the matches where the search was given up, because it found too much that is no match. */
export const IN_VAIN = 'in_vain';

export type WordMatcher = (page: PageLetters) => Iterable<LetterRange | typeof IN_VAIN>;

/** What of a page is compared: units of text, and for each the letter that it is a part of. Those of a letter stand together. */
export type Units = { text: string; letterAt: readonly number[] };

/** Makes units of text. `add` adds what is compared of a letter. */
export function createUnits() {
  const parts: string[] = [];
  const letterAt: number[] = [];
  return {
    parts,
    add(letter: number, unit: string): void {
      if (unit !== '') parts.push(unit);
      for (let part = 0; part < unit.length; part += 1) letterAt.push(letter);
    },
    all: (): Units => ({ text: parts.join(''), letterAt }),
  };
}

/** The letters of the units from `start` to `end`, which is not included. */
export function rangeOf({ letterAt }: Units, start: number, end: number): LetterRange {
  /** How far into its letter the boundary before a unit is, where it is seen from this unit. */
  const pointAt = (unit: number, boundary: number): LetterPoint => {
    const letter = letterAt[unit]!;
    let [first, behind] = [unit, unit + 1];
    while (letterAt[first - 1] === letter) first -= 1;
    while (letterAt[behind] === letter) behind += 1;
    return { letter, part: (boundary - first) / (behind - first) };
  };
  return { from: pointAt(start, start), to: pointAt(end - 1, end) };
}

const WORD = /^[\p{L}\p{M}\p{N}]$/u;

/** The character that begins at a position, and the one that ends there. */
export const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : '';
const characterBefore = (text: string, at: number): string =>
  [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';

/** Whether both sides of a position are letters or digits, as within a word. */
export const isWithinWord = (text: string, at: number): boolean =>
  WORD.test(characterBefore(text, at)) && WORD.test(characterAt(text, at));

/** Joins matches in the order of the page; each counts once. */
export function inPageOrder(ranges: Iterable<LetterRange>): LetterRange[] {
  const found = new Map<string, LetterRange>();
  for (const range of ranges) found.set(`${range.from.letter} ${range.to.letter}`, range);
  return [...found.values()].sort((one, other) => one.from.letter - other.from.letter);
}

/** Quotation marks and dashes are typed in one way and printed in many. */
export const withPlainSigns = (text: string): string =>
  text
    .replace(/[\u00b4\u2018\u2019\u201a\u201b\u02bc\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
