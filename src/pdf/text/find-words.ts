// Finds words on the pages of a document, with their places. Words may be broken over runs of text and over lines, spaced out, drawn with
// ligatures, and run from right to left: what is compared is what a reader sees, without regard to how it is encoded.
import type { Box } from '../geometry.ts';
import { FIND_LIMITS, type TooComplex } from '../limits.ts';
import { userUnitsOf, withPage } from '../read/open-page.ts';
import { type Pdfium, withDocument } from '../read/pdfium.ts';
import { boxAround, type CharacterBox } from './characters.ts';
import { around, isSameLine } from './lines.ts';
import { type PageLetters, withLetters } from './page-letters.ts';
import { IN_VAIN, type LetterRange, textMatcher, type WordMatcher, type WordQuery } from './word-matcher.ts';

export type { WordQuery } from './word-matcher.ts';

/** `boxes` has the words on each line that they are on, in displayed points. `excerpt` is a part of the text, with the words in «». */
export type WordsMatch = { page: number; boxes: Box[]; excerpt: string };

/** `isCut` says that there are more than these. */
export type QueryResult = { matches: WordsMatch[]; isCut: boolean };

export type WordSearch =
  | {
      ok: true;
      /** There is one result for each query, in their order; its matches are in the order of the pages. */
      results: QueryResult[];
      /** These pages have not a single letter, from 0: scans, drawings and empty pages. */
      withoutText: number[];
    }
  /** The expression of a query, by position, cannot be used, or not on a page. */
  | { ok: false; reason: 'query'; query: number; why: string }
  | TooComplex;

/** Pages count from 0, and `to` is not included. */
export type PageRange = { from: number; to: number };

/** Call it only for documents that `inspectPdf` accepted and pages it listed: anything else throws. */
export async function findWords(
  bytes: Uint8Array,
  pages: PageRange,
  queries: readonly WordQuery[],
): Promise<WordSearch> {
  const matchers: WordMatcher[] = [];
  for (const [query, wanted] of queries.entries()) {
    const matcher = wanted.isRegex
      ? (await import('./regex-matcher.ts')).regexMatcher(wanted)
      : textMatcher(wanted);
    if (typeof matcher === 'string') return { ok: false, reason: 'query', query, why: matcher };
    matchers.push(matcher);
  }
  const opened = await withDocument(
    bytes,
    (pdfium, document) => {
      const units = userUnitsOf(pdfium, document, bytes);
      const results: QueryResult[] = matchers.map(() => ({ matches: [], isCut: false }));
      const withoutText: number[] = [];
      let givenUp: { query: number; page: number } | undefined;
      for (let page = pages.from; page < pages.to; page += 1)
        readLettersOf(pdfium, document, { pageIndex: page, unit: units(page) }, (letters) => {
          if (!letters.letters.some(({ text }) => text.trim() !== '')) withoutText.push(page);
          for (const [index, match] of matchers.entries()) {
            const only = queries[index]?.page ?? page;
            if (only !== page) continue;
            if (!addMatches(results[index]!, page, letters, match(letters)))
              givenUp ??= { query: index, page };
          }
        });
      return { results, withoutText, givenUp };
    },
    { wasAccepted: true },
  );
  if (opened.ok) {
    const { givenUp, ...result } = opened.value;
    return givenUp ? inVain(queries, givenUp) : { ok: true, ...result };
  }
  if (opened.reason === 'too_complex') return opened;
  if (opened.reason === 'broken') return { ok: false, reason: 'too_complex', limit: 'crash' };
  throw new Error(`A document that was accepted cannot be read: ${opened.reason}.`);
}

const inVain = (
  queries: readonly WordQuery[],
  { query, page }: { query: number; page: number },
): WordSearch => ({
  ok: false,
  reason: 'query',
  query,
  why: `the expression "${queries[query]?.text}" matches nothing, or a part of a word, at more than ${FIND_LIMITS.vainMatches} places of page ${page + 1}`,
});

function readLettersOf(
  pdfium: Pdfium,
  document: number,
  page: { pageIndex: number; unit: number },
  use: (letters: PageLetters) => void,
): void {
  withPage(pdfium, document, page, (open) => withLetters(pdfium, open, use));
}

/** Returns false where the search was given up, so that matches may be missing. */
function addMatches(
  result: QueryResult,
  page: number,
  letters: PageLetters,
  ranges: ReturnType<WordMatcher>,
): boolean {
  for (const range of ranges) {
    if (range === IN_VAIN) return false;
    if (result.matches.length >= FIND_LIMITS.matches) {
      result.isCut = true;
      return true;
    }
    const boxes = boxesOf(letters, range);
    const isDrawnAgain = result.matches.some(
      (match) => match.page === page && isSamePlace(match.boxes[0], boxes?.[0]),
    );
    // Some programs draw bold letters twice.
    if (boxes && !isDrawnAgain) result.matches.push({ page, boxes, excerpt: excerptOf(letters, range) });
  }
  return true;
}

const NEAR = 1;

const isSamePlace = (a: Box | undefined, b: Box | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  Math.abs(a.x - b.x) < NEAR &&
  Math.abs(a.y - b.y) < NEAR &&
  Math.abs(a.width - b.width) < NEAR;

/** Makes one box for each line. Returns undefined where a letter is not on the page. */
function boxesOf(page: PageLetters, range: LetterRange): Box[] | undefined {
  const { letters } = page;
  const lines: CharacterBox[] = [];
  for (let index = range.from.letter; index <= range.to.letter; index += 1) {
    const { kind, text } = letters[index]!;
    if (kind !== 'letter' || text === '') continue;
    const place = ownPlaceOf(page, index);
    if (!place) return undefined;
    const part = partOf(place, text, {
      from: index === range.from.letter ? range.from.part : 0,
      to: index === range.to.letter ? range.to.part : 1,
    });
    const line = lines.at(-1);
    if (line && isSameLine(line, part)) lines[lines.length - 1] = around(line, part);
    else lines.push(part);
  }
  return lines.length === 0 ? undefined : lines.map(boxAround);
}

/** Letters that one glyph shows are all in its place: each is in its share of it. */
function ownPlaceOf({ letters, placeOf }: PageLetters, index: number): CharacterBox | undefined {
  const place = placeOf(index);
  if (!place) return undefined;
  const isHere = (other: number): boolean => {
    const near = letters[other]?.kind === 'letter' ? placeOf(other) : undefined;
    return near !== undefined && near.from === place.from && near.to === place.to && isSameLine(near, place);
  };
  let [first, last] = [index, index];
  while (index - first < MOST_OF_GLYPH && isHere(first - 1)) first -= 1;
  while (last - index < MOST_OF_GLYPH && isHere(last + 1)) last += 1;
  const count = last - first + 1;
  const text = letters[index]!.text;
  return partOf(place, text, { from: (index - first) / count, to: (index - first + 1) / count });
}

/** The longest ligatures have as many letters, such as that for the name of the prophet. */
const MOST_OF_GLYPH = 18;

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Cuts a ligature as if its letters were equally wide. */
function partOf(place: CharacterBox, text: string, { from, to }: { from: number; to: number }): CharacterBox {
  if (from === 0 && to === 1) return place;
  const width = place.to - place.from;
  const [start, end] = RIGHT_TO_LEFT.test(text) ? [1 - to, 1 - from] : [from, to];
  return { ...place, from: place.from + width * start, to: place.from + width * end };
}

function excerptOf({ letters }: PageLetters, { from, to }: LetterRange): string {
  const textOf = (start: number, end: number) =>
    letters
      .slice(Math.max(0, start), end)
      .map(({ text, kind }) => (kind === 'line' ? ' ' : text))
      .join('')
      .replace(/\s+/g, ' ');
  const reach = FIND_LIMITS.excerpt;
  const before = textOf(from.letter - reach, from.letter);
  const after = textOf(to.letter + 1, to.letter + 1 + reach);
  const words = textOf(from.letter, to.letter + 1);
  const cutBefore = from.letter > reach ? `…${before}` : before;
  const cutAfter = to.letter + 1 + reach < letters.length ? `${after}…` : after;
  return `${cutBefore}«${words}»${cutAfter}`.trim();
}
