// Wraps a sentence to the width of a terminal, which itself would break words. It is small and uses no packages, because every
// command that prints a message needs it; tables measure with text-width.ts.
import { packWords, piecesOf } from './pack-words.ts';

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
