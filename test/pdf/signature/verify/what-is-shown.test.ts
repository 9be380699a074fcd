// Changes that one reader shows and another does not: boxes, looks and notes are judged by what any reader may draw.
import { describe, expect, test } from 'vitest';
import { compareVersions } from '../../../../src/pdf/compare-versions.ts';
import { readPdf } from '../../../../src/pdf/reader/read-pdf.ts';
import { findIrregularity } from '../../../../src/pdf/signature/verify/changes/save-syntax.ts';
import { verifyPdf, versionsToCompare } from '../../../../src/pdf/signature/verify.ts';
import {
  basePdf,
  certifying,
  FORM,
  N,
  NOW,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, trusting } from '../../../support/documents/verification.ts';

const WITH_INFO = '/Root 1 0 R/Info 11 0 R';
const signed = (base = basePdf(), entries = certifying(2)) => signPdf(base, { party: PKI.signer, entries });
const LOOK = (content = '0 0 300 200 re f') =>
  streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');

/** A later save with a new, empty signature field. */
const withField = (entries: string) =>
  updated(
    signed(),
    {
      50: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/P 3 0 R${entries}>>`,
      51: LOOK(),
      52: LOOK(''),
      [N.form]: FORM('7 0 R 9 0 R 50 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
    },
    WITH_INFO,
  );

describe('a new field', () => {
  test.each([
    ['hidden', '/F 2/Rect[0 0 300 200]/AP<</N 51 0 R>>', []],
    ['without an area or a look', '/Rect[0 0 0 0]', []],
    [
      'with a background and an empty look',
      '/F 4/Rect[0 0 300 200]/MK<</BG[1 1 1]>>/AP<</N 52 0 R>>',
      ['overlay'],
    ],
    ['without a rectangle', '/F 4/AP<</N 51 0 R>>', ['overlay']],
    ['whose look appears when it is pressed', '/F 4/Rect[0 0 300 200]/AP<</D 51 0 R>>', ['overlay']],
  ])('%s', (_, entries, faults) => {
    expect(faultsOf(withField(entries))).toEqual(faults);
  });

  test('whose flags are a list is refused', () => {
    expect(faultsOf(withField('/F[2]/Rect[0 0 300 200]/AP<</N 51 0 R>>'))).not.toEqual([]);
  });
});

describe('a field that is filled in', () => {
  const filled = (look: string | Buffer, field: string) => {
    const base = updated(basePdf(), { [N.textLook]: look, [N.text]: TEXT_FIELD(field) }, WITH_INFO);
    return faultsOf(updated(signed(base), { [N.text]: TEXT_FIELD('/V(999)', field) }, WITH_INFO));
  };
  const look = (content: string) => streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');

  test.each([
    [
      'a border, a background and the frame of a text',
      '/Tx BMC q 1 g 0 0 90 20 re f .5 w 0 0 m 9 9 l S BT /F 9 Tf ET Q EMC',
      true,
    ],
    ['text behind a bracket', '/Tx BMC BT (100)Tj/F 9 Tf ET EMC', false],
    ['text behind a byte zero', 'BT (100)\0Tj\0ET', false],
    ['a pattern', '/Pattern cs /P scn 0 0 90 20 re f', false],
    ['a state of graphics', '/G gs 0 0 90 20 re f', false],
    ['curves', '0 0 m 1 1 2 2 3 3 c f', false],
    ['letters of lines', '0 0 m '.concat('9 9 l '.repeat(80), 'S'), false],
    ['what cannot be read', '<zz>', false],
  ])('had a look with %s', (_, content, isEmpty) => {
    expect(filled(look(content), '')).toEqual(isEmpty ? [] : ['changed_form']);
  });

  test('had the value Off, which is text in a text field', () => {
    const base = updated(basePdf(), { [N.text]: TEXT_FIELD('/V(Off)') }, WITH_INFO);
    expect(faultsOf(updated(signed(base), { [N.text]: TEXT_FIELD('/V(999)') }, WITH_INFO))).toEqual([
      'changed_form',
    ]);
  });
});

describe('what comes to life', () => {
  test('a list of annotations under another generation', () => {
    const base = updated(
      basePdf(),
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace(/\/Annots\[[^\]]*\]/, '/Annots 51 1 R') },
      WITH_INFO,
    );
    const file = signed(base);
    const later: Objects = {
      51: '[52 0 R]',
      52: '<</Type/Annot/Subtype/FreeText/Rect[0 0 99 99]/Contents(No)>>',
    };
    expect(faultsOf(updated(file, later, WITH_INFO))).toEqual(['changed_annotations']);
  });

  test('looks that waited for NeedAppearances to go', () => {
    const base = updated(
      basePdf(),
      { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/NeedAppearances true') },
      WITH_INFO,
    );
    expect(faultsOf(updated(signed(base), { [N.form]: FORM('7 0 R 9 0 R') }, WITH_INFO))).toEqual([
      'changed_form',
    ]);
  });
});

test('notes after a certification that allows them are small signs: marks of text change what it says', () => {
  const noted = (annotation: string) =>
    faultsOf(
      updated(
        signed(basePdf(), certifying(3)),
        { 80: `<</Type/Annot/P 3 0 R${annotation}>>`, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) },
        WITH_INFO,
      ),
    );
  expect(noted('/Subtype/Text/Rect[1 1 21 21]')).toEqual([]);
  expect(noted('/Subtype/Text/Rect[0 0 300 200]')).toEqual(['overlay']);
  for (const type of ['Highlight', 'StrikeOut', 'Underline', 'Squiggly'])
    expect([type, noted(`/Subtype/${type}/Rect[1 1 21 21]/C[0 0 0]`)]).toEqual([type, ['overlay']]);
});

test('a page that is listed twice is compared at both places', async () => {
  const twice = updated(
    basePdf(),
    { [N.pages]: '<</Type/Pages/Count 3/Kids[13 0 R 13 0 R 3 0 R]>>', 13: PAGE('') },
    WITH_INFO,
  );
  const file = updated(
    signed(twice),
    { [N.info]: '<</Title(x)>>', [N.page]: PAGE(PAGE_ANNOTATIONS) },
    WITH_INFO,
  );
  const report = verifyPdf(file, { trust: trusting(PKI.root), now: NOW });
  if (!report.ok) throw new Error(report.reason);
  expect(versionsToCompare(report)).toMatchObject([{ pages: [2], pageCount: 3 }]);
  const [version] = versionsToCompare(report);
  expect(await compareVersions(file, { ...version!, pages: [], pageCount: 2 })).toMatchObject({
    compared: 3,
  });
});

test('bytes before the header leave it to the last save which offsets count', () => {
  const irregularityOf = (bytes: Buffer) => {
    const file = readPdf(bytes);
    if (!file.ok) throw new Error(file.reason);
    return findIrregularity(file, file.latest, bytes.length)?.part;
  };
  expect(irregularityOf(basePdf())).toBeUndefined();
  expect(irregularityOf(Buffer.concat([Buffer.from('junk\n'), basePdf()]))).toBe('header');
});

describe('text that readers draw with fonts of the form', () => {
  /** A file with an annotation, and a later save that brings another font under the name that it uses. */
  const withOtherFont = (annotation: string) => {
    const form = (font: number) => FORM('7 0 R 9 0 R', `/SigFlags 3/DR<</Font<</Helv ${font} 0 R>>>>`);
    const base = updated(
      basePdf(),
      {
        13: `<</Type/Annot/Rect[20 100 200 130]/DA(/Helv 12 Tf 0 g)/P 3 0 R${annotation}>>`,
        [N.form]: form(N.font),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 13 0 R`),
      },
      WITH_INFO,
    );
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[48/nine/nine]>>>>';
    return faultsOf(updated(signed(base), { 14: font, [N.form]: form(14) }, WITH_INFO));
  };

  test('on a page, or in a box that belongs to no form', () => {
    expect(withOtherFont('/Subtype/FreeText/Contents(100 euros)')).toEqual(['changed_form']);
    expect(withOtherFont('/Subtype/Widget/FT/Tx/T(x)/V(100)')).toEqual(['changed_form']);
    expect(withOtherFont('/Subtype/Widget/FT/Tx/T(x)')).toEqual([]);
    expect(withOtherFont('/Subtype/Square')).toEqual([]);
  });
});

test('the value of a field is filled in in no box that names the field, and that the field does not have', () => {
  const box = '<</Type/Annot/Subtype/Widget/Parent 7 0 R/Rect[10 140 200 170]/DA(/F 20 Tf 0 g)/P 3 0 R>>';
  const base = updated(basePdf(), { 13: box, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 13 0 R`) }, WITH_INFO);
  expect(faultsOf(updated(signed(base), { [N.text]: TEXT_FIELD('/V(999)') }, WITH_INFO))).toEqual([
    'changed_annotations',
  ]);
});
