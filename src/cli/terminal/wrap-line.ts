// Wraps a sentence to the width of a terminal. The terminal itself folds in the middle of words. Small and without packages,
// because every command that says something needs it; tables measure with text-width.ts.

/** What takes no column, and what takes two. */
const ESCAPES = /\u001b\[[\d;]*m/g;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const MARK = /\p{M}|\u200d/u;

function widthOf(text: string): number {
  let width = 0;
  for (const sign of text.replace(ESCAPES, '')) width += MARK.test(sign) ? 0 : WIDE.test(sign) ? 2 : 1;
  return width;
}

/** A command in backquotes is one piece: broken by us it could not be pasted. */
const PIECES = /(?:[^\s`]|`[^`]*`)+|\S+/g;

/**
 * Breaks between words, and nowhere else. A line that begins with a blank is kept: it is to be pasted as it is.
 * @param columns undefined where there is no terminal
 * @param indent of the lines after the first
 */
export function wrapLine(text: string, columns: number | undefined, indent = ''): string {
  if (columns === undefined || columns < 1 || widthOf(text) <= columns || /^\s/.test(text)) return text;
  const lines: string[] = [];
  let line = '';
  for (const piece of text.match(PIECES) ?? []) {
    if (line !== '' && widthOf(line) + 1 + widthOf(piece) > columns) {
      lines.push(line);
      line = `${indent}${piece}`;
    } else line = line === '' ? piece : `${line} ${piece}`;
  }
  return [...lines, line].join('\n');
}
