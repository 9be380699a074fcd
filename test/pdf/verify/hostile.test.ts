// Files that are made to keep a verifier busy for hours: they are refused, or verified, long before the test gives up.

import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { VERIFY_LIMITS } from '../../../src/pdf/limits.ts';
import { ETSI_POLICY } from '../../../src/pdf/sign/algorithm-policy.ts';
import { publicKeyOf } from '../../../src/pdf/sign/algorithms.ts';
import { readCertificate } from '../../../src/pdf/sign/certificate.ts';
import { hexOf, readDer } from '../../../src/pdf/sign/der.ts';
import { readCrl, readOcsp } from '../../../src/pdf/sign/revocation-data.ts';
import { statusesOf } from '../../../src/pdf/sign/revocation-status.ts';
import { checksOfFile } from '../../../src/pdf/sign/signed-by.ts';
import { signedVersions } from '../../../src/pdf/verify/rules/unchanged-appearance.ts';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { bits, int, NULL, oid, seq, tlv } from '../../support/certificates/der.ts';
import { certificate, cms, crl, DAY, keysOf, NOW, ocsp, type Party } from '../../support/certificates/pki.ts';
import {
  basePdf,
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
  withStore,
} from '../../support/documents/signed-pdf.ts';
import {
  faultsOf,
  PKI,
  stepsBehind,
  trusting,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';
import { SLOW } from '../../support/tier.ts';

const { signer, issuing, root } = PKI;

const refusal = (file: Buffer): string => {
  const report = verifyPdf(file, { trust: trusting(root), now: NOW });
  return report.ok ? 'none' : report.reason;
};

describe('work is bounded', () => {
  test('for hundreds of signatures in a file', () => {
    const fields = Array.from({ length: 300 }, (_, index) => 1000 + index);
    const value = '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 9 99 999]/Contents<30>>>';
    const objects: Objects = {};
    for (const number of fields) {
      objects[number] = `<</FT/Sig/T(S${number})/V ${number + 1000} 0 R>>`;
      objects[number + 1000] = value;
    }
    objects[N.form] = FORM(fields.map((number) => `${number} 0 R`).join(' '));
    const file = updated(basePdf(), objects, '/Root 1 0 R/Info 11 0 R');
    const report = verifyPdf(file, { trust: trusting(root), now: NOW });
    expect(report).toMatchObject({ ok: true, isCut: true });
  });

  /** Adds signatures in fields that show nothing, one after the other. */
  const signedTimes = (file: Buffer, times: number): Buffer => {
    let [fields, annotations, signed] = ['7 0 R 9 0 R', PAGE_ANNOTATIONS, file];
    for (let index = 0; index < times; index += 1) {
      const number = 1000 + 2 * index;
      fields += ` ${number + 1} 0 R`;
      annotations += ` ${number + 1} 0 R`;
      const [form, page] = [FORM(fields), PAGE(annotations)];
      signed = signPdf(signed, {
        party: signer,
        number,
        room: 2000,
        entries: '',
        trailer: WITH_INFO,
        objects: (dictionary) => ({
          [number + 1]:
            `<</Type/Annot/Subtype/Widget/FT/Sig/T(S${index})/Rect[0 0 0 0]/F 132/P 3 0 R/V ${dictionary} 0 R>>`,
          [N.form]: form,
          [N.page]: page,
        }),
      });
    }
    return signed;
  };

  test.skipIf(!SLOW)('and two hundred signatures, one after the other, are within it', () => {
    expect(faultsOf(signedTimes(basePdf(), 200))).toEqual([]);
  });

  /** A save whose packed table frees many numbers. */
  const withFreeNumbers = (file: Buffer, count: number): Buffer => {
    const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 200))![1];
    const number = 2_000_100;
    const rows = Buffer.alloc((count + 1) * 4);
    rows.writeUInt32BE(0x0100_0000 + file.length, count * 4);
    const entries = `/Type/XRef/Size ${number + 1}/W[1 3 0]/Index[3000 ${count} ${number} 1]/Root 1 0 R/Info 11 0 R/Prev ${before}/Filter/FlateDecode`;
    return Buffer.concat([
      file,
      Buffer.from(`${number} 0 obj\n`),
      streamOf(deflateSync(rows), entries),
      Buffer.from(`\nendobj\nstartxref\n${file.length}\n%%EOF\n`),
    ]);
  };

  test('for numbers that are free, and pack to nothing', () => {
    expect(refusal(withFreeNumbers(signedTimes(basePdf(), 2), 1000))).toBe('none');
    expect(refusal(withFreeNumbers(signedTimes(basePdf(), 2), 1_900_000))).toBe('too_complex');
    expect(refusal(signedTimes(withFreeNumbers(basePdf(), 1_900_000), 2))).toBe('too_complex');
    // As many as a file of this size may have, behind several signatures.
    expect(refusal(withFreeNumbers(signedTimes(basePdf(), 40), 100_000))).toBe('too_complex');
  });

  test('for what may be the beginning of an object, hundreds of thousands of times', () => {
    const holding = (word: string) => updated(basePdf(), { 90: streamOf(word.repeat(250_000)) }, WITH_INFO);
    expect(refusal(signedTimes(holding('5 obj '), 2))).toBe('too_complex');
    const later = (word: string) =>
      updated(signedTimes(basePdf(), 6), { 90: streamOf(word.repeat(1_000_000)) }, WITH_INFO);
    expect(refusal(later('trailer '))).toBe('too_complex');
  });

  test('for places that all lie before the same blanks', () => {
    const file = updated(basePdf(), { 90: streamOf(' '.repeat(1_000_000)) }, WITH_INFO);
    const at = file.lastIndexOf('stream\n', file.lastIndexOf('endstream') - 5) + 10;
    const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1', file.length - 200))![1];
    const rows = `${String(at).padStart(10, '0')} 00000 n \n`.repeat(20_000);
    const table = `xref\n3000 20000\n${rows}trailer\n<</Size 23000/Root 1 0 R/Info 11 0 R/Prev ${before}>>\nstartxref\n${file.length}\n%%EOF\n`;
    expect(refusal(signedTimes(Buffer.concat([file, Buffer.from(table)]), 2))).toBe('too_complex');
  });

  test.skipIf(!SLOW)('for saves that each signature is compared with', () => {
    let file = signedTimes(basePdf(), 60);
    for (let index = 0; index < 700; index += 1)
      file = updated(file, { [N.text]: TEXT_FIELD(`/V(${index})`) }, WITH_INFO);
    expect(refusal(file)).toBe('too_complex');
  });

  test.skipIf(!SLOW)('for certificates of one name, each by another key', () => {
    const parties = Array.from({ length: 90 }, (_, index) =>
      certificate('Same', { isCa: true, keys: keysOf('p256', `same ${index}`) }),
    );
    const leaf = certificate('Leaf', { issuer: parties[89]! });
    const certificates = [leaf.der, ...parties.map(({ der }) => der)];
    const file = signPdf(basePdf(), { party: leaf, cms: { certificates }, room: 60_000 });
    expect(faultsOf(file)).toContain('untrusted');
    const more = [...certificates, ...certificates];
    const larger = signPdf(basePdf(), { party: leaf, cms: { certificates: more }, room: 90_000 });
    expect(faultsOf(larger)).toEqual(['cms_malformed']);
  });

  test.skipIf(!SLOW)('for a thousand lists of the same issuer', () => {
    const signed = signPdf(basePdf(), { party: signer });
    const crls = Array.from({ length: 999 }, () => crl(issuing));
    const file = withStore(signed, { certificates: signer.chain, crls: [...crls, crl(root)] }, 200);
    expect(verifyBytes(file)).toHaveLength(1);
    const more = withStore(
      signed,
      { certificates: signer.chain, crls: [...crls, crl(root), crl(root)] },
      200,
    );
    expect(refusal(more)).toBe('too_complex');
  });

  const ofStore = (crls: Buffer[], first: number, file = basePdf()) =>
    withStore(file, { certificates: signer.chain, crls }, first);
  const lists = (count: number, by: Party, from: number) =>
    Array.from({ length: count }, (_, index) => crl(by, { from: from + index * 1000 }));
  /** A signature behind lists, and a save that has others in their place: only the last one is later than any. */
  const replacing = (count: number) => {
    const signed = signPdf(ofStore(lists(count, issuing, NOW - 9 * DAY), 200), {
      party: signer,
      trailer: WITH_INFO,
    });
    return { signed, file: ofStore([...lists(count - 1, root, NOW - DAY), crl(issuing)], 2000, signed) };
  };

  test('for lists that make way for others, each of which is read once', () => {
    const steps = (count: number) => {
      const { signed, file } = replacing(count);
      return stepsBehind(signed, file);
    };
    expect(faultsOf(replacing(5).file)).not.toContain('validation_data_removed');
    const [few, many] = [steps(10), steps(50)];
    // Some hundred steps for each of eighty lists more; none for a pair of them.
    expect(many - few).toBeGreaterThan(80 * 100);
    expect(many - few).toBeLessThan(80 * 300);
  });

  test.skipIf(!SLOW)('for a thousand lists that make way for a thousand others', () => {
    expect(faultsOf(replacing(1000).file)).not.toContain('validation_data_removed');
  });

  test.skipIf(!SLOW)('for answers that any of many keys may have signed', () => {
    const responder = (index: number) =>
      certificate('Responder', {
        issuer: issuing,
        purposes: ['1.3.6.1.5.5.7.3.9'],
        keys: keysOf('p256', `responder ${index}`),
      });
    const samples = Array.from({ length: 65 }, (_, index) => responder(index).der);
    const [by, signed] = [responder(-1), signPdf(basePdf(), { party: signer })];
    const answers = (count: number) =>
      Array.from({ length: count }, (_, index) =>
        ocsp(signer, issuing, { by, withoutCertificate: true, at: NOW - index * 1000 }),
      );
    const stored = (count: number) =>
      withStore(signed, { certificates: [...signer.chain, ...samples], ocsps: answers(count) }, 200);
    expect(refusal(stored(5))).toBe('none');
    expect(refusal(stored(65))).toBe('too_complex');
  });

  test('for entries of unsigned lists and answers', () => {
    const entry = seq(int(5), tlv(0x17, Buffer.from('261120180000Z')));
    const long = crl(issuing, { entries: Array.from({ length: 5000 }, () => entry) });
    const work = (list: Buffer, checks = checksOfFile()) => {
      const crls = [readCrl(list)!];
      const samples = { crls, ocsps: [], certificates: [], checks, policy: ETSI_POLICY };
      const chain = [signer, issuing].map(({ der }) => readCertificate(der)!);
      const [status] = statusesOf(chain, samples, { time: NOW, latest: NOW });
      return [status?.is, VERIFY_LIMITS.checks - checks.remaining];
    };
    expect(work(long)).toEqual(['good', 6]);
    expect(work(Buffer.concat([long.subarray(0, -1), Buffer.from([0])]))).toEqual(['unknown', 1]);
    expect(work(long, { remaining: 3 })[0]).toBe('unknown');
  });

  test.skipIf(!SLOW)('for an attribute that comes two hundred thousand times', () => {
    const attribute = seq(oid('1.2.3'), tlv(0x31));
    const unsigned = () => [Buffer.concat(Array.from({ length: 200_000 }, () => attribute))];
    const room = 8000 + attribute.length * 200_000;
    expect(faultsOf(signPdf(basePdf(), { party: signer, room, cms: { unsigned } }))).toEqual([]);
  });

  test('for certificates whose issuers are many, and none of them theirs', () => {
    const certificates = Array.from(
      { length: 15 },
      (_, index) => certificate('Many', { isCa: true, keys: keysOf('p256', `many ${index}`) }).der,
    );
    const stranger = certificate('Many', { isCa: true, keys: keysOf('p256', 'stranger') });
    const leaf = (index: number) => certificate(`Leaf ${index}`, { issuer: stranger }).der;
    const samples = [...signer.chain, stranger.der, ...certificates, leaf(0)];
    const room = 40_000;
    expect(faultsOf(signPdf(basePdf(), { party: signer, room, cms: { certificates: samples } }))).toEqual([]);
    const leaves = Array.from({ length: 20 }, (_, index) => leaf(index));
    const more = [...signer.chain, ...certificates, stranger.der, ...leaves];
    expect(faultsOf(signPdf(basePdf(), { party: signer, room, cms: { certificates: more } }))).toEqual([
      'certificate_damaged',
    ]);
  });

  test('for keys with a long exponent', () => {
    const exponent = Buffer.alloc(256, 0x7f);
    const modulus = Buffer.alloc(256, 0xff);
    const key = seq(seq(oid('1.2.840.113549.1.1.1'), NULL), bits(seq(int(modulus), int(exponent))));
    const info = readDer(key);
    expect(info && publicKeyOf(info)).toBeUndefined();
    const keyWith = (bytes: Buffer, length = 256) => {
      const pieces = seq(int(Buffer.alloc(length, 0xff)), int(bytes));
      const other = readDer(seq(seq(oid('1.2.840.113549.1.1.1'), NULL), bits(pieces)));
      return other && publicKeyOf(other);
    };
    // Of up to 256 bits they are honest, and of up to 64 with long keys.
    expect(keyWith(Buffer.from([1, 0, 0, 0, 1]))).toBeDefined();
    expect(keyWith(Buffer.alloc(32, 0x7f))).toBeDefined();
    expect(keyWith(Buffer.alloc(33, 0x7f))).toBeUndefined();
    expect(keyWith(Buffer.alloc(9, 0x7f), 512)).toBeUndefined();
  });

  test.skipIf(!SLOW)('for numbers, lists and references of any length', () => {
    const long = (tag: number, body: Buffer) => {
      const head = Buffer.from([tag, 0x84, 0, 0, 0, 0]);
      head.writeUInt32BE(body.length, 2);
      return Buffer.concat([head, body]);
    };
    expect(hexOf(readDer(long(2, Buffer.alloc(4_000_000)))!)).toBe('00');
    expect(hexOf(readDer(Buffer.from([2, 3, 0, 0, 5]))!)).toBe('05');
    const references = `/Reference[${'21 0 R '.repeat(200_000)}]`;
    const reference = '<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P 2>>>>';
    const objects = (number: number): Objects => ({
      [N.seal]: SEAL_FIELD(`/V ${number} 0 R`),
      21: reference,
    });
    const certified = signPdf(basePdf(), { party: signer, entries: references, objects });
    expect(verifyBytes(certified)[0]?.certification).toBe('form');
    const array = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/X[${'1 '.repeat(200_000)}]>>`;
    const drawn = signPdf(updated(basePdf(), { 5: array }, '/Root 1 0 R/Info 11 0 R'), { party: signer });
    const report = verifyPdf(withStore(drawn, { certificates: signer.chain }), {
      trust: trusting(root),
      now: NOW,
    });
    const [version] = report.ok ? signedVersions(report) : [];
    expect(version?.version()).toMatchObject({ pages: [] });
    expect(version?.isUntouched()).toBe(true);
  });

  test('for one response about more certificates than any server speaks of', () => {
    const answersIn = (response: Buffer) => [...(readOcsp(response)?.answers(checksOfFile()).values() ?? [])];
    expect(answersIn(ocsp(signer, issuing))).toMatchObject([[{ status: 'good' }]]);
    expect(answersIn(ocsp(signer, issuing, { times: 1001 }))).toEqual([]);
  });

  test('for references that lead in circles, and fields in fields', () => {
    const signed = signPdf(basePdf(), { party: signer });
    const circle = {
      90: '<</A 91 0 R/Kids[91 0 R]/T(x)>>',
      91: '<</A 90 0 R/Kids[90 0 R]/T(y)>>',
      [N.form]: FORM('7 0 R 9 0 R 90 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 90 0 R`),
    };
    expect(faultsOf(updated(signed, circle, '/Root 1 0 R/Info 11 0 R'))).toContain('changed_form');
    const turning = updated(
      basePdf(),
      { [N.pages]: '<</Type/Pages/Count 1/Kids[2 0 R 3 0 R]>>' },
      '/Root 1 0 R/Info 11 0 R',
    );
    expect(faultsOf(updated(signPdf(turning, { party: signer }), {}))).toEqual([]);
  });

  test.skipIf(!SLOW)('for tens of thousands of objects behind a signature', () => {
    const count = SLOW ? 100_000 : 20_000;
    const objects: Objects = {};
    for (let number = 1000; number < 1000 + count; number += 1) objects[number] = `[${number + 1} 0 R 4 0 R]`;
    objects[1000 + count] = 'null';
    const signed = signPdf(basePdf(), { party: signer });
    const file = updated(signed, { ...objects, [N.note]: '<</Next 1000 0 R>>' }, '/Root 1 0 R/Info 11 0 R');
    expect(faultsOf(file)).toContain('changed_annotations');
  });

  test.skipIf(!SLOW)('for thousands of fields that a later save brings', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => 1000 + index);
    const field = (number: number) =>
      `<</Type/Annot/Subtype/Widget/FT/Sig/T(S${number})/P 3 0 R/Rect[0 0 0 0]>>`;
    const list = numbers.map((number) => `${number} 0 R`).join(' ');
    const objects: Objects = {
      ...Object.fromEntries(numbers.map((number) => [number, field(number)])),
      [N.form]: FORM(`7 0 R 9 0 R ${list}`),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} ${list}`),
    };
    const signed = signPdf(basePdf(), { party: signer, entries: '' });
    expect(faultsOf(updated(signed, objects, '/Root 1 0 R/Info 11 0 R'))).toEqual([]);
  });

  test('for signatures that are no DER, nested as deep as they go', () => {
    for (const hex of [
      '30'.repeat(4000),
      '3080'.repeat(3000),
      'a0807f'.repeat(2000),
      '308406ffffff'.repeat(900),
    ]) {
      const file = signPdf(basePdf(), { party: signer, make: () => Buffer.from(hex, 'hex') });
      expect(faultsOf(file)).toEqual(['cms_malformed']);
    }
    const cut = cms(signer, Buffer.from('x'));
    for (let length = 0; length < cut.length; length += 7) {
      const file = signPdf(basePdf(), { party: signer, make: () => cut.subarray(0, length), room: 2000 });
      expect(faultsOf(file).length).toBeGreaterThan(0);
    }
  });
});
