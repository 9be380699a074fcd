// Ways from a signer to a trust anchor (RFC 5280, 6), the certificate that a signature names, and names as people read them.

import { describe, expect, test } from 'vitest';
import { readCertificate } from '../../../src/pdf/sign/certificate.ts';
import { readDer, timeOf } from '../../../src/pdf/sign/der.ts';
import { flag, int, octets, oid, seq, set, tagged, tlv, utf8Text } from '../../support/certificates/der.ts';
import {
  attribute,
  type CertificateOptions,
  certificate,
  cms,
  digest,
  extension,
  hashAlgorithm,
  keysOf,
  type Party,
  SIGNING_CERTIFICATE,
  signatureAlgorithm,
} from '../../support/certificates/pki.ts';
import { basePdf, signPdf } from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, verifyBytes } from '../../support/documents/verification.ts';

const { root, issuing, signer } = PKI;
const faultsBelow = (authority: CertificateOptions, person: CertificateOptions = {}): string[] => {
  const issuer = certificate('Restricted', { issuer: root, isCa: true, ...authority });
  return faultsOf(signPdf(basePdf(), { party: certificate('Person', { issuer, ...person }) }));
};

describe('an authority', () => {
  const names = seq(tagged(0, seq(tagged(4, root.name))));

  test('whose names are restricted is not understood, critical or not', () => {
    for (const isCritical of [true, false])
      expect(faultsBelow({ extensions: [extension('2.5.29.30', isCritical, names)] })).toEqual([
        'certificate_unknown_extension',
      ]);
  });

  const dns = (name: string) => seq(tlv(0x82, Buffer.from(name)));
  const email = (name: string) => seq(tlv(0x81, Buffer.from(name)));
  const restricting = (...lists: Buffer[]) => ({
    extensions: [extension('2.5.29.30', true, seq(...lists))],
  });
  const withNames = (...all: Buffer[]) => ({ extensions: [extension('2.5.29.17', false, seq(...all))] });

  test('that restricts only forms of names that nobody below it has says nothing of them', () => {
    // As ESTEID-SK 2015, below which are all identity cards of Estonia: it excludes every server.
    const noServers = restricting(
      tagged(1, dns(''), seq(tlv(0x87, Buffer.alloc(8))), seq(tlv(0x87, Buffer.alloc(32)))),
    );
    expect(faultsBelow(noServers)).toEqual([]);
    expect(faultsBelow(noServers, withNames(tlv(0x81, Buffer.from('a@example.com'))))).toEqual([]);
    for (const name of [tlv(0x82, Buffer.from('example.com')), tlv(0x87, Buffer.alloc(4)), int(1)])
      expect(faultsBelow(noServers, withNames(name))).toEqual(['certificate_unknown_extension']);
  });

  test.each<[string, Buffer[]]>([
    ['permits an email address', [tagged(0, email('example.com'))]],
    ['excludes an email address', [tagged(1, email('example.com'))]],
  ])('that %s is not understood where one below has an address, also in its name', (_, lists) => {
    expect(faultsBelow(restricting(...lists))).toEqual([]);
    const address = withNames(tlv(0x81, Buffer.from('a@example.com')));
    expect(faultsBelow(restricting(...lists), address)).toEqual(['certificate_unknown_extension']);
    const subject = seq(set(seq(oid('1.2.840.113549.1.9.1'), tlv(0x16, Buffer.from('a@example.com')))));
    expect(faultsBelow(restricting(...lists), { subject })).toEqual(['certificate_unknown_extension']);
  });

  const EMAIL = oid('1.2.840.113549.1.9.1');
  const written = Buffer.from('a@example.com');
  const common = seq(oid('2.5.4.3'), utf8Text('Person'));
  const alternatives = (value: Buffer) => ({ extensions: [extension('2.5.29.17', false, value)] });

  test.each<[string, CertificateOptions]>([
    ['in another name', withNames(tagged(0, oid('1.3.6.1.5.5.7.8.9'), tagged(0, utf8Text('postmaster'))))],
    ['in an address of the web', withNames(tlv(0x86, Buffer.from('mailto:a%40example.com')))],
    ['in the name of a directory', withNames(tagged(4, seq(set(seq(EMAIL, tlv(0x16, written))))))],
    ['in a name, as bytes', { subject: seq(set(seq(EMAIL, octets(written)))) }],
    ['without a domain', { subject: seq(set(seq(EMAIL, tlv(0x16, Buffer.from('postmaster'))))) }],
    ['beside another part of a name', { subject: seq(set(common, seq(EMAIL, tlv(0x16, written)))) }],
    ['in a part of a name of another kind', { subject: seq(set(seq(oid('2.5.4.3'), utf8Text('a@b.c')))) }],
    ['in a part that is no set', { subject: seq(seq(seq(EMAIL, tlv(0x16, written))), set(common)) }],
  ])('that permits email addresses is not understood where one below has an address %s', (_, person) => {
    expect(faultsBelow(restricting(tagged(0, email('example.com'))), person)).toEqual([
      'certificate_unknown_extension',
    ]);
  });

  test.each<[string, CertificateOptions]>([
    ['a name that cannot be read', { subject: tlv(0x30, Buffer.from([0x31, 0x05, 0x30])) }],
    ['a name that ends too early', { subject: seq(Buffer.from([0x05])) }],
    ['a part that is empty', { subject: seq(set(), set(common)) }],
    ['a part without a value', { subject: seq(set(seq(oid('2.5.4.3')))) }],
    ['a part with two values', { subject: seq(set(seq(oid('2.5.4.3'), utf8Text('a'), utf8Text('b')))) }],
    ['a part that is called by no number', { subject: seq(set(seq(utf8Text('a'), utf8Text('b')))) }],
    [
      'a part whose number is written too long',
      { subject: seq(set(seq(tlv(0x06, Buffer.from([0x55, 0x04, 0x80, 0x03])), utf8Text('a')))) },
    ],
    ['no name at all', { subject: seq() }],
    ['an empty list of names', alternatives(seq())],
    ['a list of names that is none', alternatives(utf8Text('a'))],
    [
      'a second list behind that of its names',
      alternatives(Buffer.concat([seq(tlv(0x87, Buffer.alloc(4))), seq()])),
    ],
    ['a name of an unknown form', withNames(tlv(0x89, Buffer.from('a')))],
  ])('that restricts a form of names is not understood where one below has %s', (_, person) => {
    expect(faultsBelow(restricting(tagged(1, dns(''))), person)).toEqual(['certificate_unknown_extension']);
  });

  test('that restricts a form of names is not understood where an authority below has such a name', () => {
    const above = certificate('Above', { issuer: root, isCa: true, ...restricting(tagged(1, dns(''))) });
    const below = (options: CertificateOptions) =>
      certificate('Below', { issuer: above, isCa: true, ...options });
    const faults = (issuer: Party) =>
      faultsOf(signPdf(basePdf(), { party: certificate('Person', { issuer }) }));
    expect(faults(below({}))).toEqual([]);
    expect(faults(below(withNames(tlv(0x82, written))))).toEqual(['certificate_unknown_extension']);
  });

  test.each<[string, Buffer]>([
    ['cannot be read', seq(tagged(2, dns('')))],
    ['are no names', seq(tagged(0, seq(int(1))))],
    ['have no name', seq(tagged(0, seq()))],
    ['are empty', seq(tagged(0))],
    ['are none', seq()],
    ['are followed by others', Buffer.concat([seq(tagged(0, dns(''))), seq(tagged(0, dns('')))])],
  ])('whose restrictions %s is not understood', (_, value) => {
    expect(faultsBelow({ extensions: [extension('2.5.29.30', false, value)] })).toEqual([
      'certificate_unknown_extension',
    ]);
  });

  const demand = (after: number) => extension('2.5.29.36', true, seq(tlv(0x80, Buffer.from([after]))));
  const policies = (...ids: string[]) => extension('2.5.29.32', false, seq(...ids.map((id) => seq(oid(id)))));
  const ANY_POLICY = '2.5.29.32.0';
  const noAnyPolicy = extension('2.5.29.54', true, int(0));
  const mappings = (...pairs: string[][]) =>
    extension('2.5.29.33', false, seq(...pairs.map((pair) => seq(...pair.map(oid)))));
  const renaming = ['1.2.3.4', '1.2.3.5'];

  test.each<[string, Buffer[], Buffer[]]>([
    ['in both', [demand(0), policies('1.2.3.4')], [policies('1.2.3.5', '1.2.3.4')]],
    ['that stands for all', [demand(0), policies(ANY_POLICY)], [policies('1.2.3.4')]],
    ['where it is not demanded yet', [demand(2)], []],
    [
      'that is called by another number as well',
      [demand(0), policies('1.2.3.4'), mappings(renaming, ['1.2.3.4', '1.2.3.4'])],
      [policies('1.2.3.4')],
    ],
  ])('that demands policies has one with what it certifies: %s', (_, above, below) => {
    expect(faultsBelow({ extensions: above }, { extensions: below })).toEqual([]);
  });

  test.each<[string, Buffer[], Buffer[]]>([
    ['in none', [demand(0)], []],
    ['only below', [demand(0)], [policies('1.2.3.4')]],
    ['only above', [demand(0), policies('1.2.3.4')], []],
    ['another', [demand(0), policies('1.2.3.4')], [policies('1.2.3.5')]],
    ['none behind as many certificates as it says', [demand(1)], []],
    ['for itself', [], [demand(0)]],
    [
      'one for all, which does not count',
      [demand(0), policies(ANY_POLICY), noAnyPolicy],
      [policies(ANY_POLICY)],
    ],
    ['that is called otherwise', [demand(0), policies('1.2.3.4'), mappings(renaming)], [policies('1.2.3.4')]],
  ])('that demands policies refuses %s', (_, above, below) => {
    expect(faultsBelow({ extensions: above }, { extensions: below })).toEqual(['certificate_usage']);
  });

  test('whose path length cannot be read certifies no authority', () => {
    const odd = (length: Buffer) => {
      const upper = certificate('Odd length', {
        issuer: root,
        isCa: true,
        constraints: seq(flag(true), tlv(2, length)),
      });
      const issuer = certificate('Below odd length', { issuer: upper, isCa: true });
      return faultsOf(signPdf(basePdf(), { party: certificate('Person', { issuer }) }));
    };
    expect(odd(Buffer.from([1]))).toEqual([]);
    for (const length of [Buffer.alloc(0), Buffer.alloc(5)])
      expect(odd(length)).toEqual(['certificate_usage']);
  });

  test('that certified itself again is counted once', () => {
    const first = certificate('Renewed', { issuer: root, isCa: true, pathLength: 0 });
    const again = certificate('Renewed', { issuer: first, isCa: true, keys: keysOf('p256', 'again') });
    const below = (issuer: typeof first) =>
      faultsOf(signPdf(basePdf(), { party: certificate('Person', { issuer }) }));
    expect(below(again)).toEqual([]);
    expect(below(certificate('Other', { issuer: first, isCa: true }))).toEqual(['certificate_usage']);
  });

  test('with two certificates is trusted by the one that is for it', () => {
    const keys = keysOf('p256', 'two ways');
    const forServers = certificate('Two ways', {
      issuer: root,
      isCa: true,
      keys,
      purposes: ['1.3.6.1.5.5.7.3.1'],
    });
    const forAll = certificate('Two ways', { issuer: root, isCa: true, keys });
    const party = certificate('Person', { issuer: forAll });
    const certificates = [party.der, forServers.der, forAll.der, ...root.chain];
    expect(faultsOf(signPdf(basePdf(), { party, cms: { certificates } }))).toEqual([]);
    const item = [party.der, forServers.der, ...root.chain];
    expect(faultsOf(signPdf(basePdf(), { party, cms: { certificates: item } }))).toEqual([
      'certificate_usage',
    ]);
  });
});

describe('a signature', () => {
  const named = (...behind: Buffer[]) =>
    attribute(SIGNING_CERTIFICATE, seq(seq(seq(octets(digest('sha256', signer.der)), ...behind))));
  const issuerSerial = (serial: Buffer) => seq(seq(tagged(4, issuing.name)), int(serial));
  const faultsWith = (...attributes: Buffer[]) =>
    faultsOf(
      signPdf(basePdf(), {
        party: signer,
        make: (data) => cms(signer, data, { withoutCertificateId: true, attributes }),
      }),
    );

  test('names its certificate by its hash, and by issuer and number where these are there', () => {
    expect(faultsWith(named())).toEqual([]);
    expect(faultsWith(named(issuerSerial(signer.serial)))).toEqual([]);
    expect(faultsWith(named(issuerSerial(Buffer.from([7]))))).toEqual(['signing_certificate_mismatch']);
  });

  test('is made with the algorithms that were signed along (RFC 6211)', () => {
    const protection = (algorithm: Buffer) =>
      attribute(
        '1.2.840.113549.1.9.52',
        seq(hashAlgorithm('sha256'), tagged(1, contentOfSequence(algorithm))),
      );
    expect(faultsWith(named(), protection(signatureAlgorithm('p256', 'sha256')))).toEqual([]);
    expect(faultsWith(named(), protection(signatureAlgorithm('rsa', 'sha512')))).toEqual([
      'algorithm_unknown',
    ]);
  });

  test('in a longer form than DER is of no level', () => {
    const longer = (data: Buffer) => {
      const created = cms(signer, data);
      return Buffer.concat([Buffer.from([0x30, 0x84, 0, 0]), created.subarray(2)]);
    };
    const [report] = verifyBytes(signPdf(basePdf(), { party: signer, make: longer }));
    expect([report?.faults, report?.level, report?.notHigher]).toEqual([[], undefined, ['not_der']]);
  });

  function contentOfSequence(der: Buffer): Buffer {
    return der.subarray(2);
  }
});

describe('names and times', () => {
  test('of certificates cannot pass for other names', () => {
    const subject = (common: string) => readCertificate(certificate(common, { issuer: root }).der);
    expect(subject('Mallory, O=Acme Bank')?.subjectName).toBe('CN=Mallory\\, O\\=Acme Bank');
    expect(subject(' a\\b+"c"')?.subjectName).toBe('CN=\\ a\\\\b\\+\\"c\\"');
    expect(subject('x'.repeat(5000))?.name).toBe(`${'x'.repeat(256)}…`);
    expect(subject('')?.name).toBe('CN=');
  });

  test('without anything to see are passed over', () => {
    const part = (id: string, value: string) => set(seq(oid(id), utf8Text(value)));
    const named = (common: string) =>
      readCertificate(
        certificate(common, { issuer: root, subject: seq(part('2.5.4.10', 'Acme'), part('2.5.4.3', common)) })
          .der,
      )?.name;
    for (const blank of [
      '',
      ' \t',
      '\u00a0\u2003',
      '\u3164',
      '\u115f\u1160',
      '\uffa0',
      '\u200b\u2060\ufeff',
      '\u2800',
    ])
      expect(named(blank), JSON.stringify(blank)).toBe('Acme');
    expect(named('\u3164x')).toBe('\u3164x');
  });

  test('of certificates without a serial number are of none', () => {
    expect(readCertificate(certificate('Numbered', { serial: Buffer.from([7]) }).der)?.serial).toBe('07');
    expect(readCertificate(certificate('Not numbered', { serial: Buffer.alloc(0) }).der)).toBeUndefined();
  });

  test('that no calendar has are none', () => {
    const at = (text: string) => timeOf(readDer(tlv(0x18, Buffer.from(text))));
    for (const day of ['20260231', '20250229', '20260431', '20261300', '21000229'])
      expect(at(`${day}120000Z`), day).toBeUndefined();
    for (const day of ['20240229', '20000229', '20260831', '20261231', '20260430'])
      expect(at(`${day}120000Z`), day).toBe(
        Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T12:00:00Z`),
      );
  });
});
