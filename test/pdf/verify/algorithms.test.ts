// Algorithms, keys and formats of signatures: until when they are relied on, judged at the time that is proven, and which older forms are checked.
// Each sound file has a changed one beside it, which is invalid whatever the algorithm.
import { constants, createPublicKey, generateKeyPairSync, privateEncrypt, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ETSI_POLICY } from '../../../src/pdf/verify/verify.ts';
import { flag, int, NULL, octets, oid, seq, set, tagged, tlv } from '../../support/certificates/der.ts';
import {
  type CertificateOptions,
  certificate,
  cms,
  crl,
  DAY,
  digest,
  hashAlgorithm,
  keysOf,
  ocsp,
  type Party,
  signedStructure,
  TIMESTAMPING,
  timestampAttribute,
} from '../../support/certificates/pki.ts';
import { flipped, withOtherContent } from '../../support/documents/attack-files.ts';
import { basePdf, type SignOptions, signPdf, withStore } from '../../support/documents/signed-pdf.ts';
import { PKI, signed, verdictOf, verifyBytes } from '../../support/documents/verification.ts';

const { root, issuing, signer, tsa } = PKI;
const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

const WEAK = 'indeterminate CRYPTO_CONSTRAINTS_FAILURE';

describe('what is weak from a day on counts before it, where that is proven', () => {
  /** Authorities that were there long ago. */
  const OLD = { from: at('2005-01-01'), until: at('2040-01-01') };
  const oldRoot = certificate('Old Root', { ...OLD, isCa: true });
  const clock = certificate('Old clock', {
    ...OLD,
    issuer: oldRoot,
    purposes: [TIMESTAMPING],
    isPurposeCritical: true,
  });
  const by = (options: CertificateOptions, day: string, signing: Partial<SignOptions> = {}) =>
    signed({
      party: certificate('Old signer', { ...OLD, issuer: oldRoot, ...options }),
      tsa: clock,
      token: { at: at(day) },
      ...signing,
    });
  const trust = [oldRoot];

  test.each<[string, CertificateOptions, Partial<SignOptions>, string, string]>([
    ['SHA-1', {}, { cms: { hash: 'sha1' } }, '2012-07-31', '2012-08-01'],
    ['a certificate with SHA-1', { hash: 'sha1' }, {}, '2012-07-31', '2012-08-01'],
    ['RSA with 1024 bits', { kind: 'rsa1024' }, {}, '2019-09-30', '2019-10-01'],
    ['ECDSA with 224 bits', { kind: 'p224' }, {}, '2021-09-30', '2021-10-01'],
  ])('%s', (_, options, signing, before, after) => {
    const sound = by(options, before, signing);
    expect(verdictOf(sound, { trust })).toBe('valid');
    expect(verdictOf(by(options, after, signing), { trust })).toBe(WEAK);
    // Without a proof of the time it is today, unless the caller says otherwise.
    const unproven = by(options, before, { ...signing, tsa: undefined });
    expect(verdictOf(unproven, { trust })).toBe(WEAK);
    expect(verdictOf(unproven, { trust, now: at(before) })).toBe('valid');
    expect(verdictOf(withOtherContent(sound), { trust })).toBe('invalid FORMAT_FAILURE');
    expect(verdictOf(flipped(sound), { trust })).toBe('invalid HASH_FAILURE');
  });

  test('a timestamp whose own hash is weak proves no time', () => {
    const weak = by({}, '2011-01-01', { token: { at: at('2011-01-01'), imprintHash: 'sha1' } });
    expect(verdictOf(weak, { trust })).toBe(WEAK);
    const signedWeakly = by({}, '2011-01-01', { token: { at: at('2011-01-01'), hash: 'sha1' } });
    expect(verdictOf(signedWeakly, { trust })).toBe(WEAK);
  });

  test('the days are those of a policy of the caller', () => {
    const file = by({}, '2013-01-01', { cms: { hash: 'sha1' } });
    const later = { ...ETSI_POLICY, hashes: { sha1: at('2014-01-01') } };
    expect(verdictOf(file, { trust, policy: later })).toBe('valid');
    const strict = { ...ETSI_POLICY, ec: [{ below: 384, from: at('2010-01-01') }] };
    expect(verdictOf(signed(), { policy: strict })).toBe(WEAK);
    expect(verdictOf(flipped(file), { trust, policy: later })).toBe('invalid HASH_FAILURE');
  });

  test('an answer of a short key of OCSP counts until the end of 2025', () => {
    const level = (now: number, kind: 'rsa' | 'rsa3072') => {
      const responder = certificate('Responder', {
        issuer: issuing,
        kind,
        from: at('2025-01-01'),
        purposes: ['1.3.6.1.5.5.7.3.9'],
      });
      const party = certificate('Answered', { issuer: issuing, from: at('2025-01-01') });
      const clock = certificate('Clock of 2025', {
        issuer: root,
        from: at('2025-01-01'),
        purposes: [TIMESTAMPING],
        isPurposeCritical: true,
      });
      const file = withStore(signPdf(basePdf(), { party, tsa: clock, token: { at: now } }), {
        certificates: [...party.chain, ...clock.chain],
        crls: [crl(root, { from: now, until: now + DAY })],
        ocsps: [ocsp(party, issuing, { by: responder, at: now })],
      });
      return verifyBytes(file, { now: now + 1000 })[0]?.level;
    };
    expect(level(at('2025-12-31'), 'rsa')).toBe('LT');
    expect(level(at('2026-01-02'), 'rsa')).toBe('T');
    expect(level(at('2026-01-02'), 'rsa3072')).toBe('LT');
  });
});

describe('curves and exponents', () => {
  test.each(['secp256k1', 'brainpool320', 'p521'] as const)('%s', (kind) => {
    const file = signed({ party: certificate(kind, { issuer: issuing, kind }) });
    expect(verdictOf(file)).toBe('valid');
    expect(verdictOf(flipped(file))).toBe('invalid HASH_FAILURE');
  });
});

describe('algorithms that are named in another way', () => {
  /** Signed with `algorithm` over attributes with the SHA-256 of the document. */
  const file = (party: Party, algorithm: Buffer, value: (attributes: Buffer) => Buffer) =>
    signed({
      party,
      make: (data) => {
        const attributes = [
          seq(oid('1.2.840.113549.1.9.3'), set(oid('1.2.840.113549.1.7.1'))),
          seq(oid('1.2.840.113549.1.9.4'), set(octets(digest('sha256', data)))),
          seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(digest('sha256', party.der))))))),
        ];
        return signedData(party, { attributes, algorithm, value: value(set(...attributes)) });
      },
    });

  test('plain ECDSA with the curve beside it', () => {
    const party = certificate('Plain', { issuer: issuing, kind: 'plain256' });
    const curve = oid('1.2.840.10045.3.1.7');
    const make = (algorithm: string, parameters: Buffer) =>
      file(party, seq(oid(algorithm), parameters), (data) => signedStructure(party.keys, 'sha256', data));
    const plain = '0.4.0.127.0.7.1.1.4.1.3';
    expect(verdictOf(make(plain, curve))).toBe('valid');
    expect(verdictOf(flipped(make(plain, curve)))).toBe('invalid HASH_FAILURE');
    expect(verdictOf(make(plain, int(5)))).toBe('invalid SIG_CRYPTO_FAILURE');
    expect(verdictOf(make('1.2.840.10045.4.3.2', curve))).toBe('invalid SIG_CRYPTO_FAILURE');
  });

  test('another hash of the document than of the attributes', () => {
    const party = certificate('Mixed', { issuer: issuing, kind: 'rsa' });
    const make = (algorithm: string, hash: 'sha1' | 'sha3-256') =>
      file(party, seq(oid(algorithm), NULL), (data) => signedStructure(party.keys, hash, data));
    const mixed = make('2.16.840.1.101.3.4.3.14', 'sha3-256');
    expect(verdictOf(mixed)).toBe('valid');
    expect(verdictOf(flipped(mixed))).toBe('invalid HASH_FAILURE');
    // The weaker one decides.
    expect(verdictOf(make('1.2.840.113549.1.1.5', 'sha1'))).toBe(WEAK);
  });
});

describe('RSA-PSS whose mask has another hash', () => {
  const keys = keysOf('rsa', 'any');
  const party = certificate('Pss', { issuer: issuing, kind: 'rsa' });
  const parameters = seq(
    tagged(0, hashAlgorithm('sha256')),
    tagged(1, seq(oid('1.2.840.113549.1.1.8'), hashAlgorithm('sha1'))),
    tagged(2, int(32)),
  );
  const algorithm = seq(oid('1.2.840.113549.1.1.10'), parameters);

  /** RFC 8017, 9.1.1. */
  function encodedMessage(message: Buffer, trailer = 0xbc, padding = 1): Buffer {
    const salt = Buffer.alloc(32, 7);
    const tag = digest('sha256', Buffer.concat([Buffer.alloc(8), digest('sha256', message), salt]));
    const block = Buffer.concat([Buffer.alloc(256 - 32 - 32 - 2), Buffer.from([padding]), salt]);
    const mask = Buffer.concat(
      Array.from({ length: 12 }, (_, index) =>
        digest('sha1', Buffer.concat([tag, Buffer.from([0, 0, 0, index])])),
      ),
    );
    const masked = Buffer.from(block.map((byte, index) => byte ^ mask[index]!));
    masked[0]! &= 0x7f;
    return Buffer.concat([masked, tag, Buffer.from([trailer])]);
  }

  const file = (...bent: [trailer?: number, padding?: number]) =>
    signed({
      party,
      make: (data) => {
        const attributes = [
          seq(oid('1.2.840.113549.1.9.3'), set(oid('1.2.840.113549.1.7.1'))),
          seq(oid('1.2.840.113549.1.9.4'), set(octets(digest('sha256', data)))),
          seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(digest('sha256', party.der))))))),
        ];
        const value = privateEncrypt(
          { key: keys.privateKey, padding: constants.RSA_NO_PADDING },
          encodedMessage(set(...attributes), ...bent),
        );
        return signedData(party, { attributes, algorithm, value });
      },
    });

  test('is checked', () => {
    expect(verdictOf(file())).toBe('valid');
    expect(verifyBytes(file())[0]?.algorithm).toBe('RSA-PSS with SHA-256 and a mask with SHA-1');
    expect(verdictOf(flipped(file()))).toBe('invalid HASH_FAILURE');
  });

  test('to the last bit', () => {
    expect(verdictOf(file(0xbb))).toBe('invalid SIG_CRYPTO_FAILURE');
    expect(verdictOf(file(0xbc, 2))).toBe('invalid SIG_CRYPTO_FAILURE');
  });
});

/** SignedData with parts that are as they are given. */
function signedData(
  party: Party,
  { attributes, algorithm, value }: { attributes: Buffer[]; algorithm: Buffer; value: Buffer },
): Buffer {
  const info = seq(
    int(1),
    seq(issuing.name, int(party.serial)),
    hashAlgorithm('sha256'),
    Buffer.concat([Buffer.from([0xa0]), set(...attributes).subarray(1)]),
    algorithm,
    octets(value),
  );
  return seq(
    oid('1.2.840.113549.1.7.2'),
    tagged(
      0,
      seq(
        int(1),
        set(hashAlgorithm('sha256')),
        seq(oid('1.2.840.113549.1.7.1')),
        tagged(0, ...party.chain),
        set(info),
      ),
    ),
  );
}

test('the format of the Brazilian authorities is checked like the older one, and reaches no level', () => {
  const sound = signed({ subFilter: 'PBAD.PAdES' });
  expect(verdictOf(sound)).toBe('valid');
  expect(verifyBytes(sound)[0]?.level).toBeUndefined();
  expect(verdictOf(flipped(sound))).toMatch(/^invalid/);
  expect(verdictOf(withOtherContent(sound))).toMatch(/^invalid/);
});

describe('a signature without attributes, over the document itself', () => {
  const file = (subFilter: string, party = signer) =>
    signed({ party, subFilter, cms: { withoutAttributes: true } });

  test('is checked in the older format', () => {
    for (const kind of ['p256', 'rsa', 'ed25519'] as const) {
      const sound = file('adbe.pkcs7.detached', certificate(`By ${kind}`, { issuer: issuing, kind }));
      expect(verdictOf(sound)).toBe('valid');
      expect(verifyBytes(sound)[0]?.level).toBeUndefined();
      expect(verdictOf(flipped(sound))).toBe('invalid SIG_CRYPTO_FAILURE');
      expect(verdictOf(withOtherContent(sound))).toBe('invalid FORMAT_FAILURE');
    }
  });

  test('does not name its certificate, as PAdES requires', () => {
    const pades = file('ETSI.CAdES.detached');
    expect(verdictOf(pades)).toBe('indeterminate SIG_CONSTRAINTS_FAILURE');
    expect(verdictOf(flipped(pades))).toBe('invalid SIG_CRYPTO_FAILURE');
  });

  test('is none of a timestamp, whose content has to be named', () => {
    const info = (data: Buffer) =>
      seq(int(1), oid('1.2.3'), seq(hashAlgorithm('sha256'), octets(digest('sha256', data))), int(5));
    const make = (data: Buffer) =>
      cms(tsa, info(data), {
        content: info(data),
        contentType: '1.2.840.113549.1.9.16.1.4',
        withoutAttributes: true,
      });
    expect(verdictOf(signed({ make }))).toMatch(/^invalid/);
  });
});

describe('the formats of SHA-1', () => {
  const bare = (hash: 'sha1' | 'sha256', party = certificate('Bare', { issuer: issuing, kind: 'rsa' })) =>
    signed({
      party,
      subFilter: 'adbe.x509.rsa_sha1',
      entries: `/Cert[${party.chain.map((der) => `<${der.toString('hex')}>`).join('')}]`,
      make: (data) => octets(signedStructure(party.keys, hash, data)),
    });

  test('without CMS: weak with SHA-1, and sound with SHA-256', () => {
    expect(verdictOf(bare('sha1'))).toBe(WEAK);
    expect(verdictOf(bare('sha256'))).toBe('valid');
    expect(verifyBytes(bare('sha256'))[0]?.signer?.name).toBe('Bare');
    for (const hash of ['sha1', 'sha256'] as const)
      expect(verdictOf(flipped(bare(hash)))).toBe('invalid SIG_CRYPTO_FAILURE');
    expect(verdictOf(bare('sha256', certificate('Self', { kind: 'rsa' })))).toBe(
      'indeterminate NO_CERTIFICATE_CHAIN_FOUND',
    );
    const without = signed({ subFilter: 'adbe.x509.rsa_sha1', make: () => octets(Buffer.alloc(256, 1)) });
    expect(verdictOf(without)).toBe('invalid FORMAT_FAILURE');
  });

  test('CMS over the digest of the document, which it has inside', () => {
    const inside = (content?: Buffer, withoutAttributes = false) =>
      signed({
        subFilter: 'adbe.pkcs7.sha1',
        make: (data) => {
          const value = content ?? digest('sha1', data);
          return cms(signer, value, { content: value, withoutAttributes });
        },
      });
    for (const file of [inside(), inside(undefined, true)]) {
      expect(verdictOf(file)).toBe(WEAK);
      expect(verdictOf(flipped(file))).toBe('invalid HASH_FAILURE');
      expect(verdictOf(file, { policy: { ...ETSI_POLICY, hashes: {} } })).toBe('valid');
    }
    expect(verdictOf(inside(Buffer.alloc(20)))).toBe('invalid HASH_FAILURE');
  });
});

describe('what is written in another way and says the same', () => {
  test('an extension of a timestamp that says in full that it is not critical', () => {
    const stamped = (isCritical: boolean) =>
      signPdf(basePdf(), {
        party: signer,
        make: (data) =>
          cms(signer, data, {
            unsigned: (signature) => {
              const imprint = seq(hashAlgorithm('sha256'), octets(digest('sha256', signature)));
              const extension = seq(oid('1.2.3.4'), flag(isCritical), octets(NULL));
              const when = tlv(0x18, Buffer.from('20261121180000Z'));
              const content = seq(int(1), oid('1.2.3.4.1'), imprint, int(65), when, tagged(1, extension));
              const contentType = '1.2.840.113549.1.9.16.1.4';
              return [timestampAttribute(cms(tsa, content, { content, contentType }))];
            },
          }),
      });
    expect(verdictOf(stamped(false))).toBe('valid');
    expect(verdictOf(stamped(true))).toBe('invalid FORMAT_FAILURE');
  });

  test('a content without bytes', () => {
    const file = (content: Buffer) =>
      signed({
        make: (data) => {
          const whole = cms(signer, data);
          const type = seq(oid('1.2.840.113549.1.7.1'));
          const other = seq(oid('1.2.840.113549.1.7.1'), tagged(0, octets(content)));
          return replacedInside(whole, type, other);
        },
      });
    expect(verdictOf(file(Buffer.alloc(0)))).toBe('valid');
    expect(verdictOf(flipped(file(Buffer.alloc(0))))).toBe('invalid HASH_FAILURE');
    expect(verdictOf(file(Buffer.from('x')))).toBe('invalid FORMAT_FAILURE');
  });

  test('the name of an issuer in another type of string', () => {
    const printable = (name: string) => seq(set(seq(oid('2.5.4.3'), tlv(0x13, Buffer.from(name)))));
    const file = (name: string) =>
      signed({ party: certificate('Other string', { issuer: { ...issuing, name: printable(name) } }) });
    expect(verdictOf(file('Test Issuing'))).toBe('valid');
    expect(verdictOf(file('Test issuer'))).toBe('indeterminate NO_CERTIFICATE_CHAIN_FOUND');
    expect(verdictOf(flipped(file('Test Issuing')))).toBe('invalid HASH_FAILURE');
  });
});

/** A signature of which one of the parts beside the version is replaced, with all lengths around it. */
function replacedInside(whole: Buffer, part: Buffer, other: Buffer): Buffer {
  const [start, index] = [whole.indexOf(int(1)), whole.indexOf(part)];
  const pieces = [whole.subarray(start, index), other, whole.subarray(index + part.length)];
  return seq(oid('1.2.840.113549.1.7.2'), tagged(0, seq(...pieces)));
}

const ML_DSA = '2.16.840.1.101.3.4.3.18';
/** Node knows ML-DSA from 24.7 on. */
const isMlDsaKnown = (() => {
  try {
    createPublicKey({ key: seq(seq(oid(ML_DSA)), tlv(3, Buffer.alloc(1953))), format: 'der', type: 'spki' });
    return true;
  } catch {
    return false;
  }
})();

describe('ML-DSA', () => {
  test.skipIf(isMlDsaKnown)('is an algorithm that is not known where Node does not know it', () => {
    const keyInfo = seq(seq(oid(ML_DSA)), tlv(3, Buffer.alloc(1953)));
    const party = certificate('Quantum', { issuer: issuing, keyInfo });
    expect(verdictOf(signed({ party, room: 12_000 }))).toBe('invalid SIG_CRYPTO_FAILURE');
  });

  test.skipIf(!isMlDsaKnown)('is checked where Node knows it', async () => {
    const created = generateKeyPairSync('ml-dsa-65' as never) as unknown as {
      publicKey: ReturnType<typeof createPublicKey>;
      privateKey: Parameters<typeof sign>[2];
    };
    const keyInfo = created.publicKey.export({ format: 'der', type: 'spki' });
    const party = certificate('Quantum', { issuer: issuing, keyInfo });
    const file = signed({
      party,
      room: 20_000,
      make: (data) => {
        const attributes = [
          seq(oid('1.2.840.113549.1.9.3'), set(oid('1.2.840.113549.1.7.1'))),
          seq(oid('1.2.840.113549.1.9.4'), set(octets(digest('sha256', data)))),
          seq(oid('1.2.840.113549.1.9.16.2.47'), set(seq(seq(seq(octets(digest('sha256', party.der))))))),
        ];
        const value = sign(null, set(...attributes), created.privateKey);
        return signedData(party, { attributes, algorithm: seq(oid(ML_DSA)), value });
      },
    });
    expect(verdictOf(file)).toBe('valid');
    expect(verdictOf(flipped(file))).toBe('invalid HASH_FAILURE');
  });
});
