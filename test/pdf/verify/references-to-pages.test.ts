// A page may be referred to from anywhere: that the page got a signature does not change what refers to it. What is drawn on the page, and
// everything else behind such a reference, may still not change.
import { expect, test } from 'vitest';
import {
  basePdf,
  CATALOG,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { signer, tsa } = PKI;

/** Entries of the page, each of which leads to the page itself, to the catalog and to object 12. */
const REFERENCES = {
  PieceInfo: '/PieceInfo<</App<</Private[3 0 R 1 0 R 12 0 R]>>>>',
  SeparationInfo: '/SeparationInfo<</Pages[3 0 R 1 0 R]/X 12 0 R>>',
  PresSteps: '/PresSteps<</Type/NavNode/NA<</S/GoTo/D[3 0 R]>>/X[1 0 R 12 0 R]>>',
  'another entry': '/Other[3 0 R 1 0 R 12 0 R]',
};

const signed = (entries: string): Buffer =>
  signPdf(updated(basePdf(), { [N.page]: PAGE(PAGE_ANNOTATIONS, entries) }), { party: signer });

test.each(Object.entries(REFERENCES))('%s of a page that is signed later is valid', (_, entries) => {
  expect(faultsOf(withTimestamp(signed(entries), { tsa, page: entries }))).toEqual([]);
});

test.each(
  sampleOf(
    Object.values(REFERENCES).flatMap((entries): [string, Objects][] => [
      [entries, { 12: '(other)' }],
      [entries, { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (I owe you 900 euros) Tj ET') }],
      [entries, { [N.page]: PAGE(PAGE_ANNOTATIONS, `${entries}/Rotate 90`) }],
      [entries, { [N.catalog]: CATALOG('/PageLabels<<>>') }],
    ]),
    4,
  ),
)('with %s, nothing else may change', (entries, objects) => {
  expect(faultsOf(updated(signed(entries), objects))).toEqual([
    expect.stringMatching(/^changed_(content|structure)$/),
  ]);
});

const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>';

test.each([
  ['fonts', '/Font 1 0 R', '/Extensions<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>'],
  ['drawings', '/Font<</F 5 0 R>>/XObject 1 0 R', '/Extensions 90 0 R'],
  ['patterns, by way of another reference', '/Font<</F 5 0 R>>/Pattern 91 0 R', '/Metadata 90 0 R'],
  ['states', '/Font<</F 5 0 R>>/ExtGState 1 0 R', '/Extensions<</TR2 90 0 R>>'],
  ['letters', '/Font<</F<</Type/Font/Subtype/Type3/CharProcs 1 0 R>>>>', '/Metadata 90 0 R'],
])('the catalog must not change where it is the dictionary of %s', (_, resources, entries) => {
  const page = PAGE(PAGE_ANNOTATIONS).replace('/Font<</F 5 0 R>>', resources);
  const file = signPdf(updated(basePdf(), { [N.page]: page, 91: '1 0 R' }), { party: signer });
  const drawn = streamOf('0 0 50 50 re f', entries.includes('Metadata') ? '/Subtype/XML' : LOOK);
  const save: Objects = { [N.catalog]: CATALOG(entries), 90: drawn };
  expect(faultsOf(updated(file, save))).toEqual(['changed_content']);
});
