// Writes lists of terms as plain text: the term, two blanks, and its wrapped description. `blocks.ts` reads them back.
import { packWords } from '../terminal/pack-words.ts';

const WIDTH = 100;

export type TermRow = readonly [term: string, text: string];

/** Writes a list. @param column where the texts begin, unless a term is longer */
export function rowsText(rows: readonly TermRow[], column: number): string {
  return rows
    .map(([term, text]) => {
      const head = `  ${term}`.padEnd(column - 2);
      const shape = { first: `${head}  `, others: ' '.repeat(column), columns: WIDTH };
      return packWords(text.split(' '), shape).join('\n');
    })
    .join('\n');
}
