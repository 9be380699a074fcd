// Ways from a signer to a trust anchor (RFC 5280, 6), the certificate that a signature names, and names as people read them.
import { describe, expect, test } from 'vitest';
import { readCertificate } from '../../../../src/pdf/signature/certificate.ts';
import { readDer, timeOf } from '../../../../src/pdf/signature/read-der.ts';
import { int, octets, oid, seq, tagged, tlv } from '../../../support/certificates/der.ts';
import {
  attribute,
  type CertificateOptions,
  certificate,
  cms,
  digest,
  extension,
  hashAlgorithm,
  keysOf,
  SIGNING_CERTIFICATE,
  signatureAlgorithm,
} from '../../../support/certificates/pki.ts';
import { basePdf, signPdf } from '../../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, verifyBytes } from '../../../support/documents/verification.ts';

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

  test('that demands policies is followed by certificates with one', () => {
    const demand = (after: number) => extension('2.5.29.36', true, seq(tlv(0x80, Buffer.from([after]))));
    const policy = extension('2.5.29.32', false, seq(seq(oid('1.2.3.4'))));
    expect(faultsBelow({ extensions: [demand(0)] })).toEqual(['certificate_usage']);
    expect(faultsBelow({ extensions: [demand(0)] }, { extensions: [policy] })).toEqual([]);
    expect(faultsBelow({ extensions: [demand(1)] })).toEqual([]);
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
    const one = [party.der, forServers.der, ...root.chain];
    expect(faultsOf(signPdf(basePdf(), { party, cms: { certificates: one } }))).toEqual([
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
      const made = cms(signer, data);
      return Buffer.concat([Buffer.from([0x30, 0x84, 0, 0]), made.subarray(2)]);
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
