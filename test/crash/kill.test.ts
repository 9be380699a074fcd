import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/service/domain/transaction.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { openStore, type Store } from '../../src/service/store/store.ts';
import { loadTransaction } from '../../src/service/store/transactions/transactions.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { FULL, SLOW } from '../support/tier.ts';
import {
  type Answer,
  type Attempt,
  enter,
  type Ledger,
  type Line,
  readLines,
  settle,
  type Told,
} from './ledger.ts';

const STORES = FULL ? 6 : 1;
const KILLS_PER_STORE = 10;
const KILLED_WITHIN_MS = 60;
const ACKNOWLEDGEMENTS = 10;
const LAST_TURNS = 30;

const WORKER = new URL('worker.mjs', import.meta.url);

const FACTS = { now: () => new Date().toISOString(), newId: randomUUID, random: randomBytes };

type Round = { folder: string; round: number; ledger: Ledger; turns: number | null };

function startWorker({ folder, round, ledger, turns }: Round): ChildWithLines<Line> {
  const isUnfinished = (id: string) => ['draft', 'started'].includes(ledger.get(id)?.status ?? '');
  const unfinished = [...ledger.keys()].filter(isUnfinished).slice(-6);
  return startChildProcess<Line>(WORKER, folder, JSON.stringify({ round, unfinished, turns }));
}

/** Kills the first process of a store while the store is made, and each later one a moment after some acknowledgements. */
async function killSometime(child: ChildWithLines<Line>, round: number): Promise<void> {
  let left = 1 + Math.floor(Math.random() * ACKNOWLEDGEMENTS);
  await child.until(({ opening, answered }) => {
    if (round === 0) return opening === true;
    if (answered !== undefined) left -= 1;
    return left === 0;
  });
  await after(Math.random() * KILLED_WITHIN_MS);
  child.kill();
  await child.ended;
}

const allOf = ({ database, keys }: Store): Promise<Transaction[]> =>
  database.read(async (db) => {
    const all: Transaction[] = [];
    for (const { id } of await db.selectFrom('transaction').select('id').execute()) {
      const transaction = await loadTransaction(db, keys, { id });
      if (transaction) all.push(transaction);
    }
    return all;
  });

async function ask(
  { fetch, origin, ownToken }: Service,
  { method, path, body, key }: Attempt,
): Promise<{ status: number; body: Answer }> {
  const headers = {
    authorization: `Bearer ${ownToken}`,
    'content-type': 'application/json',
    'idempotency-key': key ?? '',
  };
  const response = await fetch(
    new Request(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
  return { status: response.status, body: (await response.json()) as Answer };
}

/** What was answered is answered again, and what was under way is done now, if it was not: once. */
async function repeat(service: Service, { done, open }: Told): Promise<string[]> {
  const violations: string[] = [];
  for (const { attempt, answer } of done.filter((one) => one.attempt.key)) {
    const again = await ask(service, attempt);
    if (JSON.stringify(again.body) !== JSON.stringify(answer))
      violations.push(`${attempt.key}: ${JSON.stringify(answer)} became ${JSON.stringify(again.body)}`);
  }
  for (const attempt of open.filter(({ key }) => key)) {
    const now = await ask(service, attempt);
    if (now.status >= 400) violations.push(`${attempt.key} cannot be repeated: ${JSON.stringify(now.body)}`);
  }
  return violations;
}

/** Tokens that were handed out are worth something. */
async function tokenViolations({ fetch, origin }: Service, { done }: Told): Promise<string[]> {
  const violations: string[] = [];
  for (const { answer } of done.filter(({ attempt }) => attempt.op === 'exchange')) {
    const headers = { authorization: `Bearer ${answer.access_token}` };
    const { status } = await fetch(new Request(`${origin}/v1/template?limit=1&page=1`, { headers }));
    if (status !== 200) violations.push(`an issued token is answered ${status}`);
  }
  return violations;
}

/** Opens what the child left, and compares it with what the child said. */
async function examine(folder: string, ledger: Ledger, lines: Line[]): Promise<string[]> {
  const told = readLines(lines);
  for (const { attempt, answer } of told.done) enter(ledger, attempt, answer);
  const store = await openStore(folder, FACTS);
  const errors: unknown[] = [];
  const service = await createService({ store, onError: (error) => errors.push(error) });
  try {
    const sound = async () => [
      ...(await findInconsistencies(store)),
      ...settle(ledger, told.open, await allOf(store)),
    ];
    const violations = [...told.failures, ...(await sound()), ...(await tokenViolations(service, told))];
    violations.push(...(await repeat(service, told)), ...(await sound()));
    return [...violations, ...errors.map(String)];
  } finally {
    await service.close();
  }
}

describe.skipIf(!SLOW)('a process that is killed', () => {
  let child: ChildWithLines<Line> | undefined;
  let folder: string;
  afterEach(async () => {
    child?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  test(`loses nothing it acknowledged and leaves nothing half done, ${STORES * KILLS_PER_STORE} times`, async () => {
    let acknowledged = 0;
    for (let number = 0; number < STORES; number += 1) {
      // On a disk, not in memory: a commit that takes its time is easier to hit.
      folder = await mkdtemp(join(tmpdir(), 'esign-crash-'));
      const ledger: Ledger = new Map();
      for (let round = 0; round < KILLS_PER_STORE; round += 1) {
        child = startWorker({ folder, round, ledger, turns: null });
        await killSometime(child, round);
        expect(await examine(folder, ledger, child.lines)).toEqual([]);
        acknowledged += readLines(child.lines).done.length;
      }
      child = startWorker({ folder, round: KILLS_PER_STORE, ledger, turns: LAST_TURNS });
      expect(await child.ended).toBe(0);
      expect(await examine(folder, ledger, child.lines)).toEqual([]);
      expect(readLines(child.lines)).toMatchObject({ open: [], failures: [] });
      await rm(folder, { recursive: true, force: true });
    }
    expect(acknowledged).toBeGreaterThanOrEqual(STORES * (KILLS_PER_STORE - 1));
  });
});
