// How many columns text takes on a terminal, the start of it that fits, and its lines. Measured as cli-table3 measures, so
// that both agree: wide characters and emoji take two columns, combining marks none. Characters are never cut in two.

export type Ruler = {
  widthOf(text: string): number;
  /** At most `columns` wide; what was cut off is shown as …. */
  shortened(text: string, columns: number): string;
  /**
   * Lines that are at most `columns` wide, broken between words. A word that no line holds is broken, unless it is an address:
   * that stays in one piece on a line of its own, because a terminal joins what it wrapped by itself when it is copied.
   */
  wrapped(text: string, columns: number): string[];
  longestWord(text: string): number;
};

/** It is never broken. */
export const isAddress = (word: string): boolean => word.includes('://');

export async function createRuler(): Promise<Ruler> {
  const { strlen } = (await import('cli-table3/src/utils.js')).default;
  const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
  /** The longest start of `text` that is at most `columns` wide, and what follows it. At least one character is taken. */
  const split = (text: string, columns: number): [start: string, rest: string] => {
    let start = '';
    let taken = 0;
    for (const { segment } of graphemes.segment(text)) {
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
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(' ')) {
        const joined = line === '' ? word : `${line} ${word}`;
        if (strlen(joined) <= columns) {
          line = joined;
          continue;
        }
        if (line !== '') lines.push(line);
        line = word;
        while (strlen(line) > columns && !isAddress(line)) {
          const [start, rest] = split(line, columns);
          if (rest === '') break;
          lines.push(start);
          line = rest;
        }
      }
      return line === '' && lines.length > 0 ? lines : [...lines, line];
    },
    longestWord: (text) => Math.max(0, ...text.split(' ').map(strlen)),
  };
}
