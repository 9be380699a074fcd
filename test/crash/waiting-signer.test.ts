// A process is killed while a recipient waits for the documents to be sealed: the transaction waits for the signature still,
// the page says so, and signing again completes it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { type BrowserClient, formsOf, openBrowserClient } from '../support/browser-client.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  startWithEveryField,
} from '../support/fixtures/signing-pages.ts';
import { eventTypesOf, readDetail } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { startChildProcess } from '../support/processes/child.ts';
import { ageBlobs, unnamedBlobs } from '../support/stores/blob-files.ts';
import { checkpointStore, copyWithoutLog } from '../support/stores/copy-store.ts';
import { sampleOf } from '../support/tier.ts';

const WORKER = new URL('waiting-signer-worker.mjs', import.meta.url);
const TWO_HOURS_MS = 2 * 60 * 60 * 1000;

type Line = { answered?: number; location?: string; settled?: true; failed?: string };

let root: string;
let prepared: string;
let id: string;
let base: string;
let jar: BrowserClient['jar'];
let form: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'esign-waiting-'));
  prepared = join(root, 'prepared');
  const harness = await openHarness('in process', { folder: prepared });
  harness.clock.now = Date.now();
  const transaction = await startWithEveryField(harness);
  const guest = await giveConsent(await openSigningPages(harness, transaction.token));
  await fillInEverything(harness, guest, transaction);
  const review = await guest.open('review');
  const { action, hidden } = formsOf(review).find((one) => one.action.endsWith('/submit'))!;
  ({ id } = transaction);
  ({ base, jar } = guest);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  form = JSON.stringify({ action, cookie, fields: hidden });
  await harness.close();
  checkpointStore(prepared);
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** The recipient's browser, at the service that was started again. */
async function cameBack(folder: string): Promise<{ harness: Harness; guest: BrowserClient }> {
  const harness = await openHarness('in process', { folder, pageWaitMs: 0 });
  harness.clock.now = Date.now();
  const guest = openBrowserClient(harness);
  for (const [name, value] of jar) guest.jar.set(name, value);
  return { harness, guest };
}

async function signAgain(guest: BrowserClient, waitedAt: string): Promise<void> {
  const waited = await guest.get(waitedAt);
  expect(waited).toMatchObject({ status: 303, location: `${base}/review?interrupted=1` });
  const review = await guest.get(waited.location!);
  expect(review.text).toContain('Nothing was signed, and your entries are still there. Sign again.');
  expect(review.text).toContain('Ada Lovelace');
  expect(await guest.send(review, `${base}/submit`, {})).toMatchObject({ status: 303 });
}

describe('a process that is killed after a recipient was told that the signature is being processed', () => {
  test.each(
    sampleOf(
      [
        ['after the blobs are written, before the commit', ['after', 'rm', '1'], 2],
        ['before the values are written', ['before', 'open', '1'], 0],
        ['before the sealed document is written', ['before', 'open', '2'], 1],
        ['before the sealed document is a blob', ['before', 'rename', '1'], 2],
        ['before the evidence is written', ['before', 'open', '3'], 2],
      ] as const,
      5,
    ),
  )('%s: nothing is signed, and the recipient signs again', async (_, step, left) => {
    const folder = join(root, step.join('-'));
    await copyWithoutLog(prepared, folder);
    const child = startChildProcess<Line>(WORKER, folder, form, ...step);
    expect(await child.ended).toBeNull();
    const location = `${base}?waited=1`;
    expect(child.lines).toEqual([{ answered: 303, location }]);
    const { harness, guest } = await cameBack(folder);
    try {
      expect(await findInconsistencies(harness.store)).toEqual([]);
      expect(await readDetail(harness, id)).toMatchObject({ status: 'started', sealed_documents: [] });
      expect(await unnamedBlobs(harness)).toHaveLength(left);
      await signAgain(guest, location);
      await harness.service.waitUntilSettled();
      expect((await guest.get(location)).text).toContain('Everyone has signed');
      expect(await readDetail(harness, id)).toMatchObject({ status: 'completed' });
      const types = await eventTypesOf(harness, id);
      expect(types.filter((type) => type === 'transaction_completed')).toHaveLength(1);
      await ageBlobs(harness, TWO_HOURS_MS);
      await harness.service.sweep();
      expect(await unnamedBlobs(harness)).toEqual([]);
      expect(await findInconsistencies(harness.store)).toEqual([]);
      expect(harness.errors).toEqual([]);
    } finally {
      await harness.close();
    }
  });
});
