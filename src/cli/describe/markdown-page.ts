// Writes a page of help or a topic as Markdown: a heading for each section, terms as a table, and what is typed in a fence.
import type { HelpBlock, HelpSection } from '../command/help-page.ts';

/** Writes a page. @param name the heading of a page whose first section has no title */
export function markdownPage(sections: readonly HelpSection[], name: string): string {
  const [first, ...others] = sections;
  if (!first) return `# ${name}\n`;
  const parts = [
    `# ${first.title === '' ? escapeText(name) : inSentenceCase(first.title)}`,
    ...blocksOf(first),
    ...others.flatMap((section) => [`## ${inSentenceCase(section.title)}`, ...blocksOf(section)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

const blocksOf = ({ title, blocks }: HelpSection): string[] =>
  blocks.flatMap((block) => blockParts(block, TERM_HEADINGS[title] ?? 'Name'));

/** The heading of the first column. */
const TERM_HEADINGS: Readonly<Record<string, string>> = {
  ARGUMENTS: 'Argument',
  COMMANDS: 'Command',
  'JSON OUTPUT': 'Property',
  OPTIONS: 'Option',
  TOPICS: 'Topic',
};

function blockParts(block: HelpBlock, termHeading: string): string[] {
  switch (block.kind) {
    case 'text':
      return [escapeText(block.text).replace(/^(?=[#>+-]\s)/, '\\')];
    case 'lines':
      return [fence(block.lines, '')];
    case 'examples':
      return [
        fence(
          block.rows.flatMap(([line, about], index) => [...(index === 0 ? [] : ['']), `# ${about}`, line]),
          'sh',
        ),
      ];
    case 'terms':
      return [
        ...(block.title === undefined ? [] : [`### ${escapeText(block.title)}`]),
        table([termHeading, 'Meaning'], block.rows),
      ];
  }
}

function table(headings: readonly string[], rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([term, text]) => [codeOf(term), escapeText(text)].map(inCell));
  return [headings, headings.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** A bar ends a cell, in code as well. */
const inCell = (text: string): string => text.replaceAll('|', '\\|');

/** A span of code ends at as many backquotes as it begins with. */
const codeOf = (term: string): string => (term.includes('`') ? `\`\` ${term} \`\`` : `\`${term}\``);

function fence(lines: readonly string[], language: string): string {
  const longest = Math.max(2, ...lines.map((line) => /^`+/.exec(line)?.[0].length ?? 0));
  const mark = '`'.repeat(longest + 1);
  return [`${mark}${language}`, ...lines, mark].join('\n');
}

/** Escapes what Markdown would read as a sign. What stands in backquotes is code in help as well, and stays. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : piece.replace(/[\\*<`]|(?<!\w)_|_(?!\w)|\](?=\()/g, '\\$&'),
    )
    .join('');
}

/** Titles of sections are in capitals: `JSON OUTPUT` becomes `JSON output`. */
function inSentenceCase(title: string): string {
  const words = title.split(' ').map((word) => ABBREVIATIONS[word] ?? word.toLowerCase());
  const text = words.join(' ');
  return escapeText(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

const ABBREVIATIONS: Readonly<Record<string, string>> = { IDS: 'IDs', JSON: 'JSON' };
