// Values of fields that stand beside and over each other, in the stamped document: each is found in its own box, whatever the text of the page
// makes of their lines. `esign verify` looks for the values of the evidence this way.
import { expect, test } from 'vitest';
import { readText } from '../../../src/pdf/text/text-layer.ts';
import type { EvidenceReport } from '../../../src/pdf/verify/own-evidence.ts';
import { hasInOrder, valuesMissing } from '../../../src/pdf/verify/own-evidence.ts';
import { stampPdf } from '../../../src/pdf/write/stamp-pdf.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { stampField } from '../../support/documents/stamped-pdf.ts';
import { rounds, roundsOf, SEED } from '../../support/random.ts';

const paper = (rotate: number): Uint8Array =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate ${rotate}/Resources<<>>>>`,
  ]);

const VALUES = [
  'Ada',
  'Personalnummer',
  'Jürgen Brückner-Öttinger',
  '1,250.00',
  'Llanfairpwllgwyngyll',
  '29 November 2026',
  'a@b.example',
  'x',
];

/** Numbers from 0 to below `most`, the same for the same seed. */
function createNumbers(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** Labels of the fields whose values are not where the stamped document should have them. */
async function missingOn(rotate: number, fields: ReturnType<typeof stampField>[]): Promise<string[]> {
  const stamped = await stampPdf(paper(rotate), { fields });
  if (!stamped.ok) throw new Error(JSON.stringify(stamped));
  const report = {
    document: { id: 'd' },
    evidence: { fields: fields.map((field) => ({ ...field, document_id: 'd' })) },
  } as unknown as EvidenceReport;
  return valuesMissing(report, async (page, boxes) => {
    const read = await readText(stamped.pdf, page, boxes);
    return read.ok ? read : undefined;
  });
}

test('a value of which a letter lies on the same letter of another is there', async () => {
  const fields = [
    { value: 'x', x: 170, y: 320, width: 30, height: 30 },
    { value: 'Jürgen Brückner-Öttinger', x: 190, y: 355, width: 90, height: 38 },
    { value: 'Llanfairpwllgwyngyll', x: 200, y: 315, width: 105, height: 38 },
    { value: 'a@b.example', x: 150, y: 330, width: 105, height: 14 },
  ].map((field, index) => stampField({ ...field, label: `Field ${index}` }));
  expect(await missingOn(270, fields)).toEqual([]);
});

test('a letter that is read once does not take the place of a later one', async () => {
  const evidence = {
    document: { id: 'd' },
    evidence: {
      fields: ['abc', 'xb', 'b'].map((value, index) => ({
        ...stampField({ value, label: `Field ${index}`, x: 100, y: 300, width: 60, height: 20 }),
        document_id: 'd',
      })),
    },
  } as unknown as EvidenceReport;
  const boxes = ['xbacb', 'xbacb', 'xbacb'];
  expect(
    await valuesMissing(evidence, async () => ({ drawn: '', runs: [], inBoxes: boxes, isCut: false })),
  ).toEqual([]);
});

test.each([
  ['10', '1000000', '10', false],
  ['XXXXXXXXXX7', '7XX', 'X', true],
  ['7', 'XXXXXXXXXX7', 'X', false],
  ['ab', 'ba', '', false],
  ['ac', 'abc', 'b', true],
])(
  'whether %s has the letters of %s in order, of which %s may be read once: %s',
  (text, wanted, readOnce, is) => {
    expect(hasInOrder(text, wanted, readOnce)).toBe(is);
  },
);

test('each value is in its box', async () => {
  for (const round of rounds(roundsOf({ short: 30, landing: 300, full: 2000 }))) {
    const next = createNumbers(SEED + round);
    const rotate = next(4) * 90;
    const fields = Array.from({ length: 2 + next(4) }, (_, index) =>
      stampField({
        value: VALUES[next(VALUES.length)] ?? '',
        label: `Field ${index}`,
        // Close to each other, as in a form with narrow columns.
        x: 100 + next(12) * 10,
        y: 300 + next(12) * 5,
        width: 30 + next(6) * 15,
        height: 14 + next(4) * 8,
      }),
    );
    const missing = await missingOn(rotate, fields);
    expect([
      round,
      rotate,
      fields.map(({ value, x, y, width, height }) => [value, x, y, width, height]),
      missing,
    ]).toEqual([round, rotate, expect.anything(), []]);
  }
});
