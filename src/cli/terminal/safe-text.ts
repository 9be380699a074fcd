// Makes text from outside safe for a terminal or a tab-separated line: it must not move the cursor, change the
// color, reorder text, or break the line.

/** C0, DEL, C1, line and paragraph separators, bidi marks, overrides and isolates, zero-width and tag characters. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e007f}]/gu;

const NAMED: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export const escapedCharacter = (character: string): string =>
  NAMED[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Makes one line. Unsafe characters become visible escapes. */
export const safeText = (text: string): string => text.replace(UNSAFE, escapedCharacter);

/** Makes several lines: line ends stay, everything else as in {@link safeText}. */
export const safeLines = (text: string): string => text.split(/\r?\n/).map(safeText).join('\n');

/**
 * Changes output in a job of GitHub Actions so that the runner reads no text from outside as a command: `::` at the beginning of
 * a line, and `##[` anywhere. In JSON it uses escapes, so that the value stays the same.
 */
export const defuseCommands = (text: string, isJson: boolean): string =>
  isJson
    ? text.replaceAll('##[', '\\u0023#[')
    : text.replace(/^(\s*)::/gm, '$1\\u{3a}:').replaceAll('##[', '##\\u{5b}');
