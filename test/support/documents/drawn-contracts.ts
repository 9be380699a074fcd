// Draws contracts from texts in which a field is written where it is expected: `{s2______}` is a line for the signature of the second
// person. The texts are in test/fixtures/contracts/.
import { readFileSync } from 'node:fs';
import { parseAddressee } from '../../../src/cli/input/person.ts';
import { fileFont, showAt, textPdf } from './text-pdf.ts';

/** The page, and the distance of two columns of letters; in points. */
const [WIDTH, HEIGHT, LEFT, TOP, ACROSS, SIZE] = [595, 842, 50, 60, 5.7, 9];

const TYPES: Record<string, string> = { s: 'signature', d: 'date', n: 'person_name', t: 'text', e: 'email' };

/** `person` is its position, from 0; undefined where the text does not tell. Boxes in displayed points. */
export type ExpectedField = {
  type: string;
  person: number | undefined;
  page: number;
  x: number;
  y: number;
  width: number;
};

export type DrawnContract = {
  title: string;
  people: { name: string; email: string }[];
  pdf: Buffer;
  pages: { width: number; height: number }[];
  fields: ExpectedField[];
};

export function readContracts(name: 'practised' | 'held-back'): DrawnContract[] {
  const file = new URL(`../../fixtures/contracts/${name}.txt`, import.meta.url);
  return readFileSync(file, 'utf8').split(/^=== /m).slice(1).map(contractOf);
}

function contractOf(text: string): DrawnContract {
  const [head = '', ...bodies] = text.split(/^---\n/m);
  const [first = '', ...listed] = head.trim().split('\n');
  const [title = '', style = 'rules', pitch = '14'] = first.split(' · ');
  const people = listed.map((line) => {
    const { name, email } = parseAddressee(line.replace(/^\d+ /, ''), 'a person', {});
    return { name, email };
  });
  const font = fileFont('sans-regular');
  const fields: ExpectedField[] = [];
  const contents = bodies.map((body, page) => {
    const drawn: string[] = [];
    const lines = body.split('\n');
    const at = (column: number) => LEFT + column * ACROSS;
    const show = (column: number, y: number, words: string) =>
      drawn.push(showAt(at(column), HEIGHT - y, font.encode(words), SIZE));
    const rule = (from: number, y: number, to: number) =>
      drawn.push(`.7 w ${at(from)} ${HEIGHT - y} m ${at(to)} ${HEIGHT - y} l S`);
    for (const [row, line] of lines.entries()) {
      const y = TOP + row * Number(pitch);
      for (const match of line.matchAll(/\{(.)(.)?([_.]*)\}/g)) {
        const [from, to] = [match.index, match.index + match[0].length];
        const inCell = match[3]?.startsWith('.');
        const type = TYPES[match[1] ?? ''];
        const person = /\d/.test(match[2] ?? '') ? Number(match[2]) - 1 : undefined;
        const line = inCell ? y + Number(pitch) - 4 : y + 2;
        if (type) fields.push({ type, person, page, x: at(from), y: line, width: (to - from) * ACROSS });
        if (inCell) continue;
        if (style === 'rules') rule(from, y + 2, to);
        else {
          const letter = style === 'dots' ? '.' : '_';
          const count = Math.floor(((to - from) * ACROSS * 1000) / SIZE / font.widthOf(letter));
          show(from, y, letter.repeat(count));
        }
      }
      if (/^\+[-+]+\+$/.test(line)) rule(0, y - 4, line.length - 1);
      for (const match of line.matchAll(/\|/g)) {
        const x = at(match.index);
        const [top, bottom] = [y - 4 - Number(pitch), y - 4 + Number(pitch)];
        drawn.push(`.7 w ${x} ${HEIGHT - top} m ${x} ${HEIGHT - bottom} l S`);
      }
      const words = line.replace(/\{[^}]*\}|^[-+]+$|\|/g, (letters) => ' '.repeat(letters.length));
      for (const match of words.matchAll(/\S+(?: \S+)*/g)) show(match.index, y, match[0]);
    }
    return drawn.join('\n');
  });
  const pdf = textPdf({ contents, fonts: [font], tree: `/MediaBox[0 0 ${WIDTH} ${HEIGHT}]` });
  return { title, people, pdf, pages: bodies.map(() => ({ width: WIDTH, height: HEIGHT })), fields };
}
