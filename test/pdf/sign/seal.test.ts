// Seals at every level, with every kind of key and of file, verified by foreign programs.

import { createHash, verify, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPdf } from '../../../src/pdf/read/read-pdf.ts';
import { textOf } from '../../../src/pdf/read/values.ts';
import { encoded } from '../../../src/pdf/sign/der.ts';
import { readCrl } from '../../../src/pdf/sign/revocation-data.ts';
import { SEAL_LEVELS, type Sealing, SealingUnavailable, sealPdf } from '../../../src/pdf/sign/seal.ts';
import {
  ConfigurableAuthority,
  daysFromNow,
  KEY_KINDS,
  type KeyKind,
  sealingWithKey,
} from '../../support/certificates/key-kinds.ts';
import { sharedServiceAuthority } from '../../support/certificates/service-authority.ts';
import {
  expectAccepted,
  needsForeignVerifiers,
  partsOfSigner,
  signaturesIn,
  signatureTimestamp,
} from '../../support/documents/foreign-verifiers.ts';
import { type Preparation, preparedPdf, SEAL_FIELD_NAME } from '../../support/documents/prepared-pdf.ts';
import { SLOW } from '../../support/tier.ts';

const foreign = needsForeignVerifiers();

describe.skipIf(foreign.skip)(`programs from elsewhere accept${foreign.why}`, () => {
  test.each(SLOW ? SEAL_LEVELS : (['LTA'] as const))('accept level %s', async (level) => {
    const { sealing, root } = await sharedServiceAuthority();
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, { ...sealing, level });
    await expectAccepted(pdf, { root, level });
  });

  const files: [string, Preparation][] = [
    ['object streams', { useObjectStreams: true }],
    ['a form that is no object of its own', { isFormDirect: true }],
    ['many pages', { pages: 40 }],
  ];
  test.each(files.slice(0, SLOW ? files.length : 1))('accept a file with %s', async (_, preparation) => {
    const { sealing, root } = await sharedServiceAuthority();
    const original = await preparedPdf(preparation);
    const pdf = await sealPdf(original, SEAL_FIELD_NAME, sealing);
    expect(Buffer.from(pdf).subarray(0, original.length).equals(original)).toBe(true);
    await expectAccepted(pdf, { root, level: 'LTA' });
  });

  const kinds: KeyKind[] = SLOW ? (Object.keys(KEY_KINDS) as KeyKind[]) : ['Ed25519'];
  test.each(kinds)('a seal with a key of the kind %s', async (kind) => {
    const { root, ...sealing } = await sealingWithKey(kind);
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, sealing);
    const knownTo = kind === 'Ed25519' ? [] : kind === 'RSA-PSS' ? (['openssl'] as const) : undefined;
    await expectAccepted(pdf, { root: root.certificate, level: 'LTA', ...(knownTo && { knownTo }) });
    if (kind === 'Ed25519') expectEd25519(pdf, sealing.signer.certificates[0]!);
  });

  test('timestamps with a longer digest, of an authority whose certificates are not known before', async () => {
    const { root, ...sealing } = await sealingWithKey();
    const stamper = await root.issue('Stamps', { kind: 'timestamps' }, KEY_KINDS['P-384']());
    const timestamps = { ...root.timestamps(stamper, { digest: 'sha512' }), certificates: [] };
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, { ...sealing, timestamps });
    await expectAccepted(pdf, { root: root.certificate, level: 'LTA' });
  });
});

function expectEd25519(pdf: Uint8Array, certificate: Uint8Array): void {
  const [seal] = signaturesIn(pdf);
  const info = partsOfSigner(seal!.contents);
  const attributes = Buffer.from(encoded(info.find(({ tag }) => tag === 0xa0)!));
  attributes[0] = 0x31;
  const { publicKey } = new X509Certificate(certificate);
  expect(verify(null, attributes, publicKey, signatureTimestamp(seal!.contents).value)).toBe(true);
  expect(attributes.includes(createHash('sha512').update(seal!.covered).digest())).toBe(true);
}

test('the file says that it is certified, and what it needs to be checked later', async () => {
  const { sealing } = await sharedServiceAuthority();
  const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, {
    ...sealing,
    reason: 'Completed',
    location: 'Graz',
  });
  const file = readPdf(pdf);
  if (!file.ok) throw new Error(file.reason);
  const { latest, sections } = file;
  const catalog = latest.dict(latest.root)!;
  const signature = latest.dict(latest.dict(catalog.get('Perms'))!.get('DocMDP'))!;
  expect(signature.get('SubFilter')).toBe('ETSI.CAdES.detached');
  expect(['Name', 'Reason', 'Location'].map((key) => textOf(signature.get(key)))).toEqual([
    'Ada & Söhne, Ltd.',
    'Completed',
    'Graz',
  ]);
  expect(textOf(signature.get('M'))).toMatch(/^D:\d{14}Z$/);
  const [reference] = latest.array(signature.get('Reference'))!;
  expect(latest.dict(reference)?.get('TransformMethod')).toBe('DocMDP');
  expect(latest.dict(latest.dict(reference)?.get('TransformParams'))?.get('P')).toBe(2);
  expect(latest.dict(latest.dict(catalog.get('Extensions'))?.get('ESIC'))?.get('BaseVersion')).toBe('1.7');
  const validation = latest.dict(catalog.get('DSS'))!;
  const data = (key: string) => latest.array(validation.get(key))!.map((item) => latest.data(item)!);
  // Company, timestamps, issuing authority and root; a list of each of the two that issue.
  expect(data('Certs').map((der) => new X509Certificate(der).subject)).toHaveLength(4);
  expect(data('CRLs').map((der) => readCrl(Buffer.from(der))?.issuer)).not.toContain(undefined);
  expect(data('CRLs')).toHaveLength(2);
  // Signature, validation data and timestamp are one update each, and change nothing that is drawn.
  expect(sections).toHaveLength(4);
  const changed = sections.slice(1).map(({ places }) => [...places.keys()].filter((number) => number <= 7));
  const catalogNumber = latest.root!.number;
  expect(changed.every((numbers) => numbers.length <= 3)).toBe(true);
  expect(changed[1]).toEqual([catalogNumber]);
});

test('a token that is larger than the room left for it is given more, and never cut', async () => {
  const { root, ...sealing } = await sealingWithKey();
  const stamper = await root.issue('Stamps', { kind: 'timestamps' });
  const many = await Promise.all(
    Array.from({ length: 40 }, (_, n) => root.issue(`Other ${n}`, { kind: 'documents' })),
  );
  const sends = [stamper.certificate, root.certificate, ...many.map(({ certificate }) => certificate)];
  const timestamps = root.timestamps(stamper, { sends });
  const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, { ...sealing, timestamps });
  const [seal, stamp] = signaturesIn(pdf);
  expect(seal?.contents.length).toBeGreaterThan(12_000);
  expect(stamp?.contents.length).toBeGreaterThan(12_000);
  expect(stamp!.range[2] + stamp!.range[3]).toBe(pdf.length);
});

test('an authority that changes its certificate has both in the validation data', async () => {
  const { root, ...sealing } = await sealingWithKey();
  const stampers = await Promise.all([1, 2].map((n) => root.issue(`Stamps ${n}`, { kind: 'timestamps' })));
  let turn = 0;
  const timestamp = (imprint: Uint8Array) => root.timestamps(stampers[turn++ % 2]!).timestamp(imprint);
  const timestamps = { digest: 'sha256' as const, certificates: [], timestamp };
  const pdf = Buffer.from(await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, { ...sealing, timestamps }));
  for (const { certificate } of stampers)
    expect(streamsOf(pdf).some((item) => item.equals(certificate))).toBe(true);
});

const streamsOf = (pdf: Buffer): Buffer[] =>
  [...pdf.toString('latin1').matchAll(/\/Length (\d+)\n>>\nstream\n/g)].map(({ index, 0: head, 1: length }) =>
    pdf.subarray(index + head.length, index + head.length + Number(length)),
  );

test.skipIf(!SLOW)('the same file, key and time give the same bytes', async () => {
  const root = await ConfigurableAuthority.make('RSA 2048');
  const { root: _, ...sealing } = await sealingWithKey('RSA 2048', root);
  const stamper = await root.issue('Stamps', { kind: 'timestamps' }, KEY_KINDS['RSA 2048']());
  const at = daysFromNow(0);
  const list = await root.list([], { from: at });
  const fixed: Sealing = {
    ...sealing,
    clock: () => at,
    timestamps: root.timestamps(stamper, { at: () => at }),
    revocationLists: async () => [list],
  };
  const pdf = await preparedPdf();
  const [first, other] = await Promise.all([1, 2].map(() => sealPdf(pdf, SEAL_FIELD_NAME, fixed)));
  expect(Buffer.from(first!).equals(other!)).toBe(true);
});

describe('a level that cannot be reached is no lower level', () => {
  const refused = async (
    change: (sealing: Sealing, root: ConfigurableAuthority) => Promise<Partial<Sealing>>,
  ) => {
    const { root, ...sealing } = await sealingWithKey();
    const changed = { ...sealing, ...(await change(sealing, root)) };
    return sealPdf(await preparedPdf(), SEAL_FIELD_NAME, changed).then(
      () => 'sealed',
      (error: unknown) => (error instanceof SealingUnavailable ? `${error.reason}: ${error.message}` : error),
    );
  };

  test('without an authority for timestamps', async () => {
    expect(
      await refused(async ({ timestamps: _, ...rest }) => ({ ...rest, timestamps: undefined as never })),
    ).toBe('timestamps: Level LTA requires a timestamp authority, but none is set.');
  });

  test('without revocation lists, with an old one, with one that is ahead, with one of another issuer', async () => {
    const missing = /^revocation: The revocation status of the certificate "Grace" is unknown/;
    expect(await refused(async () => ({ revocationLists: async () => [] }))).toMatch(missing);
    const of = (validity: object) =>
      refused(async (_, root) => ({ revocationLists: async () => [await root.list([], validity)] }));
    expect(await of({ from: daysFromNow(-9), to: daysFromNow(-1) })).toMatch(missing);
    expect(await of({ from: daysFromNow(1), to: daysFromNow(9) })).toMatch(missing);
    const other = await ConfigurableAuthority.make();
    expect(await refused(async () => ({ revocationLists: async () => [await other.list()] }))).toMatch(
      missing,
    );
  });

  test('with a certificate that was revoked, has expired, is not valid yet or is not for signatures', async () => {
    const signer = (name: string, validity: object, purpose: 'documents' | 'authority' = 'documents') =>
      refused(async (_, root) => {
        const created = await root.issue(
          name,
          purpose === 'documents' ? { kind: purpose } : { kind: purpose, pathLength: 0 },
          KEY_KINDS['P-256'](),
          validity,
        );
        return { signer: { certificates: [created.certificate, root.certificate], key: created.signing } };
      });
    expect(await signer('Old', { from: daysFromNow(-9), to: daysFromNow(-1) })).toMatch(
      /^certificate: The certificate "Old" expired at/,
    );
    expect(await signer('New', { from: daysFromNow(1) })).toMatch(
      /^certificate: The certificate "New" is not valid before/,
    );
    expect(await signer('Root', {}, 'authority')).toBe(
      'certificate: The certificate "Root" is not intended for signatures.',
    );
    const revoked = await refused(async (_, root) => {
      const created = await root.issue('Lost', { kind: 'documents' });
      return {
        signer: { certificates: [created.certificate, root.certificate], key: created.signing },
        revocationLists: async () => [await root.list([created])],
      };
    });
    expect(revoked).toBe('certificate: The certificate "Lost" was revoked.');
  });

  test('with a chain that does not reach its root', async () => {
    expect(
      await refused(async ({ signer }) => ({
        signer: { ...signer, certificates: signer.certificates.slice(0, 1) },
      })),
    ).toBe(
      'certificate: The certificate chain of the seal is incomplete: the certificate of the issuer of "Grace" is missing.',
    );
  });
});

test('a field that is not there, or signed already, is no field for a seal', async () => {
  const { root: _, ...sealing } = await sealingWithKey();
  const pdf = await preparedPdf();
  await expect(sealPdf(pdf, 'Other', sealing)).rejects.toThrow('no signature field "Other"');
  const sealed = await sealPdf(pdf, SEAL_FIELD_NAME, { ...sealing, level: 'B' });
  await expect(sealPdf(sealed, SEAL_FIELD_NAME, sealing)).rejects.toThrow('already signed');
});
