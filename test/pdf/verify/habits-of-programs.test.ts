// What programs save after a signature that no reader shows and no known attack uses: each is accepted, and what is like it and could be an attack is not.
import { describe, expect, test } from 'vitest';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { certificate, crl, DAY, NOW } from '../../support/certificates/pki.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  behind,
  faultsOf,
  PKI,
  trusting,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';

const { root, issuing, tsa, signer } = PKI;
const save = (file: Buffer, objects: Objects) => updated(file, objects, WITH_INFO);
const prepared = (objects: Objects) =>
  signPdf(save(basePdf(), objects), { party: signer, entries: '', trailer: WITH_INFO });

const [FIRST, SECOND] = ['A1', 'B2'].map((byte) => byte.repeat(20)) as [string, string];
const storeWith = (number: number, lists: string, signature?: string): Objects => ({
  [N.catalog]: CATALOG(`/DSS ${number} 0 R`),
  [number]: `<</Type/DSS${lists}${signature ? `/VRI<</${signature}<<>>>>` : ''}>>`,
});

describe('a store for the last signature alone', () => {
  const file = () =>
    save(approved(), { ...storeWith(30, '/Certs[31 0 R]', FIRST), 31: streamOf(Buffer.from(issuing.der)) });
  const other: Objects = { 41: streamOf(Buffer.from(tsa.der)) };

  test('takes the place of that for another signature, as some services write it', () => {
    expect(faultsOf(save(file(), { ...storeWith(40, '/Certs[41 0 R]', SECOND), ...other }))).toEqual([]);
    const stamped = withTimestamp(file(), { tsa });
    expect(
      faultsOf(save(stamped, { ...storeWith(140, '/Certs[141 0 R]', SECOND), 141: other[41]! })),
    ).toEqual([]);
  });

  test('is refused if it was prepared in what was signed', () => {
    const first = {
      ...storeWith(30, '/Certs[31 0 R]', FIRST),
      31: streamOf(Buffer.from(issuing.der)),
      ...other,
    };
    const ready = prepared({ ...first, 40: storeWith(40, '/Certs[41 0 R]', SECOND)[40]! });
    expect(faultsOf(save(ready, { [N.catalog]: CATALOG('/DSS 40 0 R') }))).toEqual([
      'validation_data_removed',
    ]);
  });

  test.each<[string, Objects]>([
    ['names no signature', storeWith(40, '/Certs[41 0 R]')],
    ['names the signature of the earlier one', storeWith(40, '/Certs[41 0 R]', FIRST)],
    ['names no signature by a hash', storeWith(40, '/Certs[41 0 R]', 'Later')],
    ['is the same object', storeWith(30, '/Certs[41 0 R]', SECOND)],
    ['is gone', { [N.catalog]: CATALOG() }],
  ])('is refused if it %s', (_, objects) => {
    expect(faultsOf(save(file(), { ...objects, ...other }))).not.toEqual([]);
  });

  test('hides no revocation that a signature covers', () => {
    const rita = certificate('Rita', { issuer: issuing });
    const lists = [crl(root), crl(issuing, { revoked: [{ party: rita, at: NOW - 100 * DAY }] })];
    const signed = signPdf(basePdf(), { party: rita, entries: '' });
    const revoked = save(signed, {
      ...storeWith(30, '/CRLs[31 0 R 32 0 R]', FIRST),
      31: streamOf(lists[0]!),
      32: streamOf(lists[1]!),
    });
    const hidden = save(withTimestamp(revoked, { tsa }), {
      ...storeWith(140, '/Certs[141 0 R]', SECOND),
      141: other[41]!,
    });
    expect(faultsOf(hidden)).toEqual(['certificate_revoked']);
  });
});

describe('an earlier store that a save wrote again and the next one left', () => {
  const stored = () =>
    prepared({ ...storeWith(30, '/Certs[31 0 R]'), 31: streamOf(Buffer.from(issuing.der)) });
  const leaving = (former: string, more: Objects = {}) =>
    faultsOf(
      save(save(stored(), { 30: former, 32: streamOf(Buffer.from(tsa.der)), ...more }), {
        ...storeWith(40, '/Certs[41 0 R 42 0 R]'),
        41: streamOf(Buffer.from(issuing.der)),
        42: streamOf(Buffer.from(tsa.der)),
      }),
    );

  test('is accepted', () => {
    expect(leaving('<</Type/DSS/Certs[31 0 R 32 0 R]>>')).toEqual([]);
  });

  test.each([
    ['is something else', '<</Type/Page/Contents 32 0 R>>'],
    ['has a stream that is drawn', '<</Type/DSS/Certs[31 0 R]/XObject 32 0 R>>'],
    ['is a stream', streamOf('q Q').toString('latin1')],
    ['has less than it had', '<</Type/DSS/Certs[32 0 R]>>'],
  ])('is refused if it %s', (_, former) => {
    expect(leaving(former)).not.toEqual([]);
  });

  test('is refused if a page draws by it', () => {
    const file = prepared({
      ...storeWith(30, '/Certs[31 0 R]'),
      31: streamOf(Buffer.from(issuing.der)),
      [N.page]: PAGE(PAGE_ANNOTATIONS).replace('/Font<<', '/XObject 30 0 R/Font<<'),
    });
    const again = save(file, {
      30: '<</Type/DSS/Certs[31 0 R 32 0 R]>>',
      32: streamOf(Buffer.from(tsa.der)),
    });
    const next = { ...storeWith(40, '/Certs[41 0 R]'), 41: streamOf(Buffer.from(issuing.der)) };
    expect(faultsOf(save(again, next))).toContain('changed_content');
  });
});

describe('the first tags of a document with an empty tree', () => {
  const EMPTY = CATALOG('/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot>>');
  const TREE: Objects = {
    [N.catalog]: EMPTY.replace('<</Type/StructTreeRoot>>', ' 60 0 R'),
    [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents 1/Tabs/S'),
    60: '<</Type/StructTreeRoot/K[61 0 R]/ParentTree 63 0 R/ParentTreeNextKey 2/RoleMap<<>>>>',
    61: '<</Type/StructElem/S/Document/P 60 0 R/K 62 0 R>>',
    62: '<</Type/StructElem/S/Form/P 61 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 71 0 R>>>>',
    63: '<</Nums[0 62 0 R]>>',
  };
  const signedAgain = (more: Objects = {}, first: Objects = { [N.catalog]: EMPTY }) => {
    const reports = verifyBytes(
      signPdf(prepared(first), {
        party: signer,
        number: 70,
        entries: '',
        trailer: WITH_INFO,
        objects: (number) => ({
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/Rect[0 0 0 0]/F 132/P 3 0 R/StructParent 0/V ${number} 0 R>>`,
          [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
          ...TREE,
          ...more,
        }),
      }),
    );
    expect(reports).toHaveLength(2);
    return reports.flatMap(({ faults }) => faults.map(({ code }) => code));
  };

  test('are those of the box of a signature, as iText writes them after LibreOffice', () => {
    expect(signedAgain()).toEqual([]);
  });

  test.each<[string, Objects]>([
    ['a tag with words', { 62: `${TREE[62]}`.replace('/K<<', '/ActualText(I owe you 900)/K<<') }],
    ['a document with words', { 61: `${TREE[61]}`.replace('/K', '/Alt(I owe you 900)/K') }],
    ['a tag for content', { 62: '<</Type/StructElem/S/P/P 61 0 R/Pg 3 0 R/K 0>>' }],
    ['a document twice', { 60: `${TREE[60]}`.replace('[61 0 R]', '[61 0 R 61 0 R]') }],
    ['a document in a document', { 62: '<</Type/StructElem/S/Document/P 61 0 R/K 61 0 R>>' }],
    ['another kind of document', { 61: `${TREE[61]}`.replace('/Document', '/Sect') }],
    ['roles', { 60: `${TREE[60]}`.replace('/RoleMap<<>>', '/RoleMap<</P/Form>>') }],
    ['classes', { 60: `${TREE[60]}`.replace('/RoleMap<<>>', '/ClassMap<<>>') }],
    ['tags for the content of the page', { 63: '<</Nums[0 62 0 R 1[62 0 R]]>>' }],
    [
      'a page number that is no number',
      { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents(1)') },
    ],
    ['a page number with tags', { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents 0') }],
  ])('are not %s', (_, objects) => {
    expect(signedAgain(objects)).not.toEqual([]);
  });

  test('do not take the place of a tree with anything in it', () => {
    const full = CATALOG('/MarkInfo<</Marked true>>/StructTreeRoot 50 0 R');
    const tree = { [N.catalog]: full, 50: '<</Type/StructTreeRoot/K[]>>' };
    expect(signedAgain({}, tree)).not.toEqual([]);
    for (const first of [{ 60: TREE[60]!, 61: TREE[61]! }, { 60: '<<>>' }, { 61: '<<>>' }])
      expect(signedAgain({}, { [N.catalog]: EMPTY, ...first })).not.toEqual([]);
  });
});

describe('the stream of a look that is written over, behind a dictionary of looks that stays', () => {
  const appearance = (content: string, resources = '') =>
    streamOf(content, `/Type/XObject/Subtype/Form/BBox[0 0 140 50]/Resources<<${resources}>>`);
  const LOOKS: Objects = { 50: '<</N 51 0 R>>', 51: appearance('0 0 140 50 re S') };
  const signing = (more: Objects, first: Objects = {}) =>
    faultsOf(
      signPdf(
        signPdf(save(basePdf(), { ...LOOKS, 52: waiting(''), ...FORM_OF_TWO, ...first }), {
          party: signer,
          entries: '',
          trailer: WITH_INFO,
        }),
        {
          party: signer,
          number: 70,
          entries: '',
          trailer: WITH_INFO,
          objects: (number) => ({ 52: waiting(`/V ${number} 0 R`), ...more }),
        },
      ),
    );
  const waiting = (value: string) =>
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 60 150 110]/F 132/P 3 0 R/AP 50 0 R${value}>>`;
  const FORM_OF_TWO: Objects = {
    [N.form]: FORM('7 0 R 9 0 R 52 0 R'),
    [N.page]: PAGE(`${PAGE_ANNOTATIONS} 52 0 R`),
  };
  const SIGNED = {
    51: appearance('BT /F 9 Tf 4 4 Td (Signed) Tj ET', '/Font<</F 53 0 R>>'),
    53: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  };

  test('shows the signature, as pyHanko writes it', () => {
    expect(signing(SIGNED)).toEqual([]);
  });

  test.each<[string, Objects]>([
    [
      'a page',
      { [N.page]: PAGE(`${PAGE_ANNOTATIONS} 52 0 R`).replace('/Font<<', '/XObject<</X 51 0 R>>/Font<<') },
    ],
    ['the catalog', { [N.catalog]: CATALOG('/Other 51 0 R') }],
    ['another field', { [N.text]: TEXT_FIELD('').replace('/AP<</N 8 0 R>>', '/AP 50 0 R') }],
    ['a note', { [N.note]: '<</Type/Annot/Subtype/Text/Rect[200 150 220 170]/P 3 0 R/AP 50 0 R>>' }],
  ])('is refused if %s names it as well', (_, first) => {
    expect(signing(SIGNED, first)).not.toEqual([]);
  });

  test('is refused if nothing was signed, or it had shown something', () => {
    const file = signPdf(save(basePdf(), { ...LOOKS, 52: waiting(''), ...FORM_OF_TWO }), {
      party: signer,
      entries: '',
      trailer: WITH_INFO,
    });
    expect(faultsOf(save(file, SIGNED))).not.toEqual([]);
    const words = { 51: appearance('BT /F 9 Tf 4 4 Td (Void) Tj ET', '/Font<</F 5 0 R>>') };
    expect(signing(SIGNED, words)).not.toEqual([]);
  });
});

// ── what is written otherwise than it was signed, and changes nothing: generations, inherited boxes, rounded numbers, values that became objects ──

const PAGES = (entries: string) => `<</Type/Pages/Count 1/Kids[3 0 R]${entries}>>`;

/** Lists the faults of a file that is signed with some objects of its own, and saved again with others. */
function faultsAfter(signed: Objects, later: Objects): string[] {
  const base = updated(basePdf(), signed, WITH_INFO);
  const file = signPdf(base, { party: PKI.signer, entries: certifying(2) });
  return behind(later, file);
}

describe('an object of a number that was free', () => {
  /** A save with information about the document in an object of its own, which has this generation. */
  const withGeneration = (generation: string, reference: string) => {
    const file = signPdf(basePdf(), { party: PKI.signer, entries: '' });
    const info = `60 ${Number(generation)} obj\n<</Title(x)>>\nendobj\n`;
    const head = `xref\n60 1\n${String(file.length).padStart(10, '0')} ${generation} n \n`;
    const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 99))![1];
    const trailer = `trailer\n<</Size 200/Root 1 0 R/Info ${reference}/Prev ${before}>>`;
    const end = `${head}${trailer}\nstartxref\n${file.length + info.length}\n%%EOF\n`;
    return faultsOf(Buffer.concat([file, Buffer.from(info + end)]));
  };

  test('may have another generation than 0, by which it is named', () => {
    expect(withGeneration('00000', '60 0 R')).toEqual([]);
    expect(withGeneration('00001', '60 1 R')).toEqual([]);
    expect(withGeneration('00001', '60 0 R')).toEqual(['update_irregular']);
    expect(withGeneration('00000', '60 1 R')).toEqual(['update_irregular']);
  });

  test('has not the generation of the list of free numbers', () => {
    expect(withGeneration('65534', '60 65534 R')).toEqual([]);
    expect(withGeneration('65535', '60 65535 R')).toEqual(['update_irregular']);
  });
});

describe('a page', () => {
  const withoutBox = PAGE(PAGE_ANNOTATIONS).replace('/MediaBox[0 0 300 200]', '');
  const inheriting = { [N.pages]: PAGES('/MediaBox[0 0 300 200]'), [N.page]: withoutBox };
  const faults = (later: string, signed: Objects = inheriting) => faultsAfter(signed, { [N.page]: later });
  const box = (numbers: string) => PAGE(PAGE_ANNOTATIONS).replace('0 0 300 200', numbers);

  test('may say itself what it inherits', () => {
    expect(faults(PAGE(PAGE_ANNOTATIONS))).toEqual([]);
    expect(faults(box('0 0 300 100'))).toEqual(['changed_content']);
    expect(faults(PAGE(PAGE_ANNOTATIONS, '/Rotate 90'))).toEqual(['changed_content']);
    expect(faults(PAGE(PAGE_ANNOTATIONS, '/UserUnit 2'))).toEqual(['changed_content']);
  });

  test('may not say what readers that climb find elsewhere than readers that descend', () => {
    const elsewhere = withoutBox.replace('/Parent 2 0 R', '/Parent 12 0 R');
    const signed = { ...inheriting, [N.page]: elsewhere, [N.unused]: PAGES('/MediaBox[0 0 10 10]') };
    const later = (numbers: string) => box(numbers).replace('/Parent 2 0 R', '/Parent 12 0 R');
    expect(faults(later('0 0 300 200'), signed)).toEqual(['changed_content']);
    expect(faults(later('0 0 10 10'), signed)).toEqual(['changed_content']);
  });

  test('may have its box with fewer digits', () => {
    const signed = { [N.page]: box('0 0 300.303937007874 200') };
    expect(faults(box('0 0 300.30394 200'), signed)).toEqual([]);
    expect(faults(box('0 0 300.305 200'), signed)).toEqual(['changed_content']);
    expect(faults(box('0 0 300.30394 200 0'), signed)).toEqual(['changed_content']);
  });
});

describe('a value of the catalog', () => {
  const labels = (numbers: string) => CATALOG(`/PageLabels<</Nums[${numbers}]>>`);
  const signed = { [N.catalog]: labels('0<</S/r>>'), [N.unused]: '<</S/r>>' };
  const faults = (catalog: string, objects: Objects = {}) =>
    faultsAfter(signed, { [N.catalog]: catalog, ...objects });

  test('may become an object of its own', () => {
    expect(faults(labels('0 60 0 R'), { 60: '<</S/r>>' })).toEqual([]);
    expect(faults(CATALOG('/PageLabels 61 0 R'), { 60: '<</S/r>>', 61: '<</Nums[0 60 0 R]>>' })).toEqual([]);
  });

  test('may not become another one', () => {
    expect(faults(labels('0 60 0 R'), { 60: '<</S/D>>' })).not.toEqual([]);
    expect(faults(labels('0 60 0 R'), { 60: '<</S/r/St 9>>' })).not.toEqual([]);
    expect(faults(labels('0 60 0 R 1 60 0 R'), { 60: '<</S/r>>' })).not.toEqual([]);
    // An object that was there may be drawn elsewhere.
    expect(faults(labels('0 12 0 R'))).not.toEqual([]);
  });
});

describe('a table that names an object twice', () => {
  /** The base file, whose table says another time where the page is. */
  const naming = (place: (entry: string) => string, file = basePdf()) => {
    const text = file.toString('latin1');
    const at = text.lastIndexOf('\nxref\n') + 1;
    const entry = `${String(text.lastIndexOf(`${N.page} 0 obj`, at)).padStart(10, '0')} 00000 n \n`;
    const trailer = text.indexOf('trailer', at);
    return Buffer.from(`${text.slice(0, trailer)}3 1\n${place(entry)}${text.slice(trailer)}`, 'latin1');
  };
  const page = { [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') };

  test('with the same place is read by all readers alike', () => {
    expect(
      faultsOf(
        signPdf(
          naming((entry) => entry),
          { party: PKI.signer },
        ),
      ),
    ).toEqual([]);
  });

  test('with another one, or in a later save, is refused', () => {
    const other = naming(() => `${'9'.padStart(10, '0')} 00000 n \n`);
    expect(verifyPdf(other, { trust: trusting(PKI.root), now: NOW })).toMatchObject({
      ok: false,
      reason: 'cross_reference',
    });
    const saved = updated(signPdf(basePdf(), { party: PKI.signer }), page, '/Root 1 0 R/Info 11 0 R');
    expect(faultsOf(saved)).toEqual([]);
    expect(faultsOf(naming((entry) => entry, saved))).toEqual(['update_irregular']);
  });
});
