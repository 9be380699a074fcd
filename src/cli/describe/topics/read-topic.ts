// Reads a topic of help, which is written in a part of Markdown (decision 0059):
//   ## TITLE             begins a section
//   - `TERM` meaning     a term; lines that continue it are indented
//   ```                  lines that are kept as they are, up to the next such line
//   <!-- table: NAME --> terms that are listed from the code
// Everything else is a paragraph, which ends at a blank line and is wrapped anew. Its signs stand for themselves.
import type { HelpBlock, HelpSection } from '../../command/help-page.ts';

export type TermRow = readonly [term: string, meaning: string];

/** The rows of each table by its name. */
type Tables = ReadonlyMap<string, readonly TermRow[]>;

const TERM = /^- `([^`]+)` (\S.*)$/;
const TABLE = /^<!-- table: ([a-z-]+) -->$/m;
const FENCE = '```';

/** @returns the names of the tables that a topic shows */
export const tablesIn = (markdown: string): string[] =>
  [...markdown.matchAll(new RegExp(TABLE, 'gm'))].map(([, name = '']) => name);

/** @param title of what stands before the first section */
export function readTopic(markdown: string, title: string, tables: Tables): HelpSection[] {
  const [first = '', ...others] = markdown.split(/^## /m);
  return [
    { title, blocks: blocksIn(first, tables) },
    ...others.map((part) => {
      const end = part.indexOf('\n');
      return { title: part.slice(0, end), blocks: blocksIn(part.slice(end + 1), tables) };
    }),
  ];
}

function blocksIn(text: string, tables: Tables): HelpBlock[] {
  const [before = '', kept, after] = text.split(/^```\n/m, 3);
  const blocks = before.split(/\n{2,}/).flatMap((part) => blockOf(part.trim(), tables) ?? []);
  if (kept === undefined) return blocks;
  const rest = text.slice(before.length + kept.length + 2 * (FENCE.length + 1));
  return [
    ...blocks,
    { kind: 'lines', lines: kept.trimEnd().split('\n') },
    ...(after === undefined ? [] : blocksIn(rest, tables)),
  ];
}

function blockOf(part: string, tables: Tables): HelpBlock | undefined {
  if (part === '') return undefined;
  const table = TABLE.exec(part)?.[1];
  if (table !== undefined)
    return { kind: 'terms', rows: (tables.get(table) ?? []).map(([term, meaning]) => [term, meaning]) };
  const items = part.replaceAll(/\n {2,}/g, ' ').split('\n');
  if (!items.every((item) => TERM.test(item))) return { kind: 'text', text: part.replaceAll('\n', ' ') };
  return {
    kind: 'terms',
    rows: items.map((item) => {
      const [, term = '', meaning = ''] = TERM.exec(item) ?? [];
      return [term, meaning];
    }),
  };
}
