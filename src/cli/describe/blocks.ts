// Plain text as help shows it, cut into what a man page tells apart: paragraphs, lists of terms, lines to be kept as
// they are. The text is written once; this is how both come from it.

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'terms'; rows: [term: string, text: string][] }
  | { kind: 'lines'; lines: string[] };

/** `  NAME   what it is`: two blanks or more between the two. */
const TERM = /^ {0,2}(?<term>\S+(?: \S+)*?) {2,}(?<text>\S.*)$/;

/** Blank lines part blocks; indented lines are kept or are terms; the others flow. */
export function blocksOf(text: string): Block[] {
  return text
    .split(/\n[ \t]*\n/)
    .filter((part) => part.trim() !== '')
    .flatMap((part) => chunksOf(part.split('\n')).map(blockOf));
}

const isKept = (line: string): boolean => line.startsWith('  ') || TERM.test(line);

/** Lines that flow and lines that are kept, in turn. */
function chunksOf(lines: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (const line of lines) {
    const last = chunks.at(-1);
    if (last && isKept(last[0] ?? '') === isKept(line)) last.push(line);
    else chunks.push([line]);
  }
  return chunks;
}

/** What goes on under a term stands further in. */
const CONTINUED = /^ {4,}\S/;

function blockOf(lines: string[]): Block {
  if (!isKept(lines[0] ?? '')) return { kind: 'text', text: lines.map((line) => line.trim()).join(' ') };
  return termsOf(lines) ?? { kind: 'lines', lines: lines.map((line) => line.replace(/^ {2}/, '')) };
}

function termsOf(lines: readonly string[]): Block | undefined {
  const rows: [string, string][] = [];
  const first = TERM.exec(lines[0] ?? '')?.groups;
  if (!first) return undefined;
  // Where the texts begin: a term that reaches up to there has one blank behind it, a longer one stands alone.
  const column = (lines[0] ?? '').length - (first.text ?? '').length;
  for (const [index, line] of lines.entries()) {
    const groups = TERM.exec(line)?.groups;
    const last = rows.at(-1);
    if (groups) rows.push([groups.term ?? '', groups.text ?? '']);
    else if (last && CONTINUED.test(line)) last[1] = `${last[1]} ${line.trim()}`.trim();
    else if (/\S $/.test(line.slice(0, column)) && line.length > column)
      rows.push([line.slice(0, column).trim(), line.slice(column)]);
    else if (CONTINUED.test(lines[index + 1] ?? '')) rows.push([line.trim(), '']);
    else return undefined;
  }
  return { kind: 'terms', rows };
}
