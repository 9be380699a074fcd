// Writes man pages in roff. It takes plain text, and writes it escaped, in ASCII, in lines short enough for every
// formatter.
import type { HelpBlock, HelpSection } from '../command/help-page.ts';
import { blocksOf } from './blocks.ts';

export type ManPage = {
  /** `esign-tx-send` */
  name: string;
  section: 1 | 5 | 7;
  summary: string;
  sections: HelpSection[];
  /** `esign-json(7)` */
  seeAlso: string[];
};

export type Edition = {
  version: string;
  /** YYYY-MM-DD */
  date: string;
};

const WIDTH = 78;

const NAMED: Record<string, string> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
  '"': '\\(dq',
};

/** Escapes text in the middle of a line. */
export const escaped = (text: string): string =>
  text.replace(/[\\\-'`^~"]|[^\x20-\x7e]/gu, (character) => NAMED[character] ?? codePoint(character));

const codePoint = (character: string): string =>
  `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/** Escapes the beginning of a line, which must not look like a request of roff. */
const guarded = (line: string): string => (/^[.']/.test(line) ? `\\&${line}` : line);

/** `code` in backquotes becomes bold. */
function inline(text: string): string {
  const parts = text.split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? bold(part) : escaped(part))).join('');
}

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`;

/** Writes a paragraph. The formatter joins its lines again. */
function flowing(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    if (line !== '' && line.length + 1 + word.length > WIDTH) {
      lines.push(guarded(line));
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(guarded(line));
  return lines;
}

/** Writes lines that are not wrapped. A long one continues after `\c`, which joins it to the next. */
function unwrappedLines(text: string): string[] {
  const lines: string[] = [];
  let rest = escaped(text);
  while (rest.length > WIDTH) {
    const at = rest.lastIndexOf(' ', WIDTH - 2);
    if (at <= 0) break;
    lines.push(guarded(`${rest.slice(0, at)}\\c`));
    rest = `\\ ${rest.slice(at + 1)}`;
  }
  return [...lines, rest === '' ? '\\&' : guarded(rest)];
}

function blockLines(block: HelpBlock, isFirst: boolean): string[] {
  const paragraph = isFirst ? [] : ['.PP'];
  switch (block.kind) {
    case 'text':
      return [...paragraph, ...flowing(inline(block.text))];
    case 'lines':
      return [...paragraph, '.RS 4', '.nf', ...block.lines.flatMap(unwrappedLines), '.fi', '.RE'];
    case 'examples':
      return block.rows.flatMap(([line, about], index) => [
        ...(isFirst && index === 0 ? [] : ['.PP']),
        ...flowing(`${inline(about)}:`),
        ...blockLines({ kind: 'lines', lines: [line] }, true),
      ]);
    case 'terms':
      return [
        ...(block.title === undefined ? [] : [`.SS ${escaped(block.title)}`]),
        ...termLines(block.rows),
      ];
  }
}

const termLines = (rows: readonly [string, string][]): string[] =>
  rows.flatMap(([term, text]) => ['.TP', ...flowing(bold(term)), ...flowing(inline(text))]);

export function roff(page: ManPage, { version, date }: Edition): string {
  const { name, section, summary, sections, seeAlso } = page;
  const last: HelpSection[] =
    seeAlso.length > 0 ? [{ title: 'SEE ALSO', blocks: [{ kind: 'text', text: seeAlso.join(', ') }] }] : [];
  return `${[
    `.\\" Written by npm run generate, from the command tree.`,
    `.TH ${escaped(name.toUpperCase())} ${section} ${date} "esign ${escaped(version)}" "esign"`,
    '.SH NAME',
    ...flowing(`${escaped(name)} \\- ${escaped(summary)}`),
    ...[...sections, ...last].flatMap(({ title, blocks }) => [
      `.SH ${title}`,
      ...blocks.flatMap((block, index) => blockLines(block, index === 0)),
    ]),
  ].join('\n')}\n`;
}

export const section = (title: string, text: string): HelpSection => ({ title, blocks: blocksOf(text) });
