// Suggested fields as options: each --field that is printed makes the box that was suggested, in a later version of the document too.
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { SearchedPdf } from '../../../src/cli/input/documents.ts';
import { type GivenField, type PlacedField, parseFieldSpec } from '../../../src/cli/input/field-spec.ts';
import { resolveAnchors } from '../../../src/cli/sending/place.ts';
import {
  fieldOfSuggestion,
  quotedForShell,
  sentenceOfGuesses,
  sentenceOfOmitted,
  specsOf,
  suggestForDocuments,
} from '../../../src/cli/sending/suggestions.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { leasePdf } from '../../support/documents/lease-pdf.ts';
import { fileFont, showAt, textPdf } from '../../support/documents/text-pdf.ts';

const engine = createInProcessEngine();
afterAll(() => engine.close());

async function documentOf(pdf: Buffer, name = 'lease.pdf'): Promise<SearchedPdf> {
  const facts = await inspectPdf(pdf, { maxPages: 10 });
  if (!facts.ok) throw new Error(facts.reason);
  return { name, sha256: createHash('sha256').update(pdf).digest('hex'), pdf, pages: facts.pages };
}

const PEOPLE = ['Ada', 'Bob'].map((name) => ({ name, email: `${name}@example.com` }));

async function specsFor(documents: readonly (SearchedPdf | undefined)[], recipients: number) {
  const people = PEOPLE.slice(0, recipients);
  const { suggested, omitted } = await suggestForDocuments(documents, people, engine);
  const specs = await specsOf(suggested, documents, { recipients, documents: documents.length }, engine);
  return { suggested, specs, omitted };
}

const boxesOf = (fields: readonly PlacedField[]) =>
  fields.map(({ type, page, x, y, width, height, recipient, document = 1 }) => ({
    ...{ type, page, recipient, document },
    box: [x, y, width, height].map((length) =>
      length && 'points' in length ? Math.round(length.points * 10) : length,
    ),
  }));

describe('the option of a suggested field', () => {
  test('makes the field that was suggested', async () => {
    const documents = [
      await documentOf(leasePdf()),
      await documentOf(leasePdf('Second lease'), 'second.pdf'),
    ];
    const { suggested, specs } = await specsFor(documents, 2);
    expect(specs).toHaveLength(10);
    const given: GivenField[] = specs.map(parseFieldSpec);
    const placed = await resolveAnchors(given, ({ document = 1 }) => documents[document - 1], engine);
    expect(boxesOf(placed as PlacedField[])).toEqual(boxesOf(suggested.map(fieldOfSuggestion)));
  });

  test('is at words, which are there in the next version of the document as well', async () => {
    const { specs } = await specsFor([await documentOf(leasePdf())], 2);
    expect(specs.map((spec) => spec.replace(/:-?[\d.]+,-?[\d.]+,/, ':X,Y,'))).toEqual([
      'email@"Email of the tenant":X,Y,180x20=2,case,label=Email of the tenant,optional',
      'signature@"Signature of the landlord":X,Y,180x48=1,case',
      'signature@"Signature of the tenant":X,Y,180x48=2,case',
      'date@"Date":X,Y,120x20=1,case,page=2,match=1,label=Date,optional',
      'date@"Date":X,Y,120x20=2,case,page=2,match=2,label=Date,optional',
    ]);
  });

  test('names no recipient where there is one, and no document where there is one', async () => {
    const { specs } = await specsFor([undefined, await documentOf(leasePdf())], 1);
    expect(specs).toHaveLength(2);
    for (const spec of specs) expect(spec).toMatch(/,document=2$/);
    expect((await specsFor([await documentOf(leasePdf())], 1)).specs.join()).not.toMatch(/x\d+=|document/);
  });

  test('is at a position where its words have marks of the syntax', async () => {
    const font = fileFont('sans-regular');
    const content = `${showAt(72, 100, font.encode('Name "of, the; firm"=:'))} 1 w 220 98 m 380 98 l S`;
    const document = await documentOf(textPdf({ contents: [content], fonts: [font] }));
    const { suggested, specs } = await specsFor([document], 1);
    expect(specs).toHaveLength(1);
    const placed = await resolveAnchors(specs.map(parseFieldSpec), () => document, engine);
    expect(boxesOf(placed as PlacedField[]).map(({ box }) => box)).toEqual(
      boxesOf(suggested.map(fieldOfSuggestion)).map(({ box }) => box),
    );
  });
});

test('fields for more people than there are are named', async () => {
  const { suggested, omitted } = await specsFor([await documentOf(leasePdf())], 1);
  expect(suggested.map(({ type }) => type)).toEqual(['signature', 'date']);
  expect(sentenceOfOmitted(omitted)).toBe(
    'Omitted, because the text asks for more signatures than there are recipients: email "Email of the tenant" (page 2), signature "Signature of the tenant" (page 2), date "Date" (page 2).',
  );
});

test('fields whose person the text does not tell are named', async () => {
  const { suggested } = await specsFor([await documentOf(leasePdf())], 2);
  expect(sentenceOfGuesses(suggested)).toBe(
    'The text does not say whose these fields are; recipients are guessed by order.',
  );
  expect(sentenceOfGuesses(suggested.map((one, index) => ({ ...one, isGuessed: index === 0 })))).toMatch(
    /guessed by order: email "Email of the tenant" \(page 2\)\.$/,
  );
  expect(sentenceOfGuesses([])).toBeUndefined();
});

test('documents without a PDF have no suggestions', async () => {
  expect((await specsFor([undefined], 1)).suggested).toEqual([]);
});

test.each([
  ['plain', "'plain'"],
  ["it's $HOME `here`", "'it'\\''s $HOME `here`'"],
])('a value is quoted for a shell: %s', (text, quoted) => {
  expect(quotedForShell(text)).toBe(quoted);
});
