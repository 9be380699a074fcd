// Later saves that change no object, or none that is looked at by its number: the trailer names another object, or a page stands where
// pages are not looked for.
import { describe, expect, test } from 'vitest';
import {
  basePdf,
  CATALOG,
  certifying,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, verifyBytes, WITH_INFO } from '../../support/documents/verification.ts';

/** The base file with these objects, certified. */
const certifiedWith = (objects: Objects, level = 2) =>
  signPdf(updated(basePdf(), objects, WITH_INFO), {
    party: PKI.signer,
    entries: certifying(level),
    trailer: WITH_INFO,
  });

describe('another object that was signed', () => {
  const OTHER_PAGES: Objects = {
    50: CATALOG().replace('/Pages 2', '/Pages 51'),
    51: '<</Type/Pages/Count 1/Kids[52 0 R]>>',
    52: PAGE(PAGE_ANNOTATIONS).replace('/Contents 4', '/Contents 12').replace('/Parent 2', '/Parent 51'),
  };

  test('becomes the catalog, though no object differs', () => {
    const other = '/Root 50 0 R/Info 11 0 R';
    const file = certifiedWith(OTHER_PAGES);
    expect(faultsOf(updated(file, {}, WITH_INFO))).toEqual([]);
    expect(faultsOf(updated(file, {}, other))).toEqual(['changed_structure']);
    expect(faultsOf(updated(file, { [N.info]: '<</Title(Contract)>>' }, other))).toEqual([
      'changed_structure',
    ]);
    // A reader that follows the save in between would show the other pages.
    expect(faultsOf(updated(updated(file, {}, other), {}, WITH_INFO))).toEqual(['changed_structure']);
  });

  test('becomes the encryption', () => {
    const zeros = '00'.repeat(32);
    const file = certifiedWith({ 50: `<</Filter/Standard/V 1/R 2/P -4/O<${zeros}>/U<${zeros}>>>` });
    expect(faultsOf(updated(file, {}, `${WITH_INFO}/Encrypt 50 0 R`))).toEqual(['changed_structure']);
  });

  test('becomes the title, which is a change of metadata', () => {
    const other = '/Root 1 0 R/Info 12 0 R';
    expect(verifyBytes(updated(certifiedWith({}), {}, other))[0]).toMatchObject({
      faults: [],
      changes: [{ kind: 'metadata' }],
    });
    expect(faultsOf(updated(certifiedWith({}, 1), {}, other))).toEqual(['changed_structure']);
  });

  describe('becomes the title where the signed save names none', () => {
    const [other, none] = ['/Root 1 0 R/Info 50 0 R', '/Root 1 0 R'];
    const certifiedSilently = (level: number, bytes = basePdf()) =>
      signPdf(updated(bytes, { 50: '<</Title(Cancelled)>>' }, none), {
        party: PKI.signer,
        entries: certifying(level),
        trailer: none,
      });
    const untitled = () =>
      Buffer.from(basePdf().toString('latin1').replace('/Info 11 0 R', ' '.repeat(12)), 'latin1');

    test.each([
      ['an earlier save', () => basePdf()],
      ['no save', untitled],
    ])('and %s does', (_, bytes) => {
      expect(verifyBytes(updated(certifiedSilently(2, bytes()), {}, other))[0]).toMatchObject({
        faults: [],
        changes: [{ kind: 'metadata' }],
      });
      const file = certifiedSilently(1, bytes());
      expect(faultsOf(updated(file, {}, none))).toEqual([]);
      expect(faultsOf(updated(file, {}, other))).toEqual(['changed_structure']);
      // Many readers keep the title of the save before.
      expect(faultsOf(updated(updated(file, {}, other), {}, none))).toEqual(['changed_structure']);
    });

    test('is the earlier one where a later save names that', () => {
      expect(faultsOf(updated(certifiedSilently(1), {}, WITH_INFO))).toEqual([]);
      expect(faultsOf(updated(certifiedWith({}, 1), {}, none))).toEqual([]);
    });
  });
});

describe('an object that was there for nothing', () => {
  const OTHER = streamOf('q Q');

  test.each<[string, Objects]>([
    ['the information names it', { [N.info]: '<</Title(Contract)/X 12 0 R>>' }],
    ['the extensions name it', { [N.catalog]: CATALOG('/Extensions<</X 12 0 R>>') }],
    [
      'a certificate names it',
      {
        [N.catalog]: CATALOG('/DSS 50 0 R'),
        50: '<</Type/DSS/Certs[51 0 R]>>',
        51: streamOf(Buffer.from(PKI.issuing.der), '/X 12 0 R'),
      },
    ],
    [
      'the look of a field that is filled in names it',
      {
        [N.text]: TEXT_FIELD('/V(9)'),
        [N.textLook]: streamOf(
          '',
          '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<>>/PieceInfo 12 0 R',
        ),
      },
    ],
  ])('is not changed where %s', (_, objects) => {
    expect(faultsOf(updated(certifiedWith({}), objects, WITH_INFO))).toEqual([]);
    expect(faultsOf(updated(certifiedWith({}), { ...objects, [N.unused]: OTHER }, WITH_INFO))).toEqual([
      'changed_structure',
    ]);
  });
});

describe('a page', () => {
  const FORGED = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100000 euros) Tj ET');
  /** What the information of a document leads to may differ. */
  const replaced = (file: Buffer) =>
    faultsOf(updated(file, { 40: FORGED, [N.info]: '<</Title(x)/X 40 0 R>>' }, WITH_INFO));
  const SECOND = PAGE('').replace('/Contents 4', '/Contents 40');
  const CONTENT = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET');

  test('that stands in the list itself is compared as well', () => {
    const pages = `<</Type/Pages/Count 2/Kids[3 0 R ${SECOND}]>>`;
    expect(replaced(certifiedWith({ [N.pages]: pages, 40: CONTENT }))).toEqual(['changed_content']);
  });

  test('that lies too deep is compared as well', () => {
    const [first, depth] = [300, 1005];
    const objects: Objects = {
      [N.pages]: `<</Type/Pages/Count 2/Kids[3 0 R ${first} 0 R]>>`,
      40: CONTENT,
      [first + depth]: SECOND,
    };
    for (let number = first; number < first + depth; number += 1)
      objects[number] = `<</Type/Pages/Count 1/Kids[${number + 1} 0 R]>>`;
    expect(replaced(certifiedWith(objects))).toEqual(['changed_content']);
  });

  test('that draws the data of a catalog', () => {
    const catalog = (sum: string) =>
      streamOf(`BT /F 12 Tf 20 150 Td (I owe you ${sum}) Tj ET`, '/Type/Catalog/Pages 2 0 R/AcroForm 6 0 R');
    const page = PAGE(PAGE_ANNOTATIONS).replace('/Contents 4', '/Contents 1');
    const file = certifiedWith({ [N.catalog]: catalog('100'), [N.page]: page });
    expect(faultsOf(updated(file, { [N.catalog]: catalog('900') }, WITH_INFO))).toEqual([
      'changed_structure',
    ]);
  });
});
