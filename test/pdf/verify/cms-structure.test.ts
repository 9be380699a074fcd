// Signatures, timestamps, certificates and revocation data that are written in a way that readers understand differently, or that prove less
// than they seem to.

import { describe, expect, test } from 'vitest';
import { isForgeableKey, publicKeyOf } from '../../../src/pdf/sign/algorithms.ts';
import { readDer } from '../../../src/pdf/sign/der.ts';
import {
  bits,
  flag,
  int,
  NULL,
  octets,
  oid,
  seq,
  set,
  tagged,
  time,
  tlv,
  utf8Text,
} from '../../support/certificates/der.ts';
import {
  type CertificateOptions,
  type CmsOptions,
  certificate,
  cms,
  crl,
  DAY,
  digest,
  extension,
  hashAlgorithm,
  keysOf,
  NOW,
  ocsp,
  type Party,
  signatureAlgorithm,
  signedStructure,
  TIMESTAMPING,
  timestampAttribute,
  USAGE,
} from '../../support/certificates/pki.ts';
import { basePdf, signPdf, withStore } from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, signed, verifyBytes } from '../../support/documents/verification.ts';
import { SLOW } from '../../support/tier.ts';

const { root, issuing, signer, tsa } = PKI;

describe('a signature', () => {
  test('that holds something in the place of content', () => {
    const content = tagged(0, int(5));
    const make = (data: Buffer) => replaced(cms(signer, data), EMPTY_CONTENT, seq(DATA, content));
    expect(faultsOf(signed({ make }))).toEqual(['cms_malformed']);
  });

  test.each([5000, 50_000])('nested %d deep stops nothing', (depth) => {
    const heads: Buffer[] = [];
    for (let length = 2; heads.length < depth; length += 6) {
      const head = Buffer.from([0x24, 0x84, 0, 0, 0, 0]);
      head.writeUInt32BE(length, 2);
      heads.push(head);
    }
    const deep = Buffer.concat([...heads.reverse(), octets(Buffer.alloc(0))]);
    const make = (data: Buffer) => replaced(cms(signer, data), EMPTY_CONTENT, seq(DATA, tagged(0, deep)));
    expect(faultsOf(signed({ make, room: depth * 6 + 9000 }))).toEqual(['cms_malformed']);
  });

  test('with very many equal attributes stops nothing', () => {
    const attribute = seq(oid('1.2.3'), set());
    const unsigned = () => Array.from({ length: 200_000 }, () => attribute);
    const make = (data: Buffer) => cms(signer, data, { unsigned });
    expect(faultsOf(signed({ make, room: 200_000 * attribute.length + 9000 }))).toEqual([]);
  });

  test('with anything behind its parts', () => {
    const behind = tagged(2, octets(Buffer.from('more')));
    const make = (data: Buffer) => withParts(data, (pieces) => [...pieces, behind]);
    expect(faultsOf(signed({ make }))).toEqual(['cms_malformed']);
    const twice = (data: Buffer) =>
      withParts(data, (pieces) => [...pieces, tagged(1, NULL), tagged(1, NULL)]);
    expect(faultsOf(signed({ make: twice }))).toEqual(['cms_malformed']);
    expect(faultsOf(signed({ make: (data) => withParts(data, (pieces) => pieces) }))).toEqual([]);
  });

  test('whose signed attributes have a length without an end', () => {
    const open = (attributes: Buffer) =>
      Buffer.concat([Buffer.from([0xa0, 0x80]), childrenIn(attributes), Buffer.from([0, 0])]);
    const make = (data: Buffer) =>
      withParts(data, (pieces) => pieces.map((part) => (part[0] === 0xa0 ? open(part) : part)));
    expect(faultsOf(signed({ make }))).toEqual([]);
    expect(verifyBytes(signed({ make }))[0]?.notHigher).toEqual(['not_der']);
    // What is in the list is signed in DER, so that it has to be in it.
    const within = (data: Buffer) =>
      withParts(data, (pieces) =>
        pieces.map((part) =>
          part[0] === 0xa0
            ? Buffer.concat([
                Buffer.from([0xa0, 0x80]),
                ...partsOf(part).map((item) =>
                  Buffer.concat([Buffer.from([0x30, 0x80]), childrenIn(item), Buffer.from([0, 0])]),
                ),
                Buffer.from([0, 0]),
              ])
            : part,
        ),
      );
    expect(faultsOf(signed({ make: within }))).toEqual(['attributes_wrong']);
  });

  test.each<[string, (digestAttribute: Buffer) => Buffer[]]>([
    ['a third part', (item) => [seq(childrenIn(item), int(1))]],
    ['no values', () => [seq(oid(MESSAGE_DIGEST))]],
    ['values that are no set', (item) => [seq(oid(MESSAGE_DIGEST), seq(childrenIn(item)))]],
    ['a type in a longer form', (item) => [seq(PADDED_DIGEST, partsOf(item)[1]!)]],
    ['a type without an end', (item) => [item, seq(tlv(6, Buffer.from([0x2a, 0x86])), tlv(0x31))]],
    ['another value beside it', (item) => [item, octets(Buffer.from('junk'))]],
  ])('of which a signed attribute has %s', (_, changed) => {
    const make = (data: Buffer) => withAttributes(data, changed);
    expect(faultsOf(signed({ make }))).toEqual(['cms_malformed']);
  });

  test('whose signed attributes are written anew', () => {
    expect(faultsOf(signed({ make: (data) => withAttributes(data, (item) => [item]) }))).toEqual([]);
  });

  const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
  /** A byte in front changes nothing. */
  const PADDED_DIGEST = Buffer.from('060a802a864886f70d010904', 'hex');

  /** A signature of which the attribute with the digest is replaced before they are signed. */
  function withAttributes(data: Buffer, change: (digestAttribute: Buffer) => Buffer[]): Buffer {
    return withParts(data, (pieces) => {
      const attributes = partsOf(pieces.find((part) => part[0] === 0xa0)!).flatMap((item) =>
        partsOf(item)[0]!.equals(oid(MESSAGE_DIGEST)) ? change(item) : [item],
      );
      const signature = octets(signedStructure(signer.keys, 'sha256', set(...attributes)));
      return pieces.map((part) =>
        part[0] === 0xa0
          ? Buffer.concat([Buffer.from([0xa0]), set(...attributes).subarray(1)])
          : part[0] === 4
            ? signature
            : part,
      );
    });
  }

  test.skipIf(!SLOW)('of RSA-PSS with another trailer field', () => {
    const party = certificate('Pss', { issuer: issuing, kind: 'pss' });
    const usual = signatureAlgorithm('pss', 'sha256');
    const trailed = (field: number) => {
      const [id, parameters] = partsOf(usual) as [Buffer, Buffer];
      const other = seq(id, seq(childrenIn(parameters), tagged(3, int(field))));
      const make = (data: Buffer) =>
        withParts(data, (pieces) => pieces.map((part) => (part.equals(usual) ? other : part)), party);
      return faultsOf(signed({ party, make }));
    };
    expect(trailed(1)).toEqual([]);
    expect(trailed(2)).toEqual(['algorithm_unknown']);
  });

  /** A signature of which the parts of its signer are changed. */
  function withParts(data: Buffer, change: (pieces: Buffer[]) => Buffer[], party = signer): Buffer {
    const [type, body] = partsOf(cms(party, data)) as [Buffer, Buffer];
    const pieces = partsOf(childrenIn(body));
    const [info] = partsOf(pieces.at(-1)!);
    const changed = seq(...change(partsOf(info!)));
    return seq(type, tagged(0, seq(...pieces.slice(0, -1), tlv(0x31, changed))));
  }

  const headOf = (der: Buffer) => (der[1]! < 0x80 ? 2 : 2 + (der[1]! & 0x7f));
  const lengthOf = (der: Buffer) =>
    der[1]! < 0x80 ? der[1]! : Number.parseInt(der.toString('hex', 2, headOf(der)), 16);
  const childrenIn = (der: Buffer) => der.subarray(headOf(der), headOf(der) + lengthOf(der));

  function partsOf(der: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    for (let rest = childrenIn(der); rest.length > 0; ) {
      const size = headOf(rest) + lengthOf(rest);
      pieces.push(rest.subarray(0, size));
      rest = rest.subarray(size);
    }
    return pieces;
  }

  const DATA = oid('1.2.840.113549.1.7.1');
  const EMPTY_CONTENT = seq(DATA);

  /** SignedData with its part `from` replaced, and the lengths around it put right. */
  function replaced(whole: Buffer, from: Buffer, to: Buffer): Buffer {
    const at = whole.indexOf(from);
    // OID, [0] and the sequence in it.
    const type = oid('1.2.840.113549.1.7.2');
    const begin = whole.indexOf(Buffer.from([0x02, 0x01, 0x01, 0x31]));
    const body = Buffer.concat([whole.subarray(begin, at), to, whole.subarray(at + from.length)]);
    return seq(type, tagged(0, seq(body)));
  }
});

describe('a certificate', () => {
  test('with purposes that cannot be read is for none', () => {
    const party = certificate('Odd', {
      issuer: issuing,
      extensions: [extension('2.5.29.37', false, oid('1.3.6.1.5.5.7.3.4'))],
    });
    expect(faultsOf(signed({ party }))).toEqual(['certificate_usage']);
  });

  test('of an authority that was certified again is below the certificate that is in force', () => {
    const keys = keysOf('p256', 'Twice');
    const certified = (until: number) => certificate('Twice', { issuer: root, isCa: true, keys, until });
    const [before, now] = [certified(NOW - DAY), certified(NOW + DAY)];
    const party = certificate('Below', { issuer: now });
    const beside = (...authorities: Party[]) =>
      faultsOf(signed({ party, cms: { certificates: [party, ...authorities].map(({ der }) => der) } }));
    expect(beside(before, now)).toEqual([]);
    expect(beside(now, before)).toEqual([]);
    expect(beside(before)).toEqual(['certificate_expired']);
  });

  const EC = oid('1.2.840.10045.2.1');
  const P256 = oid('1.2.840.10045.3.1.7');
  const point = () => signer.keys.publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  const keyInfo = (value: Buffer, ...parameters: Buffer[]) => seq(seq(EC, ...parameters), bits(value));
  const compressed = () => Buffer.concat([Buffer.from([2 + (point()[64]! & 1)]), point().subarray(1, 33)]);
  const hybrid = () => Buffer.concat([Buffer.from([6 + (point()[64]! & 1)]), point().subarray(1)]);
  const withKey = (info: Buffer) =>
    faultsOf(
      signed({ party: certificate('Odd key', { issuer: issuing, keys: signer.keys, keyInfo: info }) }),
    );

  test('has a key on a curve that is named, at a point with one or two coordinates', () => {
    expect(withKey(keyInfo(point(), P256))).toEqual([]);
    expect(withKey(keyInfo(compressed(), P256))).toEqual([]);
  });

  // Node ended the process when it was asked about the first one.
  test.each<[string, () => Buffer]>([
    ['at infinity', () => keyInfo(Buffer.from([0]), P256)],
    ['at infinity of another curve', () => keyInfo(Buffer.from([0]), oid('1.3.132.0.34'))],
    ['nowhere', () => keyInfo(Buffer.alloc(0), P256)],
    ['in hybrid form', () => keyInfo(hybrid(), P256)],
    ['that is cut', () => keyInfo(point().subarray(0, 64), P256)],
    ['on a curve that is not named', () => keyInfo(point())],
    ['on a curve with parameters of its own', () => keyInfo(point(), explicitP256(GENERATOR))],
    ['that is the generator of its curve', () => keyInfo(point(), explicitP256(point()))],
  ])('has no known key with a point %s', (_, info) => {
    expect(withKey(info())).toEqual(['algorithm_unknown']);
  });

  test('with a key for which signatures can be made without it proves nothing', () => {
    const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
    const negative = Buffer.concat([Buffer.from([1]), Buffer.alloc(30), Buffer.from([0x80])]);
    for (const value of [identity, negative]) {
      const info = readDer(seq(seq(oid('1.3.101.112')), bits(value)));
      const key = info && publicKeyOf(info);
      expect(key && isForgeableKey(key)).toBe(true);
    }
    const honest = keysOf('ed25519', 'honest').publicKey;
    expect(isForgeableKey(honest)).toBe(false);
    const party = certificate('Everybody', {
      issuer: issuing,
      kind: 'ed25519',
      keyInfo: seq(seq(oid('1.3.101.112')), bits(identity)),
    });
    expect(faultsOf(signed({ party, cms: { hash: 'sha512' } }))).toContain('key_forgeable');
  });

  const GENERATOR = Buffer.from(
    '046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
      '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
    'hex',
  );

  /** ECParameters that describe P-256, with any generator (CVE-2020-0601). */
  function explicitP256(generator: Buffer): Buffer {
    const number = (hex: string) => Buffer.from(hex, 'hex');
    const prime = number('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff');
    const a = number('ffffffff00000001000000000000000000000000fffffffffffffffffffffffc');
    const b = number('5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b');
    const order = number('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    const field = seq(oid('1.2.840.10045.1.1'), int(prime));
    return seq(int(1), field, seq(octets(a), octets(b)), octets(generator), int(order), int(1));
  }

  test('below an authority for other purposes is not for signing', () => {
    const below = (purposes: string[]) => {
      const issuer = certificate('Restricted', { issuer: root, isCa: true, purposes });
      return faultsOf(signed({ party: certificate('Below', { issuer }) }));
    };
    expect(below(['1.3.6.1.5.5.7.3.1'])).toEqual(['certificate_usage']);
    expect(below(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'])).toEqual([]);
  });
});

describe('a timestamp', () => {
  type Info = { version?: number; at?: Buffer; more?: Buffer[]; behind?: Buffer; cms?: CmsOptions };

  const millis = (value: number) => tlv(0x80, int(value).subarray(2));
  const micros = (value: number) => tlv(0x81, int(value).subarray(2));

  const stamped = ({ version = 1, at = time(NOW), more = [], behind, cms: options }: Info, party = tsa) =>
    faultsOf(
      signPdf(basePdf(), {
        party: signer,
        make: (data) =>
          cms(signer, data, {
            unsigned: (signature) => {
              const imprint = seq(hashAlgorithm('sha256'), octets(digest('sha256', signature)));
              const info = seq(int(version), oid('1.2.3.4.1'), imprint, int(65), at, ...more);
              const content = Buffer.concat([info, behind ?? Buffer.alloc(0)]);
              const type = '1.2.840.113549.1.9.16.1.4';
              return [timestampAttribute(cms(party, content, { ...options, content, contentType: type }))];
            },
          }),
      }),
    );

  test.each<[string, Info, string[]]>([
    ['as it should be', { more: [seq(int(1))] }, []],
    ['of another version', { version: 2 }, ['timestamp_malformed']],
    ['with parts of a second', { more: [seq(int(1), millis(999), micros(1)), flag(true), int(5)] }, []],
    ['with parts of a second alone', { more: [seq(millis(500))] }, []],
    [
      'with an accuracy in another order',
      { more: [seq(millis(1), int(9_999_999))] },
      ['timestamp_malformed'],
    ],
    ['with an accuracy of another kind', { more: [tagged(16, seq(int(9)))] }, ['timestamp_malformed']],
    ['with an accuracy behind the nonce', { more: [int(5), seq(int(9_999_999))] }, ['timestamp_malformed']],
    ['with two accuracies', { more: [seq(int(1)), seq(int(9_999_999))] }, ['timestamp_malformed']],
    ['with a thousand thousandths', { more: [seq(int(1), millis(1000))] }, ['timestamp_malformed']],
    ['with a fraction without bytes', { more: [seq(tlv(0x80))] }, ['timestamp_malformed']],
    ['with a fraction below zero', { more: [seq(tlv(0x80, Buffer.from([0xff])))] }, ['timestamp_malformed']],
    ['with a year of two digits', { at: tlv(0x17, Buffer.from('261121180000Z')) }, ['timestamp_malformed']],
    ['with something behind it', { behind: NULL }, ['timestamp_malformed']],
    [
      'with an extension that is not understood',
      { more: [tagged(1, seq(oid('1.2.3.4'), flag(true), octets(utf8Text('x'))))] },
      ['timestamp_malformed'],
    ],
    [
      'by a clock that is a year off',
      { more: [seq(int(31_536_000))] },
      ['timestamp_invalid: timestamp_future'],
    ],
    [
      'that does not sign which certificate made it',
      { cms: { withoutCertificateId: true } },
      ['timestamp_invalid: attributes_missing'],
    ],
  ])('%s', (_, info, faults) => {
    expect(stamped(info)).toEqual(faults);
  });

  test('below an authority for servers is not for timestamps', () => {
    const issuer = certificate('TLS', { issuer: root, isCa: true, purposes: ['1.3.6.1.5.5.7.3.1'] });
    const party = certificate('TLS TSA', { issuer, purposes: [TIMESTAMPING], isPurposeCritical: true });
    expect(stamped({}, party)).toEqual(['timestamp_invalid: certificate_usage']);
  });
});

describe('revocation data', () => {
  const level = (list: Buffer | undefined, answer?: Buffer, lists: Buffer[] = []) =>
    verifyBytes(
      withStore(signed({ tsa }), {
        certificates: [...signer.chain, ...tsa.chain],
        crls: [crl(root), ...(list ? [list] : []), ...lists],
        ...(answer && { ocsps: [answer] }),
      }),
    )[0]?.level;

  test('that lists only what is new says nothing of the rest', () => {
    const delta = extension('2.5.29.27', false, int(1));
    expect(level(crl(issuing))).toBe('LT');
    expect(level(crl(issuing, { extensions: [delta] }))).toBe('T');
  });

  test('of a list that is weak, that ends with itself, or has an entry that cannot be read', () => {
    expect(level(crl(issuing, { hash: 'sha1' }))).toBe('T');
    expect(level(crl(issuing, { until: null }))).toBe('T');
    expect(level(crl(issuing, { entries: [seq(int(7))] }))).toBe('T');
  });

  const responder = (options: CertificateOptions = {}): Party =>
    certificate('Responder', { issuer: issuing, purposes: ['1.3.6.1.5.5.7.3.9'], ...options });

  test.each<[string, CertificateOptions, string]>([
    ['in force', {}, 'LT'],
    ['that is expired', { until: NOW - 200 * DAY }, 'T'],
    ['for another use', { usage: USAGE.keyEncipherment }, 'T'],
    ['with a restriction that is not understood', { extensions: [extension('1.2.3.4', true, NULL)] }, 'T'],
    ['whose certificate has SHA-1', { hash: 'sha1' }, 'T'],
    ['with a weak key', { kind: 'rsa1024' }, 'T'],
  ])('by a responder %s', (_, options, expected) => {
    expect(level(undefined, ocsp(signer, issuing, { by: responder(options) }))).toBe(expected);
  });

  test('by a responder that was revoked', () => {
    const by = responder();
    const list = crl(issuing, {
      revoked: [{ party: by, at: NOW - DAY }],
      until: NOW - 2 * DAY,
      from: NOW - 3 * DAY,
    });
    expect(level(undefined, ocsp(signer, issuing, { by }), [list])).toBe('T');
  });
});
