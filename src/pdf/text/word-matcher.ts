// Finds words among the letters of one page. Compared is what a reader sees: compatible forms of a letter are the same (NFKD), as are kinds of
// quotation marks and dashes; spaces are where there is a gap.
import { type CharacterBox, lineHeightOf } from './characters.ts';
import type { PageLetter, PageLetters } from './page-letters.ts';
import { type LetterRange, type WordMatcher, type WordQuery, withPlainSigns } from './word-query.ts';

/** Makes the matcher of a query. @returns why an expression cannot be used, in a sentence without its end */
export async function wordMatcher(query: WordQuery): Promise<WordMatcher | string> {
  if (query.isRegex) return (await import('./regex-matcher.ts')).regexMatcher(query);
  return textMatcher(query);
}

/** What of a letter is compared: units of text, and for each the letter it is a part of. */
type Units = { text: string; letterAt: number[]; partAt: number[]; sizes: number[] };

function textMatcher(query: WordQuery): WordMatcher {
  const wanted = wantedUnits(query);
  // A hyphen at the end of a line may belong to the words or break one.
  const takesHyphens = wanted.text.includes('-') ? [false, true] : [false];
  return function* (page) {
    if (wanted.text === '') return;
    const found = new Set<string>();
    for (const withHyphens of takesHyphens) {
      const units = unitsOf(page.letters, query, withHyphens);
      for (let at = units.text.indexOf(wanted.text); at >= 0; at = units.text.indexOf(wanted.text, at + 1)) {
        if (!isMatch(page, units, at, wanted, query)) continue;
        const range = rangeOf(units, at, at + wanted.text.length);
        const key = `${range.from.letter} ${range.to.letter}`;
        if (found.has(key)) continue;
        found.add(key);
        yield range;
        at += wanted.text.length - 1;
      }
    }
  };
}

/** `spaceAfter`: the positions of units that a space follows. */
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

function unitsOf(letters: readonly PageLetter[], query: WordQuery, withHyphens: boolean): Units {
  const units: Units = { text: '', letterAt: [], partAt: [], sizes: [] };
  const parts: string[] = [];
  for (const [index, { text, kind }] of letters.entries()) {
    if (kind !== 'letter' && !(kind === 'hyphen' && withHyphens)) continue;
    const unit = folded(text, query.isCaseSensitive === true);
    parts.push(unit);
    for (let part = 0; part < unit.length; part += 1) {
      units.letterAt.push(index);
      units.partAt.push(part);
      units.sizes.push(unit.length);
    }
  }
  units.text = parts.join('');
  return units;
}

function rangeOf({ letterAt, partAt, sizes }: Units, start: number, end: number): LetterRange {
  const last = end - 1;
  return {
    from: { letter: letterAt[start]!, part: partAt[start]! / sizes[start]! },
    to: { letter: letterAt[last]!, part: (partAt[last]! + 1) / sizes[last]! },
  };
}

// ── equal letters ───────────────────────────────────────────────────────────────────────────────────────────────

const known = { folded: new Map<string, string>(), exact: new Map<string, string>() };
const MOST_KNOWN = 20_000;

/** The units of a letter that are compared. */
export function folded(letter: string, isCaseSensitive: boolean): string {
  const cache = isCaseSensitive ? known.exact : known.folded;
  const before = cache.get(letter);
  if (before !== undefined) return before;
  const compatible = withPlainSigns(letter.normalize('NFKD')).replace(INVISIBLE, '');
  // By way of upper case, ß is equal to ss, and the two small sigmas are equal.
  const unit = isCaseSensitive ? compatible : compatible.toUpperCase().toLowerCase().normalize('NFKD');
  if (cache.size < MOST_KNOWN) cache.set(letter, unit);
  return unit;
}

const INVISIBLE = /\s|\p{Cf}|[\ufe00-\ufe0f]/gu;

// ── between two letters ─────────────────────────────────────────────────────────────────────────────────────────

const WORD = /^[\p{L}\p{N}]$/u;
const MARK = /^\p{M}$/u;

function isMatch(page: PageLetters, units: Units, start: number, wanted: Wanted, query: WordQuery): boolean {
  const end = start + wanted.text.length;
  const next = characterAt(units.text, end);
  // A mark that follows makes another letter of the last one.
  if (MARK.test(next) && units.letterAt[end] !== undefined) return false;
  if (query.isWholeWord && (touches(page, units, start) || touches(page, units, end))) return false;
  for (let at = start; at + 1 < end; at += 1) {
    if (units.letterAt[at] === units.letterAt[at + 1] && !wanted.spaceAfter.has(at - start)) continue;
    if (!isJoined(page, units, { start, at, wanted })) return false;
  }
  return true;
}

const characterAt = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : '';

/** Whether the letters on both sides of this boundary are of one word. */
function touches({ letters }: PageLetters, { text, letterAt }: Units, boundary: number): boolean {
  const [before, after] = [letterAt[boundary - 1], letterAt[boundary]];
  if (before === undefined || after === undefined) return false;
  const isOne = separatorBetween(letters, before, after) === 'none';
  return isOne && WORD.test(text[boundary - 1]!) && WORD.test(characterAt(text, boundary));
}

type Separator = 'none' | 'gap' | 'space' | 'line' | 'broken';

/** What is between two letters; `broken` is a hyphen at the end of a line. */
export function separatorBetween(letters: readonly PageLetter[], before: number, after: number): Separator {
  let separator: Separator = letters[before]?.kind === 'hyphen' ? 'broken' : 'none';
  for (let index = before + 1; index < after; index += 1) {
    const kind = letters[index]!.kind;
    if (kind === 'hyphen') return 'broken';
    if (kind === 'line' && separator !== 'broken') separator = 'line';
    else if (kind === 'space' && separator !== 'line' && separator !== 'broken') separator = 'space';
    else if (kind === 'gap' && separator === 'none') separator = 'gap';
  }
  return separator;
}

type Boundary = { start: number; at: number; wanted: Wanted };

/** Whether what is between two letters is what is wanted there: a space, or nothing. */
function isJoined(page: PageLetters, units: Units, boundary: Boundary): boolean {
  const { start, at, wanted } = boundary;
  const [before, after] = [units.letterAt[at]!, units.letterAt[at + 1]!];
  const separator = separatorBetween(page.letters, before, after);
  if (wanted.spaceAfter.has(at - start))
    return separator === 'none' ? isApart(page, before, after) : separator !== 'broken';
  if (separator === 'none' || separator === 'broken') return true;
  if (separator === 'line') return isUnspaced(units.text[at]!) && isUnspaced(units.text[at + 1]!);
  return separator === 'gap' && isSpacedOut(page, units, boundary);
}

/** Scripts that are written without spaces, whose lines end anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const isUnspaced = (text: string): boolean => UNSPACED.test(text);

/** Times the height of a line: what is further apart is two words. */
const SPACE = 0.12;
/** Gaps between spaced out letters are of one size, and differ by less than this. */
const UNEVEN = 0.2;
const SPACED_OUT = 0.04;

function gapBetween(one: CharacterBox | undefined, other: CharacterBox | undefined): number | undefined {
  if (!one || !other) return undefined;
  return Math.max(one.from - other.to, other.from - one.to) / lineHeightOf(one);
}

function isApart({ placeOf }: PageLetters, before: number, after: number): boolean {
  const gap = gapBetween(placeOf(before), placeOf(after));
  return gap !== undefined && gap >= SPACE;
}

/** Whether the letters of the wanted word around a boundary are set apart evenly, so that a gap between them ends no word. */
function isSpacedOut({ placeOf }: PageLetters, units: Units, { start, at, wanted }: Boundary): boolean {
  let [first, last] = [at, at + 1];
  while (first > start && !wanted.spaceAfter.has(first - 1 - start)) first -= 1;
  while (last + 1 < start + wanted.text.length && !wanted.spaceAfter.has(last - start)) last += 1;
  const word = [...new Set(units.letterAt.slice(first, last + 1))];
  const gaps = word.slice(1).map((letter, index) => gapBetween(placeOf(word[index]!), placeOf(letter)));
  if (gaps.length < 2 || gaps.includes(undefined)) return false;
  const sizes = gaps as number[];
  return Math.min(...sizes) >= SPACED_OUT && Math.max(...sizes) - Math.min(...sizes) <= UNEVEN;
}
