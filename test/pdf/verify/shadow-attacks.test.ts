// Shadow attacks: content that its author put into the file before it was signed, and that a later save shows, hides or puts in the place of another.
import { describe, expect, test } from 'vitest';
import { lastSectionOf, shadowHide, shadowHideAndReplace } from '../../support/documents/attack-files.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, verifyBytes, WITH_INFO } from '../../support/documents/verification.ts';

const { signer } = PKI;

describe('shadow attack', () => {
  test('hide: a reference to what lay below', () => {
    const { file, attacked } = shadowHide();
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(attacked)).toEqual(['update_irregular']);
  });

  test('replace: a font, a form over the text', () => {
    expect(behind({ [N.font]: '<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]>>' })).toContain(
      'changed_content',
    );
    expect(behind({ [N.text]: TEXT_FIELD('', '/MK<</BG[1 1 1]>>') })).toContain('changed_form');
  });

  test('hide and replace: a whole document that waits for its cross-reference section', () => {
    const { file, attacked, chained } = shadowHideAndReplace();
    expect(faultsOf(file)).toEqual([]);
    // The signed version is no part of the file any more, and the form is gone with everything else: such a file is not signed.
    expect(verifyBytes(attacked)).toEqual([]);
    expect(verifyBytes(chained)).toEqual([]);
  });

  test('a section in the signed part that comes after the signed one', () => {
    const make = (previous: number) => {
      const text = basePdf().toString('latin1');
      const at = text.indexOf('xref\n');
      const later = `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 200/Root 1 0 R/Info 11 0 R/Prev ${String(previous).padStart(8, '0')}>>\n`;
      const base =
        text.slice(0, at) +
        later +
        text.slice(at).replace(/startxref\n\d+/, `startxref\n${at + later.length}`);
      return { at, file: signPdf(Buffer.from(base, 'latin1'), { party: signer }) };
    };
    const signedAt = lastSectionOf(make(0).file);
    const { at, file } = make(signedAt);
    expect(faultsOf(file)).toEqual([]);
    expect(faultsOf(Buffer.concat([file, Buffer.from(`startxref\n${at}\n%%EOF\n`)]))).toEqual([
      'signed_part_unreadable',
    ]);
  });

  test('an object that the signed part names at a place behind its end', () => {
    const place = 30_000;
    const pointing = PAGE(PAGE_ANNOTATIONS).replace('4 0 R', '[4 0 R 96 0 R]');
    const base = updated(basePdf(), { [N.page]: pointing, 96: 'null' }, WITH_INFO).toString('latin1');
    const entry = String(base.lastIndexOf('96 0 obj')).padStart(10, '0');
    const file = signPdf(
      Buffer.from(base.replace(`${entry} 00000 n`, `${String(place).padStart(10, '0')} 00000 n`), 'latin1'),
      { party: signer },
    );
    const content = `96 0 obj\n${streamOf('(I owe you 900)').toString('latin1')}\nendobj\n`;
    const end = `startxref\n${lastSectionOf(file)}\n%%EOF\n`;
    expect(file.length).toBeLessThan(place);
    const grown = Buffer.concat([
      file,
      Buffer.alloc(place - file.length, '\n'),
      Buffer.from(content + end, 'latin1'),
    ]);
    expect(faultsOf(grown)).toEqual(['signed_part_unreadable']);
  });

  test('an object of the signed part that a new list shows', () => {
    const stamp = '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/P 3 0 R>>';
    const file = signPdf(updated(basePdf(), { 90: stamp }, WITH_INFO), {
      party: signer,
      entries: certifying(3),
    });
    expect(behind({ [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`) }, file)).toEqual(['overlay']);
  });

  // Poppler and Ghostscript carry marked content of a look over into the boxes that they draw after it.
  describe('hide: boxes that come after a look', () => {
    const LAYER = '/OCProperties<</OCGs[28 0 R]/D<</OFF[28 0 R]>>>>';
    const NAMED = '/Resources<</Properties<</O1 28 0 R>>>>';
    const base = () =>
      updated(
        basePdf(),
        { [N.catalog]: CATALOG(LAYER), 28: '<</Type/OCG/Name(Layer)>>', [N.textLook]: LOOK('', '') },
        WITH_INFO,
      );
    const LOOK = (content: string, entries = NAMED) =>
      streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 90 20]${entries}`);
    const FIRST = '<</Type/Annot/Subtype/Widget/FT/Sig/T(First)/Rect[0 0 0 0]/P 3 0 R/V 20 0 R>>';
    const file = signPdf(base(), {
      party: signer,
      entries: '',
      objects: () => ({ 29: FIRST, [N.form]: FORM('7 0 R 9 0 R 29 0 R') }),
    });
    const fill = (appearance: Buffer, objects: Objects = {}) =>
      behind({ ...objects, [N.text]: TEXT_FIELD('/V(50)'), [N.textLook]: appearance }, file);
    const TEXT = 'BT /F 9 Tf 2 5 Td (50) Tj ET';
    const FONTS = '<</Font<</F 5 0 R>>>>';

    test.each([
      ['that end their marks', `/Tx BMC ${TEXT} EMC`],
      ['with marks in marks, texts and dictionaries', `/A BMC /B<</MCID 0>>BDC (BMC) Tj EMC EMC ${TEXT}`],
      ['that say how marked content is written', '(BDC) Tj [(EMC)] TJ % BDC\n <</A/BDC>> /A DP'],
    ])('is none of looks %s', (_, content) => {
      expect(fill(LOOK(content, `/Resources${FONTS}`))).toEqual([]);
    });

    test.each([
      ['a layer', '/OC /O1 BDC q Q'],
      ['a layer that is ended', '/OC /O1 BDC q Q EMC'],
      ['a layer after more names than belong there', '/A /OC /O1 BDC q Q EMC'],
      ['a layer whose name is written otherwise', '/O#43 /O1 BDC q Q EMC'],
      ['marks without an end', '/Tx BMC q Q'],
      ['an end without a mark', 'q Q EMC'],
      ['operators in one word', '/Tx BMC q QEMC EMC'],
      ['a picture in the content', `/Tx BMC BI /W 1 /H 1 /IM true ID \u0000 EI ${TEXT} EMC`],
    ])('%s', (_, content) => {
      expect(fill(LOOK(content))).toEqual(['overlay']);
    });

    test('a layer in a drawing, a pattern, a mask and a glyph of the look', () => {
      const inner = LOOK('/OC /O1 BDC');
      expect(fill(LOOK('/X Do', '/Resources<</XObject<</X 40 0 R>>>>'), { 40: inner })).toEqual(['overlay']);
      const tile = streamOf(
        '/OC /O1 BDC',
        `/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9${NAMED}`,
      );
      expect(fill(LOOK('/P scn', '/Resources<</Pattern<</P 40 0 R>>>>'), { 40: tile })).toEqual(['overlay']);
      const state = '<</GS<</SMask<</S/Alpha/G 40 0 R>>>>>>';
      expect(fill(LOOK('/GS gs', `/Resources<</ExtGState${state}>>`), { 40: inner })).toEqual(['overlay']);
      const font = `<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 40 0 R>>${NAMED}>>`;
      const glyph = streamOf('9 0 d0 /OC /O1 BDC');
      expect(fill(LOOK(TEXT, '/Resources<</Font<</F 41 0 R>>>>'), { 40: glyph, 41: font })).toEqual([
        'overlay',
      ]);
    });

    test('a look that draws with what its page has, or that is packed in a way of its own', () => {
      expect(fill(LOOK('/X Do', ''))).toEqual(['overlay']);
      expect(fill(LOOK('q Q', '/Filter/DCTDecode'))).toEqual(['overlay']);
    });

    test.each(['', 'q 0 0 9 9 re f Q'])('a signature whose look opens a layer: %s', (content) => {
      const sign = (appearance: string) =>
        faultsOf(
          signPdf(file, {
            party: signer,
            number: 70,
            entries: '',
            trailer: WITH_INFO,
            objects: (number) => ({
              [N.seal]: SEAL_FIELD(`/V ${number} 0 R/AP<</N 71 0 R>>`),
              71: LOOK(appearance),
            }),
          }),
        );
      expect(sign(`/A BMC ${content} EMC`)).toEqual([]);
      expect(sign(`/OC /O1 BDC ${content}`)).toEqual(['overlay']);
    });
  });

  test('a signature whose box has no area: Ghostscript draws its look at the corner of the page', () => {
    const appearance = streamOf('0 g 0 0 300 200 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');
    const drawing = (content: string, entries = '/Resources<</XObject<</A 73 0 R/B 74 0 R>>>>') =>
      streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 300 200]${entries}`);
    const sign = (rect: string, content: Buffer) =>
      faultsOf(
        signPdf(signPdf(basePdf(), { party: signer, entries: '' }), {
          party: signer,
          number: 70,
          entries: '',
          trailer: WITH_INFO,
          objects: (number) => ({
            71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect${rect}/F 4/P 3 0 R/V ${number} 0 R/AP<</N 72 0 R>>>>`,
            72: content,
            73: drawing('q /B Do Q'),
            74: drawing('% DSBlank\n'),
            75: appearance,
            [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
            [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
          }),
        }),
      );
    expect(sign('[10 70 110 120]', appearance)).toEqual([]);
    expect(sign('[0 0 0 0]', streamOf('', '/Type/XObject/Subtype/Form/BBox[0 0 300 200]'))).toEqual([]);
    expect(sign('[0 0 0 0]', appearance)).toEqual(['overlay']);
    expect(sign('[10 70 10 120]', appearance)).toEqual(['overlay']);
    // iText places forms that draw nothing in one another.
    expect(sign('[0 0 0 0]', drawing('q 1 0 0 1 0 0 cm /A Do Q /B Do'))).toEqual([]);
    const two = '/Resources<</XObject<</A 73 0 R/B 75 0 R>>>>';
    expect(sign('[0 0 0 0]', drawing('/A Do /B Do', two))).toEqual(['overlay']);
    expect(sign('[0 0 0 0]', drawing('/A /B Do', two))).toEqual(['overlay']);
    expect(sign('[0 0 0 0]', drawing('/A Do', '/Resources<</XObject<</A 72 0 R>>>>'))).toEqual(['overlay']);
  });
});

// ── saves that change no object, or none that is looked at by its number ──

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
    expect(behind({}, file)).toEqual([]);
    expect(faultsOf(updated(file, {}, other))).toEqual(['changed_structure']);
    expect(faultsOf(updated(file, { [N.info]: '<</Title(Contract)>>' }, other))).toEqual([
      'changed_structure',
    ]);
    // A reader that follows the save in between would show the other pages.
    expect(behind({}, updated(file, {}, other))).toEqual(['changed_structure']);
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
      expect(behind({}, certifiedSilently(1))).toEqual([]);
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
    expect(behind(objects, certifiedWith({}))).toEqual([]);
    expect(behind({ ...objects, [N.unused]: OTHER }, certifiedWith({}))).toEqual(['changed_structure']);
  });
});

describe('a page', () => {
  const FORGED = streamOf('BT /F 12 Tf 20 150 Td (I owe you 100000 euros) Tj ET');
  /** The information of a document may lead to something else. */
  const replaced = (file: Buffer) => behind({ 40: FORGED, [N.info]: '<</Title(x)/X 40 0 R>>' }, file);
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
    expect(behind({ [N.catalog]: catalog('900') }, file)).toEqual(['changed_structure']);
  });
});
