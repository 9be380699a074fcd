// Splits plain text of help into the blocks of a man page: paragraphs, lists of terms, and lines that stay as
// they are. So the text is written once for both.
import type { HelpBlock } from '../command/help-page.ts';

/** `  NAME   what it is`: two blanks or more between the two. */
const TERM = /^ {0,2}(?<term>\S+(?: \S+)*?) {2,}(?<text>\S.*)$/;

/** Splits a text. Blank lines separate blocks; indented lines stay as they are or are terms; the others are wrapped. */
export function blocksOf(text: string): HelpBlock[] {
  return text
    .split(/\n[ \t]*\n/)
    .map((part) => part.replace(/^\n+|\n+$/g, ''))
    .filter((part) => part.trim() !== '')
    .flatMap((part) => chunksOf(part.split('\n')).map(blockOf));
}

const isKept = (line: string): boolean => line.startsWith('  ') || TERM.test(line);

/** Groups lines that are wrapped and lines that stay as they are, in turn. */
function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (const line of lines) {
    const last = chunks.at(-1);
    if (last && isKept(last[0] ?? '') === isKept(line)) last.push(line);
    else chunks.push([line]);
  }
  return chunks;
}

/** A line that continues a term is indented further. */
const CONTINUED = /^ {4,}\S/;

function blockOf(lines: string[]): HelpBlock {
  if (!isKept(lines[0] ?? '')) return { kind: 'text', text: lines.map((line) => line.trim()).join(' ') };
  return termsOf(lines) ?? { kind: 'lines', lines: lines.map((line) => line.replace(/^ {2}/, '')) };
}

function termsOf(lines: readonly string[]): HelpBlock | undefined {
  const rows: [string, string][] = [];
  if (!lines.some((line) => TERM.test(line))) return undefined;
  for (const [index, line] of lines.entries()) {
    const groups = TERM.exec(line)?.groups;
    const last = rows.at(-1);
    if (groups) rows.push([groups.term ?? '', groups.text ?? '']);
    else if (last && CONTINUED.test(line)) last[1] = `${last[1]} ${line.trim()}`.trim();
    else if (CONTINUED.test(lines[index + 1] ?? '')) rows.push([line.trim(), '']);
    else return undefined;
  }
  return { kind: 'terms', rows };
}
