// Reads the part of Markdown that pages of help are written in, strictly: what another reader could take otherwise is a fault.

export type ReadMarkdown = {
  headings: { level: number; text: string }[];
  /** The cells of all tables, row by row, as a reader sees them. */
  rows: string[][];
  /** Everything that stands in fences. */
  code: string;
  faults: string[];
};

export function readMarkdown(markdown: string): ReadMarkdown {
  const read: ReadMarkdown = { headings: [], rows: [], code: '', faults: [] };
  let fence = '';
  let columns = 0;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fault = (text: string) => read.faults.push(`line ${index + 1}: ${text}`);
    const mark = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence !== '') {
      if (line === fence) fence = '';
      else read.code += `${line}\n`;
    } else if (mark !== '') fence = mark;
    else if (line.startsWith('|')) {
      const cells = cellsOf(line);
      if (columns === 0) columns = cells.length;
      else if (cells.length !== columns) fault(`${cells.length} cells in a table of ${columns}`);
      read.rows.push(cells.map((cell) => seen(cell, fault)));
      continue;
    } else {
      const heading = /^(#{1,6}) (\S.*)$/.exec(line);
      if (heading) read.headings.push({ level: heading[1]?.length ?? 0, text: heading[2] ?? '' });
      else if (/^(#|>|[-+*] |\d+[.)] |={3}|-{3})/.test(line)) fault(`begins like something else: ${line}`);
      seen(line, fault);
    }
    columns = 0;
  }
  if (fence !== '') read.faults.push('a fence is open at the end');
  const mains = read.headings.filter(({ level }) => level === 1).length;
  if (mains !== 1) read.faults.push(`${mains} main headings`);
  return read;
}

/** Splits a row at bars that no backslash stands before. */
const cellsOf = (line: string): string[] =>
  line
    .slice(1)
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Returns the text as a reader sees it: spans of code keep their backquotes where they stand in a sentence. */
function seen(text: string, fault: (text: string) => void): string {
  const whole = /^(`+) ?(.*?) ?\1$/.exec(text);
  if (whole && !(whole[2] ?? '').includes(whole[1] ?? '')) return whole[2] ?? '';
  return text
    .split(/((?<!\\)`[^`]+`)/)
    .map((piece, index) => {
      if (index % 2 === 1) return piece;
      if (/(?<!\\)[`<]/.test(piece)) fault(`a sign that is not escaped: ${piece}`);
      if (/(?<![\\\w])_|(?<!\\)\*/.test(piece)) fault(`emphasis by accident: ${piece}`);
      if (/(?<!\\)\]\(/.test(piece)) fault(`a link by accident: ${piece}`);
      return piece.replaceAll(/\\([\\*<`_\]])/g, '$1');
    })
    .join('');
}
