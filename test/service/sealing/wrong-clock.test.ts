// A store whose authority was made by a clock that was wrong: it seals all the same, and what was trusted stays trusted.
import { randomBytes, X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import { sealPdf } from '../../../src/pdf/sign/seal.ts';
import { readCertificates, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { type Authority, rootsIn } from '../../../src/service/sealing/authority.ts';
import { checkSealing } from '../../../src/service/sealing/check-sealing.ts';
import {
  ensureAuthority,
  ensureRoot,
  readRootsOfStore,
} from '../../../src/service/sealing/embedded-sealing.ts';
import { issueServerCertificate } from '../../../src/service/sealing/loopback.ts';
import { createSealingSource } from '../../../src/service/sealing/sealing-source.ts';
import { preparedPdf, SEAL_FIELD_NAME } from '../../support/documents/prepared-pdf.ts';
import { type Harness, openHarness } from '../../support/harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.parse('2026-03-01T09:00:00.000Z');
const COMPANY = { id: '0199a3a0-0000-7000-8000-000000000001', name: 'Ada' };

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness('in process');
});
afterEach(() => harness.close());

/** The parts of whatever asks the clock of the machine, which is wrong by so many days. */
const partsAt = (days: number) => ({
  store: harness.store,
  clock: () => new Date(NOW + days * DAY_MS).toISOString(),
  isSandbox: true,
  documents: createInProcessEngine(),
  random: (count: number) => randomBytes(count),
});

async function sealAt(days: number): Promise<Uint8Array> {
  const { store, clock, random } = partsAt(days);
  const sealing = createSealingSource({
    store,
    isSandbox: true,
    clock: () => Date.parse(clock()),
    random,
    readSettings: async () => ({}),
  });
  return sealPdf(await preparedPdf(), SEAL_FIELD_NAME, await sealing(COMPANY));
}

/** Every fault of its signatures, as a program finds them that trusts the roots, at that time. */
function faultsOf(pdf: Uint8Array, roots: readonly Uint8Array[], days: number): string[] {
  const anchors = roots.flatMap((der) =>
    readCertificates(der).map((certificate) => ({ certificate, why: 'the test' })),
  );
  const report = verifyPdf(pdf, { trust: { anchors }, now: NOW + days * DAY_MS, level: 'LTA' });
  if (!report.ok) throw new Error('The PDF cannot be read.');
  expect(report.signatures.length).toBeGreaterThan(1);
  return report.signatures.flatMap(({ faults, chain }) => [
    ...faults.map(({ code }) => code),
    ...(chain?.faults ?? []).map(({ code }) => code),
  ]);
}

const rootsOf = async (): Promise<Uint8Array[]> => rootsIn(await ensureAuthority(partsAt(0)));

const validityOf = (holder: Authority['root']) => {
  const { validFrom, validTo } = new X509Certificate(Buffer.from(holder.certificate, 'base64'));
  return { from: Date.parse(validFrom), to: Date.parse(validTo) };
};

describe('an authority made by a wrong clock', () => {
  test.each([
    ['four days ahead', 4],
    ['ten days ahead', 10],
    ['ten days behind', -10],
    ['a year ahead', 366],
  ])('that was %s seals at the right time with the same certificates', async (_, days) => {
    await sealAt(days);
    const [before] = await rootsOf();
    for (const then of [0, -10, 10, 0]) expect(faultsOf(await sealAt(then), [before!], then)).toEqual([]);
    expect(await rootsOf()).toEqual([before]);
  });

  test.each([
    ['forty years ahead', 40 * 366],
    ['eleven years ahead', 11 * 366],
    ['in 1970', -(NOW / DAY_MS)],
  ])('that was %s renews its certificates for the same keys', async (_, days) => {
    await sealAt(days);
    const wrong = await ensureAuthority(partsAt(days));
    const pdf = await sealAt(0);
    const right = await ensureAuthority(partsAt(0));
    expect(right.root.certificate).not.toBe(wrong.root.certificate);
    expect([right.root.key, right.issuing.key, right.timestamps.key]).toEqual([
      wrong.root.key,
      wrong.issuing.key,
      wrong.timestamps.key,
    ]);
    for (const holder of [right.root, right.issuing, right.timestamps]) {
      expect(validityOf(holder).from).toBeLessThan(NOW - 365 * DAY_MS);
      expect(validityOf(holder).to).toBeGreaterThan(NOW + 20 * 365 * DAY_MS);
    }
    // Programs that trust the first root or the second one accept the seal.
    expect(faultsOf(pdf, [Buffer.from(right.root.certificate, 'base64')], 0)).toEqual([]);
    expect(faultsOf(pdf, [Buffer.from(wrong.root.certificate, 'base64')], 0)).toEqual([]);
    expect(right.earlierRoots).toEqual([wrong.root.certificate]);
  });

  test('gives out both roots after a renewal, the one in use first', async () => {
    await sealAt(11 * 366);
    const wrong = new X509Certificate((await readRootsOfStore(harness.folder)).certificates[0]!);
    const { pem, sha256 } = await ensureRoot(partsAt(0));
    const [first, second, ...more] = pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g)!;
    expect(more).toEqual([]);
    expect(new X509Certificate(first!).fingerprint256.replaceAll(':', '').toLowerCase()).toBe(sha256);
    expect(new X509Certificate(second!).fingerprint256).toBe(wrong.fingerprint256);
    expect(
      (await readRootsOfStore(harness.folder)).certificates.map((der) => new X509Certificate(der).toString()),
    ).toEqual([`${first}\n`, `${second}\n`]);
  });

  test('is named by the check of sealing, which writes nothing', async () => {
    await sealAt(11 * 366);
    const before = await readRootsOfStore(harness.folder);
    const finding = await checkSealing({}, partsAt(0));
    expect(finding.state).toBe('warn');
    expect(finding.says).toContain('and the clock of this machine says 2026-03-01T09:00:00.000Z');
    expect(finding.hint).toContain('esign sandbox ca export');
    expect(await readRootsOfStore(harness.folder)).toEqual(before);
    await sealAt(0);
    expect(await checkSealing({}, partsAt(0))).toMatchObject({ state: 'ok' });
  });
});

describe('a root for servers made by a wrong clock', () => {
  const issueAt = (days: number) => issueServerCertificate(['localhost'], partsAt(days));

  const isTrusted = ({ certificate }: { certificate: string }, root: string): boolean =>
    new X509Certificate(certificate).verify(new X509Certificate(root).publicKey);

  test.each([4, 10, -10])('that was off by %i days is used at the right time', async (days) => {
    const before = await issueAt(days);
    const after = await issueAt(0);
    expect(after.root).toBe(before.root);
    for (const { certificate, root } of [before, after])
      for (const pem of [certificate, root]) {
        expect(Date.parse(new X509Certificate(pem).validFrom)).toBeLessThan(NOW);
        expect(Date.parse(new X509Certificate(pem).validTo)).toBeGreaterThan(NOW + 300 * DAY_MS);
      }
  });

  test.each([11 * 366, 40 * 366, -(NOW / DAY_MS)])(
    'that was off by %i days is issued again for the same key',
    async (days) => {
      const before = await issueAt(days);
      const after = await issueAt(0);
      expect(after.root).not.toBe(before.root);
      expect(isTrusted(after, before.root)).toBe(true);
      expect(isTrusted(before, after.root)).toBe(true);
      expect(Date.parse(new X509Certificate(after.root).validFrom)).toBeLessThan(NOW);
    },
  );
});
