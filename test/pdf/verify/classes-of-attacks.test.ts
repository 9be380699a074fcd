// Every known class of manipulated PDFs, each with a file of its kind and the verdict on it: the table of decision 0019. The other tests of this folder
// have more files of most classes. A class that a trusted list is needed for (its roll-back, a skipped pivot) has no row, as esign reads none.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileAsJson } from '../../../src/cli/commands/verify/as-json.ts';
import { acceptanceOf, exitOf } from '../../../src/cli/commands/verify/requirements.ts';
import { verifyFile } from '../../../src/cli/commands/verify/verified-file.ts';
import { evidenceText } from '../../../src/pdf/write/certificate/evidence.ts';
import { bits, int, NULL, octets, oid, seq, time, tlv } from '../../support/certificates/der.ts';
import {
  attribute,
  authority,
  type CertificateOptions,
  certificate,
  cms,
  crl,
  DAY,
  digest,
  extension,
  keysOf,
  NOW,
  ocsp,
  type Party,
  TIMESTAMPING,
  timestampAttribute,
  timestampToken,
} from '../../support/certificates/pki.ts';
import {
  flipped,
  lockedFields,
  shadowHide,
  shadowHideAndReplace,
  withAnnotation,
  withContents,
  withCopiedSignature,
  withLinearizedLength,
  withOtherContent,
  withPhantomSignature,
  withRange,
  withReusedSignature,
  withSecond,
  withSneakySignature,
  withWideGap,
} from '../../support/documents/attack-files.ts';
import { evidence, sealedWith } from '../../support/documents/evidence-pdf.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  certified,
  faultsOf,
  PKI,
  signed,
  trusting,
  verdictOf,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';
import { CORPUS, needsCorpus } from '../../support/tools.ts';

const { root, issuing, signer, tsa } = PKI;

/** Joins the verdict, its reason, and every fault. */
const judged = (file: Buffer): string => [verdictOf(file), ...faultsOf(file)].join(' ');
const later = (objects: Parameters<typeof updated>[1], file = certified(2), trailer = WITH_INFO) =>
  updated(file, objects, trailer);
const FORGED = 'invalid FORMAT_FAILURE';

const note = (kind: string) => `<</Type/Annot/Subtype/${kind}/Rect[0 0 300 200]/P 3 0 R>>`;

/** A box that can be ticked, and is switched to the look of another state without its value. */
function switchedBox(): Buffer {
  const box = (state: string) =>
    `<</Type/Annot/Subtype/Widget/FT/Btn/T(agree)/Rect[10 40 20 50]/F 4/P 3 0 R/V/Off/AS/${state}/AP<</N<</Off 41 0 R/Yes 42 0 R>>>>>>`;
  const appearance = (content: string) => streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 10 10]');
  const base = updated(
    basePdf(),
    {
      40: box('Off'),
      41: appearance(''),
      42: appearance('0 0 10 10 re f'),
      [N.form]: FORM('7 0 R 9 0 R 40 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 40 0 R`),
    },
    WITH_INFO,
  );
  return later({ 40: box('Yes') }, signPdf(base, { party: signer, trailer: WITH_INFO }));
}

/** A document with an attached file, which a later save replaces by the object `other`. */
function withReplacedAttachment(other: string): Buffer {
  const files = (stream: string) => ({
    90: streamOf('the contract as it was signed', '/Type/EmbeddedFile'),
    91: streamOf('another contract', '/Type/EmbeddedFile'),
    92: `<</Type/Filespec/F(contract.txt)/UF(contract.txt)/EF<</F ${stream}>>>>`,
    [N.catalog]: CATALOG('/Names<</EmbeddedFiles<</Names[(contract.txt) 92 0 R]>>>>'),
  });
  const file = signPdf(updated(basePdf(), files('90 0 R'), WITH_INFO), { party: signer, trailer: WITH_INFO });
  return later({ 92: files(other)[92] }, file);
}

describe('each class is refused', () => {
  test.each<[string, () => Buffer, string]>([
    ['1 universal forgery: no range', () => withRange('/ByteRange null'), `${FORGED} byte_range_missing`],
    [
      '1 universal forgery: a range of nothing',
      () => withRange('/ByteRange[0 0 0 0]'),
      `${FORGED} byte_range_malformed`,
    ],
    [
      '1 universal forgery: no contents',
      () => withContents(() => '/Contents null'),
      `${FORGED} contents_missing`,
    ],
    ['2 incremental saving, with a table', () => withOtherContent(certified(2)), `${FORGED} changed_content`],
    [
      '2 incremental saving, without a table',
      () => Buffer.concat([certified(2), Buffer.from('4 0 obj\n<<>>\nendobj\n')]),
      `${FORGED} bytes_after`,
    ],
    ['3 signature wrapping: a wide gap', () => withWideGap('30'), `${FORGED} byte_range_gap`],
    ['3 signature wrapping: a copy', withCopiedSignature, `${FORGED} byte_range_gap`],
    ['4 shadow: hide', () => shadowHide().attacked, `${FORGED} update_irregular`],
    [
      '5 shadow: replace',
      () => later({ [N.font]: '<</Type/Font/Subtype/Type3/FontMatrix[1 0 0 1 0 0]>>' }),
      `${FORGED} changed_content`,
    ],
    ['7 evil annotation', () => withAnnotation(note('FreeText'), 3), `${FORGED} overlay`],
    ['8 sneaky signature', () => withSneakySignature(2), `${FORGED} overlay`],
    [
      '9 a digest that fits, and a value by another key',
      () => signed({ cms: { keys: keysOf('p256', 'evil') } }),
      'invalid SIG_CRYPTO_FAILURE signature_wrong',
    ],
    [
      '9 a value that fits, over other bytes',
      () => flipped(signed()),
      'invalid HASH_FAILURE digest_mismatch',
    ],
    [
      '10 a new field that reuses the signature of another one',
      withReusedSignature,
      `${FORGED} signature_dictionary_doubtful`,
    ],
    [
      '10 a new field that takes a signature which waited without one',
      () => withPhantomSignature('in the field'),
      `${FORGED} changed_signatures`,
    ],
    ['11 another state of a box, without its value', switchedBox, `${FORGED} changed_form`],
    [
      '12 a locked field',
      () => lockedFields('/Action/Include/Fields[(a.bc)]', '/V(1)'),
      `${FORGED} changed_locked_field`,
    ],
    [
      '12 a field beside one that may change, whose name begins with the same letters',
      () => lockedFields('/Action/Exclude/Fields[(a.b)]', '/V(1)'),
      `${FORGED} changed_locked_field`,
    ],
    [
      '13 a signature of an unknown format beside a sound one',
      () => withSecond(approved(), { subFilter: 'evil.detached' }),
      `${FORGED} format_unknown`,
    ],
    [
      '16 parsers: a doubled key',
      () => signed({ entries: '/ByteRange[0 1 2 3]' }),
      `${FORGED} signature_dictionary_doubtful`,
    ],
    [
      '16 parsers: a table that only some readers read',
      () => {
        const file = certified(2);
        const text = withOtherContent(file).subarray(file.length).toString('latin1');
        return Buffer.concat([file, Buffer.from(text.replace(' 00000 n \n', ' 00000 n\n'), 'latin1')]);
      },
      `${FORGED} update_irregular`,
    ],
    [
      '16 parsers: an object that only a search finds',
      () => withStore(certified(2), { certificates: [Buffer.from('x\n4 0 obj\n<<>>\nendobj\n')] }),
      `${FORGED} update_irregular`,
    ],
    [
      '16 parsers: the length of a linearized file',
      () => {
        const sign = (length: number) => signPdf(withLinearizedLength(length), { party: signer });
        return sign(sign(10_000).length);
      },
      `${FORGED} signature_dictionary_doubtful`,
    ],
    [
      '17 another layer is shown',
      () => later({ [N.catalog]: CATALOG('/OCProperties<</OCGs[]/D<<>>>>') }),
      `${FORGED} changed_structure`,
    ],
    [
      '17 a look in a box without an area',
      () => withSecond(certified(2), { entriesOfField: '/Rect[10 70 10 120]/F 4/AP<</N 12 0 R>>' }),
      `${FORGED} overlay`,
    ],
    [
      '18 an encryption that a later save brings',
      () => later({ 90: '<</Filter/Standard>>' }, certified(2), `${WITH_INFO}/Encrypt 90 0 R`),
      `${FORGED} changed_structure`,
    ],
    [
      '19 other glyphs for the same letters, in the fonts of the form',
      () =>
        later({ [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DR<</Font<</F 5 0 R>>>>/NeedAppearances true') }),
      `${FORGED} changed_form`,
    ],
    ['20 another attached file', () => withReplacedAttachment('91 0 R'), `${FORGED} changed_structure`],
  ])('%s', (_, make, expected) => {
    expect(judged(make())).toBe(expected);
  });

  test('6 shadow: hide and replace: the file has no signature any more', () => {
    const { attacked, chained } = shadowHideAndReplace();
    expect([verifyBytes(attacked), verifyBytes(chained)]).toEqual([[], []]);
  });

  test('12 a field whose name begins as that of a locked one is not locked', () => {
    expect(judged(lockedFields('/Action/Include/Fields[(a.b)]', '/V(1)'))).toBe('valid');
    expect(judged(lockedFields('/Action/Exclude/Fields[(a.bc)]', '/V(1)'))).toBe('valid');
  });
});

const verified = async (bytes: Buffer) => {
  const trust = trusting(root);
  const file = await verifyFile('contract.pdf', bytes, {
    trust: { named: trust, all: async () => trust },
    now: NOW,
    level: undefined,
    original: undefined,
    password: undefined,
    textOfPage: () => async () => undefined,
    compareVersions: undefined,
  });
  const exit = exitOf([file], acceptanceOf({ accept: [], require: undefined }));
  return { exit, ...fileAsJson(file) };
};

describe('what the report of a file says', () => {
  test('14 evidence that is sealed again by a key that nobody trusts names no signers', async () => {
    const text = evidenceText(evidence());
    const entry = await verified(sealedWith(text));
    expect([entry.verdict, entry.evidence?.signers]).toEqual([
      'valid',
      [expect.objectContaining({ name: 'Ada', email: 'ada@example.com' })],
    ]);
    const again = await verified(sealedWith(text, { party: certificate('Test Signer') }));
    expect([again.verdict, again.sub_indication]).toEqual(['indeterminate', 'NO_CERTIFICATE_CHAIN_FOUND']);
    expect(again.evidence).toMatchObject({ signers: [], recorded_by: 'Test Signer' });
  });

  test('15 a copy that lost its signatures is not signed, and ends badly', async () => {
    const lost = updated(
      approved(),
      { [N.catalog]: '<</Type/Catalog/Pages 2 0 R>>', [N.page]: PAGE('10 0 R') },
      WITH_INFO,
    );
    for (const file of [basePdf(), lost])
      expect(await verified(file)).toMatchObject({ verdict: 'unsigned', exit: 9 });
  });

  const metadata = (title: string) =>
    streamOf(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:d="http://purl.org/dc/elements/1.1/"><d:title><rdf:Alt><rdf:li xml:lang="x-default">${title}</rdf:li></rdf:Alt></d:title></rdf:Description></rdf:RDF></x:xmpmeta>`,
      '/Type/Metadata/Subtype/XML',
    );
  const described = (title: string) => ({ 90: metadata(title), [N.catalog]: CATALOG('/Metadata 90 0 R') });
  const titled = signPdf(updated(basePdf(), described('Lease &amp; annex'), WITH_INFO), {
    party: signer,
    trailer: WITH_INFO,
    entries: '',
  });

  test.each<[string, Buffer, string]>([
    [
      'in its metadata',
      updated(titled, described('<![CDATA[Gift]]> of &#65;'), WITH_INFO),
      'from "Lease & annex" to "Gift of A".',
    ],
    [
      'in its information',
      updated(titled, { [N.info]: '<</Title(Gift)>>' }, WITH_INFO),
      'from "Contract" to "Gift".',
    ],
    ['nowhere any more', updated(titled, { [N.info]: '<<>>' }, WITH_INFO), 'from "Contract" to none.'],
  ])('21 another title %s is a remark', async (_, file, change) => {
    const { verdict, remarks } = await verified(file);
    expect(verdict).toBe('valid');
    expect(remarks).toMatchObject([
      {
        code: 'metadata_changed',
        message: expect.stringMatching(/^A later save changed the title in the properties of the document/),
      },
    ]);
    expect(remarks[0]!.message.endsWith(change)).toBe(true);
  });

  test('21 the same title is none', async () => {
    const file = updated(titled, described('Lease  &amp;\nannex'), WITH_INFO);
    expect((await verified(file)).remarks).toEqual([]);
  });
});

describe('22 revocation data', () => {
  const OCSP_SIGNING = ['1.3.6.1.5.5.7.3.9'];
  const responder = (options = {}) =>
    certificate('Responder', { issuer: issuing, purposes: OCSP_SIGNING, ...options });
  /** Joins the level and the faults. */
  const summary = (data: { crls?: Buffer[]; ocsps?: Buffer[] }, party = signer) => {
    const file = withStore(signed({ party, tsa }), {
      certificates: [...party.chain, ...tsa.chain],
      crls: [crl(root), ...(data.crls ?? [])],
      ocsps: data.ocsps ?? [],
    });
    return [verifyBytes(file)[0]!.level, ...faultsOf(file)].join(' ');
  };
  const answer = (options: Parameters<typeof ocsp>[2]) => ({ ocsps: [ocsp(signer, issuing, options)] });
  const evil = { ...issuing, keys: keysOf('p256', 'evil') };
  const revoked = [{ party: signer, at: NOW - 2 * DAY }];

  test.each<[string, { crls?: Buffer[]; ocsps?: Buffer[] }, string]>([
    ['a sound answer', answer({ by: responder() }), 'LT'],
    ['a short key of a responder since 2026', answer({ by: responder({ kind: 'rsa' }) }), 'T'],
    ['a long key of a responder', answer({ by: responder({ kind: 'rsa3072' }) }), 'LT'],
    ['a responder that is none', answer({ by: certificate('Responder', { issuer: issuing }) }), 'T'],
    [
      'a responder that was certified with the name of the issuer alone',
      answer({ by: responder({ issuer: evil }) }),
      'T',
    ],
    ['a responder of another authority', answer({ by: responder({ issuer: root }) }), 'T'],
    [
      'a list of what is new',
      { crls: [crl(issuing, { extensions: [extension('2.5.29.27', true, int(1))] })] },
      'T',
    ],
    [
      'a list of what is new that revokes',
      { crls: [crl(issuing, { revoked, extensions: [extension('2.5.29.27', true, int(1))] })] },
      'T certificate_revoked',
    ],
  ])('%s', (_, data, expected) => {
    expect(summary(data)).toBe(expected);
  });

  test('a responder that is revoked proves nothing', () => {
    const by = responder();
    const list = crl(issuing, {
      revoked: [{ party: by, at: NOW - 3 * DAY }],
      from: NOW - 4 * DAY,
      until: NOW - 3 * DAY,
    });
    expect(summary({ ...answer({ by }), crls: [list] })).toBe('T revocation_outdated');
  });

  test('how long a responder keeps what it knows makes no expired certificate good', () => {
    const old = certificate('Old', { issuer: issuing, until: NOW - 10 * DAY });
    const remaining = extension('1.3.6.1.5.5.7.48.1.6', false, tlv(0x18, Buffer.from('20250101000000Z')));
    const ocsps = [ocsp(old, issuing, { answerExtensions: [remaining] })];
    expect(summary({ ocsps }, old)).toBe('T certificate_expired');
  });
});

const ON_HOLD = extension('2.5.29.21', false, tlv(0x0a, Buffer.from([6])));

describe('24 timestamps', () => {
  const withTokens = (...tokens: ((signature: Buffer) => Buffer)[]) =>
    signed({
      room: 12_000,
      cms: { unsigned: (signature) => tokens.map((make) => timestampAttribute(make(signature))) },
    });
  const at =
    (time: number, by = tsa) =>
    (signature: Buffer) =>
      timestampToken(by, signature, { at: time });
  const provenAt = (file: Buffer) => verifyBytes(file)[0]?.proven?.time;

  test('of several in one signature the earliest that is proven counts', () => {
    const file = withTokens(at(NOW - 1000), at(NOW - DAY), at(NOW));
    expect([judged(file), provenAt(file)]).toEqual(['valid', NOW - DAY]);
  });

  test('one of an unknown authority counts neither for nor against beside one that is proven', () => {
    const evil = authority('Evil').tsa;
    const file = withTokens(at(NOW - 9 * DAY, evil), at(NOW));
    expect([judged(file), provenAt(file)]).toEqual(['valid', NOW]);
    expect(verifyBytes(file)[0]?.level).toBe('T');
    expect(judged(withTokens(at(NOW, evil)))).toBe(
      'indeterminate NO_CERTIFICATE_CHAIN_FOUND timestamp_invalid: untrusted',
    );
  });

  const authorityOfTime = (name: string, options: CertificateOptions = {}) =>
    certificate(name, { issuer: root, purposes: [TIMESTAMPING], isPurposeCritical: true, ...options });
  const ended = authorityOfTime('Ended');
  const endedBy = (...reason: Buffer[]) =>
    crl(root, { entries: [seq(int(ended.serial), time(NOW - 99 * DAY), ...reason)] });

  test.each<[string, Party, Buffer[], string]>([
    ['is revoked', ended, [endedBy()], 'certificate_revoked'],
    ['is on hold', ended, [endedBy(seq(ON_HOLD))], 'certificate_on_hold'],
    ['has expired', authorityOfTime('Past', { until: NOW - DAY }), [], 'certificate_expired'],
    ['has a weak certificate', authorityOfTime('Weak', { hash: 'sha1' }), [], 'certificate_weak'],
  ])('one of an authority that %s counts neither for nor against', (_, by, crls, why) => {
    const stored = (file: Buffer) => withStore(file, { certificates: by.chain, crls });
    const file = stored(withTokens(at(NOW - 9 * DAY, by), at(NOW)));
    expect([judged(file), provenAt(file)]).toEqual(['valid', NOW]);
    expect(faultsOf(stored(withTokens(at(NOW - 9 * DAY, by))))).toEqual([`timestamp_invalid: ${why}`]);
  });

  test('one of another signature is wrong beside any', () => {
    expect(judged(withTokens(at(NOW), () => timestampToken(tsa, Buffer.from('x'))))).toBe(
      'invalid HASH_FAILURE timestamp_invalid: timestamp_mismatch',
    );
  });

  test('one that is younger than the one over it is not proven', () => {
    const file = withTimestamp(signed({ tsa, token: { at: NOW } }), { tsa, token: { at: NOW - DAY } });
    expect(judged(file)).toBe('indeterminate TIMESTAMP_ORDER_FAILURE timestamp_invalid: timestamp_future');
  });
});

describe('25 keys and encodings', () => {
  const honest = keysOf('rsa', 'honest');
  const modulus = BigInt(
    `0x${Buffer.from(honest.publicKey.export({ format: 'jwk' }).n!, 'base64url').toString('hex')}`,
  );
  const number = (value: bigint) => {
    const hex = value.toString(16);
    return int(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
  };
  /** Lists the faults of a signature by a certificate with this key, which another one made. */
  const byKey = (n: bigint, e: bigint) =>
    faultsOf(
      signed({
        party: certificate('Odd key', {
          issuer: issuing,
          keys: honest,
          keyInfo: seq(seq(oid('1.2.840.113549.1.1.1'), NULL), bits(seq(number(n), number(e)))),
        }),
      }),
    );

  test.each<[string, bigint, bigint]>([
    ['the exponent 1', modulus, 1n],
    ['an even exponent', modulus, 65_536n],
    ['an even modulus', 1n << 2047n, 65_537n],
    ['a modulus with a small factor', modulus * 3n, 65_537n],
    ['a modulus that anybody can factor', (1n << 300n) + 157n, 65_537n],
  ])('RSA with %s (RFC 8017)', (_, n, e) => {
    expect(byKey(n, e)).toContain('key_forgeable');
  });

  test('RSA with a usual key', () => {
    expect(byKey(modulus, 65_537n)).toEqual([]);
  });

  test('ASN.1 that is nested as deep as a file allows', () => {
    const nested = (heads: string) => Buffer.from(heads.repeat(3000), 'hex');
    for (const heads of ['3080', '30', 'a080', '3084000fffff'])
      expect(faultsOf(signed({ make: () => nested(heads), room: 20_000 }))).toEqual(['cms_malformed']);
    const bomb = extension('2.5.29.17', false, nested('3080'));
    const party = certificate('Deep', { issuer: issuing, extensions: [bomb] });
    expect(faultsOf(signed({ party, room: 20_000 }))).toEqual(['cms_malformed']);
  });

  test('a digest of another type, and two of them', () => {
    const twice = attribute('1.2.840.113549.1.9.4', octets(digest('sha256', Buffer.from('x'))));
    for (const more of [twice, attribute('1.2.840.113549.1.9.4', int(5))])
      expect(faultsOf(signed({ make: (data) => cms(signer, data, { attributes: [more] }) }))).toEqual([
        'attributes_wrong',
      ]);
  });
});

describe('25a policies', () => {
  const policies = (from: number, count: number) =>
    extension(
      '2.5.29.32',
      false,
      // In one piece: a call takes no hundred thousand arguments.
      seq(Buffer.concat(Array.from({ length: count }, (_, index) => seq(oid(`1.2.3.${from + index}`))))),
    );
  const mappings = (count: number) =>
    extension(
      '2.5.29.33',
      true,
      seq(
        ...Array.from({ length: count }, (_, index) =>
          seq(oid(`1.2.3.${index}`), oid(`1.2.3.${count + index}`)),
        ),
      ),
    );
  const demand = extension('2.5.29.36', true, seq(tlv(0x80, Buffer.from([0]))));
  const below = (issuer: typeof root, extensions: Buffer[]) =>
    certificate('Level', {
      issuer,
      isCa: true,
      keys: keysOf('p256', `level ${issuer.chain.length}`),
      extensions,
    });
  const signedBelow = (issuer: typeof root, extensions: Buffer[]) => {
    const party = certificate('Leaf', { issuer, extensions });
    const size = party.chain.reduce((sum, { length }) => sum + length, 0);
    return faultsOf(signPdf(basePdf(), { party, room: size + 8000 }));
  };

  test('each of which every authority calls by all others: a tree of them would have a branch for each way', () => {
    const six = Array.from({ length: 6 }).reduce<typeof root>(
      (issuer) => below(issuer, [demand, policies(0, 40), mappings(20)]),
      root,
    );
    // A policy that is called by another number in between does not count.
    expect(signedBelow(six, [policies(0, 20)])).toEqual(['certificate_usage']);
    expect(signedBelow(six, [policies(30, 1)])).toEqual([]);
  });

  test('of which there are a hundred thousand, and none in common', () => {
    const many = below(root, [demand, policies(0, 100_000)]);
    expect(signedBelow(many, [policies(100_000, 100_000)])).toEqual(['certificate_usage']);
  });
});

// The files that were published with the attacks, as far as a folder of foreign files has them. None of them is part of this repository.
const PUBLISHED: Record<string, string> = {
  'siwa.pdf': 'contents_malformed',
  'pdf-spoofing-attack.pdf': 'byte_range_gap',
  'pades-spoofing-replaced-reason.pdf': 'byte_range_gap',
  'modified_after_signature.pdf': 'bytes_after',
  'hide.pdf': 'update_irregular',
  'replace.pdf': 'overlay',
  'annotation-and-visible-change.pdf': 'overlay',
  'one-byterange.pdf': 'byte_range_malformed',
  'signature-gap-too-big.pdf': 'byte_range_gap',
  'tail-uncovered.pdf': 'byte_range_end',
  'weird-byterange.pdf': 'byte_range_gap',
  'form-update-override-appearance-stream-sneaky.pdf': 'changed_structure',
};

const corpus = needsCorpus();
const published = corpus.skip
  ? []
  : readdirSync(CORPUS, { recursive: true, encoding: 'utf8' }).filter((name) =>
      Object.hasOwn(PUBLISHED, basename(name)),
    );

describe.skipIf(published.length === 0)(`published files of attacks${corpus.why}`, () => {
  test.each(published)('%s', (name) => {
    const file = readFileSync(join(CORPUS, name));
    expect(verdictOf(file)).toMatch(/^invalid /);
    expect(faultsOf(file)).toContain(PUBLISHED[basename(name)]);
  });
});
