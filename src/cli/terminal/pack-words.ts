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
