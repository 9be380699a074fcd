// Documents that their author prepared before they were signed, so that a later save makes some readers show something else: copies of objects
// that readers find when they search, streams that are read by an object of their own, and numbers that readers take for others. And what a
// later save brings along itself, with flags, filters and looks that readers understand differently.
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createDecryption } from '../../../src/pdf/read/decryption.ts';
import { Scanner } from '../../../src/pdf/read/scanner.ts';
import type { Dict } from '../../../src/pdf/read/values.ts';
import { verifyPdf, versionsToCompare } from '../../../src/pdf/verify/verify.ts';
import { NOW, timestampToken } from '../../support/certificates/pki.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, signed, trusting, WITH_INFO } from '../../support/documents/verification.ts';

const SOUND: Objects = {
  80: '<</Certs[81 0 R]>>',
  81: streamOf('certificate'),
  [N.catalog]: CATALOG('/DSS 80 0 R'),
};
const later = (base: Buffer, objects: Objects = SOUND): string[] =>
  behind(objects, signPdf(base, { party: PKI.signer }));
const alone = (base: Buffer): string[] => faultsOf(signPdf(base, { party: PKI.signer }));
const FORGED = streamOf('BT /F 12 Tf 20 150 Td (I owe you 9000 euros) Tj ET').toString('latin1');

describe('an object that readers find when they search the signed part', () => {
  const hidden = (object: string) => updated(basePdf(), { 90: streamOf(`\n${object}\n`) }, WITH_INFO);

  test('is refused with a later save, and not without', () => {
    const base = hidden(`${N.content} 0 obj\n${FORGED}\nendobj`);
    expect(alone(base)).toEqual([]);
    expect(later(base)).toEqual(['update_irregular']);
    expect(later(hidden('nothing'))).toEqual([]);
  });

  test('is refused where an older copy lies behind the one that counts', () => {
    // The first save names the copy behind the one of the second.
    const two = updated(basePdf(), { [N.content]: FORGED }, WITH_INFO);
    const entry = two.lastIndexOf(`\n${N.content} 0 obj`) + 1;
    const first = two.indexOf(`\n${N.content} 0 obj`) + 1;
    const digits = (at: number) => `${String(at).padStart(10, '0')} 00000 n`;
    const swapped = Buffer.from(
      two
        .toString('latin1')
        .replace(digits(first), digits(entry))
        .replace(new RegExp(`${digits(entry)}(?![^]*${digits(entry)})`), digits(first)),
      'latin1',
    );
    expect(later(swapped)).toEqual(['update_irregular']);
    expect(later(two)).toEqual([]);
  });
});

describe('what readers find when they repair the file', () => {
  const named = (contents: string) => ({
    [N.page]: PAGE(PAGE_ANNOTATIONS).replace('4 0 R/', `${contents}/`),
  });
  const unused = (object: string) => {
    const file = basePdf().toString('latin1');
    const at = file.indexOf('xref\n');
    // Between the last object and the table, which is moved.
    const moved = file
      .replace('xref\n', `${object}\nxref\n`)
      .replace(/startxref\n\d+/, `startxref\n${at + object.length + 1}`);
    return Buffer.from(moved, 'latin1');
  };

  test.each([
    ['behind a comment', `${N.content} %\n0 obj`],
    ['before a comment', `${N.content} 0 %\nobj`],
    ['with signs', `+${N.content} +0 obj`],
  ])('an object whose number stands %s is refused with a later save', (_, head) => {
    const base = unused(`${head}\n${FORGED}\nendobj`);
    expect(alone(base)).toEqual([]);
    expect(later(base)).toEqual(['update_irregular']);
    expect(later(unused('% nothing'))).toEqual([]);
  });

  test('an object that is free is refused where something names it', () => {
    const freed = (contents: string) =>
      updated(updated(basePdf(), { 90: FORGED }, WITH_INFO), { 90: null, ...named(contents) }, WITH_INFO);
    expect(alone(freed('[4 0 R 90 0 R]'))).toEqual([]);
    expect(later(freed('[4 0 R 90 0 R]'))).toEqual(['update_irregular']);
    expect(later(freed('[4 0 R]'))).toEqual([]);
  });

  test.each([
    ['that no section names', '90 0 null'],
    ['that is free and named', '91 0 null'],
    ['whose numbers cannot be read', '90 x null'],
  ])('an object stream with an object %s is refused', (_, data) => {
    const stream = streamOf(data, '/Type/ObjStm/N 1/First 5').toString('latin1');
    const base = updated(basePdf(), { 80: stream, 91: null, ...named('[4 0 R 91 0 R]') }, WITH_INFO);
    const objects = { 82: '<</Certs[83 0 R]>>', 83: streamOf('x'), [N.catalog]: CATALOG('/DSS 82 0 R') };
    expect(later(base, objects)).toEqual(['update_irregular']);
  });
});

test.each([
  ['+90 0 obj\n<</Linearized 1/L 99999>>\nendobj'],
  ['90 0 %\nobj\n<</Linearized 1/L 99999>>\nendobj'],
  ['90 0 obj\n<</Linear#69zed 1/L 99999>> x\nendobj'],
  ['90 0 obj\n<</Linearized 1/L 99999/Length 1>>\nstream\nx\nendstream\nendobj'],
])('a beginning that only some readers take for that of a linearized file is refused: %j', (first) => {
  // Its number is free, so that no section names it.
  const text = updated(basePdf(), { 90: null }, WITH_INFO).toString('latin1');
  const at = text.indexOf('\n') + 1;
  const more = first.length + 1;
  const moved = `${text.slice(0, at)}${first}\n${text.slice(at)}`
    .replace(
      /^(\d{10}) (\d{5} n)/gm,
      (_, place, rest) => `${String(Number(place) + more).padStart(10, '0')} ${rest}`,
    )
    .replace(/(startxref\n|\/Prev )(\d+)/g, (_, before, place) => `${before}${Number(place) + more}`);
  expect(later(Buffer.from(moved, 'latin1'))).toEqual(['update_irregular']);
});

test('a field that is a stream as well does not hide a change of its data', () => {
  const field = (data: string) => streamOf(data, '/Type/EmbeddedFile/FT/Tx/T(file)');
  const base = updated(
    basePdf(),
    {
      60: field('100'),
      [N.form]: FORM('7 0 R 9 0 R 60 0 R'),
      [N.catalog]: CATALOG('/AF[61 0 R]'),
      61: '<</EF<</F 60 0 R>>>>',
    },
    WITH_INFO,
  );
  expect(later(base, { 60: field('900') })).toEqual(['changed_structure']);
  expect(later(base, { 60: field('100') })).toEqual([]);
});

describe('buttons and lists that are filled in', () => {
  const filledIn = (field: (entries: string) => string, before: string, after: string) =>
    updated(
      signPdf(
        updated(
          basePdf(),
          {
            40: field(before),
            41: streamOf('', '/Subtype/Form/BBox[0 0 20 20]'),
            [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
            [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`),
          },
          WITH_INFO,
        ),
        { party: PKI.signer },
      ),
      {
        40: field(after),
        42: streamOf(
          'BT /F 9 Tf 2 4 Td (900) Tj ET',
          '/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>',
        ),
      },
      WITH_INFO,
    );

  test('a box shows a state that it has a look for', () => {
    const box = (entries: string) =>
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(b)/Rect[20 80 40 100]/F 4/P 3 0 R/AP<</N<</Yes 41 0 R/Off 41 0 R>>>>${entries}>>`;
    expect(faultsOf(filledIn(box, '/AS/Off', '/V/Yes/AS/Yes'))).toEqual([]);
    expect(faultsOf(filledIn(box, '/AS/Off', '/V/No/AS/No'))).toContain('changed_form');
  });

  test('a list is compared with its options', () => {
    const list = (entries: string) =>
      `<</Type/Annot/Subtype/Widget/FT/Ch/T(l)/Rect[20 80 110 100]/F 4/P 3 0 R/Opt[(100)[(2)(200)]]${entries}>>`;
    const file = filledIn(list, '/AP<</N 41 0 R>>', '/V(100)/AP<</N 42 0 R>>');
    const report = verifyPdf(file, { trust: trusting(PKI.root), now: NOW });
    const places = report.ok ? versionsToCompare(report).flatMap(({ allowed }) => allowed) : [];
    expect(places).toMatchObject([{ filled: { value: '100 200' } }]);
  });
});

test.each([
  ['a filter that is called Identity', 4, '/CF<</Identity<</CFM/V2>>>>/StmF/Identity/StrF/Identity', false],
  ['AES-256 in version 4', 4, '/CF<</StdCF<</CFM/AESV3>>>>/StmF/StdCF/StrF/StdCF', false],
  ['RC4 in version 5', 5, '/CF<</StdCF<</CFM/V2>>>>/StmF/StdCF/StrF/StdCF', false],
  ['AES-128 in version 4', 4, '/CF<</StdCF<</CFM/AESV2>>>>/StmF/StdCF/StrF/StdCF', true],
])('encryption by %s is known or not', (_, version, filters, isKnown) => {
  const bytes = `<${'00'.repeat(48)}>`;
  const keys = `/O${bytes}/U${bytes}/OE${bytes}/UE${bytes}`;
  const text = `<</Filter/Standard/V ${version}/R ${version}${keys}/P -4/Length 128${filters}>>`;
  const dict = new Scanner(Buffer.from(text), 0).value() as Dict;
  expect(createDecryption(dict, Buffer.alloc(1), 'x')).toBe(isKnown ? 'password_wrong' : 'handler_unknown');
});

describe('texts and names that readers understand differently', () => {
  const rewritten = (before: string, after: string): string[] =>
    later(updated(basePdf(), { 60: before }, WITH_INFO), { 60: after });

  test.each([
    ['a raw carriage return', '(\n)', '(\r)'],
    ['a raw end of a line of two bytes', '(\n)', '(\r\n)'],
    ['half a byte at the end', '<0a00>', '<0a0>'],
  ])('%s is another text', (_, before, after) => {
    expect(rewritten(before, after)).toEqual(['changed_structure']);
    expect(rewritten(before, before)).toEqual([]);
    expect(rewritten(after, after)).toEqual([]);
  });

  test.each([
    ['has a NUL', '/A#00X', '/A#00Y'],
    ['is longer than 127 bytes', `/${'x'.repeat(127)}A`, `/${'x'.repeat(127)}B`],
  ])('a name that %s is refused', (_, a, other) => {
    expect(rewritten(`<<${a} 1${other} 2>>`, `<<${other} 2${a} 1>>`)).toEqual(['update_irregular']);
    expect(
      rewritten(`<<${a} 1${other} 2>>`.replace(/#00|x+/g, ''), `<<${other} 2${a} 1>>`.replace(/#00|x+/g, '')),
    ).toEqual([]);
  });

  test('a key of a trailer is written as it is', () => {
    const save = (entries: string) =>
      faultsOf(updated(signPdf(basePdf(), { party: PKI.signer }), SOUND, `${WITH_INFO}${entries}`));
    expect(save('/XRefStm#00 10')).toEqual(['update_irregular']);
    expect(save('/DocChecksum(x)')).toEqual([]);
  });
});

test('resources that have names of entries of annotations lead to what a page draws', () => {
  const page = (space: string) =>
    PAGE(PAGE_ANNOTATIONS).replace('/Font<<', `/ColorSpace<</Type/Annot/Rect[0 0 1 1]${space}>>/Font<<`);
  const base = updated(
    basePdf(),
    { [N.page]: page('/A 60 0 R'), 60: '[/Indexed/DeviceRGB 0(a)]' },
    WITH_INFO,
  );
  const file = updated(signPdf(base, { party: PKI.signer }), { 60: '[/Indexed/DeviceRGB 0(b)]' }, WITH_INFO);
  const report = verifyPdf(file, { trust: trusting(PKI.root), now: NOW });
  expect(report.ok && versionsToCompare(report)).toMatchObject([{ pages: [0] }]);
});

describe('numbers', () => {
  const page = (entries: string) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>${entries}>>`;

  test('with more than 31 bits, of which some readers keep the lowest 32, are refused with a later save', () => {
    for (const entries of [
      '/Contents[4 0 R 4294967358 0 R]',
      '/Contents 4 0 R/UserUnit 75557863725914323419136',
      `/Contents 4 0 R/UserUnit ${'0'.repeat(300)}1`,
    ]) {
      const base = updated(basePdf(), { [N.page]: page(entries) }, WITH_INFO);
      expect(alone(base), entries).toEqual([]);
      expect(later(base), entries).toEqual(['update_irregular']);
    }
  });

  test.each([
    [
      'a code of letters',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[57.0/one]>>>>',
    ],
    ['the first letter', '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/FirstChar 32.0>>'],
    ['a kind of function', '<</FunctionType 2.0/N 1/Domain[0 1]>>'],
    ['the highest color', '[/Indexed/DeviceRGB 1.0<000000ffffff>]'],
    ['a number of its own', '7.0'],
    ['a reference of its own', '5 0 R'],
  ])('a later save does not write %s as readers disagree on', (_, object) => {
    const base = updated(basePdf(), { 60: object.replace('.0', '') }, WITH_INFO);
    expect(later(base, { ...SOUND, 82: object })).toEqual(['update_irregular']);
  });

  test('coordinates are numbers of any kind', () => {
    expect(later(basePdf(), { ...SOUND, 82: '<</Dest[3 0 R/XYZ 0.0 200.0 1.0]/C[1.0 0.0 0.0]>>' })).toEqual(
      [],
    );
  });
});

describe('a timestamp in a new field', () => {
  const appearance = (content: Buffer | string, entries = '') =>
    streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 300 200]${entries}`);
  const withField = (entries: string, objects: Objects): string[] => {
    const certified = signed();
    return faultsOf(
      signPdf(certified, {
        party: PKI.tsa,
        number: 60,
        subFilter: 'ETSI.RFC3161',
        entries: '',
        trailer: WITH_INFO,
        make: (data) => timestampToken(PKI.tsa, data),
        objects: () => ({
          61: `<</Type/Annot/Subtype/Widget/FT/Sig/T(TS)/P 3 0 R/V 60 0 R${entries}>>`,
          [N.form]: '<</Fields[7 0 R 9 0 R 61 0 R]/SigFlags 3>>',
          [N.page]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[7 0 R 9 0 R 10 0 R 61 0 R]>>`,
          ...objects,
        }),
      }),
    );
  };
  const DRAWS = '0 0 300 200 re f';

  test.each([
    ['hidden', '/F 2'],
    ['hidden by an object', '/F 63 0 R'],
    ['never shown on the screen', '/F 32'],
  ])('is %s and has a look all the same: refused', (_, flags) => {
    const faults = withField(`/Rect[0 0 300 200]${flags}/AP<</N 62 0 R>>`, {
      62: appearance(DRAWS),
      63: '2',
    });
    expect(faults.length).toBeGreaterThan(0);
    expect(
      withField(`/Rect[0 0 0 0]/F 132/AP<</N 62 0 R>>`, {
        62: appearance('', '').toString('latin1').replace('300 200', '0 0'),
      }),
    ).toEqual([]);
  });

  test.each([
    [
      'a matrix that enlarges',
      '/Rect[0 0 0 0]/AP<</N 62 0 R>>',
      '/BBox[0 0 0.0009 200]/Matrix[333333 0 0 1 0 0]',
    ],
    ['marks, in a box that is a line', '/Rect[0 0 60 0.0005]/MK<</BC[1 1 1]>>', '/BBox[0 0 0 0]'],
    ['a look under another name of /AP', '/Rect[0 0 300 200]/AP#00<</N 62 0 R>>', '/BBox[0 0 300 200]'],
  ])('with %s is refused', (_, entries, box) => {
    const drawing = streamOf(DRAWS, `/Type/XObject/Subtype/Form${box}`);
    expect(withField(`/F 4${entries}`, { 62: drawing }).length).toBeGreaterThan(0);
  });

  test.each([['/A#00Y'], [`/${'x'.repeat(127)}Y`]])(
    'whose blank look has a name like %s is refused',
    (name) => {
      const faults = withField('/Rect[0 0 300 200]/F 4/AP<</N 62 0 R>>', {
        62: appearance(`${name} Do`, `/Resources<</XObject<<${name} 63 0 R>>>>`),
        63: appearance(''),
      });
      expect(faults.length).toBeGreaterThan(0);
      const plain = withField('/Rect[0 0 300 200]/F 4/AP<</N 62 0 R>>', {
        62: appearance('/A Do', '/Resources<</XObject<</A 63 0 R>>>>'),
        63: appearance(''),
      });
      expect(plain).toEqual([]);
    },
  );

  test.each([
    ['/Filter/LZWDecode/DecodeParms<</EarlyChange 2>>'],
    ['/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 33>>'],
    ['/Filter/FlateDecode/DecodeParms<</Predictor 15/BitsPerComponent 32>>'],
    ['/Filter/FlateDecode/DecodeParms<</Predictor 63 0 R>>'],
    ['/Filter/FlateDecode/DP<</Predictor 12>>'],
    ['/Filter/ASCIIHexDecode'],
  ])('whose look is packed as %s is not blank', (entries) => {
    const [hex, lzw] = [Buffer.from('25\xa0>', 'latin1'), Buffer.from([0x80, 0x09, 0x60, 0x20])];
    const rows = deflateSync(Buffer.from(entries.includes('DP') ? '%' : '\0%'));
    const content = entries.includes('Hex') ? hex : entries.includes('LZW') ? lzw : rows;
    const faults = withField('/Rect[0 0 300 200]/F 4/AP<</N 62 0 R>>', {
      62: appearance(content, entries),
      63: '12',
    });
    expect(faults.length).toBeGreaterThan(0);
  });
});

describe('the look of a field that is filled in', () => {
  const filled = (
    entries: string,
    content: string,
    rect = '[20 80 160 130]',
    value = '(1)',
    objects: Objects = {},
    looks = '<</N 62 0 R>>',
  ): string[] => {
    const field = (more: string) =>
      `<</Type/Annot/Subtype/Widget/FT/Tx/T(amount)${rect === '' ? '' : `/Rect${rect}`}/F 4/P 3 0 R${more}>>`;
    const base = updated(
      basePdf(),
      {
        40: field(''),
        [N.form]: '<</Fields[7 0 R 9 0 R 40 0 R]/SigFlags 3>>',
        [N.page]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[7 0 R 9 0 R 10 0 R 40 0 R]>>`,
      },
      WITH_INFO,
    );
    const appearance = streamOf(content, `/Subtype/Form/BBox[0 0 140 50]${entries}`);
    return behind(
      { 40: field(`/V${value}/AP${looks}`), 62: appearance, ...objects },
      signPdf(base, { party: PKI.signer }),
    );
  };
  const FONTS = '/Resources<</Font<</F 5 0 R>>>>';
  const TEXT = 'q BT /F 9 Tf 2 4 Td (1) Tj ET Q';

  test('does not come in states, of which Poppler shows another one', () => {
    const looks = (content: string) => streamOf(content, `/Subtype/Form/BBox[0 0 140 50]${FONTS}`);
    expect(
      filled(FONTS, TEXT, undefined, '(1)', { 63: looks('') }, '<</N<</1 62 0 R/Off 63 0 R>>>>'),
    ).toEqual(['overlay']);
  });

  test('keeps to its place', () => {
    expect(filled(FONTS, TEXT)).toEqual([]);
    for (const rect of ['', '[20 80 20 130]', '[20 80 20.0000001 130]', '[20 80 160]'])
      expect(filled(FONTS, TEXT, rect), rect).toEqual(['overlay']);
  });

  test.each([
    ['restores what it did not save', FONTS, 'Q Q 0 0 9 9 re f'],
    ['takes its font from the page', '', TEXT],
    ['takes a drawing from the page', '/Resources<<>>', '/X Do'],
    ['has a matrix of four numbers', `${FONTS}/Matrix[1 0 0 1]`, TEXT],
    ['is of another type', `/Type/XRef${FONTS}`, TEXT],
  ])('%s: refused', (_, entries, content) => {
    expect(filled(entries, content)).toEqual(['overlay']);
  });
});

test('an open window of a note, which Ghostscript draws, is refused where notes are allowed', () => {
  const note = (open: string) => ({
    90: `<</Type/Annot/Subtype/Popup/Rect[0 0 300 200]/Parent 10 0 R${open}>>`,
    [N.page]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[7 0 R 9 0 R 10 0 R 90 0 R]>>`,
  });
  const certified = signed({ entries: '/Reference[<</TransformMethod/DocMDP/TransformParams<</P 3>>>>]' });
  expect(behind(note('/Open true'), certified)).toContain('overlay');
});
