// Which verdict a signature gets, with the reason in the words of EN 319 102-1: what is not proven is indeterminate, and the same file with a
// change is invalid.
import { describe, expect, test } from 'vitest';
import { effectOf, type Fault, judgementOf, SUB_INDICATIONS } from '../../../src/pdf/verify/verify.ts';
import { int, oid, seq } from '../../support/certificates/der.ts';
import {
  authority,
  certificate,
  crl,
  DAY,
  extension,
  keysOf,
  NOW,
  TIMESTAMPING,
} from '../../support/certificates/pki.ts';
import { flipped, withOtherContent } from '../../support/documents/attack-files.ts';
import {
  basePdf,
  N,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  signPdf,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  faultsOf,
  PKI,
  signed,
  type VerifyOptions,
  verdictOf,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';

const { root, issuing, signer, tsa } = PKI;

const by = (options: Parameters<typeof certificate>[1]) =>
  signed({ party: certificate('Somebody', { issuer: issuing, ...options }) });
const stampedBy = (options: Parameters<typeof certificate>[1]) =>
  signed({
    tsa: certificate('Some clock', {
      issuer: root,
      purposes: [TIMESTAMPING],
      isPurposeCritical: true,
      ...options,
    }),
  });
const withLists = (...crls: Buffer[]) => withStore(signed({ tsa }), { certificates: signer.chain, crls });
const yesterday = (party: typeof signer) => [{ party, at: NOW - DAY }];

describe('what is not proven is indeterminate, and invalid once it is changed', () => {
  test.each<[string, () => Buffer, string, VerifyOptions?]>([
    ['a signer that is not trusted', () => signed(), 'NO_CERTIFICATE_CHAIN_FOUND', { trust: [] }],
    [
      'a certificate that its signer made',
      () => signed({ party: certificate('Self') }),
      'NO_CERTIFICATE_CHAIN_FOUND',
    ],
    ['an expired certificate', () => by({ until: NOW - DAY }), 'OUT_OF_BOUNDS_NO_POE'],
    ['a certificate of the future', () => by({ from: NOW + DAY }), 'OUT_OF_BOUNDS_NO_POE'],
    ['a certificate for servers', () => by({ purposes: ['1.3.6.1.5.5.7.3.1'] }), 'CHAIN_CONSTRAINTS_FAILURE'],
    [
      'a certificate that is not understood',
      () => by({ extensions: [extension('1.2.3.4', true, int(5))] }),
      'CERTIFICATE_CHAIN_GENERAL_FAILURE',
    ],
    ['a signature with SHA-1', () => signed({ cms: { hash: 'sha1' } }), 'CRYPTO_CONSTRAINTS_FAILURE'],
    ['a short key', () => by({ kind: 'rsa1024' }), 'CRYPTO_CONSTRAINTS_FAILURE'],
    ['a certificate with SHA-1', () => by({ hash: 'sha1' }), 'CRYPTO_CONSTRAINTS_FAILURE'],
    [
      'a clock that is not trusted',
      () => signed({ tsa: authority('Evil').tsa }),
      'NO_CERTIFICATE_CHAIN_FOUND',
    ],
    ['a clock that expired', () => stampedBy({ until: NOW - DAY }), 'OUT_OF_BOUNDS_NO_POE'],
    [
      'a clock that is not read right',
      () => signed({ tsa, token: { at: NOW + DAY } }),
      'TIMESTAMP_ORDER_FAILURE',
    ],
    [
      'a document timestamp that is not trusted',
      () => withTimestamp(signed(), { tsa: authority('Evil').tsa }),
      'NO_CERTIFICATE_CHAIN_FOUND',
    ],
    [
      'a revoked certificate',
      () => withLists(crl(issuing, { revoked: yesterday(signer) })),
      'REVOKED_NO_POE',
    ],
    ['a revoked authority', () => withLists(crl(root, { revoked: yesterday(issuing) })), 'REVOKED_CA_NO_POE'],
    ['a level that is not reached', () => signed(), 'SIG_CONSTRAINTS_FAILURE', { level: 'T' }],
    [
      'a signature without its certificate',
      () => signed({ cms: { certificates: [issuing.der] } }),
      'NO_SIGNING_CERTIFICATE_FOUND',
    ],
  ])('%s', (_, make, reason, options) => {
    const file = make();
    expect(verdictOf(file, options)).toBe(`indeterminate ${reason}`);
    expect(verdictOf(withOtherContent(file), options)).toBe('invalid FORMAT_FAILURE');
    expect(verdictOf(flipped(file), options)).toBe('invalid HASH_FAILURE');
  });

  test('a key that everybody can sign with is not one of the weak ones', () => {
    const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]);
    const keyInfo = seq(
      seq(oid('1.3.101.112')),
      Buffer.concat([Buffer.from([3, identity.length + 1, 0]), identity]),
    );
    const file = by({ kind: 'ed25519', keys: keysOf('ed25519', 'x'), keyInfo });
    expect(verdictOf(file)).toBe('invalid SIG_CRYPTO_FAILURE');
  });
});

describe('what is proven to be made at the wrong time is invalid', () => {
  /** Signed on top of a document timestamp, which the signature covers: it was made later. */
  const signedAfter = (time: number, party = signer) =>
    signPdf(withTimestamp(basePdf(), { tsa, token: { at: time } }), {
      party,
      number: 70,
      entries: '',
      objects: (number) => ({ [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) }),
      trailer: WITH_INFO,
    });

  test('after the certificate was revoked', () => {
    const revoked = {
      certificates: signer.chain,
      crls: [crl(issuing, { revoked: yesterday(signer), from: NOW - 3600_000 })],
    };
    expect(verdictOf(withStore(signedAfter(NOW - 3600_000), revoked))).toBe('invalid REVOKED');
    expect(verdictOf(withStore(signedAfter(NOW - 2 * DAY), revoked))).toBe('indeterminate REVOKED_NO_POE');
  });

  test('after the certificate had expired', () => {
    const party = certificate('Short', { issuer: issuing, until: NOW - DAY });
    expect(verdictOf(signedAfter(NOW - 3600_000, party))).toBe('invalid EXPIRED');
    expect(verdictOf(signedAfter(NOW - 2 * DAY, party))).toBe('indeterminate OUT_OF_BOUNDS_NO_POE');
  });

  test('before the certificate was issued', () => {
    const party = certificate('Early', { issuer: issuing, from: NOW - DAY });
    const created = (at: number) => signed({ party, tsa, token: { at } });
    expect(verdictOf(created(NOW - 2 * DAY))).toBe('invalid NOT_YET_VALID');
    expect(verdictOf(created(NOW - 3600_000))).toBe('valid');
    const clock = certificate('Early clock', {
      issuer: root,
      purposes: [TIMESTAMPING],
      isPurposeCritical: true,
      from: NOW - DAY,
    });
    // The time of a timestamp is no proof against its own certificate.
    const early = signed({ tsa: clock, token: { at: NOW - 2 * DAY } });
    expect(verdictOf(early)).toBe('indeterminate TIMESTAMP_ORDER_FAILURE');
    expect(faultsOf(early)).toEqual(['timestamp_invalid: timestamp_before_issuance']);
  });
});

describe('of several faults', () => {
  const judged = (...codes: Fault['code'][]) => judgementOf(codes.map((code) => ({ code })));

  test('what is proven wrong comes before what is not proven', () => {
    expect(judged()).toEqual({ verdict: 'valid', subIndication: undefined, fault: undefined });
    expect(judged('untrusted', 'digest_mismatch', 'key_weak')).toMatchObject({
      verdict: 'invalid',
      subIndication: 'HASH_FAILURE',
      fault: { code: 'digest_mismatch' },
    });
    expect(judged('certificate_expired', 'untrusted')).toMatchObject({ fault: { code: 'untrusted' } });
  });

  test('of which one is of a timestamp, what is wrong with that counts', () => {
    const why = (code: Fault['code']) => effectOf({ code: 'timestamp_invalid', details: { why: code } });
    expect(why('untrusted')).toEqual({
      verdict: 'indeterminate',
      subIndication: 'NO_CERTIFICATE_CHAIN_FOUND',
      question: 'time',
    });
    expect(why('timestamp_mismatch')).toMatchObject({ verdict: 'invalid', subIndication: 'HASH_FAILURE' });
  });

  test('the reasons of the standard have an order, in which none stands twice', () => {
    expect(new Set(SUB_INDICATIONS).size).toBe(SUB_INDICATIONS.length);
  });
});

test('two signatures of which one is changed: the worst decides', () => {
  const first = signed({ party: certificate('Self') });
  const second = signPdf(first, {
    party: signer,
    number: 70,
    entries: '',
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/F 132/P 3 0 R/V ${number} 0 R>>`,
      [N.form]: '<</Fields[7 0 R 9 0 R 71 0 R]/SigFlags 3>>',
      [N.page]: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R/Annots[${PAGE_ANNOTATIONS} 71 0 R]>>`,
    }),
    trailer: WITH_INFO,
  });
  const verdicts = (file: Buffer) => verifyBytes(file).map(({ faults }) => judgementOf(faults).verdict);
  expect(verdicts(second)).toEqual(['indeterminate', 'valid']);
  expect(verdictOf(second)).toBe('indeterminate NO_CERTIFICATE_CHAIN_FOUND');
  expect(verdicts(withOtherContent(second))).toEqual(['invalid', 'invalid']);
});
