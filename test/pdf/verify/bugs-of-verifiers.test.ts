// Bugs that other verifiers repaired in 2025 and 2026, each tried with a file of its kind: the table "Bugs of other verifiers" of decision 0019 names
// these tests. What is in another test of this folder is not here again.
import { describe, expect, test } from 'vitest';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { bits, int, octets, seq, tagged, time } from '../../support/certificates/der.ts';
import {
  attribute,
  certificate,
  cms,
  DAY,
  digest,
  keysOf,
  NOW,
  nameOf,
  SIGNING_CERTIFICATE,
  signatureAlgorithm,
  signedStructure,
  TIMESTAMPING,
} from '../../support/certificates/pki.ts';
import {
  FIELD_AND_BOX,
  lastSectionOf,
  listed,
  signedInShape,
  somebody,
  withOtherContent,
  withPhantomSignature,
  withSecond,
} from '../../support/documents/attack-files.ts';
import {
  basePdf,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  signPdf,
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
  signed,
  trusting,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';

const { root, issuing, signer } = PKI;
const FILL = { [N.text]: TEXT_FIELD('/V(1)') };

describe('where a signature stands', () => {
  const SHAPES = Object.keys(FIELD_AND_BOX) as (keyof typeof FIELD_AND_BOX)[];
  const PLAIN = ['in the field', 'in both'];
  /** Poppler and MuPDF show some of these as signed, and Acrobat does not. */
  const ODD = SHAPES.filter((shape) => !PLAIN.includes(shape));

  test.each(PLAIN as typeof SHAPES)('%s: it is one signature', (shape) => {
    expect(verifyBytes(signedInShape(shape)).map(({ field, faults }) => [field, faults])).toEqual([
      ['New', []],
    ]);
  });

  test.each(ODD)('%s: it is found, and refused as only some readers show it', (shape) => {
    expect(faultsOf(signedInShape(shape))).toEqual(['signature_dictionary_doubtful']);
    // Beside another signature, and by a certificate that anybody can make.
    expect(faultsOf(signedInShape(shape, approved(), somebody()))).toContain('signature_dictionary_doubtful');
    expect(faultsOf(withPhantomSignature(shape))).toContain('signature_dictionary_doubtful');
  });

  test('a box of a signed field gets no signature of its own', () => {
    const box = (value: string) =>
      `<</Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 4/P 3 0 R/Parent 71 0 R/V ${value}>>`;
    const other = signPdf(signedInShape('in the field'), {
      party: somebody(),
      number: 80,
      entries: '',
      trailer: WITH_INFO,
      objects: (number): Objects => ({ 72: box(`${number} 0 R`) }),
    });
    expect(faultsOf(other)).toContain('signature_dictionary_doubtful');
  });

  test('a field with a box that has another signature is not listed as empty', () => {
    const report = verifyPdf(signedInShape('in the box'), { trust: trusting(root), now: NOW });
    expect(report).toMatchObject({ emptyFields: ['Seal'] });
  });

  // MuPDF follows /Parent, wherever it leads.
  const BOX = '/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 4/P 3 0 R';

  test.each<[string, Objects]>([
    ['a field', { 71: `<<${BOX}/T(New)/FT/Sig/Parent 9 0 R>>`, ...listed('71 0 R') }],
    [
      'a box',
      { 71: '<</T(New)/FT/Sig/Kids[72 0 R]>>', 72: `<<${BOX}/Parent 9 0 R>>`, ...listed('71 0 R', '72 0 R') },
    ],
  ])('%s does not take the signature of a field that it calls its parent', (_, objects) => {
    expect(behind(objects, approved())).toContain('signature_dictionary_doubtful');
    const base = updated(basePdf(), objects, WITH_INFO);
    expect(faultsOf(signPdf(base, { party: signer, trailer: WITH_INFO }))).toEqual([
      'signature_dictionary_doubtful',
    ]);
  });

  test.each<[string, (value: string) => Objects]>([
    [
      'a field',
      (value) => ({
        71: `<<${BOX}/T(New)/FT/Sig/Parent 73 0 R>>`,
        73: `<</V ${value}>>`,
        ...listed('71 0 R'),
      }),
    ],
    [
      'a box',
      (value) => ({
        71: '<</T(New)/FT/Sig/Kids[72 0 R]>>',
        72: `<<${BOX}/Parent 73 0 R>>`,
        73: `<</T(New)/FT/Sig/V ${value}/Kids[72 0 R]>>`,
        ...listed('71 0 R', '72 0 R'),
      }),
    ],
    [
      'a box of a field for text',
      (value) => ({
        71: '<</T(New)/FT/Tx/Kids[72 0 R]>>',
        72: `<<${BOX}/Parent 73 0 R/V ${value}>>`,
        73: '<</FT/Sig>>',
        ...listed('71 0 R', '72 0 R'),
      }),
    ],
  ])('%s does not take a signature from a parent that stands in no form', (_, objects) => {
    const file = signPdf(approved(), {
      party: somebody(),
      number: 80,
      entries: '',
      trailer: WITH_INFO,
      objects: (number) => objects(`${number} 0 R`),
    });
    expect(faultsOf(file)).toContain('signature_dictionary_doubtful');
  });

  test('a signed field that the form lists with its box, in any order, is sound', () => {
    const box = `<<${BOX}/Parent 71 0 R>>`;
    for (const order of ['71 0 R 72 0 R', '72 0 R 71 0 R'])
      expect(
        faultsOf(
          signPdf(basePdf(), {
            party: signer,
            number: 70,
            trailer: WITH_INFO,
            objects: (number) => ({
              71: `<</T(New)/FT/Sig/V ${number} 0 R/Kids[72 0 R]>>`,
              72: box,
              ...listed(order, '72 0 R'),
            }),
          }),
        ),
      ).toEqual([]);
  });

  test('a value of a text field above it is none', () => {
    const box = '<</Type/Annot/Subtype/Widget/FT/Sig/Rect[0 0 0 0]/P 3 0 R/Parent 71 0 R>>';
    const text = { 71: '<</T(New)/V(text)/Kids[72 0 R]>>', 72: box, ...listed('71 0 R', '72 0 R') };
    expect(verifyBytes(updated(basePdf(), text, WITH_INFO))).toEqual([]);
  });
});

describe('names of fields', () => {
  const parents = (first: string, second: string): Objects => ({
    40: `<</T(${first})/Kids[41 0 R]>>`,
    42: `<</T(${second})/Kids[43 0 R]>>`,
    41: field(40),
    43: field(42),
    [N.form]: FORM('7 0 R 9 0 R 40 0 R 42 0 R'),
    [N.page]: PAGE(`${PAGE_ANNOTATIONS} 41 0 R 43 0 R`),
  });
  const field = (parent: number, value = '') =>
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(Signature)/Parent ${parent} 0 R/Rect[0 0 0 0]/P 3 0 R${value}>>`;
  const sign = (file: Buffer, number: number, local: number, parent: number) =>
    signPdf(file, {
      party: signer,
      entries: '',
      number,
      trailer: WITH_INFO,
      objects: (dictionary) => ({ [local]: field(parent, `/V ${dictionary} 0 R`) }),
    });

  test('two signatures in fields of one name below different ones are sound', () => {
    const file = sign(
      sign(updated(basePdf(), parents('buyer', 'seller'), WITH_INFO), 20, 41, 40),
      70,
      43,
      42,
    );
    expect(verifyBytes(file).map(({ field: name, faults }) => [name, faults])).toEqual([
      ['buyer.Signature', []],
      ['seller.Signature', []],
    ]);
  });

  test('a later signature in another field of the same name is refused', () => {
    const again = signPdf(approved(), {
      party: signer,
      number: 70,
      entries: '',
      trailer: WITH_INFO,
      objects: (number) => ({
        71: SEAL_FIELD(`/V ${number} 0 R`).replace('150 10 290 60', '0 0 0 0'),
        ...listed('71 0 R'),
      }),
    });
    expect(faultsOf(again)).toEqual(['changed_form']);
  });
});

describe('what a signature locks', () => {
  const locked = (entries: string, objects: Objects = {}) =>
    behind(
      FILL,
      signed({
        entries: '',
        objects: (number) => ({ ...objects, [N.seal]: SEAL_FIELD(`/V ${number} 0 R${entries}`) }),
      }),
    );
  const referring = (reference: string, objects: Objects = {}) =>
    behind(
      FILL,
      signed({
        entries: `/Reference ${reference}`,
        objects: (number) => ({ ...objects, [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) }),
      }),
    );

  test('is read where it is an object of its own', () => {
    const lock = { 55: '<</Action 58 0 R/Fields 56 0 R>>', 56: '[57 0 R]', 57: '(amount)', 58: '/Include' };
    expect(locked('/Lock 55 0 R', lock)).toEqual(['changed_locked_field']);
    const pieces = {
      60: '[61 0 R]',
      61: '<</TransformMethod 62 0 R/TransformParams 63 0 R>>',
      62: '/FieldMDP',
      63: '<</Action/All>>',
    };
    expect(referring('60 0 R', pieces)).toEqual(['changed_locked_field']);
  });

  test('is read in each encoding of a name', () => {
    expect(locked('/Lock<</Action/Include/Fields[<FEFF0061006D006F0075006E0074>]>>')).toEqual([
      'changed_locked_field',
    ]);
  });

  test('is read where it stands in no list', () => {
    expect(referring('<</TransformMethod/FieldMDP/TransformParams<</Action/All>>>>')).toEqual([
      'changed_locked_field',
    ]);
    expect(referring('<</TransformMethod/DocMDP/TransformParams<</P 1>>>>')).toEqual(['changed_form']);
  });
});

describe('the end of a version', () => {
  const signedAt = lastSectionOf(certified(2));

  test.each([
    ['in a text of the trailer', '/X(%%EOF)'],
    ['with a place, in a text of the trailer', `/X(\nstartxref\n${signedAt}\n%%EOF\n)`],
    ['in a comment of the trailer', '\n%%EOF\n'],
  ])('is none %s', (_, entries) => {
    expect(faultsOf(withOtherContent(certified(2), `${WITH_INFO}${entries}`))).toEqual(['changed_content']);
    expect(behind(FILL, certified(2), `${WITH_INFO}${entries}`)).toEqual([]);
  });

  test('is where it is, with a dictionary of linearized files in a later save', () => {
    const dictionary = (length: number) => ({ 90: `<</Linearized 1/L ${length}/O 3/E 10/N 1/T 10/H[1 1]>>` });
    const attacked = (length: number) =>
      updated(withOtherContent(certified(2)), dictionary(length), WITH_INFO);
    const { length } = attacked(10_000);
    for (const stated of [10_000, length, certified(2).length])
      expect(faultsOf(attacked(stated))).toEqual(['changed_content']);
  });
});

describe('certificates', () => {
  test('that are valid for all times', () => {
    const between = (from: string, until: string) =>
      faultsOf(
        signed({
          party: certificate('Endless', {
            issuer: issuing,
            from: Date.parse(from),
            until: Date.parse(until),
          }),
        }),
      );
    expect(between('0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z')).toEqual([]);
  });

  test('that certify each other lead nowhere', () => {
    const [oneKeys, otherKeys] = [keysOf('p256', 'one'), keysOf('p256', 'other')];
    const first = certificate('One', { isCa: true, keys: oneKeys });
    const other = certificate('Other', { issuer: first, isCa: true, keys: otherKeys });
    const item = certificate('One', { issuer: other, isCa: true, keys: oneKeys });
    const party = certificate('Leaf', { issuer: item });
    expect(faultsOf(signed({ party, cms: { certificates: [party.der, item.der, other.der] } }))).toEqual([
      'untrusted',
    ]);
  });

  test('of the first version are no authorities', () => {
    const keys = keysOf('p256', 'v1');
    const algorithm = signatureAlgorithm('p256', 'sha256');
    const [name, serial] = [nameOf('V1'), Buffer.from([7])];
    const info = keys.publicKey.export({ format: 'der', type: 'spki' });
    const body = seq(int(serial), algorithm, root.name, seq(time(NOW - DAY), time(NOW + DAY)), name, info);
    const der = seq(body, algorithm, bits(signedStructure(root.keys, 'sha256', body)));
    const issuer = { keys, der, name, serial, chain: [der, ...root.chain] };
    expect(faultsOf(signed({ party: certificate('Below', { issuer }) }))).toEqual(['certificate_usage']);
  });

  test('of a timestamp authority are found beside its timestamp alone', () => {
    const issuer = certificate('Clocks', { issuer: root, isCa: true });
    const tsa = certificate('Clock', { issuer, purposes: [TIMESTAMPING], isPurposeCritical: true });
    expect(faultsOf(signed({ tsa }))).toEqual([]);
    expect(faultsOf(withTimestamp(signed(), { tsa }))).toEqual([]);
  });

  test('whose issuer has a line break in its name', () => {
    const issuer = certificate('Line\nbreak \n', { issuer: root, isCa: true });
    const party = certificate('Person', { issuer });
    const named = attribute(
      SIGNING_CERTIFICATE,
      seq(seq(seq(octets(digest('sha256', party.der)), seq(seq(tagged(4, issuer.name)), int(party.serial))))),
    );
    const make = (data: Buffer) => cms(party, data, { withoutCertificateId: true, attributes: [named] });
    expect(faultsOf(signed({ party, make }))).toEqual([]);
  });
});

describe('saves', () => {
  test('with places that blanks fill up are refused: readers read them in several ways', () => {
    const file = certified(2);
    const text = updated(file, FILL, WITH_INFO).subarray(file.length).toString('latin1');
    const padded = text.replace(/\n0+(\d+) 00000 n/, (_, place) => `\n${place.padStart(10)} 00000 n`);
    expect(padded).not.toBe(text);
    expect(faultsOf(Buffer.concat([file, Buffer.from(padded, 'latin1')]))).toEqual(['update_irregular']);
  });

  test('of a further signature may bring an order of fields', () => {
    const second = withSecond(approved(), {
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/P 3 0 R/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/Tabs/S'),
      }),
    });
    expect(faultsOf(second)).toEqual([]);
  });
});
