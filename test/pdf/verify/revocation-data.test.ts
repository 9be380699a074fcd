// Revocation data that says less than it seems to, or more than it seems to: a list or an answer proves that a certificate is good only if all
// of it is understood, and one that names the certificate as revoked counts in any case.
import { describe, expect, test } from 'vitest';
import { effectOf, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { int, NULL, octets, oid, seq, tagged, time, tlv } from '../../support/certificates/der.ts';
import {
  attribute,
  type CertificateOptions,
  type CmsOptions,
  certificate,
  crl,
  DAY,
  extension,
  keysOf,
  NOW,
  ocsp,
  type Party,
  USAGE,
} from '../../support/certificates/pki.ts';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  type Objects,
  SEAL_FIELD,
  signPdf,
  streamOf,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, trusting, verifyBytes } from '../../support/documents/verification.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const { root, issuing, signer, tsa } = PKI;
const EARLIER = NOW - 100 * DAY;
const rita = certificate('Rita', { issuer: issuing });
const revoked = [{ party: rita, at: EARLIER }];

type Data = { crls?: Buffer[]; ocsps?: Buffer[]; certificates?: Buffer[]; party?: Party; at?: number };

/** Gives the level, or the faults, of a signature with this data beside it. */
function summary({ crls = [], ocsps = [], certificates = [], party = rita, at = NOW }: Data): string {
  const signed = signPdf(basePdf(), { party, tsa, token: { at } });
  const stored = [...party.chain, ...tsa.chain, ...certificates];
  const lists = [crl(root), ...crls];
  const [report] = verifyBytes(withStore(signed, { certificates: stored, crls: lists, ocsps }));
  const faults = report?.faults.map(({ code }) => code) ?? [];
  return faults.length > 0 ? faults.join(' ') : String(report?.level);
}

const flagged = (number: number) => seq(tlv(0x80 + number, Buffer.from([0xff])));
const point = (value: Buffer) => extension('2.5.29.28', true, value);
const uri = (name: string) => tlv(0x86, Buffer.from(name));
const place = (...names: string[]) => tagged(0, tagged(0, ...names.map(uri)));
const someReasons = point(seq(tlv(0x83, Buffer.from([6, 0x40]))));
const unknown = extension('1.2.3.4.5', true, int(5));
/** A tag of two bytes, which is not read. */
const unreadable = Buffer.from([0x9f, 0x1f, 0x00]);
const reason = (code: number) => extension('2.5.29.21', false, tlv(0x0a, Buffer.from([code])));

describe('a list', () => {
  test('proves that a certificate is good', () => {
    expect(summary({ crls: [crl(issuing)] })).toBe('LT');
    expect(summary({ crls: [crl(issuing, { revoked })] })).toBe('certificate_revoked');
  });

  test.each(
    sampleOf(
      [
        ['of what is new', [extension('2.5.29.27', true, int(4))]],
        ['for some reasons', [someReasons]],
        ['of several issuers', [point(flagged(4))]],
        ['for authorities', [point(flagged(2))]],
        ['of another place', [point(seq(tagged(0, tagged(0, tlv(0x86, Buffer.from('http://x/crl'))))))]],
        ['with a restriction that is not understood', [unknown]],
      ],
      3,
    ),
  )('%s proves nothing, but for what it names', (_, extensions) => {
    expect(summary({ crls: [crl(issuing, { extensions })] })).toBe('T');
    expect(summary({ crls: [crl(issuing), crl(issuing, { extensions, revoked })] })).toBe(
      'certificate_revoked',
    );
  });

  test.each<[string, Parameters<typeof crl>[1]]>([
    ['a restriction that cannot be read', { extensions: [extension('1.2.3.4.5', true, unreadable)] }],
    ['a place that cannot be read', { extensions: [point(Buffer.from([0x31, 3, 0x84, 1, 0xff]))] }],
    ['reasons in another form', { extensions: [point(seq(tlv(0xa3, Buffer.from([6, 0x40]))))] }],
    ['an entry with a restriction', { entries: [seq(int(7), time(EARLIER), seq(unknown))] }],
    [
      'more entries than are read',
      { entries: [seq(int(7), time(EARLIER)), Buffer.from([0x30, 0x05, 0x02])] },
    ],
  ])('with %s proves nothing', (_, options) => {
    expect(summary({ crls: [crl(issuing, options)] })).toBe('T');
  });

  test('that names a certificate twice counts from the first time on', () => {
    const entries = [seq(int(rita.serial), time(EARLIER)), seq(int(rita.serial), time(NOW + DAY))];
    expect(summary({ crls: [crl(issuing, { entries })] })).toBe('certificate_revoked');
  });

  test('does not revoke what was removed from it, or what another issuer issued', () => {
    const removed = seq(int(rita.serial), time(EARLIER), seq(reason(8)));
    expect(summary({ crls: [crl(issuing, { entries: [removed] })] })).toBe('LT');
    const ofAnother = extension('2.5.29.29', true, seq(tagged(4, root.name)));
    const entries = [seq(int(7), time(EARLIER), seq(ofAnother)), seq(int(rita.serial), time(EARLIER))];
    expect(
      summary({ crls: [crl(issuing), crl(issuing, { entries, extensions: [point(flagged(4))] })] }),
    ).toBe('LT');
  });

  test('is for a certificate that names one of its places', () => {
    const points = extension('2.5.29.31', false, seq(seq(place('http://a/crl'))));
    const party = certificate('Two places', { issuer: issuing, extensions: [points] });
    const extensions = [point(seq(place('http://b/crl', 'http://a/crl')))];
    expect(summary({ party, crls: [crl(issuing, { extensions })] })).toBe('LT');
    const list = crl(issuing, { extensions, revoked: [{ party, at: EARLIER }] });
    expect(summary({ party, crls: [list] })).toBe('certificate_revoked');
  });

  test.each<[string, Buffer[]]>(
    sampleOf(
      [
        ['some of whose reasons it is for', [place('http://a/crl'), tlv(0x81, Buffer.from([6, 0x40]))]],
        [
          'whose name has its name in it',
          [tagged(0, tagged(0, tlv(0x86, Buffer.from('http://c/'), uri('http://a/crl'))))],
        ],
        ['of whose maker it has the name', [place('http://b/crl'), tagged(2, uri('http://a/crl'))]],
        ['whose lists another makes', [place('http://a/crl'), tagged(2, tagged(4, root.name))]],
      ],
      2,
    ),
  )('is not for all of a certificate with a place %s', (_, pieces) => {
    const points = extension('2.5.29.31', false, seq(seq(...pieces)));
    const party = certificate('Odd place', { issuer: issuing, extensions: [points] });
    const extensions = [point(seq(place('http://a/crl')))];
    expect(summary({ party, crls: [crl(issuing, { extensions })] })).toBe('T');
    expect(summary({ party, crls: [crl(issuing)] })).toBe('LT');
  });

  test.each([
    ['a place', [point(flagged(2)), point(seq())]],
    ['a number', [extension('2.5.29.20', false, int(1)), extension('2.5.29.20', false, int(1))]],
  ])('with %s twice proves nothing', (_, extensions) => {
    expect(summary({ crls: [crl(issuing, { extensions })] })).toBe('T');
  });

  test('of an authority that was revoked before it made the list proves nothing', () => {
    const at = NOW - 20 * DAY;
    const lists = (from: number) => [
      crl(root, { revoked: [{ party: issuing, at: NOW - 10 * DAY }] }),
      crl(issuing, { from }),
    ];
    expect(summary({ at, crls: lists(NOW - 11 * DAY) })).toBe('LT');
    expect(summary({ at, crls: lists(NOW - DAY) })).toBe('T');
  });

  test('beside a timestamp says that the timestamp authority was revoked', () => {
    const tsaList = crl(root, { revoked: [{ party: tsa, at: EARLIER }] });
    const signed = signPdf(basePdf(), { party: rita, tsa, token: { crls: [tsaList] } });
    expect(verifyBytes(signed)[0]?.faults).toMatchObject([
      { code: 'timestamp_invalid', details: { why: 'certificate_revoked' } },
    ]);
  });
});

describe('an answer', () => {
  const responder = certificate('Responder', { issuer: issuing, purposes: ['1.3.6.1.5.5.7.3.9'] });

  test('proves that a certificate is good, also by a responder that the document has', () => {
    expect(summary({ ocsps: [ocsp(rita, issuing)] })).toBe('LT');
    const answer = ocsp(rita, issuing, { by: responder, withoutCertificate: true });
    expect(summary({ ocsps: [answer] })).toBe('T');
    expect(summary({ ocsps: [answer], certificates: [responder.der] })).toBe('LT');
  });

  test.each<[string, Parameters<typeof ocsp>[2]]>([
    ['with a restriction that is not understood', { extensions: [unknown] }],
    ['with a restriction of this certificate', { answerExtensions: [unknown] }],
    ['from the future', { producedAt: NOW + 100 * DAY }],
  ])('%s proves nothing', (_, options) => {
    expect(summary({ ocsps: [ocsp(rita, issuing, options)] })).toBe('T');
  });

  test('with a nonce proves as much as without', () => {
    const nonce = extension('1.3.6.1.5.5.7.48.1.2', true, octets(Buffer.from('n')));
    expect(summary({ ocsps: [ocsp(rita, issuing, { extensions: [nonce] })] })).toBe('LT');
  });

  test('by a responder that its issuer calls revoked proves nothing', () => {
    const ocsps = [ocsp(rita, issuing, { by: responder }), ocsp(responder, issuing, { revokedAt: EARLIER })];
    expect(summary({ ocsps })).toBe('T');
  });

  test('of a certificate about itself proves nothing', () => {
    const purposes = ['1.3.6.1.5.5.7.3.9', '1.3.6.1.5.5.7.3.4'];
    const party = certificate('Vouching', { issuer: issuing, purposes });
    expect(summary({ party, ocsps: [ocsp(party, issuing, { by: party })] })).toBe('T');
    const again = certificate('Vouching', { issuer: issuing, purposes, keys: party.keys });
    expect(summary({ party, ocsps: [ocsp(party, issuing, { by: again })] })).toBe('T');
    expect(summary({ party, ocsps: [ocsp(party, issuing, { by: responder })] })).toBe('LT');
  });

  test('that revokes at a time that cannot be read revokes for all times', () => {
    const status = tagged(1, tlv(0x18, Buffer.from('20260801000000+0000')));
    const at = NOW - 20 * DAY;
    expect(summary({ at, ocsps: [ocsp(rita, issuing, { status })] })).toBe('certificate_revoked');
  });
});

describe('a certificate on hold', () => {
  const heldEntry = (party: Party, at: number) => seq(int(party.serial), time(at), seq(reason(6)));
  const held = (at = EARLIER, from = NOW - DAY) => crl(issuing, { from, entries: [heldEntry(rita, at)] });
  const responder = certificate('Held responder', { issuer: issuing, purposes: ['1.3.6.1.5.5.7.3.9'] });
  const holding = (at: number) => tagged(1, time(at), tagged(0, tlv(0x0a, Buffer.from([6]))));

  test('is not called revoked, and its status is not known yet', () => {
    expect(summary({ crls: [held()] })).toBe('certificate_on_hold');
    expect(summary({ ocsps: [ocsp(rita, issuing, { status: holding(EARLIER) })] })).toBe(
      'certificate_on_hold',
    );
    expect(effectOf({ code: 'certificate_on_hold' })).toMatchObject({
      verdict: 'indeterminate',
      subIndication: 'TRY_LATER',
    });
  });

  test('is one as well that a list names which tells only what is new', () => {
    const extensions = [extension('2.5.29.27', true, int(1))];
    const delta = crl(issuing, { entries: [heldEntry(rita, EARLIER)], extensions });
    expect(summary({ crls: [crl(issuing, { from: NOW - 2 * DAY }), delta] })).toBe('certificate_on_hold');
  });

  test('is revoked where another list or answer says so, or another entry', () => {
    expect(summary({ crls: [held(), crl(issuing, { revoked })] })).toBe('certificate_revoked');
    expect(summary({ crls: [held()], ocsps: [ocsp(rita, issuing, { revokedAt: EARLIER })] })).toBe(
      'certificate_revoked',
    );
    const entries = [
      seq(int(rita.serial), time(EARLIER), seq(reason(6))),
      seq(int(rita.serial), time(EARLIER)),
    ];
    expect(summary({ crls: [crl(issuing, { entries })] })).toBe('certificate_revoked');
    expect(summary({ crls: [crl(issuing, { entries: [...entries].reverse() })] })).toBe(
      'certificate_revoked',
    );
    const compromised = [seq(int(rita.serial), time(EARLIER), seq(reason(1)))];
    expect(summary({ crls: [crl(issuing, { entries: compromised })] })).toBe('certificate_revoked');
  });

  test('was good before', () => {
    expect(summary({ at: NOW - 10 * DAY, crls: [held(NOW - 5 * DAY)] })).toBe('LT');
  });

  test('is good again if its issuer says so later, and only then', () => {
    expect(summary({ crls: [held(EARLIER, NOW - 2 * DAY), crl(issuing)] })).toBe('LT');
    expect(summary({ crls: [held()], ocsps: [ocsp(rita, issuing, { at: NOW - 3600_000 })] })).toBe('LT');
    expect(summary({ crls: [held(), crl(issuing, { from: NOW - 2 * DAY })] })).toBe('certificate_on_hold');
    const unsound = crl(issuing, { from: NOW - 3600_000, extensions: [unknown] });
    expect(summary({ crls: [held(), unsound] })).toBe('certificate_on_hold');
  });

  test.each<[string, Data]>([
    [
      'a list of after it expired, which need not name it any more',
      {
        party: certificate('Past', { issuer: issuing, serial: rita.serial, until: NOW - 10 * DAY }),
        at: NOW - 30 * DAY,
        crls: [
          crl(issuing, { from: NOW - 105 * DAY, until: NOW - 20 * DAY }),
          held(EARLIER, NOW - 25 * DAY),
          crl(issuing, { from: NOW - 5 * DAY }),
        ],
      },
    ],
    [
      'an answer of before, which was signed again later',
      {
        crls: [held(NOW - 2 * DAY)],
        ocsps: [ocsp(rita, issuing, { at: NOW - 3 * DAY, producedAt: NOW - 3600_000 })],
      },
    ],
    [
      'an answer of its issuer of after this was revoked',
      {
        at: NOW - 30 * DAY,
        crls: [
          crl(root, { revoked: [{ party: issuing, at: NOW - 20 * DAY }] }),
          crl(issuing, { from: NOW - 105 * DAY, until: NOW - 25 * DAY }),
          held(EARLIER, NOW - 28 * DAY),
        ],
        ocsps: [ocsp(rita, issuing, { at: NOW - 10 * DAY })],
      },
    ],
    [
      'an answer of a responder that is on hold itself',
      {
        crls: [crl(issuing, { entries: [heldEntry(rita, EARLIER), heldEntry(responder, EARLIER)] })],
        ocsps: [ocsp(rita, issuing, { by: responder, at: NOW - 3600_000 })],
      },
    ],
    [
      'a list that tells only what is new, and removes it',
      {
        crls: [
          held(),
          crl(issuing, {
            from: NOW - 3600_000,
            entries: [seq(int(rita.serial), time(NOW - 3600_000), seq(reason(8)))],
            extensions: [extension('2.5.29.27', true, int(1))],
          }),
        ],
      },
    ],
    [
      'a list of an unknown time before its own',
      {
        crls: [
          crl(issuing, {
            fromAsWritten: tlv(0x17, Buffer.from('2611211800Z')),
            entries: [heldEntry(rita, EARLIER)],
          }),
          crl(issuing),
        ],
      },
    ],
  ])('is not released by %s', (_, data) => {
    expect(summary(data)).toBe('certificate_on_hold');
  });

  test('is not released by a list of after it expired that a later save adds', () => {
    const party = certificate('Past', { issuer: issuing, until: NOW - 10 * DAY });
    const entries = [heldEntry(party, EARLIER)];
    const store = {
      certificates: [...party.chain, ...tsa.chain],
      crls: [crl(root), crl(issuing, { from: NOW - 25 * DAY, entries })],
    };
    const signed = signPdf(basePdf(), { party, tsa, token: { at: NOW - 30 * DAY } });
    const saved = updated(
      withTimestamp(withStore(signed, store), { tsa }),
      {
        [N.catalog]: CATALOG('/DSS 141 0 R'),
        140: streamOf(crl(issuing, { from: NOW - 5 * DAY })),
        141: `<</CRLs[140 0 R]/VRI<</${'AB'.repeat(20)}<<>>>>>>`,
      },
      '/Root 1 0 R/Info 11 0 R',
    );
    expect(faultsOf(saved)).toEqual(['certificate_on_hold']);
  });

  test('is revoked since then if its issuer revoked it later without a release', () => {
    const at = NOW - 30 * DAY;
    const hold = held(EARLIER, NOW - 40 * DAY);
    const gone = crl(issuing, { revoked: [{ party: rita, at: NOW - 20 * DAY }] });
    expect(summary({ at, crls: [hold, gone] })).toBe('certificate_revoked');
    expect(summary({ at, crls: [hold, crl(issuing, { from: NOW - 25 * DAY }), gone] })).toBe('LT');
  });

  test('is not called good by the list that put it on hold, also where it was released', () => {
    const released = crl(issuing, { from: NOW - DAY, until: NOW - 3600_000 });
    expect(summary({ crls: [held(EARLIER, NOW - 2 * DAY), released] })).toBe('revocation_outdated');
  });

  test('makes what it certifies doubtful, and the time of a timestamp', () => {
    const authorities = crl(root, { entries: [seq(int(issuing.serial), time(EARLIER), seq(reason(6)))] });
    expect(summary({ crls: [authorities, crl(issuing)] })).toContain('certificate_on_hold');
    const ofTsa = crl(root, { entries: [seq(int(tsa.serial), time(EARLIER), seq(reason(6)))] });
    const stamped = signPdf(basePdf(), { party: rita, tsa, token: { crls: [ofTsa] } });
    const [fault] = verifyBytes(stamped)[0]!.faults;
    expect(fault).toMatchObject({ code: 'timestamp_invalid', details: { why: 'certificate_on_hold' } });
    expect(effectOf(fault!)).toMatchObject({ verdict: 'indeterminate', subIndication: 'TRY_LATER' });
  });
});

describe('data of a time before that of the signature', () => {
  const old = (until: number) => crl(issuing, { from: NOW - 100 * DAY, until });

  test('leaves the status open, which newer data may tell', () => {
    expect(summary({ crls: [old(NOW - DAY)] })).toBe('revocation_outdated');
    expect(summary({ ocsps: [ocsp(rita, issuing, { at: NOW - 10 * DAY })] })).toBe('revocation_outdated');
    expect(effectOf({ code: 'revocation_outdated' })).toMatchObject({
      verdict: 'indeterminate',
      subIndication: 'TRY_LATER',
    });
    expect(summary({ crls: [old(NOW - DAY), crl(issuing)] })).toBe('LT');
    expect(summary({ at: NOW - 2 * DAY, crls: [old(NOW - DAY)] })).toBe('LT');
  });

  test('counts as of now where nothing proves when it was signed', () => {
    const signed = signPdf(basePdf(), { party: rita });
    const stored = withStore(signed, { certificates: rita.chain, crls: [crl(root), old(NOW - DAY)] });
    expect(faultsOf(stored)).toEqual(['revocation_outdated']);
    expect(faultsOf(stored, { now: NOW - 2 * DAY })).toEqual([]);
  });

  test('is that of the signature if it was fetched while this was made', () => {
    expect(summary({ crls: [old(NOW - 60_000)] })).toBe('T');
    expect(summary({ crls: [old(NOW - 600_000)] })).toBe('revocation_outdated');
  });

  test('says nothing if it is not relied on', () => {
    const extensions = [unknown];
    expect(summary({ crls: [crl(issuing, { from: NOW - 100 * DAY, until: NOW - DAY, extensions })] })).toBe(
      'T',
    );
  });

  test('is not waited for when the certificate has expired', () => {
    const party = certificate('Expired', { issuer: issuing, until: NOW - DAY });
    expect(summary({ party, at: NOW - 10 * DAY, crls: [old(NOW - 20 * DAY)] })).toBe('T');
  });

  test('is what documents have of a timestamp authority', () => {
    const store = { certificates: [...rita.chain, ...tsa.chain], crls: [crl(root), crl(issuing)] };
    const sealed = withTimestamp(withStore(signPdf(basePdf(), { party: rita, tsa }), store), { tsa });
    expect(verifyBytes(sealed, { now: NOW + 300 * DAY })[0]).toMatchObject({ level: 'LTA', faults: [] });
  });
});

describe('a revocation counts wherever it stands', () => {
  const good = [crl(issuing)];
  const bad = crl(issuing, { revoked });
  const badAnswer = ocsp(rita, issuing, { revokedAt: EARLIER });
  const withCms = (cms: CmsOptions, token: CmsOptions = {}): string => {
    const timestamp = cms.unsigned ? {} : { tsa, token };
    const created = signPdf(basePdf(), { party: rita, ...timestamp, cms, room: 20_000 });
    const stored = withStore(created, {
      certificates: [...rita.chain, ...tsa.chain],
      crls: [crl(root), ...good],
    });
    return (
      verifyBytes(stored)[0]
        ?.faults.map(({ code }) => code)
        .join(' ') ?? ''
    );
  };
  const archive = (...pieces: Buffer[]) => attribute('1.2.840.113583.1.1.8', seq(...pieces));
  const values = (...pieces: Buffer[]) => attribute('1.2.840.113549.1.9.16.2.24', seq(...pieces));
  const other = (response: Buffer) => tagged(1, oid('1.3.6.1.5.5.7.16.2'), response);

  test('in no place of a sound signature', () => {
    expect(withCms({})).toBe('');
  });

  test.each<[string, CmsOptions, CmsOptions]>(
    sampleOf(
      [
        ['among the lists of the signature', { crls: [bad] }, {}],
        ['as an answer among these', { crls: [other(badAnswer)] }, {}],
        ["in Acrobat's attribute", { attributes: [archive(tagged(0, seq(bad)))] }, {}],
        ["in Acrobat's attribute that is not signed", { unsigned: () => [archive(tagged(0, seq(bad)))] }, {}],
        ['as a list of an older format', { unsigned: () => [values(tagged(0, seq(bad)))] }, {}],
        ['in the timestamp', {}, { crls: [bad] }],
      ],
      7,
    ),
  )('%s', (_, cms, token) => {
    expect(withCms(cms, token)).toContain('certificate_revoked');
  });

  test('in another signature of the file', () => {
    const first = signPdf(basePdf(), { party: rita, entries: '' });
    const second = signPdf(first, {
      party: PKI.signer,
      number: 70,
      entries: '',
      objects: (number) => ({
        [N.seal]: SEAL_FIELD('/V 20 0 R'),
        71: `<</FT/Sig/T(Second)/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      }),
      trailer: '/Root 1 0 R/Info 11 0 R',
      cms: { crls: [bad] },
      room: 20_000,
    });
    expect(faultsOf(second)).toContain('certificate_revoked');
  });

  test.each<[string, Data]>([
    [
      'at a time that cannot be read',
      {
        crls: [
          ...good,
          crl(issuing, { entries: [seq(int(rita.serial), tlv(0x17, Buffer.from('2608010000Z')))] }),
        ],
      },
    ],
    ['among the answers', { crls: good, ocsps: [bad] }],
    ['among the lists', { crls: [...good, badAnswer] }],
    [
      'behind an entry that names the issuer itself',
      {
        crls: [
          ...good,
          crl(issuing, {
            entries: [
              seq(int(7), time(EARLIER), seq(extension('2.5.29.29', true, seq(tagged(4, issuing.name))))),
              seq(int(rita.serial), time(EARLIER)),
            ],
          }),
        ],
      },
    ],
    [
      'in a response about more certificates than any server speaks of',
      { crls: good, ocsps: [ocsp(rita, issuing, { revokedAt: EARLIER, times: 1001 })] },
    ],
  ])('%s', (_, data) => {
    expect(summary(data)).toBe('certificate_revoked');
  });

  const renewed = certificate('Test Issuing', { issuer: root, isCa: true, keys: keysOf('p256', 'renewed') });
  const delegate = certificate('Lists', { issuer: issuing, usage: USAGE.crlSign });
  const ofLists = extension('2.5.29.31', false, seq(seq(tagged(2, tagged(4, delegate.name)))));
  const lilian = certificate('Lilian', { issuer: issuing, extensions: [ofLists] });
  const issuedBy = (names: Buffer) => extension('2.5.29.29', true, names);
  const indirectEntry = seq(int(lilian.serial), time(EARLIER), seq(issuedBy(seq(tagged(4, issuing.name)))));
  const indirect = (by: Party, entry = indirectEntry) =>
    crl(by, { entries: [entry], extensions: [point(flagged(4))] });
  const ofRita = (...more: Buffer[]) => seq(int(rita.serial), time(EARLIER), ...more);
  const OCSP_SIGNING = ['1.3.6.1.5.5.7.3.9'];
  const responder = (options: CertificateOptions) =>
    certificate('Odd responder', { issuer: issuing, purposes: OCSP_SIGNING, ...options });
  const revokedBy = (by: Party, producedAt = NOW - DAY) => ({
    crls: good,
    ocsps: [ocsp(rita, issuing, { by, revokedAt: EARLIER, producedAt })],
  });
  const primitive = tlv(0x81, Buffer.from('20260801000000Z'));
  const late = responder({});

  test.each<[string, Data]>([
    [
      'in a list by another key of its issuer',
      { crls: [...good, crl(renewed, { revoked })], certificates: [renewed.der] },
    ],
    [
      'in an answer by another key of its issuer',
      {
        crls: good,
        ocsps: [ocsp(rita, issuing, { by: renewed, revokedAt: EARLIER })],
        certificates: [renewed.der],
      },
    ],
    [
      'in a list of who makes the lists of the certificate',
      { party: lilian, crls: [...good, indirect(delegate)], certificates: [delegate.der] },
    ],
    [
      'in a list of a time that cannot be read',
      { crls: [...good, crl(issuing, { fromAsWritten: tlv(0x17, Buffer.from('2611201800Z')), revoked })] },
    ],
    [
      'in an entry whose issuer cannot be read',
      { crls: [...good, crl(issuing, { entries: [ofRita(seq(issuedBy(unreadable)))] })] },
    ],
    [
      'in an entry that names no issuer',
      { crls: [...good, crl(issuing, { entries: [ofRita(seq(issuedBy(seq())))] })] },
    ],
    [
      'in an entry that names its issuer by an address',
      { crls: [...good, crl(issuing, { entries: [ofRita(seq(issuedBy(seq(uri('http://ca')))))] })] },
    ],
    [
      'before an entry that cannot be read',
      { crls: [...good, crl(issuing, { entries: [ofRita(), unreadable] })] },
    ],
    [
      'behind an entry that cannot be read',
      { crls: [...good, crl(issuing, { entries: [unreadable, NULL, ofRita()] })] },
    ],
    [
      'in an entry of which the end cannot be read',
      { crls: [...good, crl(issuing, { entries: [ofRita(unreadable)] })] },
    ],
    ['in an answer of a responder that is expired', revokedBy(responder({ until: NOW - 3 * DAY }))],
    ['in an answer of a responder with a weak hash', revokedBy(responder({ hash: 'sha1' }))],
    ['in an answer of a responder with a weak key', revokedBy(responder({ kind: 'rsa1024' }))],
    [
      'in an answer of a responder with a restriction',
      revokedBy(responder({ extensions: [extension('1.2.3.4', true, NULL)] })),
    ],
    ['in an answer of a responder for another use', revokedBy(responder({ usage: USAGE.nonRepudiation }))],
    [
      'in an answer of a responder that was revoked later',
      { ...revokedBy(late), crls: [...good, crl(issuing, { revoked: [{ party: late, at: NOW }] })] },
    ],
    ['in an answer in another form', { crls: good, ocsps: [ocsp(rita, issuing, { status: primitive })] }],
  ])('%s', (_, data) => {
    expect(summary(data)).toBe('certificate_revoked');
  });

  const stranger = certificate('Test Issuing', { isCa: true, keys: keysOf('p256', 'stranger') });
  const unrelated = certificate('Lists', { isCa: true, keys: keysOf('p256', 'unrelated') });

  test.each<[string, Data]>([
    [
      'in a list by a key that only has the name of its issuer',
      { crls: [...good, crl(stranger, { revoked })], certificates: [stranger.der] },
    ],
    [
      'in an answer by a key that only has the name of its issuer',
      {
        crls: good,
        ocsps: [ocsp(rita, issuing, { by: stranger, revokedAt: EARLIER })],
        certificates: [stranger.der],
      },
    ],
    [
      'in a list of one who only has the name of who makes the lists',
      { party: lilian, crls: [...good, indirect(unrelated)], certificates: [unrelated.der] },
    ],
    [
      'in a list of one who does not make the lists of the certificate',
      {
        crls: [...good, crl(delegate, { entries: [ofRita(seq(issuedBy(seq(tagged(4, issuing.name)))))] })],
        certificates: [delegate.der],
      },
    ],
    [
      'in such a list without the name of its issuer',
      {
        party: lilian,
        crls: [...good, indirect(delegate, seq(int(lilian.serial), time(EARLIER)))],
        certificates: [delegate.der],
      },
    ],
    ['in an answer of one who is no responder', revokedBy(certificate('None', { issuer: issuing }))],
    [
      'in an answer of a responder of another authority',
      revokedBy(certificate('Of root', { issuer: root, purposes: OCSP_SIGNING })),
    ],
  ])('but not %s', (_, data) => {
    expect(summary(data)).toBe('LT');
  });

  test('in a list of an authority that may not sign lists by this certificate of it', () => {
    const twin = certificate('Twin', { issuer: root, isCa: true, usage: USAGE.keyCertSign });
    const party = certificate('Below twin', { issuer: twin });
    const list = crl(twin, { revoked: [{ party, at: EARLIER }] });
    expect(summary({ party, crls: [list] })).toBe('certificate_revoked');
    expect(summary({ party, crls: [crl(twin)] })).toBe('T');
  });
});

describe('long-term validation', () => {
  const signed = () => signPdf(basePdf(), { party: rita, tsa });
  const crls = [crl(root), crl(issuing)];
  const certificates = [...rita.chain, ...tsa.chain];
  const level = (pdf: Buffer) => verifyBytes(pdf)[0]?.level;

  test('needs the data of the authority whose timestamp alone proves the time', () => {
    const other = certificate('Other TSA authority', { issuer: root, isCa: true });
    const lonely = certificate('Other TSA', {
      issuer: other,
      purposes: ['1.3.6.1.5.5.7.3.8'],
      isPurposeCritical: true,
    });
    const stored = (lists: Buffer[]) =>
      withTimestamp(
        withStore(signPdf(basePdf(), { party: rita }), {
          certificates: [...rita.chain, ...lonely.chain],
          crls: lists,
        }),
        { tsa: lonely },
      );
    expect(level(stored(crls))).toBe('T');
    expect(level(stored([...crls, crl(other)]))).toBe('LTA');
  });

  test('needs lists that are not younger than the timestamp over them', () => {
    const at = NOW - 10 * DAY;
    const old = signPdf(basePdf(), { party: rita, tsa, token: { at } });
    const young = withStore(old, { certificates, crls: [crl(root), crl(issuing, { from: NOW - DAY })] });
    expect(level(withTimestamp(young, { tsa, token: { at: at + DAY } }))).toBe('LT');
    const list = (issuer: Party) => crl(issuer, { from: at, until: NOW + DAY });
    const sound = withStore(old, { certificates, crls: [list(root), list(issuing)] });
    expect(level(withTimestamp(sound, { tsa, token: { at: at + DAY } }))).toBe('LTA');
  });

  test('needs the certificates before the timestamp', () => {
    const alone = { cms: { certificates: [rita.der] } };
    const bare = signPdf(basePdf(), { party: rita, tsa, ...alone });
    const early = withTimestamp(withStore(bare, { certificates, crls }), { tsa });
    expect(level(early)).toBe('LTA');
    const late = withStore(withTimestamp(withStore(bare, { certificates: tsa.chain, crls }), { tsa }), {
      certificates,
      crls,
    });
    expect(level(late)).toBe('LT');
    expect(level(withTimestamp(withStore(signed(), { certificates, crls }), { tsa }))).toBe('LTA');
  });
});

describe('a later save without a key', () => {
  const at = NOW - 10 * DAY;
  const good = crl(issuing, { from: NOW - 20 * DAY });
  const bad = crl(issuing, { revoked: [{ party: rita, at }] });
  const certificates = [...rita.chain, ...tsa.chain];
  const sealed = withTimestamp(
    withStore(signPdf(basePdf(), { party: rita, tsa }), { certificates, crls: [crl(root), bad] }),
    { tsa },
  );
  const named = /\/DSS (\d+) 0 R/.exec(sealed.toString('latin1'))![1]!;
  const store = new RegExp(`\\n${named} 0 obj\\s*<<([^]*?)>>\\s*endobj`).exec(sealed.toString('latin1'))![1]!;
  const lists = /\/CRLs\[([^\]]*)\]/.exec(store)![1]!;
  const ofRita = lists.match(/\d+ 0 R/g)![1]!;
  const saved = (entries: string, objects: Objects = {}) =>
    faultsOf(updated(sealed, { ...objects, [Number(named)]: `<<${entries}>>` }, '/Root 1 0 R/Info 11 0 R'));

  test('may put a fresh answer in the place of another one, and hides no revocation by it', () => {
    const answering = (party: Party, earlier: Buffer, later: Buffer | undefined, more = '') => {
      const { chain } = party;
      const store = {
        certificates: [...chain, ...tsa.chain],
        crls: [crl(root), crl(issuing)],
        ocsps: [earlier],
      };
      const file = withTimestamp(withStore(signPdf(basePdf(), { party, tsa }), store), { tsa });
      const number = Number(/\/DSS (\d+) 0 R/.exec(file.toString('latin1'))![1]);
      const text = file.toString('latin1');
      const entries = new RegExp(`\\n${number} 0 obj\\s*<<([^]*?)>>\\s*endobj`).exec(text)![1]!;
      const replaced = entries.replace(/\/OCSPs\[[^\]]*\]/, later ? `/OCSPs[150 0 R${more}]` : '');
      const objects = { ...(later && { 150: streamOf(later) }), [number]: `<<${replaced}>>` };
      return faultsOf(updated(file, objects, '/Root 1 0 R/Info 11 0 R'));
    };
    const [old, fresh] = [ocsp(signer, issuing, { at: NOW - 3 * DAY }), ocsp(signer, issuing)];
    expect(answering(signer, old, fresh)).toEqual([]);
    expect(answering(signer, old, undefined)).toEqual(['validation_data_removed']);
    expect(answering(signer, old, ocsp(rita, issuing))).toEqual(['validation_data_removed']);
    expect(answering(signer, old, Buffer.from('no answer'))).toEqual(['validation_data_removed']);
    const revoked = ocsp(rita, issuing, { revokedAt: at });
    expect(answering(rita, revoked, ocsp(rita, issuing))).toEqual(['certificate_revoked']);
  });

  test('may put a later list of the same issuer in the place of another one', () => {
    const created = (from: number, by = issuing) => crl(by, { from });
    const [old, fresh] = [created(NOW - 3 * DAY), created(NOW - DAY)];
    const replacing = (earlier: Buffer[], later: Buffer[]) => {
      const file = signPdf(withStore(basePdf(), { certificates, crls: earlier }, 200), {
        party: signer,
        trailer: '/Root 1 0 R/Info 11 0 R',
      });
      return faultsOf(withStore(file, { certificates, crls: later }, 300));
    };
    expect(replacing([old], [fresh])).toEqual([]);
    expect(
      replacing(
        [old, created(NOW - 3 * DAY, root)],
        [created(NOW - DAY, root), created(NOW - 4 * DAY), fresh],
      ),
    ).toEqual([]);
    for (const later of [[created(NOW - 4 * DAY)], [created(NOW - DAY, root)], [Buffer.from('no list')], []])
      expect(replacing([old], later)).toEqual(['validation_data_removed']);
    expect(replacing([old, created(NOW - 3 * DAY, root)], [fresh])).toEqual(['validation_data_removed']);
  });

  test('hides no revocation in another list', () => {
    expect(faultsOf(sealed)).toEqual(['certificate_revoked']);
    const others = lists.replace(ofRita, '150 0 R');
    const moved = store.replace(`/CRLs[${lists}]`, `/CRLs[${others}]/OCSPs[${ofRita}]`);
    expect(moved).not.toBe(store);
    const faults = saved(moved, { 150: streamOf(good) });
    expect(faults).toContain('certificate_revoked');
    expect(faults).toContain('validation_data_removed');
  });

  test.skipIf(!SLOW)('makes a file be refused that has more data than is read', () => {
    const objects: Objects = {};
    for (let number = 1000; number < 2000; number += 1) objects[number] = streamOf(good);
    const many = Object.keys(objects)
      .map((number) => `${number} 0 R`)
      .join(' ');
    const refused = (entries: string) =>
      verifyPdf(
        updated(sealed, { ...objects, [Number(named)]: `<<${entries}>>` }, '/Root 1 0 R/Info 11 0 R'),
        {
          trust: trusting(root),
          now: NOW,
        },
      );
    expect(refused(store)).toMatchObject({ ok: true });
    for (const key of ['CRLs', 'Certs'])
      expect(refused(store.replace(`/${key}[`, `/${key}[${many} `)), key).toMatchObject({
        reason: 'too_complex',
      });
    expect(refused(`${store}/OCSPs[${many} 1000 1 R]`)).toMatchObject({ reason: 'too_complex' });
  });

  test('hides no revocation behind a number that is the same as that of a list', () => {
    expect(saved(store.replace('/CRLs[', `/CRLs[${ofRita} ${Number.parseInt(ofRita, 10)} `))).toContain(
      'certificate_revoked',
    );
  });
});
