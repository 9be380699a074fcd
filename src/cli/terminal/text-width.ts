// Measures, shortens and wraps text for a terminal. It measures as cli-table3 does, so that both agree: wide characters and
// emoji take two columns, combining marks none. It never splits a character.
import { segmentsOf } from '../../common/text.ts';

export type Ruler = {
  widthOf(text: string): number;
  /** Shortens a text to at most `columns`; … shows that it was truncated. */
  shortened(text: string, columns: number): string;
  /**
   * Breaks a text between words into lines of at most `columns`. It breaks a word that is too long for a line, except a URL, which
   * gets its own line, because a terminal joins a line that it wrapped itself when it is copied.
   */
  wrapped(text: string, columns: number): string[];
  longestWord(text: string): number;
};

/** Whether a word is a URL, which is never broken. */
export const isAddress = (word: string): boolean => word.includes('://');

export async function createRuler(): Promise<Ruler> {
  const { strlen } = (await import('cli-table3/src/utils.js')).default;
  /** Splits `text` after the longest start that is at most `columns` wide. It takes at least one character. */
  const split = (text: string, columns: number): [start: string, rest: string] => {
    let start = '';
    let taken = 0;
    for (const segment of segmentsOf(text, 'grapheme')) {
      const next = taken + strlen(segment);
      if (next > columns && start !== '') break;
      start += segment;
      taken = next;
    }
    return [start, text.slice(start.length)];
  };
  return {
    widthOf: strlen,
    shortened(text, columns) {
      if (strlen(text) <= columns) return text;
      const [start] = columns > 1 ? split(text, columns - 1) : [''];
      return `${strlen(start) < columns ? start.trimEnd() : ''}…`;
    },
    wrapped(text, columns) {
      const words = text.split(' ').flatMap((word) => {
        const pieces: string[] = [];
        let rest = word;
        while (strlen(rest) > columns && !isAddress(rest)) {
          const [start, more] = split(rest, columns);
          if (more === '') break;
          pieces.push(start);
          rest = more;
        }
        return [...pieces, rest];
      });
      return packWords(words, { columns, widthOf: strlen });
    },
    longestWord: (text) => Math.max(0, ...text.split(' ').map(strlen)),
  };
}

/** Sequences that take no column; below, characters that take two. */
const ESCAPES = /\u001b\[[\d;]*m/g;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MARK = /\p{M}|\u200d/u;

function widthOf(text: string): number {
  let width = 0;
  for (const sign of text.replace(ESCAPES, '')) width += MARK.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;
  return width;
}

/**
 * Breaks a text between words only. A line that begins with a blank is not wrapped, because it is meant to be pasted.
 * @param columns undefined where there is no terminal
 * @param indent of the lines after the first
 */
export function wrapLine(text: string, columns: number | undefined, indent = ''): string {
  if (columns === undefined || columns < 1 || widthOf(text) <= columns || /^\s/.test(text)) return text;
  return packWords(piecesOf(text), { others: indent, columns, widthOf }).join('\n');
}

/** Breaks an item of a list, which begins with blanks; its other lines are indented by two more. */
export function wrapItem(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < 1 || widthOf(text) <= columns) return text;
  const [first = ''] = /^\s*/.exec(text) ?? [];
  const others = first === '' ? '' : `${first}  `;
  return packWords(piecesOf(text), { first, others, columns, widthOf }).join('\n');
}

/** The words of a text. A command in backquotes is one piece, because it could not be pasted otherwise. */
export const piecesOf = (text: string): readonly string[] => text.match(/(?:[^\s`]|`[^`]*`)+|\S+/g) ?? [];

/** What lines begin with, and how wide they may be with it. */
export type LineShape = {
  first?: string;
  others?: string;
  columns: number;
  widthOf?: (text: string) => number;
};

/** Puts words into lines, as many as fit into each. A word that is too long has a line of its own. */
export function packWords(
  words: readonly string[],
  { first = '', others = first, columns, widthOf = (text) => text.length }: LineShape,
): string[] {
  const lines: string[] = [];
  let margin = first;
  let line = margin;
  for (const word of words) {
    if (line !== margin && widthOf(line) + 1 + widthOf(word) > columns) {
      lines.push(line);
      margin = others;
      line = margin;
    }
    line += line === margin ? word : ` ${word}`;
  }
  return [...lines, line];
}
