// Fields are suggested where a document asks for them, of the type that its words name, in eight languages; a table of contents, running
// text and headings ask for nothing.
import { describe, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { leastOf, mostOf } from '../../../src/pdf/geometry.ts';
import { withBlocks } from '../../../src/placement/suggestions/blocks.ts';
import {
  type Person,
  peopleIn,
  readParties,
  shareRecipients,
} from '../../../src/placement/suggestions/parties.ts';
import { suggestFields } from '../../../src/placement/suggestions/suggest-fields.ts';
import type { Suggestion } from '../../../src/placement/suggestions/suggestion.ts';
import { fileFont, showAt, textPdf } from '../../support/documents/text-pdf.ts';
import { sampleOf } from '../../support/tier.ts';

const PAGE = { width: 400, height: 300 };

const ONE: Person[] = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];

const engine = createInProcessEngine();

type Line = [x: number, y: number, text: string, size?: number];

/** A page of 400 × 300 points. @param rules from x, y to the right, y from below */
async function suggestionsOn(
  lines: Line[],
  rules: [x: number, y: number, width: number][] = [],
  people?: Person[],
): Promise<Suggestion[]> {
  const font = fileFont('sans-regular');
  const content = [
    ...lines.map(([x, y, text, size]) => showAt(x, y, font.encode(text), size)),
    ...rules.map(([x, y, width]) => `1 w ${x} ${y} m ${x + width} ${y} l S`),
  ].join('\n');
  const pdf = textPdf({ contents: [content], fonts: [font] });
  const source = { sha256: String(content), bytes: async () => new Uint8Array(pdf) };
  return (await suggestFields(engine, source, [PAGE], 'test', people)).suggestions;
}

const shortOf = ({ type, words }: Suggestion): string => `${type} ${words?.text}`;

describe('a label', () => {
  test.each<[string, Line[], [number, number, number][], string[]]>(
    sampleOf(
      [
        ['stands before its line', [[40, 100, 'Name:']], [[100, 98, 200]], ['person_name Name']],
        ['stands before underscores', [[40, 100, `Name: ${'_'.repeat(20)}`]], [], ['person_name Name']],
        ['stands before dots', [[40, 100, `Email ${'.'.repeat(40)}`]], [], ['email Email']],
        [
          'stands below its line',
          [[40, 86, 'Signature of the tenant']],
          [[40, 100, 200]],
          ['signature Signature of the tenant'],
        ],
        ['stands above its line', [[40, 130, 'Signature']], [[40, 100, 200]], ['signature Signature']],
        ['stands in brackets behind its line', [[40, 100, `${'_'.repeat(20)} (date)`]], [], ['date date']],
        ['is "By:" in an American contract', [[40, 100, `By: ${'_'.repeat(20)}`]], [], ['signature By']],
        ['names who signs', [[40, 86, 'Tenant']], [[40, 100, 200]], ['signature Tenant']],
        ['names whose name is asked for', [[40, 100, 'Tenant:']], [[100, 98, 200]], ['person_name Tenant']],
        [
          'names two things below one line',
          [[40, 86, 'Place, date']],
          [[40, 100, 200]],
          ['text Place, date'],
        ],
        [
          'has a signature in first place',
          [[40, 86, 'Date and signature']],
          [[40, 100, 200]],
          ['signature Date and signature'],
        ],
        [
          'is one of two on a row',
          [[40, 100, `Date: ${'_'.repeat(12)} Place: ${'_'.repeat(12)}`]],
          [],
          ['date Date', 'text Place'],
        ],
        [
          'is below each of two columns',
          [
            [40, 86, 'Landlord'],
            [220, 86, 'Tenant'],
          ],
          [
            [40, 100, 140],
            [220, 100, 140],
          ],
          ['signature Landlord', 'signature Tenant'],
        ],
      ],
      10,
    ),
  )('%s', async (_, lines, rules, expected) => {
    expect((await suggestionsOn(lines, rules)).map(shortOf)).toEqual(expected);
  });

  test.each(
    sampleOf(
      [
        ['English', 'Signature', 'Date', 'Place', 'Name'],
        ['German', 'Unterschrift', 'Datum', 'Ort', 'Nachname'],
        ['French', 'Signature', 'Date', 'Lieu', 'Prénom'],
        ['Spanish', 'Firma', 'Fecha', 'Lugar', 'Apellidos'],
        ['Italian', 'Sottoscrizione', 'Data', 'Luogo', 'Cognome'],
        ['Dutch', 'Handtekening', 'Datum', 'Plaats', 'Naam'],
        ['Polish', 'Podpis', 'Data', 'Miejscowość', 'Nazwisko'],
        ['Portuguese', 'Assinatura', 'Data', 'Localidade', 'Nome'],
      ],
      4,
    ),
  )('is read in %s', async (language, signature, date, place, name) => {
    const spoken: Record<string, string> = { Spanish: 'el contrato y los contratos por una parte' };
    const result = await suggestionsOn(
      [
        [40, 250, spoken[language] ?? ''],
        ...[signature, date, place, name].map((word, index): Line => [40, 200 - 40 * index, `${word}:`]),
      ],
      [0, 1, 2, 3].map((index) => [140, 198 - 40 * index, 180]),
    );
    expect(result.map(({ type }) => type)).toEqual(['signature', 'date', 'text', 'person_name']);
  });

  test.each(
    sampleOf(
      [
        ['a company in German', 'der Vertrag und die Firma', 'text'],
        ['a company in Dutch', 'het contract van een firma', 'text'],
        ['a signature in Spanish', 'el contrato y los demás por una parte', 'signature'],
        ['a signature in Italian', 'il contratto di una parte per gli altri', 'signature'],
      ],
      2,
    ),
  )('"Firma" is %s', async (_, text, type) => {
    const result = await suggestionsOn(
      [
        [40, 200, text],
        [40, 100, 'Firma:'],
      ],
      [[100, 98, 200]],
    );
    expect(result.map((item) => item.type)).toEqual([type]);
  });
});

describe('nothing is suggested', () => {
  test.each<[string, Line[], [number, number, number][]]>([
    ['in a table of contents', [[40, 100, `1. Signature ${'.'.repeat(40)} 7`]], []],
    ['where no word says what for', [[40, 100, `in the amount of ${'_'.repeat(20)}`]], []],
    ['below a heading with a rule', [[40, 130, 'Signatures', 20]], [[40, 120, 320]]],
    [
      'on a line that is filled in',
      [
        [40, 100, 'Name:'],
        [110, 100, 'Ada Lovelace'],
      ],
      [[100, 98, 200]],
    ],
    ['on a rule across the page', [[40, 86, 'Date of the contract']], [[20, 100, 360]]],
    ['for a label that says its value', [[40, 86, 'Date: 1 May']], [[40, 100, 200]]],
    [
      'for a long sentence below a line',
      [[40, 86, 'The date of the end of this agreement is set by its parties', 8]],
      [[40, 100, 200]],
    ],
  ])('%s', async (_, lines, rules) => {
    expect((await suggestionsOn(lines, rules)).map(shortOf)).toEqual([]);
  });
});

describe('the field', () => {
  test('stands on its line, and is no higher than the page is empty above it', async () => {
    const [signature] = await suggestionsOn([[40, 86, 'Signature']], [[40, 100, 200]]);
    expect(signature).toMatchObject({
      from: 'line',
      page: 0,
      box: { x: 40, y: 152, width: 200, height: 48 },
    });
    const [below] = await suggestionsOn(
      [
        [40, 130, 'The tenant agrees.'],
        [40, 86, 'Signature'],
      ],
      [[40, 100, 200]],
    );
    expect(below!.box.y + below!.box.height).toBe(200);
    expect(below!.box.height).toBeGreaterThanOrEqual(20);
    expect(below!.box.height).toBeLessThan(32);
  });

  test('of a signature is no wider than one needs to be', async () => {
    const [signature] = await suggestionsOn([[20, 86, 'Signature']], [[20, 100, 360]]);
    expect(signature?.box.width).toBe(240);
  });

  test('of a tag is where the tag stands, and no line below it makes another', async () => {
    const result = await suggestionsOn(
      [
        [40, 104, '{{signature, r1}}'],
        [40, 86, 'Signature'],
      ],
      [[40, 100, 200]],
    );
    expect(result.map(({ from, type }) => [from, type])).toEqual([['tag', 'signature']]);
  });
});

test('what cannot be read has no suggestions', async () => {
  const broken = { sha256: 'broken', bytes: async () => new Uint8Array(Buffer.from('%PDF-1.7 nothing')) };
  await expect(suggestFields(engine, broken, [PAGE], 'test', undefined)).rejects.toThrow();
});

describe('a field that is not certain', () => {
  const SIGNED: [Line[], [number, number, number][]] = [[[40, 200, 'Signature:']], [[120, 198, 200]]];

  test.each<[string, Line[], [number, number, number][], [string, boolean][]]>([
    [
      'what not everybody has, beside a signature',
      [
        [40, 170, 'Name:'],
        [40, 140, 'Title:'],
        [40, 110, 'Date:'],
      ],
      [170, 140, 110].map((y) => [120, y - 2, 200]),
      [
        ['signature', true],
        ['person_name', true],
        ['text', false],
        ['date', true],
      ],
    ],
    [
      'what the party is asked for, and not its name',
      [[40, 60, 'PO number of the Buyer:']],
      [[200, 58, 150]],
      [
        ['signature', true],
        ['text', false],
      ],
    ],
  ])('is not required: %s', async (_, lines, rules, expected) => {
    const result = await suggestionsOn([...SIGNED[0], ...lines], [...SIGNED[1], ...rules], ONE);
    expect(result.map(({ type, properties }) => [type, properties.is_required !== false])).toEqual(expected);
  });

  test('is none at all on the second line of an address, below which another label stands', async () => {
    const result = await suggestionsOn(
      [
        [40, 200, 'Address:'],
        [40, 164, 'Email:'],
      ],
      [
        [100, 198, 200],
        [40, 180, 260],
        [100, 162, 200],
      ],
    );
    expect(result.map(shortOf)).toEqual(['text Address', 'email Email']);
  });
});

describe('recipients', () => {
  const at = (type: Suggestion['type'], x: number, y: number, page = 0): Suggestion => ({
    ...{ from: 'line', type, page, box: { x, y, width: 100, height: 20 }, properties: {} },
  });
  const NOBODY = { people: [], parties: [] };
  const pageOf = (suggestions: Suggestion[]) => withBlocks(suggestions, { phrases: [], blanks: [] }, 0);
  const positions = (suggestions: Suggestion[], recipients: number | undefined) =>
    shareRecipients(suggestions, NOBODY, recipients).map(({ person }) => person);

  test('have one signature each, in their order, and what is in its column or below it', () => {
    const columns = [
      at('signature', 40, 100),
      at('signature', 240, 100),
      at('date', 40, 140),
      at('date', 240, 140),
      at('person_name', 40, 180),
      at('person_name', 240, 180),
    ];
    expect(positions(pageOf(columns), 2)).toEqual([0, 1, 0, 1, 0, 1]);
    const rows = [
      at('signature', 40, 100),
      at('date', 40, 130),
      at('signature', 40, 200),
      at('date', 40, 230),
    ];
    expect(positions(pageOf(rows), 2)).toEqual([0, 0, 1, 1]);
  });

  test('begin above as many fields as the first one has above its signature, whatever lines are among them', () => {
    const fields = [
      at('date', 40, 60),
      at('signature', 40, 100),
      at('person_name', 40, 140),
      at('date', 40, 180),
      at('signature', 40, 260),
    ];
    const blanks = [{ page: 0, x: 40, y: 240, width: 100, room: 20, isCell: false }];
    const blocks = withBlocks(fields, { phrases: [], blanks }, 0).map(({ block }) => block);
    expect(blocks).toEqual([0, 0, 0, 1, 1]);
  });

  test('are read from all texts, and the most of numbers from more than a call has arguments', () => {
    const parties = readParties([], ONE, () => undefined);
    expect(peopleIn([], parties)).toEqual({ people: [], weight: 0 });
    expect(peopleIn(['Leeds', 'Ada Lovelace'], parties)).toEqual({ people: [0], weight: 10 });
    const many = new Array<number>(4_000_000).fill(1);
    expect([leastOf(many), mostOf(many)]).toEqual([1, 1]);
  });

  test('are guessed where nothing names them, unless there is one of each', () => {
    const two = pageOf([at('signature', 40, 100), at('signature', 240, 100)]);
    expect(shareRecipients(two, NOBODY, 2).map(({ isGuessed }) => isGuessed)).toEqual([true, true]);
    expect(shareRecipients(two, NOBODY, 1)).toMatchObject([{ person: 0 }, { person: undefined }]);
    const [item] = two;
    expect(shareRecipients([item!], NOBODY, 1)).toEqual([{ person: 0, isGuessed: false }]);
  });

  test('are those of the same words on another page', () => {
    const named = (text: string, page: number): Suggestion => ({
      ...at('signature', 0, 0, page),
      words: { text, box: { x: 0, y: 0, width: 1, height: 1 } },
    });
    const pages = [named('Tenant', 0), named('Landlord', 1), named('tenant', 2), named('Landlord', 2)];
    expect(positions(pages, 2)).toEqual([0, 1, 0, 1]);
  });

  test('are missing for more signatures than there are recipients, unless their number is open', () => {
    const rows = pageOf([
      at('signature', 0, 0),
      at('signature', 0, 50),
      at('date', 0, 60),
      at('signature', 0, 200),
      at('date', 0, 210),
    ]);
    expect(positions(rows, 2)).toEqual([0, 1, 1, undefined, undefined]);
    expect(positions(rows, undefined)).toEqual([0, 1, 1, 2, 2]);
    expect(positions([], 3)).toEqual([]);
  });

  test('are the first one on a page without a signature', () => {
    const pages = [at('date', 0, 0), at('signature', 0, 0, 1)];
    expect(positions(pages, 2)).toEqual([0, 0]);
  });
});
