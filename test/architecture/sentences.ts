// Splits the specification into units that a test can cover: sentences, items, and rows of tables. Each is identified
// by a short hash of its text and section, so that our table of them need not repeat the text.
import { createHash } from 'node:crypto';

export type Unit = {
  /** Its section: `4` or `4 Start transaction`. */
  section: string;
  text: string;
  hash: string;
};

const HASH_LENGTH = 10;

const hashOf = (section: string, text: string): string =>
  createHash('sha256')
    .update(`${section}\n${text.toLowerCase().replaceAll(/\s+/g, ' ').trim()}`)
    .digest('hex')
    .slice(0, HASH_LENGTH);

/** @param markdown the specification */
export function unitsOf(markdown: string): Unit[] {
  const lines = markdown.split('\n');
  const units: Unit[] = [];
  let section = '0';
  let part = '';
  for (const [index, line] of lines.entries()) {
    const chapter = /^## (\d+)\. /.exec(line);
    if (chapter) [section, part] = [chapter[1] ?? '', ''];
    if (line.startsWith('### ')) part = line.slice(4);
    if (line.startsWith('#') || line.trim() === '') continue;
    const where = part ? `${section} ${part}` : section;
    for (const text of statementsOf(line, lines[index + 1]))
      units.push({ section: where, text, hash: hashOf(where, text) });
  }
  return units;
}

function statementsOf(line: string, next: string | undefined): string[] {
  if (!line.startsWith('|')) return sentencesOf(line.replace(/^\s*(?:[-*]|\d+\.)\s+/, ''));
  const isRule = /^\|[-| ]+\|$/.test(line);
  const isHead = next !== undefined && /^\|[-| ]+\|$/.test(next);
  return isRule || isHead ? [] : [line.replaceAll(/\s*\|\s*/g, ' | ').trim()];
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=\.)\s+(?=[A-Z{])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
