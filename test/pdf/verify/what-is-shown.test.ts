// Changes that one reader shows and another does not: boxes, looks and notes are judged by what any reader may draw.
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { compareVersions } from '../../../src/pdf/render/comparison/compare-versions.ts';
import { entryPoint } from '../../../src/pdf/verify/rules/entry-point.ts';
import { verifyPdf, versionsToCompare } from '../../../src/pdf/verify/verify.ts';
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
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, trusting, WITH_INFO } from '../../support/documents/verification.ts';

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
    ['hidden, which pdf.js shows', '/F 2/Rect[0 0 300 200]/AP<</N 51 0 R>>', ['overlay']],
    ['hidden without a look', '/F 2/Rect[0 0 300 200]', []],
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

  test('whose look is a picture without data, which Ghostscript fills, is seen', () => {
    const shown = (appearance: string) =>
      faultsOf(
        signPdf(signed(), {
          party: PKI.signer,
          number: 70,
          entries: '',
          trailer: WITH_INFO,
          objects: (number) => ({
            50: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/P 3 0 R/V ${number} 0 R/Rect[0 0 300 200]/AP<</N 53 0 R>>>>`,
            53: streamOf('', appearance),
            [N.form]: FORM('7 0 R 9 0 R 50 0 R'),
            [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
          }),
        }),
      );
    expect(shown('/Subtype/Form/BBox[0 0 9 9]')).toEqual([]);
    expect(shown('/Type/XObject/Subtype/Image/Width 1/Height 1/ImageMask true')).toEqual(['overlay']);
  });

  test('whose flags are a list is refused', () => {
    expect(faultsOf(withField('/F[2]/Rect[0 0 300 200]/AP<</N 51 0 R>>'))).not.toEqual([]);
  });
});

describe('a field that is filled in', () => {
  const filled = (appearance: string | Buffer, field: string) => {
    const base = updated(basePdf(), { [N.textLook]: appearance, [N.text]: TEXT_FIELD(field) }, WITH_INFO);
    return behind({ [N.text]: TEXT_FIELD('/V(999)', field) }, signed(base));
  };
  const appearance = (content: string) => streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');

  test.each([
    [
      'a border, a background and the frame of a text',
      '/Tx BMC q 1 g 0 0 90 20 re f .5 w .5 .5 89 19 re S 2 2 86 16 re W n BT /F 9 Tf ET Q EMC',
      true,
    ],
    [
      'a raised border and the lines of a comb',
      '1 1 m 1 19 l 89 19 l 88 18 l 2 18 l 2 2 l f q 1 0 0 1 30 0 cm 0 0 m 0 20 l S Q 60 0 m 60 20 l s',
      true,
    ],
    ['rectangles as a digit is made of', '7 0 2 9 re f 7 10 2 9 re f', false],
    ['lines from corner to corner', '0 0 m 90 20 l S', false],
    ['lines that are turned', 'q .7 .7 -.7 .7 0 0 cm 0 0 m 90 0 l S Q', false],
    ['a line that is cut off', 'q 7 0 2 20 re W n 0 9 m 90 9 l S Q', false],
    ['text behind a bracket', '/Tx BMC BT (100)Tj/F 9 Tf ET EMC', false],
    ['text behind a byte zero', 'BT (100)\0Tj\0ET', false],
    ['a pattern', '/Pattern cs /P scn 0 0 90 20 re f', false],
    ['a state of graphics', '/G gs 0 0 90 20 re f', false],
    ['curves', '0 0 m 1 1 2 2 3 3 c f', false],
    ['letters of lines', '0 0 m '.concat('9 9 l '.repeat(80), 'S'), false],
    ['what cannot be read', '<zz>', false],
  ])('had a look with %s', (_, content, isEmpty) => {
    expect(filled(appearance(content), '')).toEqual(isEmpty ? [] : ['changed_form']);
  });

  const packedLook = (data: Buffer, entries: string) =>
    streamOf(deflateSync(data), `/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Filter/FlateDecode${entries}`);

  /** It is a comment as it is, and shows a text where the difference to the byte before is meant. */
  const differences = () => {
    const text = Buffer.from('%\nBT (100) Tj ET');
    return text.map((byte, index) => byte - (index > 0 ? text[index - 1]! : 0)) as Buffer;
  };

  test.each([
    ['by a reference', '<</Predictor 50 0 R/Columns 99>>'],
    ['rounded', '<</Predictor 2.4/Columns 99>>'],
    ['in a list, and the filter in none', '[<</Predictor 2/Columns 99>>]'],
  ])('had a look with a predictor that is said %s', (_, parameters) => {
    const appearance = packedLook(differences(), `/DecodeParms${parameters}`);
    const base = updated(
      basePdf(),
      { 50: '2', [N.textLook]: appearance, [N.text]: TEXT_FIELD('') },
      WITH_INFO,
    );
    expect(behind({ [N.text]: TEXT_FIELD('/V(999)') }, signed(base))).toEqual(['changed_form']);
  });

  test('had a look that says it is metadata, which some readers decrypt', () => {
    expect(filled(streamOf('', '/Type/Metadata/Subtype/Form/BBox[0 0 90 20]'), '')).toEqual(['changed_form']);
  });

  test('had the value Off, which is text in a text field', () => {
    const base = updated(basePdf(), { [N.text]: TEXT_FIELD('/V(Off)') }, WITH_INFO);
    expect(behind({ [N.text]: TEXT_FIELD('/V(999)') }, signed(base))).toEqual(['changed_form']);
  });
});

describe('the look of a field', () => {
  const text = (content: string) =>
    streamOf(
      `BT /F 9 Tf 2 4 Td (${content}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 140 50]/Resources<</Font<</F 5 0 R>>>>',
    );

  test('to be signed that said something is not replaced by a signature, or removed', () => {
    const field = (entries: string) =>
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[20 80 160 130]/F 4/P 3 0 R${entries}>>`;
    const signedAgain = (appearance: string, later: string) => {
      const objects = {
        40: field('/AP<</N 41 0 R>>'),
        41: text(appearance),
        [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
      };
      const page = { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`) };
      const base = appearance === '' ? { ...objects, 41: LOOK('') } : objects;
      const file = signPdf(signed(updated(basePdf(), { ...base, ...page }, WITH_INFO)), {
        party: PKI.signer,
        number: 70,
        entries: '',
        objects: (number) => ({ 40: field(`/V ${number} 0 R${later}`), 42: text('Ada') }),
      });
      return faultsOf(file);
    };
    expect(signedAgain('', '/AP<</N 42 0 R>>')).toEqual([]);
    expect(signedAgain('Pay 100', '/AP<</N 41 0 R>>')).toEqual([]);
    expect(signedAgain('Pay 100', '/AP<</N 42 0 R>>')).toEqual(['overlay']);
    expect(signedAgain('Pay 100', '')).toEqual(['overlay']);
  });

  test.each([
    ['a box of the field', '', []],
    ['a field with a name', '/T(x)', ['overlay']],
    ['a box with a value', '/V(100)', ['overlay']],
  ])('that another one names as above it changes with its value only if it is %s', (_, entries, faults) => {
    const kid = (more: string) =>
      `<</Type/Annot/Subtype/Widget/Parent 40 0 R/Rect[120 70 280 100]/F 4/P 3 0 R${entries}${more}>>`;
    const base = updated(
      basePdf(),
      {
        40: '<</FT/Tx/T(a)/Kids[41 0 R]>>',
        41: kid(''),
        [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 41 0 R`),
      },
      WITH_INFO,
    );
    const later = { 40: '<</FT/Tx/T(a)/Kids[41 0 R]/V(z)>>', 41: kid('/AP<</N 42 0 R>>'), 42: text('999') };
    expect(behind(later, signed(base))).toEqual(faults);
  });
});

describe('a box that is ticked', () => {
  const LOOKS = { 41: LOOK(''), 42: LOOK(), [N.form]: FORM('7 0 R 9 0 R 40 0 R') };
  const box = (entries: string) =>
    `<</Type/Annot/Subtype/Widget/FT/Btn/T(agree)/Rect[10 40 20 50]/F 4/P 3 0 R/AP<</N<</Off 41 0 R/Yes 42 0 R/No 42 0 R>>>>${entries}>>`;
  const ticked = (before: string, after: string) => {
    const page = { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`) };
    const base = updated(basePdf(), { 40: box(before), ...LOOKS, ...page }, WITH_INFO);
    return behind({ 40: box(after) }, signed(base));
  };

  test.each([
    ['after it was empty', '/V/Off/AS/Off', '/V/Yes/AS/Yes', true],
    ['after it said nothing', '', '/V/Yes/AS/Yes', true],
    ['and was shown so before, without a value', '/AS/Yes', '/V/Off/AS/Off', false],
    ['and was shown so before, with another value', '/V/Off/AS/Yes', '/V/No/AS/No', false],
    ['and shows another state', '/V/Off/AS/Off', '/V/Yes/AS/No', false],
    ['and shows none', '/V/Off/AS/Off', '/V/Yes/AS/Off', false],
    ['and has no value', '/V/Off/AS/Off', '/V()/AS/Yes', false],
  ])('%s', (_, before, after, isSound) => {
    expect(ticked(before, after)[0]).toBe(isSound ? undefined : 'changed_form');
  });
});

test('an option that PDFium shows because it is chosen by default is not replaced', () => {
  const list = (entries: string) => TEXT_FIELD(entries).replace('/FT/Tx', '/FT/Ch/Ff 131072');
  const withoutLook = (entries: string) => list(entries).replace(/\/AP<<[^>]*>>/, '');
  const chosen = (before: string) =>
    behind(
      { [N.text]: list(`${before}/V(2)`) },
      signed(updated(basePdf(), { [N.text]: withoutLook(before) }, WITH_INFO)),
    );
  expect(chosen('/Opt[(1)(2)]')).toEqual([]);
  expect(chosen('/Opt[(1)(2)]/DV(1)')).toEqual(['changed_form']);
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
    expect(behind(later, file)).toEqual(['changed_annotations']);
  });

  test('looks that waited for NeedAppearances to go', () => {
    const base = updated(
      basePdf(),
      { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/NeedAppearances true') },
      WITH_INFO,
    );
    expect(behind({ [N.form]: FORM('7 0 R 9 0 R') }, signed(base))).toEqual(['changed_form']);
  });
});

test('notes after a certification that allows them are small signs: marks of text change what it says', () => {
  const noted = (annotation: string) =>
    behind(
      { 80: `<</Type/Annot/P 3 0 R${annotation}>>`, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) },
      signed(basePdf(), certifying(3)),
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
    { [N.info]: '<</Title(x)>>', [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') },
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
    return entryPoint.judge({ file, signed: file.latest, end: bytes.length })?.details?.part;
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
    return behind({ 14: font, [N.form]: form(14) }, signed(base));
  };

  test('on a page, or in a box that belongs to no form', () => {
    expect(withOtherFont('/Subtype/FreeText/Contents(100 euros)')).toEqual(['changed_form']);
    expect(withOtherFont('/Subtype/Widget/FT/Tx/T(x)/V(100)')).toEqual(['changed_form']);
    expect(withOtherFont('/Subtype/Widget/FT/Tx/T(x)')).toEqual([]);
    expect(withOtherFont('/Subtype/Square')).toEqual([]);
  });

  test.each([
    ['a value and a list of looks', '/FT/Tx/V(100)/AP<</N<<>>>>'],
    ['a value and looks for states', '/FT/Tx/V(100)/AS/Off/AP<</N<</Off 8 0 R>>>>'],
    ['options to choose from', '/FT/Ch/Opt[(100)(200)]'],
    ['an option that is chosen by default', '/FT/Ch/Ff 131072/Opt[(100)(200)]/DV(100)'],
    ['a caption', '/FT/Btn/Ff 65536/MK<</CA(100)>>'],
    ['a state that has no look', '/FT/Btn/V/Yes/AS/Yes/MK<</CA(1)>>/AP<</N<</Off 8 0 R>>>>'],
  ])('in a box with %s', (_, entries) => {
    expect(withOtherFont(`/Subtype/Widget/T(x)${entries}`)).toEqual(['changed_form']);
  });

  test('and none in a button without a caption, or a list that has nothing to show', () => {
    expect(withOtherFont('/Subtype/Widget/T(x)/FT/Btn/Ff 65536')).toEqual([]);
    expect(withOtherFont('/Subtype/Widget/T(x)/FT/Btn/V/Off/AS/Off/AP<</N<</Yes 8 0 R>>>>')).toEqual([]);
    expect(withOtherFont('/Subtype/Widget/T(x)/FT/Ch/Ff 131072/Opt[(1)]')).toEqual([]);
  });

  test('and pages with boxes are compared where the form brings other fonts', () => {
    const form = (font: number) => FORM('7 0 R 9 0 R', `/SigFlags 3/DR<</Font<</Helv ${font} 0 R>>>>`);
    const base = updated(basePdf(), { [N.form]: form(N.font) }, WITH_INFO);
    const font = '<</Type/Font/Subtype/Type1/BaseFont/Courier>>';
    const report = verifyPdf(updated(signed(base), { 14: font, [N.form]: form(14) }, WITH_INFO), {
      trust: trusting(PKI.root),
      now: NOW,
    });
    expect(report.ok && versionsToCompare(report)).toMatchObject([{ pages: [0] }]);
  });
});

test('the value of a field is filled in in no box that names the field, and that the field does not have', () => {
  const box = '<</Type/Annot/Subtype/Widget/Parent 7 0 R/Rect[10 140 200 170]/DA(/F 20 Tf 0 g)/P 3 0 R>>';
  const base = updated(basePdf(), { 13: box, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 13 0 R`) }, WITH_INFO);
  expect(behind({ [N.text]: TEXT_FIELD('/V(999)') }, signed(base))).toEqual(['changed_annotations']);
});
