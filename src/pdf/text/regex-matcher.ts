// Finds an expression in the text of a page. The dialect is RE2, which takes linear time: both the expression and the page come from
// outside. Line ends and gaps are one space, and a word that a hyphen breaks at the end of a line is one word.
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { FIND_LIMITS } from '../limits.ts';
import type { PageLetters } from './page-letters.ts';
import {
  createUnits,
  IN_VAIN,
  inPageOrder,
  isWithinWord,
  type LetterRange,
  rangeOf,
  type Units,
  type WordMatcher,
  type WordQuery,
  withPlainSigns,
} from './word-matcher.ts';

/** Makes the matcher of an expression. @returns why it cannot be used, in a sentence without its end */
export function regexMatcher({
  text: source,
  isCaseSensitive,
  isWholeWord,
}: WordQuery): WordMatcher | string {
  const expression = compiled(source, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (typeof expression === 'string') return expression;
  function* matchesIn(expression: RE2JS, units: Units): Generator<LetterRange | typeof IN_VAIN> {
    const matcher = expression.matcher(units.text);
    let vain = 0;
    while (matcher.find()) {
      const [start, end] = trimmed(units.text, matcher.start(), matcher.end());
      const isPart = isWithinWord(units.text, start) || isWithinWord(units.text, end);
      if (start < end && !(isWholeWord && isPart)) yield rangeOf(units, start, end);
      else vain += 1;
      // Each search may read to the end of the page, so that what is found in vain is counted.
      if (vain > FIND_LIMITS.vainMatches) return yield IN_VAIN;
    }
  }
  return (page) => {
    const units = unitsOf(page, false);
    if (!page.letters.some(({ kind }) => kind === 'hyphen')) return matchesIn(expression, units);
    // A hyphen at the end of a line may belong to what is wanted or break a word.
    const withHyphens = matchesIn(expression, unitsOf(page, true));
    const all = [...first(matchesIn(expression, units)), ...first(withHyphens)];
    const ranges = all.filter((item) => item !== IN_VAIN);
    return [...inPageOrder(ranges), ...(ranges.length < all.length ? ([IN_VAIN] as const) : [])];
  };
}

/** One more match than is of use tells that there are more. */
function* first<Match>(ranges: Iterable<Match>): Generator<Match> {
  let count = 0;
  for (const range of ranges) {
    yield range;
    count += 1;
    if (count > FIND_LIMITS.matches) return;
  }
}

function compiled(source: string, flags: number): RE2JS | string {
  try {
    const expression = RE2JS.compile(inComparedForm(source), flags);
    return expression.programSize() > FIND_LIMITS.programSize
      ? `the expression "${source}" is too large, because its repetitions multiply`
      : expression;
  } catch (error) {
    const why = error instanceof RE2JSSyntaxException ? `: ${error.error}` : '';
    return `"${source}" is not a valid RE2 regular expression${why}`;
  }
}

/** Letters become compatible forms, as those of the page do; signs keep their meaning in the expression. */
const inComparedForm = (source: string): string =>
  withPlainSigns(source).replace(/[\p{L}\p{M}]+/gu, (letters) => letters.normalize('NFKC'));

function trimmed(text: string, start: number, end: number): [start: number, end: number] {
  const content = text.slice(start, end);
  return [
    start + (content.length - content.trimStart().length),
    end - (content.length - content.trimEnd().length),
  ];
}

const MARK = /^\p{M}/u;

function unitsOf({ letters }: PageLetters, withHyphens: boolean): Units {
  const { pieces, add, all } = createUnits();
  let isBroken = false;
  for (const [index, { text: letter, kind }] of letters.entries()) {
    if (kind === 'hyphen') {
      isBroken = true;
      if (withHyphens) add(index, '-');
    }
    if (kind === 'hyphen' || (isBroken && letter.trim() === '')) continue;
    isBroken = false;
    const unit = kind === 'letter' ? withPlainSigns(withPlainSigns(letter).normalize('NFKC')) : ' ';
    const before = pieces.at(-1);
    if (unit === ' ' && (before === undefined || before === ' ')) continue;
    // A mark becomes one with its letter where Unicode has a sign for both.
    const joined = before !== undefined && MARK.test(unit) ? `${before}${unit}`.normalize('NFC') : '';
    if (joined !== '' && joined.length === before?.length) pieces[pieces.length - 1] = joined;
    else add(index, unit);
  }
  return all();
}
