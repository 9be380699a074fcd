// Wraps a page of help to the width of a terminal. The launcher is bundled with this file, so that prepared help looks like
// help that the program makes; it must stay small and load nothing at run time.
// It never breaks a word, nor an example, which must work when it is pasted.
import type { HelpBlock, HelpSection } from '../command/help-page.ts';
import { packWords, piecesOf } from './text-width.ts';

export type HelpStyle = { width: number; bold(text: string): string };

const NARROWEST = 60;
const WIDEST = 100;
/** The width of a pipe, and of a terminal whose width is unknown. */
const USUAL = 80;

/** @param columns of the terminal; undefined where there is none */
export const pageWidth = (columns: number | undefined): number =>
  Math.min(WIDEST, Math.max(NARROWEST, columns ?? USUAL));

/** Lays out a page, without a line end at the end. */
export const layOut = (sections: readonly HelpSection[], style: HelpStyle): string =>
  sections.map((section) => sectionLines(section, style).join('\n')).join('\n\n');

/** Lays out a page for a pipe. */
export const plainText = (sections: readonly HelpSection[]): string =>
  layOut(sections, { width: USUAL, bold: (text) => text });

function sectionLines({ title, blocks }: HelpSection, { width, bold }: HelpStyle): string[] {
  const indent = title === '' ? 0 : 2;
  const page = {
    indent,
    width,
    groups: blocks.flatMap((block) =>
      block.kind === 'terms' && block.title !== undefined ? block.rows : [],
    ),
  };
  const lines = blocks.flatMap((block, index) => [...(index === 0 ? [] : ['']), ...blockLines(block, page)]);
  return title === '' ? lines : [bold(title), ...lines];
}

/** `groups` are the rows of all groups of the section, whose texts begin in one column. */
type BlockLayout = { indent: number; width: number; groups: readonly Row[] };

type Row = readonly [term: string, text: string];

function blockLines(block: HelpBlock, { indent, width, groups }: BlockLayout): string[] {
  const margin = ' '.repeat(indent);
  switch (block.kind) {
    case 'text':
      return wrapped(block.text, margin, width);
    case 'lines':
      return block.lines.map((line) => `${margin || '  '}${line}`.trimEnd());
    case 'examples':
      return block.rows.flatMap(([line, about], index) => [
        ...(index === 0 ? [] : ['']),
        ...wrapped(about, `${margin}# `, width),
        `${margin}${line}`,
      ]);
    case 'terms':
      return block.title === undefined
        ? termLines(block.rows, block.rows, indent || 2, width)
        : [...wrapped(block.title, margin, width), ...termLines(block.rows, groups, indent + 2, width)];
  }
}

/** A term that is wider than its column has a line of its own. */
function termLines(rows: readonly Row[], alike: readonly Row[], indent: number, width: number): string[] {
  const shown = shownTerm(alike);
  const most = Math.floor(width * 0.4) - indent;
  const lengths = alike.map(([term]) => shown(term).length);
  const column = Math.max(0, ...lengths.filter((length) => length <= most)) || 6;
  const margin = ' '.repeat(indent);
  const under = ' '.repeat(indent + column + 2);
  return rows.flatMap(([typed, text]) => {
    const term = shown(typed);
    if (text === '') return wrapped(typed, margin, width);
    const lines = wrapped(text, under, width);
    if (term.length > column) return [...wrapped(typed, margin, width), ...lines];
    const [first = '', ...others] = lines;
    return [`${margin}${term.padEnd(column)}  ${first.slice(under.length)}`, ...others];
  });
}

/** Aligns the long names where one option has a short name. */
function shownTerm(rows: readonly Row[]): (term: string) => string {
  const hasShort = rows.some(([term]) => /^-\w, --/.test(term));
  return (term) => (hasShort && term.startsWith('--') ? `    ${term}` : term);
}

/** Code in backquotes stays on one line where it fits on one. */
function wrapped(text: string, margin: string, width: number): string[] {
  const room = width - margin.length;
  const words = piecesOf(text).flatMap((piece) => (piece.length > room ? piece.split(/\s+/) : [piece]));
  return packWords(words, { first: margin, columns: width });
}
