// Fields at words get positions on the pages of the document, or an error that says what the document has instead. The complaints that users
// have about other services are tested by their names.
import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { SearchedPdf } from '../../../src/cli/input/documents.ts';
import {
  type GivenField,
  isAnchored,
  type PlacedField,
  parseFieldSpec,
} from '../../../src/cli/input/field-spec.ts';
import { resolveBox } from '../../../src/cli/sending/boxes.ts';
import { resolveAnchors } from '../../../src/cli/sending/place.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { FIND_LIMITS } from '../../../src/pdf/limits.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { FIELD_SIZES } from '../../../src/placement/sizes.ts';
import { showAt, simpleFont, textPdf } from '../../support/documents/text-pdf.ts';

const font = simpleFont([...' :ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789']);
const engine = createInProcessEngine();
afterAll(() => engine.close());

/** Letters of this size reach 9.6 above their base line and 2.4 below it. */
const SIZE = 12;
const ABOVE = (SIZE * font.ascent) / 1000;
const HEIGHT = (SIZE * (font.ascent - font.descent)) / 1000;
const A4 = '/MediaBox[0 0 595.276 841.89]';

type Text = readonly [x: number, y: number, text: string];

/** A document of pages with texts at places, measured from the lower left corner to the base line. */
async function documentOf(pages: readonly (readonly Text[])[], entries = A4): Promise<SearchedPdf> {
  const contents = pages.map((texts) =>
    texts.map(([x, y, text]) => showAt(x, y, font.encode(text), SIZE)).join('\n'),
  );
  const pdf = textPdf({ contents, fonts: [font], page: entries, tree: '' });
  const facts = await inspectPdf(pdf, { maxPages: 200 });
  if (!facts.ok) throw new Error(facts.reason);
  return {
    name: 'lease.pdf',
    sha256: createHash('sha256').update(pdf).digest('hex'),
    pdf,
    pages: facts.pages,
  };
}

async function place(document: SearchedPdf, ...specs: string[]): Promise<PlacedField[]> {
  const fields: GivenField[] = specs.map(parseFieldSpec);
  const placed = await resolveAnchors(fields, () => document, engine);
  return placed.filter((field): field is PlacedField => !isAnchored(field));
}

const factsOf = (
  document: SearchedPdf,
  spec: string,
): Promise<{ code: string; message: string; hint: string }> =>
  place(document, spec).then(
    () => expect.unreachable(),
    (error) => ({ message: error.message, ...error.facts }),
  );

const boxOf = (document: SearchedPdf, field: PlacedField) =>
  resolveBox(field, { sizes: document.pages }, 'lease.pdf');

describe('fields at words', () => {
  test('have what they had before, and the words that they are at', async () => {
    const document = await documentOf([[[72, 700, 'Signed by the buyer']]]);
    const [plain, field] = await place(
      document,
      'text@1:1,2,30x10=2',
      'date@"the buyer":2,3,90x20=ada@example.com,label=When,optional',
    );
    expect(plain).toEqual(parseFieldSpec('text@1:1,2,30x10=2'));
    expect(field).toMatchObject({
      type: 'date',
      page: 0,
      width: { points: 90 },
      height: { points: 20 },
      recipient: 'ada@example.com',
      properties: { label: 'When', is_required: false },
      words: { text: 'the buyer', page: 0 },
    });
    expect(field).not.toHaveProperty('anchor');
    const { words, x, y } = field!;
    expect(x).toEqual({ points: expect.closeTo(words!.x + 2, 2) });
    expect(y).toEqual({ points: expect.closeTo(841.89 - 700 - ABOVE + 3, 1) });
  });

  test('are at each of the places on request, on the pages where these are', async () => {
    const document = await documentOf([
      [[72, 700, 'Initials: a']],
      [],
      [
        [72, 700, 'Initials: b'],
        [72, 500, 'Initials: c'],
      ],
    ]);
    const all = await place(document, 'initials@"Initials:",match=all,at=right');
    expect(all.map(({ page }) => page)).toEqual([0, 2, 2]);
    expect(await place(document, 'initials@"Initials:",match=2')).toMatchObject([{ page: 2 }]);
    const [last] = await place(document, 'initials@"Initials:",match=last');
    expect(last!.y).toEqual(all[2]!.words && { points: all[2]!.words.y });
    expect(await place(document, 'initials@"Initials:",page=1')).toMatchObject([{ page: 0 }]);
    expect(await place(document, 'initials@"Initials: b",page=last')).toMatchObject([{ page: 2 }]);
  });

  test('are found on a page however often the words are on the pages before', async () => {
    const many: Text[] = Array.from({ length: 20 }, (_, index) => [72, 800 - index * 15, 'a '.repeat(15)]);
    const document = await documentOf([many, [[72, 700, 'a']]]);
    expect(await place(document, 'text@"a",page=2')).toMatchObject([{ page: 1 }]);
    expect(await place(document, 'text@"a",match=3')).toHaveLength(1);
    for (const match of ['last', 'all', `${FIND_LIMITS.matches + 1}`])
      expect(await factsOf(document, `text@"a",match=${match}`)).toMatchObject({
        code: 'words_ambiguous',
        message: expect.stringContaining(`more than ${FIND_LIMITS.matches} places`),
      });
  });

  test('are not made where the words may be missing and are', async () => {
    const document = await documentOf([[[72, 700, 'Signed by']]]);
    expect(await place(document, 'text@"Annex",if_present', 'text@"Signed",if_present')).toHaveLength(1);
    expect(await place(document, 'text@"Annex",if_present,match=all')).toEqual([]);
  });

  test('stay as they are where the document is not at hand', async () => {
    const fields = [parseFieldSpec('text@"Signed"')];
    expect(await resolveAnchors(fields, () => undefined, engine)).toEqual(fields);
  });

  test('are on the page however it is turned, cut and scaled', async () => {
    const entries = '/MediaBox[-50 20 600 900]/CropBox[50 100 450 700]/Rotate 90/UserUnit 2';
    const document = await documentOf([[[100, 300, 'Annex']]], entries);
    expect(document.pages).toEqual([{ width: 1200, height: 800, rotation: 90 }]);
    const [field] = await place(document, 'signature@"Annex":0,0,100x40');
    // Turned clockwise, the lower left corner of the page is at the upper left, and the text runs down.
    expect(field!.x).toEqual({ points: expect.closeTo((300 - 100 + (SIZE * font.descent) / 1000) * 2, 1) });
    expect(field!.y).toEqual({ points: expect.closeTo((100 - 50) * 2, 1) });
  });
});

describe('an error', () => {
  test('lists the places of words with the words around them', async () => {
    const document = await documentOf([
      [[72, 700, 'Signed by the buyer']],
      [[72, 700, 'Signed for the seller']],
    ]);
    const facts = await factsOf(document, 'signature@"signed"');
    expect(facts.code).toBe('words_ambiguous');
    expect(facts.message).toContain('page 1: «Signed» by the buyer');
    expect(facts.message).toContain('page 2: «Signed» for the seller');
    expect(facts.hint).toContain('match=all');
    expect(await factsOf(document, 'signature@"signed",match=3')).toMatchObject({
      code: 'words_ambiguous',
      message: expect.stringContaining('in 2 places only, not in 3'),
    });
  });

  test('names the page that is searched, and pages without text', async () => {
    const document = await documentOf([[[72, 700, 'Signed']], [], [[72, 700, 'Annex']], []]);
    expect(await factsOf(document, 'text@"Seller"')).toMatchObject({
      code: 'words_not_found',
      message: expect.stringContaining('these words are not in "lease.pdf"'),
      hint: expect.stringContaining('Pages 2 and 4 have no text'),
    });
    expect((await factsOf(document, 'text@"Signed",page=3')).message).toContain(
      'not on page 3 of "lease.pdf"',
    );
    expect((await factsOf(document, 'text@"Signed",page=2')).message).toContain(
      'page 2 of "lease.pdf" has no text',
    );
    expect((await factsOf(document, 'text@"Signed",page=last')).message).toContain(
      'page 4 of "lease.pdf" has no text',
    );
    expect(await factsOf(document, 'text@"Signed",page=5')).toMatchObject({ code: 'field_off_page' });
  });

  test('names an expression that cannot be used', async () => {
    const document = await documentOf([[[72, 700, 'Signed']]]);
    expect(await factsOf(document, 'text@"(",regex')).toMatchObject({
      code: 'field_invalid',
      message: expect.stringContaining('"(" is not a valid RE2 regular expression'),
    });
  });
});

describe('complaints about other services', () => {
  test('a field on every match (DocuSign, anchor tabs): words in several places are an error until one is chosen', async () => {
    const document = await documentOf([
      [[72, 700, 'Signature of the buyer: see Signature below']],
      [[72, 200, 'Signature']],
    ]);
    expect(await factsOf(document, 'signature@"Signature"')).toMatchObject({
      code: 'words_ambiguous',
      message: expect.stringContaining('in 3 places'),
    });
    expect(await place(document, 'signature@"Signature",match=last')).toMatchObject([{ page: 1 }]);
  });

  test('a field 21 points too low (DocuSign, anchor tabs): it is exactly at the words, in each direction', async () => {
    const document = await documentOf([[[300, 700, 'Annex']]]);
    const top = 841.89 - 700 - ABOVE;
    const wanted = {
      over: top,
      above: top - 48,
      below: top + HEIGHT,
      left: top + HEIGHT - 48,
      right: top + HEIGHT - 48,
    };
    for (const [at, y] of Object.entries(wanted)) {
      const [field] = await place(document, `signature@"Annex",at=${at}`);
      expect(Math.abs(boxOf(document, field!).positionY - y)).toBeLessThan(0.5);
    }
    expect(FIELD_SIZES.signature.height).toBe(48);
  });

  test.each([
    ['A4', 595.276, 841.89],
    ['Letter', 612, 792],
    ['A4 across', 841.89, 595.276],
  ])(
    'fields of A4 pages are misplaced (documenso #3267): the place does not depend on the size of the page: %s',
    async (_, width, height) => {
      const texts: Text[] = [
        [72, 20, 'Signed below'],
        [width - 200, height - 40, 'Signed above'],
      ];
      const document = await documentOf([texts], `/MediaBox[0 0 ${width} ${height}]`);
      for (const [x, y, text] of texts) {
        const [field] = await place(document, `text@"${text}":0,0,50x10`);
        const box = boxOf(document, field!);
        expect(Math.abs(box.positionX - x)).toBeLessThan(0.5);
        expect(Math.abs(box.positionY - (height - y - ABOVE))).toBeLessThan(0.5);
      }
    },
  );

  test('a scan is answered by a misleading error (docusign-csharp #140): it is said that the document has no text', async () => {
    const scan = await documentOf([[], []]);
    const facts = await factsOf(scan, 'signature@"Signature"');
    expect(facts.code).toBe('words_not_found');
    expect(facts.message).toContain('"lease.pdf" has no text. It may be a scan');
    expect(facts.hint).toContain('Place the field by its position instead');
    const onePage = await documentOf([[[72, 700, 'Signed']], []]);
    expect((await factsOf(onePage, 'signature@"Signature",page=2')).message).toContain(
      'page 2 of "lease.pdf" has no text. It may be a scan',
    );
  });
});
