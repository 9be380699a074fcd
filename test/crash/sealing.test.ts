// A process that is killed while the last signature is taken: the transaction waits for it still, or is completed and has its
// sealed documents. Never anything in between, at whichever step.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService } from '../../src/service/service.ts';
import { openStore } from '../../src/service/store/store.ts';
import { loadTransaction } from '../../src/service/store/transactions/transactions.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { startTransaction } from '../support/fixtures/transactions.ts';
import { openHarness } from '../support/harness.ts';
import { startChildProcess } from '../support/processes/child.ts';
import { checkpointStore, copyWithoutLog } from '../support/stores/copy-store.ts';
import { SLOW, shareOf } from '../support/tier.ts';

const WORKER = new URL('sealing-worker.mjs', import.meta.url);
const FACTS = { now: () => new Date().toISOString(), newId: randomUUID, random: randomBytes };

type Line = { killedBefore?: string; answered?: number; steps?: string[]; failed?: string; body?: unknown };

let root: string;
let prepared: string;
let id: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'esign-sealing-'));
  prepared = join(root, 'prepared');
  const harness = await openHarness('in process', { folder: prepared });
  ({ id } = await startTransaction(harness));
  await harness.close();
  checkpointStore(prepared);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function killedAt(number: number): Promise<Line> {
  const folder = join(root, `killed-${number}`);
  await copyWithoutLog(prepared, folder);
  const child = startChildProcess<Line>(WORKER, folder, id, `${number}`);
  await child.ended;
  const said = child.lines.at(-1) ?? {};
  expect(child.lines.filter(({ failed }) => failed !== undefined)).toEqual([]);
  const store = await openStore(folder, FACTS);
  try {
    expect(await findInconsistencies(store), `killed before step ${number}`).toEqual([]);
    const transaction = await store.database.read((db) => loadTransaction(db, store.keys, { id }));
    const { status, sealed_documents } = transaction!;
    expect(['started 0', 'completed 1']).toContain(`${status} ${sealed_documents.length}`);
    if (said.answered !== undefined) expect(status, JSON.stringify(said.body)).toBe('completed');
    await signAgain(store, status);
  } finally {
    await store.database.close();
    await rm(folder, { recursive: true, force: true });
  }
  return said;
}

/** A signer who got no answer tries again: the transaction is completed once. */
async function signAgain(store: Awaited<ReturnType<typeof openStore>>, status: string): Promise<void> {
  const service = await createService({ store });
  const response = await service.fetch(
    new Request(`${service.origin}/_sandbox/transaction/${id}/sign`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-esign-control': service.controlSecret },
      body: '{}',
    }),
  );
  expect(response.status).toBe(status === 'started' ? 200 : 409);
  expect(await findInconsistencies(store)).toEqual([]);
}

describe('a process that is killed while it seals', () => {
  test.skipIf(!SLOW)(
    'before each of its steps on the disk',
    async () => {
      const whole = await killedAt(0);
      expect(whole).toMatchObject({ answered: 200 });
      const steps = whole.steps ?? [];
      expect(steps).toEqual(expect.arrayContaining(['open', 'sync', 'rename']));
      const inShare = shareOf([...steps.keys()], 5);
      // At a landing, the last step of each kind as well.
      const kinds = new Set<string | undefined>();
      for (const [index, kind] of steps.entries())
        if (inShare.includes(index) || index === steps.lastIndexOf(kind))
          kinds.add((await killedAt(index + 1)).killedBefore);
      expect([...kinds]).toEqual(expect.arrayContaining(['open', 'sync', 'rename']));
    },
    600_000,
  );
});
