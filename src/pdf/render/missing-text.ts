// Makes the remarks on text that no font at hand can show: which pages, which fonts the file names, and the text itself, so
// that a recipient can read it where their browser has the letters. Everything is cut: the document may be hostile.
import { FONT_LIMITS } from '../limits.ts';
import type { PdfRemark } from '../remarks.ts';

/** `hasMore` says that there is text beside these lines whose letters cannot be told. */
export type MissingText = {
  page: number;
  fonts: Iterable<string>;
  lines: readonly string[];
  hasMore: boolean;
};

/**
 * Makes a remark for each of the first pages, and one without a page where others may lack text as well.
 * @param isComplete whether every page was checked
 */
export function missingTextRemarks(pages: readonly MissingText[], isComplete: boolean): PdfRemark[] {
  const named = pages.slice(0, FONT_LIMITS.remarks).map(remarkOn);
  const hasOthers = pages.length > named.length || (pages.length > 0 && !isComplete);
  return hasOthers ? [...named, { code: 'fonts_missing' }] : named;
}

function remarkOn({ page, fonts, lines, hasMore }: MissingText): PdfRemark {
  const names = [...fonts];
  const some = names.slice(0, FONT_LIMITS.names);
  const shownNames = some.join(', ') + (names.length > some.length ? ', …' : '');
  const text = cut(lines.map(plain).filter(Boolean).join('\n'), hasMore);
  return { code: 'fonts_missing', page, what: shownNames, ...(text !== '' && { text }) };
}

function cut(text: string, hasMore: boolean): string {
  const characters = [...text];
  if (characters.length > FONT_LIMITS.textOfRemark)
    return `${characters.slice(0, FONT_LIMITS.textOfRemark).join('')}…`;
  return hasMore && text !== '' ? `${text}\n…` : text;
}

/** Marks of direction go as well: the order in which they show letters is not that of the page. */
const plain = (line: string): string =>
  line
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();

/**
 * Cuts a line from the first character that cannot be shown to the last one, with what is between them; it is empty where all can be shown.
 */
export function lackingPart(line: string, isLacking: (codePoint: number) => boolean): string {
  const characters = [...line];
  const lacks = (character: string) => isLacking(character.codePointAt(0)!);
  const first = characters.findIndex(lacks);
  return first === -1 ? '' : characters.slice(first, characters.findLastIndex(lacks) + 1).join('');
}
