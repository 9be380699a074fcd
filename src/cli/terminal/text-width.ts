// Measures, shortens and wraps text for a terminal. It measures as cli-table3 does, so that both agree: wide characters and
// emoji take two columns, combining marks none. It never splits a character.
import { segmentsOf } from '../../common/text.ts';
import { packWords } from './pack-words.ts';

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
