import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/service/domain/transaction.ts';
import { listUsers } from '../../src/service/store/accounts/accounts.ts';
import { openStore, type Store } from '../../src/service/store/store.ts';
import { loadTransaction } from '../../src/service/store/transactions/transactions.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { refusalOf, uploadContract } from '../support/fixtures/transactions.ts';
import { openHarness } from '../support/harness.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { SLOW } from '../support/tier.ts';

/** Operations of one process: 6 on each of its own, 5 on the contested one, one on each of the others', and attaches. */
const FIGURES = { processes: 16, own: 5, attaches: 3 };

const { processes, own, attaches } = FIGURES;
const OPERATIONS = own * 6 + 5 + processes + attaches;

const WORKER = new URL('worker.mjs', import.meta.url);

const FACTS = { now: () => new Date().toISOString(), newId: randomUUID, random: randomBytes };

type Told = { op: string; id: string; status: number; code?: string; detail?: string };

type Line = Partial<Told> & {
  ready?: true;
  opened?: { origin: string; token: string };
  contested?: string;
  failed?: string;
};

const hasOperation = (line: Line): line is Told => line.op !== undefined;
const isDone = ({ status }: Told) => status < 400;

/** Starts all processes at the same moment, as near as possible: each has loaded and waits for its line. */
async function together(children: ChildWithLines<Line>[], line: unknown): Promise<void> {
  await Promise.all(children.map((child) => child.until(({ ready }) => ready === true)));
  for (const child of children) child.tell(line);
}

const load = ({ database, keys }: Store, id: string): Promise<Transaction> =>
  database.read(async (db) => {
    const transaction = await loadTransaction(db, keys, { id });
    if (!transaction) throw new Error(`${id} is gone.`);
    return transaction;
  });

/** A service on a port of this process, in the same store, does what the others do. */
async function joinOverHttp(folder: string, contested: string[], draft: string): Promise<Told[]> {
  const harness = await openHarness('over HTTP', { folder });
  harness.clock.now = Date.now();
  const { client } = harness;
  const told: Told[] = [];
  const tell = async (op: string, id: string, call: Promise<unknown>) =>
    told.push({
      op,
      id,
      ...(await call.then(
        () => ({ status: 200 }),
        () => refusalOf(call).then(withDetail),
      )),
    });
  const token = await uploadContract(harness);
  await Promise.all(
    contested.map((id) =>
      tell(
        'cancel',
        id,
        client['transaction.cancel']({
          params: { transactionId: id },
          body: { cancelled_reason: 'By HTTP' },
        }),
      ),
    ),
  );
  await tell(
    'attach',
    draft,
    client['transaction.add_document']({ params: { transactionId: draft }, body: { token } }),
  );
  expect(harness.errors).toEqual([]);
  await harness.close();
  return told;
}

const withDetail = ({ status, code, message }: { status: number; code: string; message: string }) => ({
  status,
  code,
  detail: message,
});

describe.runIf(SLOW)(`${processes} processes on one store`, () => {
  let root: string;
  let children: ChildWithLines<Line>[] = [];
  afterEach(async () => {
    for (const child of children) child.kill();
    await rm(root, { recursive: true, force: true });
  });

  test(`do ${OPERATIONS} operations each, from its making on, and nothing gets lost`, async () => {
    root = await mkdtemp(join(tmpdir(), 'esign-processes-'));
    const folder = join(root, 'store');
    children = Array.from({ length: processes }, (_, number) =>
      startChildProcess<Line>(WORKER, folder, JSON.stringify({ number, own, attaches })),
    );
    await together(children, { open: true });
    const contested = (
      await Promise.all(children.map((child) => child.until((line) => line.contested !== undefined)))
    ).map((line) => line.contested ?? '');
    const draft = await makeDraft(folder);
    for (const child of children) child.tell({ contested, draft });
    const overHttp = await joinOverHttp(folder, contested, draft);
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(children.map(() => 0));

    const lines = children.flatMap((child) => child.lines);
    const told = [...lines.filter(hasOperation), ...overHttp];
    expect(lines.filter(({ failed }) => failed)).toEqual([]);
    for (const child of children) expect(child.lines.filter(hasOperation)).toHaveLength(OPERATIONS);

    const store = await openStore(folder, FACTS);
    await expectOneStore(store, folder, lines);
    await expectOneWinner(store, told, contested);
    await expectLedger(store, told, contested, draft);
    expect(await findInconsistencies(store)).toEqual([]);
    await store.database.close();
  });
});

async function makeDraft(folder: string): Promise<string> {
  const harness = await openHarness('in process', { folder });
  const { id } = await harness.client['transaction.create']({ body: { name: 'Everybody' } });
  await harness.close();
  return id;
}

/** The first process made it; the others found it. */
async function expectOneStore(store: Store, folder: string, lines: Line[]): Promise<void> {
  const opened = lines.flatMap((line) => line.opened ?? []);
  expect(opened).toHaveLength(processes);
  expect(new Set(opened.map(({ origin }) => origin))).toEqual(new Set([`http://127.0.0.1:${store.port}`]));
  expect(new Set(opened.map(({ token }) => token)).size).toBe(1);
  expect(await store.database.read(listUsers)).toHaveLength(1);
  const files = (await readdir(folder)).filter((name) => !/^store\.db(-wal|-shm|-count)?$/.test(name));
  expect(files.sort()).toEqual(['blobs', 'key']);
}

/** One cancelled or signed, and every other process got a refusal that names the new state. */
async function expectOneWinner(store: Store, told: Told[], contested: string[]): Promise<void> {
  for (const id of contested) {
    const fought = told.filter((one) => one.id === id && ['sign', 'cancel'].includes(one.op));
    expect(fought).toHaveLength(processes + 1);
    const winners = fought.filter(isDone);
    expect(winners).toHaveLength(1);
    const state = winners[0]?.op === 'sign' ? 'completed' : 'cancelled';
    expect((await load(store, id)).status).toBe(state);
    for (const loser of fought.filter((one) => !isDone(one)))
      expect(loser).toMatchObject({
        status: 409,
        code: 'transaction_not_started',
        detail: expect.stringContaining(` is ${state};`),
      });
  }
}

/** Everything that was answered is there, and nothing else is. */
async function expectLedger(store: Store, told: Told[], contested: string[], draft: string): Promise<void> {
  const count = (op: string) => told.filter((one) => one.op === op && isDone(one)).length;
  expect(told.filter((one) => !contested.includes(one.id) && !isDone(one))).toEqual([]);
  expect((await load(store, draft)).content.documents).toHaveLength(processes * attaches + 1);
  const rows = await store.database.read((db) =>
    db.selectFrom('transaction').select(['id', 'status']).execute(),
  );
  const withStatus = (status: string) => rows.filter((row) => row.status === status).length;
  expect(rows).toHaveLength(count('create') + 1);
  expect(count('create')).toBe(processes * (own + 1));
  expect(withStatus('completed')).toBe(count('sign'));
  expect(withStatus('cancelled')).toBe(count('cancel'));
  expect(withStatus('started')).toBe(0);
  const events = await store.database.read((db) => db.selectFrom('event').select('type').execute());
  const emitted = (type: string) => events.filter((event) => event.type === type).length;
  expect(emitted('transaction_created')).toBe(rows.length);
  expect(emitted('transaction_started')).toBe(count('start'));
  expect(emitted('recipient_submitted')).toBe(count('sign'));
  expect(emitted('transaction_completed')).toBe(count('sign'));
  expect(emitted('transaction_cancelled')).toBe(count('cancel'));
}
