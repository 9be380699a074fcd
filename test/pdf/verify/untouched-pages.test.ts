// Pages that cannot have changed since a signature are not drawn to be compared. Attacks try to change what a page shows in every way that a later
// save has, and the decision is asked alone here: what other checks refuse, it must call changed by itself.
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { arePagesUntouched } from '../../../src/pdf/verify/rules/unchanged-appearance.ts';
import { verifyPdf, versionsToCompare } from '../../../src/pdf/verify/verify.ts';
import { encryptedPdfOfVersion4 } from '../../support/documents/encrypted-pdf.ts';
import { linearizedPdf } from '../../support/documents/linearized-pdf.ts';
import { compressedPdf } from '../../support/documents/pdf.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  NOW,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import { PKI, sealedPdf, signed, trusting, WITH_INFO } from '../../support/documents/verification.ts';

/** Asks about the version that ends with `bytes`, after the saves that `later` has in addition. */
function isUntouched(bytes: Buffer, later: Buffer): boolean {
  const [before, after] = [readPdf(bytes), readPdf(later)];
  if (!before.ok || !after.ok) throw new Error('unreadable');
  return arePagesUntouched(after, after.view(before.sections.length - 1));
}

const saved = (bytes: Buffer, ...saves: Objects[]): Buffer =>
  saves.reduce((file, objects) => updated(file, objects, WITH_INFO), bytes);

const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>';
const TEXT = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100000 euros) Tj ET');

/** A save with a field that came with a signature. */
const withField = (entries: string, more: Objects = {}): Objects => ({
  70: '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161/Contents<00>>>',
  71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/P 3 0 R/V 70 0 R${entries}>>`,
  [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
  ...more,
});

const annotated = (...annotations: string[]): string => PAGE([PAGE_ANNOTATIONS, ...annotations].join(' '));

describe('no page is drawn after', () => {
  test.each<[string, Objects[]]>([
    ['nothing but a save', [{}]],
    [
      'metadata',
      [
        {
          [N.info]: '<</Title(x)>>',
          60: streamOf('<x/>', '/Type/Metadata/Subtype/XML'),
          [N.catalog]: CATALOG('/Metadata 60 0 R'),
        },
      ],
    ],
    ['a field without a place', [withField('/Rect[0 0 0 0]/F 132')]],
    [
      'a field with an empty look',
      [withField('/Rect[0 0 0 0]/F 132/AP<</N 72 0 R>>', { 72: streamOf('', LOOK) })],
    ],
    [
      'several saves',
      [
        withField('/Rect[0 0 0 0]'),
        { 80: streamOf('x'), 81: '<</Certs[80 0 R]>>', [N.catalog]: CATALOG('/DSS 81 0 R') },
      ],
    ],
    ['a page that is written again as it was', [{ [N.page]: PAGE(PAGE_ANNOTATIONS) }]],
  ])('%s', (_, saves) => {
    expect(isUntouched(signed(), saved(signed(), ...saves))).toBe(true);
  });

  test('validation data and a document timestamp', () => {
    const stored = withStore(signed(), { certificates: PKI.signer.chain });
    const stamped = withTimestamp(stored, { tsa: PKI.tsa });
    expect(isUntouched(signed(), stored)).toBe(true);
    expect(isUntouched(stored, stamped)).toBe(true);
    const report = verifyPdf(sealedPdf(), { trust: trusting(PKI.root), now: NOW });
    expect(report.ok && versionsToCompare(report)).toEqual([]);
  });

  test('a list of annotations and a list of fields that are objects of their own', () => {
    const base = saved(basePdf(), {
      50: `[${PAGE_ANNOTATIONS}]`,
      51: '[7 0 R 9 0 R]',
      [N.page]: PAGE('').replace('[]', ' 50 0 R'),
      [N.form]: FORM('').replace('[]', ' 51 0 R'),
    });
    const file = signPdf(base, { party: PKI.signer });
    const field = { 70: '<</Type/Sig>>', 71: '<</Subtype/Widget/FT/Sig/T(S)/V 70 0 R/Rect[0 0 0 0]>>' };
    const grown = { ...field, 50: `[${PAGE_ANNOTATIONS} 71 0 R]`, 51: '[7 0 R 9 0 R 71 0 R]' };
    expect(isUntouched(file, saved(file, grown))).toBe(true);
    expect(isUntouched(file, saved(file, { ...grown, 51: '[7 0 R 9 0 R]' }))).toBe(false);
    expect(isUntouched(file, saved(file, { ...grown, 50: '[7 0 R 9 0 R 71 0 R]' }))).toBe(false);
  });
});

describe('a page is drawn after', () => {
  test.each<[string, Objects]>([
    ['other content', { [N.content]: TEXT }],
    ['content that is gone', { [N.content]: null }],
    ['another font', { [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Courier>>' }],
    ['the same font, written again', { [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>' }],
    ['a page with other content', { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '12 0 R') }],
    [
      'a page with content in addition',
      { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 12 0 R]') },
    ],
    ['a page with another box', { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('300 200', '300 100') }],
    ['a page with a box in addition', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/CropBox[0 0 300 100]') }],
    ['a page that is turned', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Rotate 180') }],
    ['a page with larger units', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/UserUnit 2') }],
    ['a page with a group', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Group<</S/Transparency/I true>>') }],
    ['a page with another order of tabs', { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') }],
    ['a page without an annotation', { [N.page]: PAGE('7 0 R 9 0 R') }],
    ['annotations in another order', { [N.page]: PAGE('10 0 R 9 0 R 7 0 R') }],
    ['a page that is a stream as well', { [N.page]: streamOf('', PAGE(PAGE_ANNOTATIONS).slice(2, -2)) }],
    [
      'a node that hands down what pages do not have',
      { [N.pages]: '<</Type/Pages/Count 1/Kids[3 0 R]/Rotate 90>>' },
    ],
    ['another list of pages', { [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>' }],
    [
      'a catalog with other pages',
      { 60: '<</Type/Pages/Count 1/Kids[3 0 R]>>', [N.catalog]: CATALOG().replace('2 0 R', '60 0 R') },
    ],
    ['a catalog with layers', { [N.catalog]: CATALOG('/OCProperties<</OCGs[]/D<</BaseState/OFF>>>>') }],
    ['a catalog with another version', { [N.catalog]: CATALOG('/Version/2.0') }],
    ['a catalog with an action', { [N.catalog]: CATALOG('/OpenAction<</S/JavaScript/JS(x)>>') }],
    ['a catalog without a form', { [N.catalog]: '<</Type/Catalog/Pages 2 0 R>>' }],
    ['a form whose fields need looks', { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/NeedAppearances true') }],
    ['a form with fonts', { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DR<</Font<</Helv 5 0 R>>>>') }],
    ['a form with another look of texts', { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DA(/F 90 Tf)') }],
    ['a form without a field', { [N.form]: FORM('9 0 R') }],
    ['a form with XFA', { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/XFA(x)') }],
    ['a form that marks a field by another value', { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags[3]') }],
    ['a field that was filled in', { [N.text]: TEXT_FIELD('/V(9)') }],
    ['another look of a field', { [N.textLook]: streamOf('BT /F 9 Tf 2 4 Td (900) Tj ET', LOOK) }],
    ['a field that was signed', { 70: '<</Type/Sig>>', [N.seal]: SEAL_FIELD('/V 70 0 R/AP<</N 8 0 R>>') }],
    ['another note', { [N.note]: '<</Type/Annot/Subtype/Text/Rect[0 0 300 200]/Contents(No)/P 3 0 R>>' }],
    ['a note that is gone', { [N.note]: null }],
    [
      'a drawing over the page',
      {
        60: '<</Type/Annot/Subtype/Square/Rect[0 0 300 200]/IC[1 1 1]/C[1 1 1]>>',
        [N.page]: annotated('60 0 R'),
      },
    ],
    [
      'an annotation without a place',
      { 60: '<</Type/Annot/Subtype/Square/Rect[0 0 0 0]>>', [N.page]: annotated('60 0 R') },
    ],
    [
      'an annotation that stands in the list itself',
      { [N.page]: annotated('<</Subtype/Widget/FT/Sig/Rect[0 0 0 0]>>') },
    ],
    ['an annotation that was there and on no page', { [N.page]: annotated('12 0 R') }],
    [
      'a box that no field has',
      { 60: '<</Type/Annot/Subtype/Widget/FT/Sig/T(x)/Rect[0 0 0 0]>>', [N.page]: annotated('60 0 R') },
    ],
    ['a missing object that is there now', { 45: TEXT }],
    ['an object that is gone and that no page draws', { [N.unused]: null }],
  ])('%s', (_, objects) => {
    const base = saved(basePdf(), { 46: '<</Type/XObject>>' });
    const resources = { [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Font', '/XObject<</A 45 0 R>>/Font') };
    const file = signPdf(45 in objects ? saved(base, resources) : base, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 60: '<<>>' }))).toBe(true);
    expect(isUntouched(file, saved(file, objects))).toBe(false);
    // What one save changes and the next one takes back is still shown by readers that repair the file.
    expect(isUntouched(file, saved(file, objects, withField('/Rect[0 0 0 0]')))).toBe(false);
  });

  test.each<[string, string, Objects?]>([
    ['has a place', '/Rect[10 10 100 30]'],
    ['has a place and is hidden', '/F 2/Rect[10 10 100 30]'],
    ['is a line', '/Rect[10 10 100 10]'],
    ['is an upright line', '/Rect[10 10 10 100]'],
    ['has no rectangle', ''],
    ['has a rectangle of names', '/Rect[/a/b/a/b]'],
    ['has more than four numbers', '/Rect[0 0 0 0 0]'],
    ['has a rectangle elsewhere', '/Rect 60 0 R', { 60: '[0 0 0 0]' }],
    ['has a corner elsewhere', '/Rect[0 0 0 60 0 R]', { 60: '0' }],
    ['has a look', '/Rect[0 0 0 0]/AP<</N 60 0 R>>', { 60: streamOf('0 0 300 200 re f', LOOK) }],
    [
      'is hidden and has a look',
      '/F 2/Rect[0 0 0 0]/AP<</N 60 0 R>>',
      { 60: streamOf('0 0 300 200 re f', LOOK) },
    ],
    [
      'has a look that places one',
      '/Rect[0 0 0 0]/AP<</N 60 0 R>>',
      {
        60: streamOf('/X Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 61 0 R>>>>'),
        61: streamOf('0 0 300 200 re f', LOOK),
      },
    ],
    [
      'has a look under the pointer',
      '/Rect[0 0 0 0]/AP<</D 60 0 R>>',
      { 60: streamOf('0 0 300 200 re f', LOOK) },
    ],
    ['has a border', '/Rect[0 0 0 0]/MK<</BC[1 0 0]>>'],
    ['has a width of its border', '/Rect[0 0 0 0]/BS<</W 900>>'],
    ['has an action', '/Rect[0 0 0 0]/AA<</PO 60 0 R>>', { 60: '<</S/Hide/T(amount)>>' }],
    ['is below another field', '/Rect[0 0 0 0]/Parent 7 0 R'],
    [
      'has boxes of its own',
      '/Rect[0 0 0 0]/Kids[60 0 R]',
      { 60: '<</Subtype/Widget/Rect[0 0 300 200]/Parent 71 0 R>>' },
    ],
    ['is a layer', '/Rect[0 0 0 0]/OC 60 0 R', { 60: '<</Type/OCG>>' }],
    ['is a text', '/Rect[0 0 0 0]/FT/Tx'],
    ['is a square', '/Rect[0 0 0 0]/Subtype/Square'],
    [
      'is a stream',
      '',
      { 71: streamOf('', '/Type/Annot/Subtype/Widget/FT/Sig/T(Second)/V 70 0 R/Rect[0 0 0 0]') },
    ],
  ])('a field came that %s', (_, entries, more) => {
    const repeated = /\/(FT|Subtype)/.exec(entries)?.[1];
    const field = withField(entries, more);
    const text = String(field[71]);
    if (repeated) field[71] = text.replace(repeated === 'FT' ? '/FT/Sig' : '/Subtype/Widget', '');
    expect(isUntouched(signed(), saved(signed(), field))).toBe(false);
  });

  test('a field came that is written twice, or took the number of another object', () => {
    const hidden = withField('/Rect[0 0 0 0]');
    const shown = withField('/Rect[0 0 300 200]');
    expect(isUntouched(signed(), saved(signed(), shown, hidden))).toBe(false);
    expect(isUntouched(signed(), saved(signed(), hidden, { 71: hidden[71]! }))).toBe(false);
    const named = signPdf(saved(basePdf(), { 71: '<</X 1>>' }), { party: PKI.signer });
    expect(isUntouched(named, saved(named, hidden))).toBe(false);
  });

  test('an object is replaced by which a drawn one is read', () => {
    const content = TEXT.toString('latin1').replace(/\/Length \d+/, '/Length 60 0 R');
    const base = saved(basePdf(), {
      [N.content]: content,
      60: String(TEXT.indexOf('\nendstream') - TEXT.indexOf('stream\n') - 7),
    });
    const file = signPdf(base, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 61: '<<>>' }))).toBe(true);
    expect(isUntouched(file, saved(file, { 60: '20' }))).toBe(false);
  });

  test('what a page inherits is replaced', () => {
    const page = PAGE(PAGE_ANNOTATIONS).replace(/\/Resources<<.*?>>>>/, '');
    const nodes = {
      [N.pages]: '<</Type/Pages/Count 1/Kids 61 0 R/Resources 60 0 R>>',
      [N.page]: page,
      60: '<</Font<</F 5 0 R>>>>',
      61: '[3 0 R]',
    };
    const file = signPdf(saved(basePdf(), nodes), { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 70: '<<>>' }))).toBe(true);
    expect(isUntouched(file, saved(file, { 60: '<</Font<</F 5 0 R/G 5 0 R>>>>' }))).toBe(false);
    expect(isUntouched(file, saved(file, { 61: '[3 0 R 3 0 R]' }))).toBe(false);
    const grown = page.replace(PAGE_ANNOTATIONS, `${PAGE_ANNOTATIONS} 71 0 R`);
    const both = withField('/Rect[0 0 0 0]', { [N.page]: grown });
    expect(isUntouched(file, saved(file, both))).toBe(true);
    expect(isUntouched(file, saved(file, { ...both, 60: '<</Font<</F 12 0 R>>>>' }))).toBe(false);
  });

  test('a layer, or the fonts of the form, are replaced behind an entry that stays', () => {
    const base = saved(basePdf(), {
      [N.catalog]: CATALOG('/OCProperties 60 0 R'),
      [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DR 62 0 R'),
      60: '<</OCGs[61 0 R]/D<</OFF[]>>>>',
      61: '<</Type/OCG/Name(a)>>',
      62: '<</Font<</Helv 63 0 R>>>>',
      63: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    });
    const file = signPdf(base, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 70: '<<>>' }))).toBe(true);
    for (const number of [60, 61, 62, 63])
      expect([number, isUntouched(file, saved(file, { [number]: '<</X 1>>' }))]).toEqual([number, false]);
  });

  test('a list of pages does not end', () => {
    const endless = saved(basePdf(), { [N.pages]: '<</Type/Pages/Count 1/Kids[3 0 R 2 0 R]>>' });
    const file = signPdf(endless, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 70: '<<>>' }))).toBe(false);
  });

  test('a box of a field that is on no page is replaced', () => {
    const base = saved(basePdf(), {
      [N.form]: FORM('7 0 R 9 0 R 60 0 R'),
      60: '<</FT/Tx/T(deep)/Kids[61 0 R]>>',
      61: '<</Type/Annot/Subtype/Widget/Parent 60 0 R/Rect[10 10 90 90]>>',
    });
    const file = signPdf(base, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 70: '<<>>' }))).toBe(true);
    expect(isUntouched(file, saved(file, { 61: '<</Type/Annot/Subtype/Widget/Rect[0 0 90 90]>>' }))).toBe(
      false,
    );
  });

  test('looks of fields are made by readers', () => {
    const base = saved(basePdf(), { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/NeedAppearances true') });
    const file = signPdf(base, { party: PKI.signer });
    expect(isUntouched(file, saved(file, { 70: '<<>>' }))).toBe(false);
    const dynamic = signPdf(saved(basePdf(), { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/XFA(x)') }), {
      party: PKI.signer,
    });
    expect(isUntouched(dynamic, saved(dynamic, { 70: '<<>>' }))).toBe(false);
  });

  test('the catalog is a stream as well, whose data could be drawn', () => {
    const catalog = (more: string) => streamOf('x', CATALOG(more).slice(2, -2));
    const file = signPdf(saved(basePdf(), { [N.catalog]: catalog('') }), { party: PKI.signer });
    expect(isUntouched(file, saved(file, { [N.catalog]: catalog('/DSS<<>>') }))).toBe(false);
  });

  test('more saves came than honest files have', () => {
    const saves = (count: number) => Array.from({ length: count }, () => ({ [N.info]: '<</Title(x)>>' }));
    expect(isUntouched(signed(), saved(signed(), ...saves(7)))).toBe(true);
    expect(isUntouched(signed(), saved(signed(), ...saves(8)))).toBe(false);
  });
});

describe('a page is drawn where readers may read different objects:', () => {
  test('the trailer of a save names another catalog, although it has the same entries', () => {
    const file = signPdf(saved(basePdf(), { 60: CATALOG() }), { party: PKI.signer });
    expect(isUntouched(file, updated(file, {}, WITH_INFO))).toBe(true);
    expect(isUntouched(file, updated(file, {}, '/Root 60 0 R/Info 11 0 R'))).toBe(false);
  });

  test('bytes stand before the header', () => {
    const shifted = (bytes: Buffer) => Buffer.concat([Buffer.from('junk\n'), bytes]);
    expect(isUntouched(shifted(signed()), shifted(saved(signed(), { [N.info]: '<</Title(x)>>' })))).toBe(
      false,
    );
  });

  test('the file begins like one for the web', () => {
    const file = linearizedPdf('/Root 1 0 R');
    expect(isUntouched(file, saved(file, { [N.info]: '<</Title(x)>>' }))).toBe(false);
  });

  test('the signed part is not written as the standard wants it', () => {
    const twice = saved(basePdf(), {
      [N.font]: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/BaseFont/Courier>>',
    });
    const file = signPdf(twice, { party: PKI.signer });
    expect(isUntouched(file, saved(file, {}))).toBe(false);
  });

  test('a stream that holds objects is replaced', () => {
    const objects = [
      CATALOG().replace('6 0 R', '4 0 R'),
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<</Font<</F 5 0 R>>>>>>',
      FORM(''),
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ];
    const file = compressedPdf(objects);
    const container = objects.length + 1;
    const other = compressedPdf(objects.with(4, '<</Type/Font/Subtype/Type1/BaseFont/Courier>>'));
    const stream = other.subarray(other.indexOf('obj\n') + 4, other.indexOf('\nendobj'));
    expect(isUntouched(file, updated(file, { 60: '<<>>' }))).toBe(true);
    expect(isUntouched(file, updated(file, { [container]: stream }))).toBe(false);
  });

  test('the file is encrypted', () => {
    const encrypted = encryptedPdfOfVersion4({
      strings: 'rc4',
      streams: 'rc4',
      metadata: 'rc4',
      entries: '/CF<</StdCF<</CFM/V2/Length 16>>>>/StmF/StdCF/StrF/StdCF/Length 128',
    });
    const file = Buffer.from(
      encrypted.toString('latin1').replace('/Filter[/Crypt]', ' '.repeat(15)),
      'latin1',
    );
    const trailer = /\/Root.*(?=>>\nstartxref)/s.exec(file.toString('latin1'))![0];
    const form = updated(file, { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>' }, trailer);
    expect(readPdf(form)).toMatchObject({ isEncrypted: true, locked: undefined });
    expect(isUntouched(form, updated(form, { 90: '<<>>' }, trailer))).toBe(false);
  });
});
