// Suggestions for Word documents, laid out on this machine: tables whose cells have no borders but the lower one, and columns that are a
// table without borders.
import { describe, expect, test } from 'vitest';
import { docxToPdf } from '../../../src/docx/docx-to-pdf.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { suggestFields } from '../../../src/placement/suggestions/suggest-fields.ts';
import { cell, docxOf, paragraph, row, run, table } from '../../support/documents/docx.ts';

const engine = createInProcessEngine();

const PEOPLE = [
  { name: 'Jürgen Brückner', email: 'jb@kestrel-foods.example' },
  { name: "Siobhán O'Connor", email: 'siobhan@nordwind.example' },
];

/** Lists what is suggested, and for whom. */
async function suggestedFor(content: string, people = PEOPLE): Promise<string[]> {
  const laidOut = await docxToPdf(docxOf(content));
  if (!laidOut.ok) throw new Error('The document was not converted.');
  const source = { sha256: content, bytes: async () => laidOut.pdf };
  const { suggestions } = await suggestFields(engine, source, laidOut.pages, 'test', people);
  return suggestions.map(
    ({ type, person, isGuessed, words }) =>
      `${type} "${words?.text}" ${person === undefined ? 'left out' : people[person]?.name}${isGuessed ? ' (guessed)' : ''}`,
  );
}

const line = (text: string): string => paragraph(run(text));
const lines = (...texts: string[]): string => texts.map(line).join('');

describe('fields of a Word document', () => {
  test('belong to the person for whom somebody signs, in columns of a table without borders', async () => {
    const column = (company: string, person: string) =>
      cell(
        lines('_'.repeat(26), 'Place, date', '', '_'.repeat(26)) + line(`For ${company}: ${person}`),
        '<w:tcW w:w="4500" w:type="dxa"/>',
      );
    const content =
      line('The parties agree to the terms of this contract.') +
      table(
        [4500, 4500],
        [
          row([
            column('Nordwind Robotics Ltd', "Siobhán O'Connor"),
            column('Kestrel Foods Ltd', 'J. Brückner'),
          ]),
        ],
      ) +
      line('PO number of the Buyer: ______________________');
    expect(await suggestedFor(content)).toEqual([
      'text "Place, date" Siobhán O\'Connor',
      'text "Place, date" Jürgen Brückner',
      'signature "For Nordwind Robotics Ltd: Siobhán O\'Connor" Siobhán O\'Connor',
      'signature "For Kestrel Foods Ltd: J. Brückner" Jürgen Brückner',
      'text "PO number of the Buyer" Jürgen Brückner (guessed)',
    ]);
  });

  const UNDERLINED =
    '<w:tcBorders><w:bottom w:val="single" w:sz="4" w:color="000000"/></w:tcBorders><w:vAlign w:val="center"/>';
  const rowOf = (label: string, ...values: string[]) =>
    row(
      [cell(line(label)), ...values.flatMap((value) => [cell(line(value), UNDERLINED), cell(line(''))])],
      '<w:trHeight w:val="600"/>',
    );
  const form = (name: [string, string], title: [string, string]) =>
    line('By signing this order form, each party agrees to its terms.') +
    table(
      [2000, 3000, 300, 3000, 300],
      [
        rowOf('', 'PROVIDER: Kestrel Foods Ltd', 'CUSTOMER: Nordwind Robotics Ltd'),
        rowOf('Signature', '', ''),
        rowOf('Print Name', ...name),
        rowOf('Title', ...title),
        rowOf('Date', '', ''),
      ],
    );

  test('stand in the empty cells of a form that is filled in', async () => {
    expect(
      await suggestedFor(form(['Jürgen Brückner', "Siobhán O'Connor"], ['Managing Director', 'Buyer'])),
    ).toEqual([
      'signature "Signature" Jürgen Brückner',
      'signature "Signature" Siobhán O\'Connor',
      'date "Date" Jürgen Brückner',
      'date "Date" Siobhán O\'Connor',
    ]);
  });

  test('have the label of their own row in a form that is not filled in', async () => {
    const people = PEOPLE.map(({ name }, index) => ({ name, email: `${index}@example.com` }));
    expect(await suggestedFor(form(['', ''], ['', '']), people)).toEqual(
      ['signature "Signature"', 'person_name "Print Name"', 'text "Title"', 'date "Date"'].flatMap((field) =>
        people.map(({ name }) => `${field} ${name} (guessed)`),
      ),
    );
  });
});
