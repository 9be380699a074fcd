// Finds an expression in the text of a page. The dialect is RE2, which takes linear time: both the expression and the page come from
// outside. Line ends and gaps are one space, and a word that a hyphen breaks at the end of a line is one word.
import { RE2JS, RE2JSSyntaxException } from 're2js';
import { FIND_LIMITS } from '../limits.ts';
import type { PageLetters } from './page-letters.ts';
import { type LetterRange, type WordMatcher, type WordQuery, withPlainSigns } from './word-query.ts';

const WORD = /^[\p{L}\p{N}]/u;

/** Makes the matcher of an expression. @returns why it cannot be used, in a sentence without its end */
export function regexMatcher({
  text: source,
  isCaseSensitive,
  isWholeWord,
}: WordQuery): WordMatcher | string {
  const expression = compiled(source, isCaseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  if (typeof expression === 'string') return expression;
  return function* (page) {
    const { text, letterAt } = textOf(page);
    const matcher = expression.matcher(text);
    while (matcher.find()) {
      const [start, end] = trimmed(text, matcher.start(), matcher.end());
      if (start >= end) continue;
      if (isWholeWord && (isInWord(text, start) || isInWord(text, end))) continue;
      yield rangeOf(letterAt, start, end);
    }
  };
}

function compiled(source: string, flags: number): RE2JS | string {
  try {
    const expression = RE2JS.compile(source, flags);
    return expression.programSize() > FIND_LIMITS.programSize
      ? `the expression "${source}" is too large, because its repetitions multiply`
      : expression;
  } catch (error) {
    const why = error instanceof RE2JSSyntaxException ? `: ${error.error}` : '';
    return `"${source}" is not a valid RE2 regular expression${why}`;
  }
}

const rangeOf = (letterAt: readonly number[], start: number, end: number): LetterRange => ({
  from: { letter: letterAt[start]!, part: 0 },
  to: { letter: letterAt[end - 1]!, part: 1 },
});

function trimmed(text: string, start: number, end: number): [start: number, end: number] {
  const found = text.slice(start, end);
  return [start + (found.length - found.trimStart().length), end - (found.length - found.trimEnd().length)];
}

const isInWord = (text: string, at: number): boolean =>
  WORD.test(text.slice(at - 1, at)) && WORD.test(text.slice(at));

function textOf({ letters }: PageLetters): { text: string; letterAt: number[] } {
  let text = '';
  const letterAt: number[] = [];
  let isBroken = false;
  for (const [index, { text: letter, kind }] of letters.entries()) {
    if (kind === 'hyphen') isBroken = true;
    if (kind === 'hyphen' || (isBroken && letter.trim() === '')) continue;
    isBroken = false;
    const unit = kind === 'letter' ? withPlainSigns(letter.normalize('NFKC')) : ' ';
    if (unit === ' ' && (text === '' || text.endsWith(' '))) continue;
    text += unit;
    for (let part = 0; part < unit.length; part += 1) letterAt.push(index);
  }
  return { text, letterAt };
}
