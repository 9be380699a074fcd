// Signatures that are right, made in every way that others make them, are accepted, and each is given the level it reaches.
import { describe, expect, test } from 'vitest';
import { sealPdf } from '../../../src/pdf/sign/seal.ts';
import { readCertificates, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import {
  authority,
  certificate,
  crl,
  DAY,
  type Hash,
  type Kind,
  NOW,
  ocsp,
  USAGE,
} from '../../support/certificates/pki.ts';
import { sharedServiceAuthority } from '../../support/certificates/service-authority.ts';
import { linearizedPdf } from '../../support/documents/linearized-pdf.ts';
import { preparedPdf, SEAL_FIELD_NAME as SEAL } from '../../support/documents/prepared-pdf.ts';
import {
  basePdf,
  certifying,
  FORM,
  N,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import { faultsOf, PKI, sealedPdf, verifyBytes } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const { root, issuing, signer, tsa } = PKI;

describe('algorithms', () => {
  test.each<[Kind, Hash, string]>(
    sampleOf(
      [
        ['p256', 'sha256', 'ECDSA with SHA-256'],
        ['p384', 'sha384', 'ECDSA with SHA-384'],
        ['p521', 'sha512', 'ECDSA with SHA-512'],
        ['rsa', 'sha256', 'RSA with SHA-256'],
        ['rsa', 'sha512', 'RSA with SHA-512'],
        ['pss', 'sha256', 'RSA-PSS with SHA-256'],
        ['pss', 'sha384', 'RSA-PSS with SHA-384'],
        ['ed25519', 'sha512', 'Ed25519'],
        ['ed448', 'shake256', 'Ed448'],
        ['p256', 'sha3-256', 'ECDSA with SHA3-256'],
        ['rsa', 'sha3-256', 'RSA with SHA3-256'],
        ['plain256', 'sha256', 'ECDSA with SHA-256'],
        ['plain256', 'sha3-256', 'ECDSA with SHA3-256'],
      ],
      2,
    ),
  )('%s with %s', (kind, hash, name) => {
    const party = certificate(`Signer ${kind}`, { issuer: issuing, kind });
    const [report] = verifyBytes(signPdf(basePdf(), { party, cms: { hash } }));
    expect(report).toMatchObject({ faults: [], algorithm: name, level: 'B' });
  });

  test.each<Kind>(['p384', 'plain256', 'rsa', 'pss', 'ed25519', 'ed448'])(
    'an authority whose key is %s',
    (kind) => {
      const top = certificate(`Root ${kind}`, { isCa: true, kind });
      const party = certificate('Signer below', { issuer: top });
      const file = signPdf(basePdf(), { party });
      expect(faultsOf(file, { trust: [top] })).toEqual([]);
    },
  );
});

describe('levels', () => {
  test('B, T, LT and LTA, each with why it is not higher', () => {
    const b = signPdf(basePdf(), { party: signer });
    const t = signPdf(basePdf(), { party: signer, tsa });
    const store = { certificates: [...signer.chain, ...tsa.chain], crls: [crl(root), crl(issuing)] };
    const lt = withStore(t, store);
    expect(verifyBytes(b)[0]).toMatchObject({
      faults: [],
      level: 'B',
      notHigher: ['no_timestamp'],
      proven: undefined,
    });
    expect(verifyBytes(t)[0]).toMatchObject({ faults: [], level: 'T', notHigher: ['no_validation_data'] });
    expect(verifyBytes(t)[0]?.proven).toEqual({ time: NOW, by: 'Test TSA' });
    expect(verifyBytes(lt)[0]).toMatchObject({
      faults: [],
      level: 'LT',
      notHigher: ['no_document_timestamp'],
    });
    expect(verifyBytes(sealedPdf()).map(({ kind, level, faults }) => [kind, level, faults])).toEqual([
      ['signature', 'LTA', []],
      ['timestamp', undefined, []],
    ]);
    const partly = withStore(t, { ...store, crls: [crl(root)] });
    expect(verifyBytes(partly)[0]).toMatchObject({ level: 'T', notHigher: ['revocation_unknown'] });
  });

  test('T by a document timestamp alone', () => {
    expect(verifyBytes(withTimestamp(signPdf(basePdf(), { party: signer }), { tsa }))[0]).toMatchObject({
      level: 'T',
    });
  });

  test('LT by answers of OCSP, of the issuer or of its delegate', () => {
    const responder = certificate('Responder', { issuer: issuing, purposes: ['1.3.6.1.5.5.7.3.9'] });
    for (const by of [undefined, responder]) {
      const signed = signPdf(basePdf(), { party: signer, tsa });
      const answers = [ocsp(signer, issuing, { ...(by && { by }) })];
      const lt = withStore(signed, { certificates: signer.chain, crls: [crl(root)], ocsps: answers });
      expect(verifyBytes(lt)[0], by?.name.toString()).toMatchObject({ faults: [], level: 'LT' });
    }
  });

  test('none of PAdES, and valid all the same: the older format, and what PAdES forbids', () => {
    const level = (options: Partial<Parameters<typeof signPdf>[1]>) => {
      const [report] = verifyBytes(signPdf(basePdf(), { party: signer, ...options }));
      return [report?.faults, report?.level, report?.notHigher];
    };
    expect(level({ subFilter: 'adbe.pkcs7.detached' })).toEqual([[], undefined, ['not_pades']]);
    expect(level({ cms: { signingTime: NOW } })).toEqual([[], undefined, ['signing_time']]);
    expect(level({ entries: '/Cert(x)' })).toEqual([[], undefined, ['certificate_entry']]);
  });

  test('the format of PAdES without the certificate among what is signed is refused: another for the same key could take its place', () => {
    const cms = { withoutCertificateId: true };
    expect(faultsOf(signPdf(basePdf(), { party: signer, cms }))).toEqual(['attributes_missing']);
    expect(faultsOf(signPdf(basePdf(), { party: signer, cms, subFilter: 'adbe.pkcs7.detached' }))).toEqual(
      [],
    );
  });
});

describe('time', () => {
  test('an expired certificate whose use before is proven', () => {
    const party = certificate('Short', { issuer: issuing, until: NOW - 10 * DAY });
    const token = { at: NOW - 11 * DAY };
    expect(faultsOf(signPdf(basePdf(), { party, tsa, token }))).toEqual([]);
    expect(faultsOf(signPdf(basePdf(), { party }))).toEqual(['certificate_expired']);
    expect(faultsOf(signPdf(basePdf(), { party }), { now: NOW - 20 * DAY })).toEqual([]);
  });

  test('an expired timestamp authority under a later timestamp of another', () => {
    const old = authority('Old');
    const early = certificate('Early TSA', {
      issuer: old.root,
      purposes: ['1.3.6.1.5.5.7.3.8'],
      isPurposeCritical: true,
      until: NOW - 10 * DAY,
    });
    const signed = signPdf(basePdf(), { party: old.signer, tsa: early, token: { at: NOW - 30 * DAY } });
    const trust = [old.root, root];
    expect(faultsOf(signed, { trust })).toEqual(['timestamp_invalid: certificate_expired']);
    const remaining = withTimestamp(signed, { tsa, token: { at: NOW - 11 * DAY } });
    expect(faultsOf(remaining, { trust })).toEqual([]);
    expect(verifyBytes(remaining, { trust })[0]?.proven?.time).toBe(NOW - 30 * DAY);
  });

  test('a document timestamp whose authority expired, under a later one', () => {
    const early = certificate('Earlier TSA', {
      issuer: root,
      purposes: ['1.3.6.1.5.5.7.3.8'],
      isPurposeCritical: true,
      until: NOW - 10 * DAY,
    });
    const first = withTimestamp(signPdf(basePdf(), { party: signer }), {
      tsa: early,
      token: { at: NOW - 30 * DAY },
    });
    expect(faultsOf(first)).toEqual(['certificate_expired']);
    const second = withTimestamp(first, {
      tsa,
      number: 65,
      token: { at: NOW - 11 * DAY },
      fields: '7 0 R 9 0 R 61 0 R',
      annotations: `${PAGE_ANNOTATIONS} 61 0 R`,
    });
    expect(faultsOf(second)).toEqual([]);
    expect(verifyBytes(second)[0]?.proven?.time).toBe(NOW - 30 * DAY);
  });

  test('a certificate that was revoked after the proven time', () => {
    const revoked = [{ party: signer, at: NOW - DAY }];
    const store = {
      certificates: signer.chain,
      crls: [crl(issuing, { revoked, from: NOW - 3600_000 }), crl(root)],
    };
    const before = signPdf(basePdf(), { party: signer, tsa, token: { at: NOW - 2 * DAY } });
    expect(faultsOf(withStore(before, store))).toEqual([]);
    const after = signPdf(basePdf(), { party: signer, tsa });
    expect(faultsOf(withStore(after, store))).toEqual(['certificate_revoked']);
    // Without a proven time the signature may have been made yesterday.
    expect(faultsOf(withStore(signPdf(basePdf(), { party: signer }), store))).toEqual([
      'certificate_revoked',
    ]);
  });
});

describe('what may follow a signature', () => {
  const certified = (level: number) => signPdf(basePdf(), { party: signer, entries: certifying(level) });
  const filledIn = {
    [N.text]: TEXT_FIELD('/V(1000)'),
    [N.textLook]: streamOf('BT (1000) Tj ET', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]'),
  };

  test('nothing, validation data and timestamps, whatever the certification allows', () => {
    for (const level of [1, 2, 3]) {
      const store = withStore(certified(level), { certificates: signer.chain });
      expect(faultsOf(withTimestamp(store, { tsa })), `P ${level}`).toEqual([]);
    }
    const reports = verifyBytes(sealedPdf());
    expect(reports[0]?.changes.map(({ kind }) => kind)).toEqual(['validation_data', 'timestamp']);
    expect(reports[1]?.covers?.isWholeFile).toBe(true);
    const saves = (report = reports[0]) =>
      report?.laterSaves.map(({ changes, ...save }) => ({
        ...save,
        changes: changes.map(({ kind }) => kind),
      }));
    expect(saves()).toEqual([
      { number: 3, field: undefined, object: undefined, changes: ['validation_data'] },
      { number: 4, field: 'Timestamp60', object: 60, changes: ['timestamp'] },
    ]);
    expect(saves(reports[1])).toEqual([]);
  });

  test('saves of a file that is written for the web, whose first version has two sections', () => {
    const file = signPdf(linearizedPdf(), { party: signer });
    const [report] = verifyBytes(withStore(file, { certificates: signer.chain }));
    expect(report).toMatchObject({ faults: [], laterSaves: [{ number: 3 }] });
  });

  test('an empty field that is filled in, with its look', () => {
    for (const file of [certified(2), certified(3), signPdf(basePdf(), { party: signer, entries: '' })]) {
      const [report] = verifyBytes(updated(file, filledIn));
      expect(report).toMatchObject({ faults: [] });
      expect(report?.changes).toEqual([
        { kind: 'form_filled', field: 'amount', after: '1000', objects: [N.text] },
      ]);
    }
    expect(faultsOf(updated(certified(1), filledIn))).toContain('changed_form');
  });

  test('a second signature, in a field of its own that is seen only in a document that is not certified', () => {
    const second = (file: Buffer, rect: string, appearance = '/AP<</N 12 0 R>>') =>
      signPdf(file, {
        party: signer,
        number: 70,
        entries: '',
        objects: (number) => ({
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[${rect}]/F 4/P 3 0 R/V ${number} 0 R${appearance}>>`,
          [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
          [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
        }),
      });
    const approved = signPdf(basePdf(), { party: signer, entries: '' });
    expect(faultsOf(second(approved, '10 100 100 140'))).toEqual([]);
    expect(faultsOf(second(certified(2), '0 0 0 0', ''))).toEqual([]);
    expect(faultsOf(second(certified(2), '10 100 100 140', ''))).toEqual([]);
    expect(faultsOf(second(certified(2), '10 100 100 140'))).toEqual(['overlay']);
    expect(faultsOf(second(certified(1), '0 0 0 0', ''))).toEqual(['changed_signatures']);
    expect(verifyBytes(second(approved, '10 100 100 140'))[0]?.changes).toMatchObject([
      { kind: 'signature', field: 'Second' },
    ]);
  });

  test('a note where the certification allows notes, and metadata', () => {
    const note = '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(Hm)/P 3 0 R>>';
    const noted = (file: Buffer) => updated(file, { 80: note, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) });
    expect(faultsOf(noted(certified(3)))).toEqual([]);
    expect(faultsOf(noted(certified(2)))).toEqual(['changed_annotations']);
    const titled = updated(certified(2), { [N.info]: '<</Title(Other)>>' }, '/Root 1 0 R/Info 11 0 R');
    expect(verifyBytes(titled)[0]).toMatchObject({ faults: [], changes: [{ kind: 'metadata' }] });
  });

  test('the same objects again', () => {
    const again = updated(certified(2), { [N.font]: '<</BaseFont/Helvetica/Type/Font/Subtype/Type1>>' });
    expect(verifyBytes(again)[0]).toMatchObject({ faults: [], changes: [] });
    expect(verifyBytes(updated(certified(2), { 90: streamOf('unused') }))[0]).toMatchObject({
      faults: [],
      changes: [],
    });
  });
});

describe('certificates', () => {
  test('of a person who trusts the signer itself, and one whose usage is another kind of signing', () => {
    const alone = certificate('Alone');
    expect(faultsOf(signPdf(basePdf(), { party: alone }), { trust: [alone] })).toEqual([]);
    const committed = certificate('Committed', {
      issuer: issuing,
      usage: USAGE.nonRepudiation,
      purposes: ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.2'],
    });
    expect(faultsOf(signPdf(basePdf(), { party: committed }))).toEqual([]);
  });

  test('that come in the store of the document', () => {
    const signed = signPdf(basePdf(), { party: signer, cms: { certificates: [signer.der] } });
    expect(faultsOf(signed)).toEqual(['untrusted']);
    expect(faultsOf(withStore(signed, { certificates: [issuing.der] }))).toEqual([]);
  });

  test('are read from PEM with several, and from DER', () => {
    const pem = (der: Buffer) =>
      `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
    expect(readCertificates(Buffer.from(pem(root.der) + pem(issuing.der))).map(({ name }) => name)).toEqual([
      'Test Root',
      'Test Issuing',
    ]);
    expect(readCertificates(root.der)).toHaveLength(1);
    expect(readCertificates(Buffer.from('hello'))).toHaveLength(0);
  });
});

describe('our own seals', () => {
  test.each(sampleOf(['B', 'T', 'LT', 'LTA'] as const, 2))(
    'level %s, of files with and without object streams',
    async (level) => {
      const serviceAuthority = await sharedServiceAuthority();
      const anchors = readCertificates(serviceAuthority.root).map((certificate) => ({
        certificate,
        why: 'the test',
      }));
      for (const useObjectStreams of [false, true]) {
        const prepared = await preparedPdf({ useObjectStreams, pages: 3 });
        const pdf = await sealPdf(prepared, SEAL, { ...serviceAuthority.sealing, level });
        const report = verifyPdf(pdf, { trust: { anchors }, now: Date.now() + 1000, level });
        expect(report.ok && report.signatures[0]).toMatchObject({ faults: [], level, certification: 'form' });
      }
    },
  );
});

describe('files', () => {
  test('of two signatures report each on its own', () => {
    const first = signPdf(basePdf(), { party: signer, entries: '' });
    const both = signPdf(first, {
      party: signer,
      number: 70,
      entries: '/Reason(Second)',
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[0 0 0 0]/P 3 0 R/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
      }),
    });
    expect(
      verifyBytes(both).map(({ field, claims, covers }) => [field, claims.reason, covers?.isWholeFile]),
    ).toEqual([
      ['Seal', undefined, false],
      ['Second', 'Second', true],
    ]);
  });

  test('without signatures, or with empty signature fields', () => {
    const report = verifyPdf(basePdf(), { trust: { anchors: [] }, now: NOW });
    expect(report).toMatchObject({ ok: true, signatures: [], emptyFields: ['Seal'] });
  });
});
