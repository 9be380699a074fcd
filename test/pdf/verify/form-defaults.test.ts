// Attacks with what some readers draw, and PDFium does not: the defaults of a form, its fonts, fields without a look, and boxes without a place.
import { describe, expect, test } from 'vitest';
import { compareVersions } from '../../../src/pdf/render/comparison/compare-versions.ts';
import { verifyPdf, versionsToCompare } from '../../../src/pdf/verify/verify.ts';
import { timestampToken } from '../../support/certificates/pki.ts';
import {
  basePdf,
  certifying,
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
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  behind,
  certified,
  faultsOf,
  PKI,
  sealedPdf,
  trusting,
  WITH_INFO,
} from '../../support/documents/verification.ts';

const FIELDS = '7 0 R 9 0 R';
const FONTS = '/DR<</Font<</Helv 5 0 R>>>>';
const PLAIN = '(/Helv 12 Tf 0 g)';
/** Ghostscript draws the rectangle over the page. */
const DRAWING = '(/Helv 12 Tf 0 g 1 0 0 rg 20 20 200 150 re f)';
const form = (entries: string) => FORM(FIELDS, `/SigFlags 3${entries}`);
const bare = (entries: string, kind = '/FT/Tx') =>
  `<</Type/Annot/Subtype/Widget${kind}/T(amount)/Rect[10 10 100 30]/F 4/P 3 0 R${entries}>>`;

/** A font whose letters are drawings of their own. */
const TYPE3 = {
  90: `<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 91 0 R>>/Encoding<</Differences[48${'/a'.repeat(10)}]>>/FirstChar 48/LastChar 57/Widths[${'1000 '.repeat(10)}]>>`,
  91: streamOf('1000 0 d0 1 0 0 rg -3000 -3000 30000 30000 re f'),
};

/** Lists the faults of a document with a later save, after a signature that approves it, and after certifications. */
function faultsAfter(before: Objects, later: Objects, permissions = [0, 1, 2]): string[][] {
  const base = updated(basePdf(), before, WITH_INFO);
  return permissions.map((level) => {
    const entries = level === 0 ? '' : certifying(level);
    return behind(later, signPdf(base, { party: PKI.signer, entries }));
  });
}

const REFUSED = [['changed_form'], ['changed_form'], ['changed_form']];

describe('the default appearance of a form', () => {
  const changed = (field: string, appearance: string, before = '', more: Objects = {}) =>
    faultsAfter(
      { [N.text]: field, [N.form]: form(before) },
      { ...more, [N.form]: form(`/DA${appearance}${FONTS}`) },
    );

  test.each([
    ['of a text field without a look', bare('')],
    ['of a field that is hidden', bare('').replace('/F 4', '/F 2')],
    ['of a list', bare('', '/FT/Ch')],
    ['of a button', bare('/Ff 65536', '/FT/Btn')],
    ['of a field with an empty list of looks', bare('/AP<</N<<>>>>')],
    ['of a field with a look', TEXT_FIELD('')],
  ])('%s never comes to draw', (_, field) => {
    expect(changed(field, DRAWING)).toEqual(REFUSED);
    expect(changed(field, DRAWING, `/DA${PLAIN}${FONTS}`)).toEqual(REFUSED);
    expect(changed(field, ' 94 0 R', '', { 94: DRAWING })).toEqual(REFUSED);
  });

  test.each([
    ['text', '(/Helv 12 Tf BT (VOID) Tj ET)'],
    ['hidden marked content', '(/Helv 12 Tf /OC /x BDC)'],
    ['a matrix', '(9 0 0 9 0 0 cm /Helv 12 Tf)'],
    ['a drawing', '(/Helv 12 Tf /X Do)'],
    ['a state of graphics', '(/Helv 12 Tf /S gs)'],
    ['invisible letters', '(/Helv 12 Tf 3 Tr)'],
    ['what is no operator', '(/Helv 12 Tf } quit)'],
    ['a text in a list', `[${DRAWING}]`],
    ['operands of another kind', '((Helv) 12 Tf)'],
    ['too many operands', '(1 /Helv 12 Tf)'],
  ])('never gets %s', (_, appearance) => {
    expect(changed(bare(''), appearance)).toEqual(REFUSED);
  });

  test('may come with a font, a size and colours: programs that sign bring one', () => {
    for (const appearance of [
      PLAIN,
      '(/Helv 0 Tf 0 g)',
      '(0.0 0 1 rg /Helv 12.0 Tf)',
      '(0 0 0 1 k\n/Helv 9 Tf )',
      '(/MyriadPro-Regular 0 Tf 0 Tz 0 g)',
    ])
      expect(changed(bare(''), appearance)).toEqual([[], ['changed_form'], []]);
  });

  test('that draws already is not given fonts, layers or drawings', () => {
    const later = {
      [N.form]: form(`/DA(/OC /x BDC /Helv 12 Tf)/DR<</Properties<</x 92 0 R>>>>`),
      92: '<</Type/OCG>>',
    };
    expect(faultsAfter({ [N.text]: bare(''), [N.form]: form('/DA(/OC /x BDC /Helv 12 Tf)') }, later)).toEqual(
      REFUSED,
    );
    const field = bare('/DA(/OC /x BDC /Helv 12 Tf)');
    const layers = { ...later, [N.form]: form('/DR<</Properties<</x 92 0 R>>>>') };
    expect(faultsAfter({ [N.text]: field }, layers)).toEqual(REFUSED);
  });
});

describe('the fonts of a form', () => {
  const fonts = (number: number) => `/SigFlags 3/DR<</Font<</Own ${number} 0 R>>>>`;
  const NINE = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[49/nine]>>>>';
  const changed = (fields: string, box: string, level = 0) =>
    behind(
      { [N.form]: FORM(fields, fonts(90)), 90: NINE },
      signPdf(
        updated(
          basePdf(),
          { [N.form]: FORM(fields, fonts(N.font)), [N.page]: PAGE(`${PAGE_ANNOTATIONS} 55 0 R`), 55: box },
          WITH_INFO,
        ),
        { party: PKI.signer, entries: level === 0 ? '' : certifying(level) },
      ),
    );
  const BOX = '/Rect[20 100 200 120]/F 4/P 3 0 R';
  const TEXT = `<</Type/Annot/Subtype/FreeText${BOX}/DA(/Own 12 Tf 0 g)/Contents(100)>>`;
  const EMPTY = `<</Type/Annot/Subtype/Text${BOX}>>`;

  test.each([
    ['text on a page', TEXT],
    [
      'a box that belongs to no field',
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(x)${BOX}/DA(/Own 12 Tf 0 g)/V(100)>>`,
    ],
    [
      'a default appearance that draws',
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(x)${BOX}/DA(BT /Own 12 Tf (100) Tj ET)>>`,
    ],
  ])(
    'stay where %s is drawn with them, also if the form lists the page or the pages as a field',
    (_, box) => {
      for (const fields of [FIELDS, `${FIELDS} 3 0 R`, `3 0 R ${FIELDS}`, `${FIELDS} 2 0 R`])
        expect(changed(fields, box)).toEqual(['changed_form']);
    },
  );

  test('may change where nothing is drawn with them, but not after a certification that allows no changes', () => {
    expect(changed(FIELDS, EMPTY)).toEqual([]);
    expect(changed(FIELDS, EMPTY, 2)).toEqual([]);
    expect(changed(FIELDS, EMPTY, 1)).toEqual(['changed_form']);
  });

  test('come with a timestamp after such a certification, as iText writes them', () => {
    const field = (value: string) =>
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(Stamp)/Rect[0 0 0 0]/F 132/P 3 0 R${value}>>`;
    const WITH_FIELD = { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 61 0 R`), [N.form]: FORM(`${FIELDS} 61 0 R`) };
    const waiting = () =>
      signPdf(updated(basePdf(), { 61: field(''), ...WITH_FIELD }, WITH_INFO), {
        party: PKI.signer,
        entries: certifying(1),
      });
    const stamped = (party: typeof PKI.tsa, subFilter: string, file = certified(1)) =>
      faultsOf(
        signPdf(file, {
          party,
          number: 60,
          subFilter,
          entries: '',
          ...(party === PKI.tsa && { make: (data: Buffer) => timestampToken(PKI.tsa, data) }),
          objects: (number) => ({
            61: field(`/V ${number} 0 R`),
            ...WITH_FIELD,
            [N.form]: FORM(`${FIELDS} 61 0 R`, `${fonts(N.font)}/DA(/Own 0 Tf 0 g)`),
          }),
        }),
      );
    expect(stamped(PKI.tsa, 'ETSI.RFC3161', waiting())).toEqual([]);
    expect(stamped(PKI.tsa, 'ETSI.RFC3161')).toEqual([]);
    expect(stamped(PKI.signer, 'ETSI.CAdES.detached')).toContain('changed_form');
  });
});

describe('a field that is filled in', () => {
  const ready = `/DA${PLAIN}${FONTS}`;
  const filled = (
    field: string,
    later: string,
    { before = ready, after = before, more = {} }: { before?: string; after?: string; more?: Objects } = {},
  ) =>
    faultsAfter(
      { [N.text]: field, [N.form]: form(before) },
      { ...more, [N.text]: later, ...(after !== before && { [N.form]: form(after) }) },
      [0, 2],
    ).map(([first]) => first);

  test('has a look that readers need not make', () => {
    expect(filled(bare(''), TEXT_FIELD('/V(9)'))).toEqual([undefined, undefined]);
    expect(filled(bare(''), bare('/V(9)'))).toEqual(['changed_form', 'changed_form']);
  });

  test('may be made read-only, and changes in no other way', () => {
    const created = (before: string, after: string) =>
      filled(TEXT_FIELD(before), TEXT_FIELD(`/V(9)${after}`));
    expect(created('', '/Ff 1')).toEqual([undefined, undefined]);
    expect(created('/Ff 4096', '/Ff 4097')).toEqual([undefined, undefined]);
    for (const flags of ['/Ff 4096', '/Ff 4097', '/Ff 8193', '/Ff 16777217'])
      expect(created('', flags)).toEqual(['changed_form', 'changed_form']);
    expect(created('/Ff 4096', '')).toEqual(['changed_form', 'changed_form']);
    expect(faultsAfter({}, { [N.text]: TEXT_FIELD('/Ff 1') })).toEqual(REFUSED);
    // Flags of the field above hold as long as it has none of its own.
    const below = (entries: string) => TEXT_FIELD(`/Parent 95 0 R${entries}`);
    const parent = (flags: number) => ({
      [N.text]: below(''),
      95: `<</T(above)/FT/Tx/Ff ${flags}/Kids[7 0 R]>>`,
      [N.form]: FORM('95 0 R 9 0 R'),
    });
    const readOnly = (flags: number) =>
      faultsAfter(parent(4096), { [N.text]: below(`/V(9)/Ff ${flags}`) }, [0, 2]);
    expect(readOnly(4097)).toEqual([[], []]);
    expect(readOnly(1)).toEqual([['changed_form'], ['changed_form']]);
  });

  test('does not lose its look', () => {
    for (const value of ['/V(9)', '/V()'])
      expect(filled(TEXT_FIELD(''), bare(value))).toEqual(
        ['changed_form', 'changed_form'].map((code) => (value === '/V()' ? 'overlay' : code)),
      );
  });

  test('brings no default appearance that draws, and no size that readers choose, in the place of a look', () => {
    for (const appearance of [DRAWING, '(/Helv 0 Tf)'])
      expect(filled(bare(''), bare('/V(9)'), { after: `/DA${appearance}${FONTS}` })).toEqual([
        'changed_form',
        'changed_form',
      ]);
  });

  test('brings no font of drawings in the place of a look', () => {
    const after = `/DA${PLAIN}/DR<</Font<</Helv 90 0 R>>>>`;
    for (const field of [bare(''), TEXT_FIELD('')])
      expect(filled(field, bare('/V(9)'), { after, more: TYPE3 })).toEqual(['changed_form', 'changed_form']);
  });

  test('is refused where a default appearance or a font that was prepared draws more than letters: some readers make all looks anew', () => {
    const anew = `/NeedAppearances true/DA${DRAWING}${FONTS}`;
    expect(filled(TEXT_FIELD(''), TEXT_FIELD('/V(9)'), { before: anew })).toEqual([
      'changed_form',
      'changed_form',
    ]);
    const entry = `/DA${DRAWING}`;
    expect(filled(TEXT_FIELD(entry), TEXT_FIELD(`${entry}/V(9)`))).toEqual(['changed_form', 'changed_form']);
    const fonts = `/NeedAppearances true/DA${PLAIN}/DR<</Font<</Helv 90 0 R>>>>`;
    const base = updated(basePdf(), { ...TYPE3, [N.text]: TEXT_FIELD(''), [N.form]: form(fonts) }, WITH_INFO);
    expect(
      behind({ [N.text]: TEXT_FIELD('/V(9)') }, signPdf(base, { party: PKI.signer, entries: '' })),
    ).toEqual(['changed_form']);
  });
});

describe('a new field for a signature', () => {
  const added = (entries: string, more: Objects = {}): Objects => ({
    50: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/P 3 0 R${entries}>>`,
    [N.form]: FORM(`${FIELDS} 50 0 R`),
    [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
    ...more,
  });

  test.each([
    ['without flags', ''],
    ['that is printed', '/F 4'],
    ['that is hidden', '/F 2'],
    ['that is hidden and printed', '/F 132'],
  ])('%s has a rectangle: MuPDF draws one without over the whole page', (_, entries) => {
    for (const file of [approved(), certified(2), certified(3)]) {
      expect(behind(added(entries), file)).toEqual(['overlay']);
      expect(behind(added(`${entries}/Rect[0 0 0 0]`), file)).toEqual([]);
    }
  });

  test('has one in each of its boxes', () => {
    const kid = (entries: string) => ({
      50: '<</FT/Sig/T(New)/Kids[51 0 R]>>',
      51: `<</Type/Annot/Subtype/Widget/Parent 50 0 R/P 3 0 R${entries}>>`,
      [N.form]: FORM(`${FIELDS} 50 0 R`),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 51 0 R`),
    });
    expect(behind(kid(''), approved())).toEqual(['overlay']);
    expect(behind(kid('/Rect[0 0 0 0]'), approved())).toEqual([]);
  });

  test('has one after a seal of level LTA, and beside a timestamp of a document that may not change', () => {
    const fields = '7 0 R 9 0 R 61 0 R';
    const sealed = (entries: string) =>
      behind(
        {
          ...added(entries),
          [N.form]: FORM(`${fields} 50 0 R`),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 61 0 R 50 0 R`),
        },
        sealedPdf(),
      );
    expect(sealed('')).toEqual(['overlay']);
    const stamped = (rectangle: string) =>
      faultsOf(
        signPdf(certified(1), {
          party: PKI.tsa,
          number: 60,
          subFilter: 'ETSI.RFC3161',
          entries: '',
          objects: (number) => added(`/F 132${rectangle}/V ${number} 0 R`),
        }),
      );
    expect(stamped('')).toContain('overlay');
    expect(stamped('/Rect[0 0 0 0]')).not.toContain('overlay');
    expect(faultsOf(withTimestamp(certified(1), { tsa: PKI.tsa }))).toEqual([]);
  });

  test('that waits with a place after an approval is drawn over nothing', async () => {
    const differences = async (rectangle: string) => {
      const file = updated(approved(), added(`/F 4/Rect${rectangle}`), WITH_INFO);
      const report = verifyPdf(file, { trust: trusting(PKI.root), now: NOW });
      if (!report.ok) throw new Error(report.reason);
      const [version] = versionsToCompare(report);
      const compared = await compareVersions(file, version!);
      return compared.ok && compared.differences;
    };
    // The text of the page stands at 20, 150.
    expect(await differences('[10 140 200 170]')).toEqual([{ page: 0, medium: 'screen' }]);
    expect(await differences('[20 70 120 100]')).toEqual([]);
  });

  test('brings no default appearance that draws', () => {
    expect(behind(added(`/Rect[0 0 0 0]/DA${DRAWING}`), approved())).toEqual(['changed_form']);
    const signed = (appearance: string) =>
      faultsOf(
        signPdf(approved(), {
          party: PKI.signer,
          number: 70,
          entries: '',
          objects: (number) => ({
            [N.seal]: SEAL_FIELD(`/V 20 0 R`),
            ...added(`/Rect[0 0 0 0]/V ${number} 0 R/DA${appearance}`),
          }),
        }),
      );
    expect(signed(PLAIN)).toEqual([]);
    expect(signed(DRAWING)).toEqual(['changed_form']);
  });
});

describe('the look of a filled field', () => {
  const isDrawn = (content: string, resources = '/Font<</F 5 0 R>>', more: Objects = {}) => {
    const drawing = streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<<${resources}>>`);
    const later = { ...more, [N.text]: TEXT_FIELD('/V(9)').replace('8 0 R', '80 0 R'), 80: drawing };
    const report = verifyPdf(updated(approved(), later, WITH_INFO), { trust: trusting(PKI.root), now: NOW });
    if (!report.ok) throw new Error(report.reason);
    const [version] = versionsToCompare(report);
    return version?.allowed[0]?.filled?.isDrawn ?? false;
  };
  const TEXT = 'BT /F 9 Tf 0 g 2 4 Td (9) Tj ET';

  test.each([
    ['of text', `/Tx BMC q 1 1 88 18 re W n ${TEXT} Q EMC`, false],
    [
      'with a background, a border and the lines of a comb',
      `1 g 0 0 90 20 re f 0 G .5 .5 89 19 re s 30 0 m 30 20 l S ${TEXT}`,
      false,
    ],
    ['in several pieces', "BT /F 9 Tf 1 Tr 2 4 Td [(9) 20 (9)] TJ T* (9) ' ET", false],
    ['with lines as a digit has them', `${TEXT} 20 4 1 9 re f`, true],
    ['with hidden letters', 'BT /F 9 Tf 3 Tr 2 4 Td (9) Tj ET', true],
    ['with letters that cut off', 'BT /F 9 Tf 7 Tr 2 4 Td (9) Tj ET', true],
    ['with curves', `${TEXT} 0 0 m 1 1 2 2 3 3 c S`, true],
    ['with a picture in it', `${TEXT} BI /W 1 /H 1 /BPC 1 /CS /G ID x EI`, true],
    ['with a pattern', `/Pattern cs /P scn ${TEXT}`, true],
  ])('%s', (_, content, expected) => {
    expect(isDrawn(content)).toBe(expected);
  });

  test('with a font of drawings, or another form', () => {
    expect(isDrawn('BT /F 9 Tf (9) Tj ET', '/Font<</F 90 0 R>>', TYPE3)).toBe(true);
    const form = streamOf('', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]');
    expect(isDrawn(`/X Do ${TEXT}`, '/Font<</F 5 0 R>>/XObject<</X 81 0 R>>', { 81: form })).toBe(true);
  });
});
