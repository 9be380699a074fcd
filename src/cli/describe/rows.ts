// Writes lists of terms as plain text: the term, two blanks, and its wrapped description. `blocks.ts` reads them back.

const WIDTH = 100;

export type TermRow = readonly [term: string, text: string];

/** Writes a list. @param column where the texts begin, unless a term is longer */
export function rowsText(rows: readonly TermRow[], column: number): string {
  return rows
    .map(([term, text]) => {
      const head = `  ${term}`.padEnd(column - 2);
      return wrapped(`${head}  `, ' '.repeat(column), text);
    })
    .join('\n');
}

function wrapped(first: string, others: string, text: string): string {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = others;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].join('\n');
}
