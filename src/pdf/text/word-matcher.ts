// Finds words among the letters of one page. It compares what a reader sees: compatible forms of a letter are the same (NFKD), as are kinds of
// quotation marks and dashes; spaces are where there is a gap.
import { type CharacterBox, lineHeightOf } from './characters.ts';
import { COLUMN_GAP, isSameLine } from './lines.ts';
import type { PageLetter, PageLetters } from './page-letters.ts';

/** Makes the matcher of a query that is no expression. */
export function textMatcher(query: WordQuery): WordMatcher {
  const wanted = wantedUnits(query);
  if (wanted.text === '') return () => [];
  function* matchesIn(page: PageLetters, withHyphens: boolean): Generator<LetterRange> {
    const units = unitsOf(page.letters, query, withHyphens);
    for (let at = units.text.indexOf(wanted.text); at >= 0; at = units.text.indexOf(wanted.text, at + 1)) {
      if (!isMatch(page, units, at, wanted, query)) continue;
      yield rangeOf(units, at, at + wanted.text.length);
      at += wanted.text.length - 1;
    }
  }
  return (page) => {
    const hasBreak = wanted.text.includes('-') && page.letters.some(({ kind }) => kind === 'hyphen');
    if (!hasBreak) return matchesIn(page, false);
    // A hyphen at the end of a line may belong to the words or break one.
    return inPageOrder([...matchesIn(page, false), ...matchesIn(page, true)]);
  };
}

/** A space follows the units at the positions of `spaceAfter`. */
type Wanted = { text: string; spaceAfter: Set<number> };

function wantedUnits(query: WordQuery): Wanted {
  let text = '';
  const spaceAfter = new Set<number>();
  for (const character of query.text.trim()) {
    if (character.trim() === '') spaceAfter.add(text.length - 1);
    else text += folded(character, query.isCaseSensitive === true);
  }
  return { text, spaceAfter };
}

/** Several queries compare the units of the same pages. */
const unitsByPage = new WeakMap<readonly PageLetter[], Map<string, Units>>();

function unitsOf(
  letters: readonly PageLetter[],
  { isCaseSensitive = false }: WordQuery,
  withHyphens: boolean,
): Units {
  const ofPage = unitsByPage.get(letters) ?? new Map<string, Units>();
  unitsByPage.set(letters, ofPage);
  const key = `${isCaseSensitive} ${withHyphens}`;
  const units = ofPage.get(key) ?? makeUnits(letters, isCaseSensitive, withHyphens);
  ofPage.set(key, units);
  return units;
}

function makeUnits(letters: readonly PageLetter[], isCaseSensitive: boolean, withHyphens: boolean): Units {
  const units = createUnits();
  for (let index = 0; index < letters.length; index += 1) {
    const { text, kind } = letters[index]!;
    if (kind === 'letter' || (kind === 'hyphen' && withHyphens))
      units.add(index, folded(text, isCaseSensitive));
  }
  return units.all();
}

// ── equal letters ───────────────────────────────────────────────────────────────────────────────────────────────

const unitCaches = { folded: new Map<string, string>(), exact: new Map<string, string>() };
const MOST_CACHED = 20_000;

/** Returns the units of a letter that are compared. */
function folded(letter: string, isCaseSensitive: boolean): string {
  const cache = isCaseSensitive ? unitCaches.exact : unitCaches.folded;
  const before = cache.get(letter);
  if (before !== undefined) return before;
  const compatible = withPlainSigns(compatibleForm(withPlainSigns(letter))).replace(INVISIBLE, '');
  const unit = isCaseSensitive ? compatible : withoutCase(compatible).normalize('NFKD');
  if (cache.size < MOST_CACHED) cache.set(letter, unit);
  return unit;
}

/** A mark that stands alone, such as a cedilla, is not the mark of the letter before it. */
function compatibleForm(letter: string): string {
  const form = letter.normalize('NFKD');
  return LONE_MARK.test(form) ? letter : form;
}

const LONE_MARK = /^ \p{M}/u;

/** Upper case makes ß equal to ss, and the two small sigmas equal; ẞ is in lower case first. */
const withoutCase = (text: string): string => text.toLowerCase().toUpperCase().toLowerCase();

const INVISIBLE = /\s|\p{Cf}|[\ufe00-\ufe0f]/gu;

// ── between two letters ─────────────────────────────────────────────────────────────────────────────────────────

/** The vowels and ends of Korean syllables count as marks. */
const MARK = /^[\p{M}\u1160-\u11ff]$/u;

function isMatch(page: PageLetters, units: Units, start: number, wanted: Wanted, query: WordQuery): boolean {
  const end = start + wanted.text.length;
  // A mark that follows makes another letter of the last one.
  if (MARK.test(characterAt(units.text, end)) && isAdjacent(page, units, end)) return false;
  if (query.isWholeWord && (touches(page, units, start) || touches(page, units, end))) return false;
  for (let at = start; at + 1 < end; at += 1) {
    if (units.letterAt[at] === units.letterAt[at + 1] && !wanted.spaceAfter.has(at - start)) continue;
    if (!isJoined(page, units, { start, at, wanted })) return false;
  }
  return true;
}

/** Tells whether the letters on both sides of this boundary are of one word. */
const touches = (page: PageLetters, units: Units, boundary: number): boolean =>
  isWithinWord(units.text, boundary) && isAdjacent(page, units, boundary);

/** Tells whether nothing is between the letters on both sides of this boundary, or a hyphen that breaks a word. */
function isAdjacent({ letters }: PageLetters, { letterAt }: Units, boundary: number): boolean {
  const [before, after] = [letterAt[boundary - 1], letterAt[boundary]];
  if (before === undefined || after === undefined) return false;
  const separator = separatorBetween(letters, before, after);
  return separator === 'none' || separator === 'broken';
}

type Separator = 'none' | 'gap' | 'space' | 'column' | 'line' | 'broken';

/** A `broken` separator is a hyphen at the end of a line. */
function separatorBetween(letters: readonly PageLetter[], before: number, after: number): Separator {
  let separator: Separator = letters[before]?.kind === 'hyphen' ? 'broken' : 'none';
  for (let index = before + 1; index < after; index += 1) {
    const kind = letters[index]!.kind;
    if (kind === 'hyphen') return 'broken';
    if (kind === 'column') return 'column';
    if (kind === 'line' && separator !== 'broken') separator = 'line';
    else if (kind === 'space' && separator !== 'line' && separator !== 'broken') separator = 'space';
    else if (kind === 'gap' && separator === 'none') separator = 'gap';
  }
  return separator;
}

type Boundary = { start: number; at: number; wanted: Wanted };

/** Tells whether a space, or nothing, is between two letters as the query wants it. */
function isJoined(page: PageLetters, units: Units, boundary: Boundary): boolean {
  const { start, at, wanted } = boundary;
  const [before, after] = [units.letterAt[at]!, units.letterAt[at + 1]!];
  const separator = separatorBetween(page.letters, before, after);
  if (wanted.spaceAfter.has(at - start)) {
    if (separator === 'none') return isApart(page, before, after);
    if (separator === 'gap') return !isBetweenColumns(page, units, boundary);
    return separator === 'space' || separator === 'line';
  }
  if (separator === 'none' || separator === 'broken') return true;
  if (separator === 'line') return isUnspaced(units.text[at]!) && isUnspaced(units.text[at + 1]!);
  return separator === 'gap' && isSpacedOut(page, units, boundary);
}

/** Scripts that are written without spaces, whose lines end anywhere; with the signs that belong to them. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** Words are further apart than this, in heights of a line. */
const SPACE = 0.1;
/** Gaps between spaced out letters are of one size, and differ by less than this. */
const UNEVEN = 0.2;
const SPACED_OUT = 0.04;

function gapBetween(a: CharacterBox | undefined, b: CharacterBox | undefined): number | undefined {
  if (!a || !b) return undefined;
  return Math.max(a.from - b.to, b.from - a.to) / lineHeightOf(a);
}

function isApart({ placeOf }: PageLetters, before: number, after: number): boolean {
  const gap = gapBetween(placeOf(before), placeOf(after));
  return gap !== undefined && gap >= SPACE;
}

/**
 * A gap that is as wide as between columns is none between words, however far the letters of words are apart; a line that fills its
 * column has spaces in its gaps.
 */
function isBetweenColumns(page: PageLetters, units: Units, boundary: Boundary): boolean {
  const [before, after] = [units.letterAt[boundary.at]!, units.letterAt[boundary.at + 1]!];
  // In a line with letters that run from right to left, neighbors may be far apart, and the gap itself has a place.
  for (let index = before + 1; index < after; index += 1) if (page.placeOf(index)) return false;
  const [from, other] = [page.placeOf(before), page.placeOf(after)];
  const gap = gapBetween(from, other);
  if (!from || !other || gap === undefined || gap <= COLUMN_GAP || !isSameLine(from, other)) return false;
  const gaps = letterGaps(page, units, boundary);
  return gap - 2 * Math.max(0, Math.min(...gaps, COLUMN_GAP)) > COLUMN_GAP;
}

/** Tells whether the letters of the wanted words are set apart evenly, so that a gap between two of them ends no word. */
function isSpacedOut(page: PageLetters, units: Units, boundary: Boundary): boolean {
  const gaps = letterGaps(page, units, boundary);
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  return gaps.length > 1 && least >= SPACED_OUT && most - least <= UNEVEN;
}

/** Lists the gaps between letters of one word and line, in all words that are wanted. */
function letterGaps({ placeOf }: PageLetters, { letterAt }: Units, { start, wanted }: Boundary): number[] {
  const gaps: number[] = [];
  for (let at = start; at + 1 < start + wanted.text.length; at += 1) {
    if (letterAt[at] === letterAt[at + 1] || wanted.spaceAfter.has(at - start)) continue;
    const [from, other] = [placeOf(letterAt[at]!), placeOf(letterAt[at + 1]!)];
    if (from && other && isSameLine(from, other)) gaps.push(gapBetween(from, other)!);
  }
  return gaps;
}

export type WordQuery = {
  text: string;
  /** The text is an expression in the dialect RE2, which takes linear time. */
  isRegex?: boolean | undefined;
  isCaseSensitive?: boolean | undefined;
  /** No letter or digit may touch the words. */
  isWholeWord?: boolean | undefined;
  /** It counts from 0; no other page is searched. */
  page?: number | undefined;
};

/** `part` is how far into a letter the point is: a ligature may be found in part. */
type LetterPoint = { letter: number; part: number };

/** A match reaches from its first to its last letter. */
export type LetterRange = { from: LetterPoint; to: LetterPoint };

/** It stands after the matches where the search was given up, because it found too much that is no match. */
export const IN_VAIN = 'in_vain';

export type WordMatcher = (page: PageLetters) => Iterable<LetterRange | typeof IN_VAIN>;

/** The text is compared unit by unit, and each is a part of a letter. Those of a letter stand together. */
export type Units = { text: string; letterAt: readonly number[] };

/** Makes units of text. `add` adds what is compared of a letter. */
export function createUnits() {
  const pieces: string[] = [];
  const letterAt: number[] = [];
  return {
    pieces,
    add(letter: number, unit: string): void {
      if (unit !== '') pieces.push(unit);
      for (let part = 0; part < unit.length; part += 1) letterAt.push(letter);
    },
    all: (): Units => ({ text: pieces.join(''), letterAt }),
  };
}

/** Returns the letters of the units from `start` to `end`, which is not included. */
export function rangeOf({ letterAt }: Units, start: number, end: number): LetterRange {
  /** Measures how far into its letter the boundary before a unit is, where it is seen from this unit. */
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

/** Returns the character that begins at a position, or the one that ends there. */
const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : '';
const characterBefore = (text: string, at: number): string =>
  [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';

/** Tells whether both sides of a position are letters or digits, as within a word. */
export const isWithinWord = (text: string, at: number): boolean =>
  WORD.test(characterBefore(text, at)) && WORD.test(characterAt(text, at));

/** Joins matches in the order of the page; each counts once. */
export function inPageOrder(ranges: Iterable<LetterRange>): LetterRange[] {
  const byPlace = new Map<string, LetterRange>();
  for (const range of ranges) byPlace.set(`${range.from.letter} ${range.to.letter}`, range);
  return [...byPlace.values()].sort((a, b) => a.from.letter - b.from.letter);
}

/** Quotation marks and dashes are typed in one way and printed in many. */
export const withPlainSigns = (text: string): string =>
  text
    .replace(/[\u00b4\u2018\u2019\u201a\u201b\u02bc\u2032]/g, "'")
    .replace(/[\u201c-\u201f\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
