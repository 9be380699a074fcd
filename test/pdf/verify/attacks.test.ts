// Attacks on signed bytes, signatures, certificates and timestamps, each made here byte by byte, and each refused with the right reason.
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealPdf } from '../../../src/pdf/sign/seal.ts';
import { readCertificates, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { int, oid, seq } from '../../support/certificates/der.ts';
import {
  authority,
  certificate,
  cms,
  crl,
  DAY,
  keysOf,
  NOW,
  nameOf,
  ocsp,
  TIMESTAMPING,
  timestampToken,
  USAGE,
} from '../../support/certificates/pki.ts';
import { sharedServiceAuthority } from '../../support/certificates/service-authority.ts';
import { flipped, withSecond } from '../../support/documents/attack-files.ts';
import { preparedPdf, SEAL_FIELD_NAME as SEAL } from '../../support/documents/prepared-pdf.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  type SignOptions,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  behind,
  certified,
  faultsOf,
  PKI,
  sealedPdf,
  signed,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';
import { SLOW } from '../../support/tier.ts';

const { root, issuing, signer, tsa } = PKI;

describe('a byte that is flipped', () => {
  const isAccepted = (
    bytes: Uint8Array,
    anchors: Parameters<typeof verifyPdf>[1]['trust']['anchors'],
    now: number,
  ) => {
    const report = verifyPdf(bytes, { trust: { anchors }, now });
    if (!report.ok) return false;
    const isSigned = report.signatures.some(({ kind }) => kind === 'signature');
    return isSigned && report.signatures.every(({ faults }) => faults.length === 0);
  };

  const PLACES = SLOW ? 2000 : 20;

  test.skipIf(!SLOW)(`anywhere in a file of ours, at ${PLACES} places`, async () => {
    const serviceAuthority = await sharedServiceAuthority();
    const anchors = readCertificates(serviceAuthority.root).map((item) => ({
      certificate: item,
      why: 'the test',
    }));
    const pdf = await sealPdf(await preparedPdf({ pages: 2 }), SEAL, serviceAuthority.sealing);
    const now = Date.now() + 1000;
    expect(isAccepted(pdf, anchors, now)).toBe(true);
    // The last timestamp covers everything but itself, and of itself everything but what fills it up.
    const accepted: number[] = [];
    for (let index = 0; index < PLACES; index += 1) {
      const at = Math.floor(((index + 0.5) * pdf.length) / PLACES);
      const hostile = Buffer.from(pdf);
      hostile[at] = hostile[at]! ^ (1 << (index % 8));
      // A hexadecimal digit stands for the same in both cases.
      if (isSameDigit(pdf[at]!, hostile[at]!)) continue;
      if (isAccepted(hostile, anchors, now) && !isSameLetter(pdf, hostile, at)) accepted.push(at);
    }
    expect(accepted).toEqual([]);
  });

  /** The last timestamp names its issuer outside of what it signs, and names are compared without regard to case (RFC 5280 §7.1). */
  const isSameLetter = (pdf: Uint8Array, hostile: Uint8Array, at: number) => {
    const start = Buffer.from(pdf).indexOf('<', Buffer.from(pdf).lastIndexOf('/Contents')) + 1;
    const first = at - ((at - start) % 2);
    const letter = (bytes: Uint8Array) => {
      const code = Number.parseInt(Buffer.from(bytes).toString('latin1', first, first + 2), 16);
      return at < start ? '' : String.fromCharCode(code);
    };
    return /[a-z]/i.test(letter(pdf)) && letter(pdf).toLowerCase() === letter(hostile).toLowerCase();
  };

  const isSameDigit = (a: number, other: number) =>
    /[a-f]/i.test(String.fromCharCode(a)) && (a | 0x20) === (other | 0x20);

  test('says that the signed bytes were changed', () => {
    const file = signed();
    expect(faultsOf(flipped(file))).toEqual(['digest_mismatch']);
  });
});

describe('the signature itself', () => {
  test.each<[string, Partial<SignOptions>, string[]]>([
    ['by another key', { cms: { keys: keysOf('p256', 'somebody else') } }, ['signature_wrong']],
    ['that names another certificate', { cms: { names: issuing.der } }, ['signing_certificate_mismatch']],
    ['without its certificate', { cms: { certificates: [issuing.der] } }, ['signing_certificate_missing']],
    ['of two signers', { cms: { signers: 2 } }, ['cms_signers']],
    ['of no signer', { cms: { signers: 0 } }, ['cms_malformed']],
    ['with SHA-1', { cms: { hash: 'sha1' } }, ['algorithm_weak']],
    [
      'over data of its own',
      { make: (data) => timestampToken(signer, data) },
      ['cms_content_inside', 'attributes_wrong', 'attributes_missing', 'certificate_usage'],
    ],
    ['in a format that nobody knows', { subFilter: 'evil.detached' }, ['format_unknown']],
    [
      'in a format that has the digest inside, without it',
      { subFilter: 'adbe.pkcs7.sha1' },
      ['digest_mismatch'],
    ],
    ['that is no DER', { make: () => Buffer.from('hello') }, ['cms_malformed']],
    ['that is another type', { make: () => seq(oid('1.2.840.113549.1.7.1'), int(1)) }, ['cms_malformed']],
  ])('%s', (_, options, codes) => {
    const result = faultsOf(signed(options));
    expect(result).toEqual(expect.arrayContaining(codes.slice(0, 1)));
    expect(codes).toEqual(expect.arrayContaining(result));
  });

  test('of another document', () => {
    expect(faultsOf(signed({ make: () => cms(signer, Buffer.from('another document')) }))).toEqual([
      'digest_mismatch',
    ]);
  });

  test('with a weak key', () => {
    const weak = certificate('Weak', { issuer: issuing, kind: 'rsa1024' });
    expect(faultsOf(signed({ party: weak }))).toEqual(['key_weak']);
  });
});

describe('certificates', () => {
  const by = (options: Parameters<typeof certificate>[1], now?: number) =>
    faultsOf(signed({ party: certificate('Somebody', { issuer: issuing, ...options }) }), now ? { now } : {});

  test('swapped: the same key and name, by another authority', () => {
    const evilRoot = certificate('Test Root', { isCa: true, keys: keysOf('p256', 'evil root') });
    const evil = certificate('Test Issuing', {
      issuer: evilRoot,
      isCa: true,
      keys: keysOf('p256', 'evil issuing'),
    });
    const same = certificate('Test Signer', { issuer: evil, keys: signer.keys });
    expect(faultsOf(signed({ party: same }))).toEqual(['untrusted']);
    const twin = {
      ...signer,
      der: certificate('Test Signer', { issuer: issuing, keys: signer.keys, serial: signer.serial }).der,
    };
    expect(
      faultsOf(
        signed({
          party: twin,
          cms: { names: signer.der, certificates: [twin.der, ...signer.chain.slice(1)] },
        }),
      ),
    ).toEqual(['signing_certificate_mismatch']);
  });

  test('of an authority that is not trusted: self-made, and a system that does not know it', () => {
    expect(faultsOf(signed({ party: certificate('Self') }))).toEqual(['untrusted']);
    expect(faultsOf(signed(), { trust: [] })).toEqual(['untrusted']);
  });

  test('for another use', () => {
    expect(by({ usage: USAGE.keyEncipherment })).toEqual(['certificate_usage']);
    expect(by({ purposes: ['1.3.6.1.5.5.7.3.1'] })).toEqual(['certificate_usage']);
    expect(by({ purposes: [TIMESTAMPING] })).toEqual(['certificate_usage']);
    expect(
      by({ extensions: [seq(oid('1.2.3.4'), Buffer.from([1, 1, 0xff]), Buffer.from([4, 2, 5, 0]))] }),
    ).toEqual(['certificate_unknown_extension']);
  });

  test('expired, or not valid yet', () => {
    expect(by({ until: NOW - DAY })).toEqual(['certificate_expired']);
    expect(by({ from: NOW + DAY })).toEqual(['certificate_not_yet_valid']);
    const party = certificate('Late', { issuer: issuing, until: NOW - 10 * DAY });
    // A later timestamp proves only that the signature existed when the certificate was over.
    expect(faultsOf(signed({ party, tsa }))).toEqual(['certificate_expired']);
  });

  test('issued by a certificate that is no authority, or further down than it may', () => {
    const party = certificate('Below a signer', { issuer: signer });
    expect(faultsOf(signed({ party }))).toEqual(['certificate_usage']);
    for (const options of [{}, { isCa: true, usage: USAGE.digitalSignature }, { usage: USAGE.keyCertSign }]) {
      const issuer = certificate('No authority', { issuer: root, ...options });
      const below = certificate('Below it', { issuer });
      expect(faultsOf(signed({ party: below }))).toEqual(['certificate_usage']);
    }
    const deeper = certificate('Too deep', { issuer: issuing, isCa: true });
    expect(faultsOf(signed({ party: certificate('Deep', { issuer: deeper }) }))).toEqual([
      'certificate_usage',
    ]);
  });

  test('with a wrong signature of their issuer', () => {
    const forged = certificate('Forged', { issuer: { ...issuing, keys: keysOf('p256', 'evil') } });
    expect(faultsOf(signed({ party: { ...forged, chain: [forged.der, issuing.der] } }))).toEqual([
      'certificate_damaged',
      'untrusted',
    ]);
  });

  test('with SHA-1', () => {
    expect(by({ hash: 'sha1' })).toEqual(['certificate_weak']);
  });

  test('revoked, by a list or by an answer', () => {
    const revoked = [{ party: signer, at: NOW - 2 * DAY }];
    const withLists = (crls: Buffer[], ocsps: Buffer[] = []) =>
      faultsOf(withStore(signed({ tsa }), { certificates: signer.chain, crls, ocsps }));
    expect(withLists([crl(issuing, { revoked })])).toEqual(['certificate_revoked']);
    expect(withLists([], [ocsp(signer, issuing, { revokedAt: NOW - 2 * DAY })])).toEqual([
      'certificate_revoked',
    ]);
    // The answer of another issuer does not count, neither for nor against.
    expect(withLists([crl({ ...issuing, keys: keysOf('p256', 'evil') }, { revoked })])).toEqual([]);
    expect(
      withLists([], [ocsp(signer, issuing, { revokedAt: NOW - 2 * DAY, by: certificate('Evil') })]),
    ).toEqual([]);
  });

  test('whose lists are out of date, from the future or by another key reach no higher level', () => {
    const level = (list: Buffer, party = signer) =>
      verifyBytes(
        withStore(signPdf(basePdf(), { party, tsa }), {
          certificates: [...party.chain, ...tsa.chain],
          crls: [crl(root), list],
        }),
      )[0]?.level;
    expect(level(crl(issuing))).toBe('LT');
    expect(level(crl(issuing, { from: NOW - 20 * DAY, until: NOW - 10 * DAY }))).toBe('T');
    expect(level(crl(issuing, { from: NOW + DAY }))).toBe('T');
    expect(level(crl({ ...issuing, keys: keysOf('p256', 'evil') }))).toBe('T');
    expect(level(crl({ ...issuing, name: nameOf('Else') }))).toBe('T');
  });
});

describe('timestamps', () => {
  test('by an authority that is not trusted, or by none', () => {
    const evil = authority('Evil');
    expect(faultsOf(signed({ tsa: evil.tsa }))).toEqual(['timestamp_invalid: untrusted']);
    expect(faultsOf(signed({ tsa: signer }))).toEqual(['timestamp_invalid: certificate_usage']);
    const soft = certificate('Soft TSA', { issuer: root, purposes: [TIMESTAMPING] });
    expect(faultsOf(signed({ tsa: soft }))).toEqual(['timestamp_invalid: certificate_usage']);
    expect(faultsOf(withTimestamp(signed(), { tsa: evil.tsa }))).toEqual(['untrusted']);
  });

  test('about other bytes, from the future, by another key, with SHA-1', () => {
    const token = (options: SignOptions['token']) =>
      faultsOf(signed({ tsa, ...(options && { token: options }) }));
    expect(token({ imprint: createHash('sha256').update('x').digest() })).toEqual([
      'timestamp_invalid: timestamp_mismatch',
    ]);
    expect(token({ at: NOW + DAY })).toEqual(['timestamp_invalid: timestamp_future']);
    expect(token({ keys: keysOf('p256', 'evil') })).toEqual(['timestamp_invalid: signature_wrong']);
    expect(token({ imprintHash: 'sha1' })).toEqual(['timestamp_invalid: algorithm_weak']);
    const file = withTimestamp(signed(), { tsa, token: { imprint: Buffer.alloc(32) } });
    expect(faultsOf(file)).toEqual(['timestamp_mismatch']);
  });

  test('that are younger than those that cover them', () => {
    const MINUTE = 60_000;
    const covered = (at: number, later: number) =>
      faultsOf(withTimestamp(signed({ tsa, token: { at } }), { tsa, token: { at: later } }));
    expect(covered(NOW - DAY, NOW)).toEqual([]);
    expect(covered(NOW, NOW - MINUTE)).toEqual([]);
    expect(covered(NOW, NOW - 10 * MINUTE)).toEqual(['timestamp_invalid: timestamp_future']);
    const twice = (at: number, later: number) =>
      faultsOf(
        withTimestamp(withTimestamp(signed(), { tsa, token: { at } }), {
          tsa,
          number: 70,
          token: { at: later },
          fields: '7 0 R 9 0 R 61 0 R',
          annotations: `${PAGE_ANNOTATIONS} 61 0 R`,
        }),
      );
    expect(twice(NOW - DAY, NOW)).toEqual([]);
    expect(twice(NOW, NOW - DAY)).toEqual(['timestamp_future']);
  });

  test('that prove less than they seem to: an untrusted one does not save an expired certificate', () => {
    const party = certificate('Short', { issuer: issuing, until: NOW - 10 * DAY });
    const evil = authority('Evil');
    const file = withTimestamp(signed({ party }), { tsa: evil.tsa, token: { at: NOW - 11 * DAY } });
    expect(faultsOf(file)).toEqual(['certificate_expired', 'untrusted']);
  });

  test('that were removed, with and without what protects them', () => {
    const whole = sealedPdf();
    expect(faultsOf(whole, { level: 'LTA' })).toEqual([]);
    // The file as it was before its last timestamp is a sound one of a lower level.
    const cut = whole.subarray(
      0,
      whole.lastIndexOf('%%EOF\n', whole.lastIndexOf('60 0 obj')) + '%%EOF\n'.length,
    );
    expect(verifyBytes(cut)[0]).toMatchObject({ faults: [], level: 'LT' });
    expect(faultsOf(cut, { level: 'LTA' })).toEqual(['level_too_low']);
    // Taken out of the signature, where the last timestamp covers it.
    const text = whole.toString('latin1');
    const unsigned = text.indexOf('060b2a864886f70d010910020e');
    const hostile = Buffer.from(text, 'latin1');
    hostile.write('060b2a864886f70d010910020f', unsigned, 'latin1');
    expect(faultsOf(hostile)).toEqual(['timestamp_mismatch']);
    const dropped = { [N.form]: FORM('7 0 R 9 0 R') };
    expect(behind(dropped, whole)).toEqual(['changed_annotations']);
    const undone = updated(whole, { ...dropped, [N.page]: PAGE(PAGE_ANNOTATIONS) }, WITH_INFO);
    // The save that took it out is no sound one, though the file looks as if it never was there.
    expect(faultsOf(undone, { level: 'LTA' })).toContain('level_too_low');
    expect(faultsOf(undone)).toEqual(['changed_form', 'changed_annotations']);
  });

  test('whose validation data was replaced', () => {
    const whole = sealedPdf();
    const evil = authority('Evil');
    const replaced = withStore(whole, { certificates: evil.signer.chain }, 130);
    expect(faultsOf(replaced)).toEqual(['validation_data_removed']);
    const emptied = updated(whole, { [N.catalog]: CATALOG() }, WITH_INFO);
    expect(faultsOf(emptied)).toEqual(['changed_structure']);
    const scripted = updated(
      whole,
      { 140: '<</Certs[]/JS(app.alert(1))>>', [N.catalog]: CATALOG('/DSS 140 0 R') },
      WITH_INFO,
    );
    expect(faultsOf(scripted)).toContain('changed_structure');
  });
});

describe('two signatures', () => {
  test('of which one is bad make the file bad', () => {
    const codes = (file: Buffer) =>
      verifyBytes(file).map(({ field, faults }) => [field, faults.map(({ code }) => code)]);
    expect(codes(withSecond(approved()))).toEqual([
      ['Seal', []],
      ['Second', []],
    ]);
    expect(codes(withSecond(approved(), { party: certificate('Evil') }))).toEqual([
      ['Seal', []],
      ['Second', ['untrusted']],
    ]);
    expect(codes(withSecond(signed({ entries: '', cms: { keys: keysOf('p256', 'evil') } })))).toEqual([
      ['Seal', ['signature_wrong']],
      ['Second', []],
    ]);
  });

  test('do not let a change pass that came between them', () => {
    const between = updated(certified(2), { [N.content]: streamOf('(I owe you 900)') }, WITH_INFO);
    const file = withSecond(between);
    expect(verifyBytes(file).map(({ faults }) => faults.map(({ code }) => code))).toEqual([
      ['changed_content'],
      [],
    ]);
  });

  test('keep to what the first allows', () => {
    const file = updated(withSecond(certified(1)), { [N.text]: TEXT_FIELD('/V(1)') }, WITH_INFO);
    expect(verifyBytes(file)[1]?.faults.map(({ code }) => code)).toEqual(['changed_form']);
  });

  test('one replaced by the other', () => {
    const file = signPdf(certified(2), {
      party: signer,
      number: 70,
      entries: '',
      objects: (number) => ({ [N.seal]: SEAL_FIELD(`/V ${number} 0 R`) }),
    });
    // The first one is gone from the form, and nothing says that it was there but the bytes.
    expect(verifyBytes(file)).toHaveLength(1);
  });
});
