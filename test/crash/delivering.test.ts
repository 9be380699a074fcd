// The process that delivers is killed again and again: every event arrives nevertheless, with one id and the same bytes each
// time, and in the order of its transaction.
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { notificationSecretOf } from '../../src/service/store/delivery/webhooks.ts';
import { OWN_CLIENT, openStore } from '../../src/service/store/store.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { FULL, SLOW } from '../support/tier.ts';

const KILLS = FULL ? 25 : 4;
/** Four events each, and a draft with one for each of eight more. */
const TRANSACTIONS_A_ROUND = 8;
/** Requests of a round, which is killed after any number of them, while what they caused is being delivered. */
const REQUESTS_A_ROUND = TRANSACTIONS_A_ROUND * 16;
const KILLED_WITHIN_MS = 100;
const AHEAD_MS = 24 * 60 * 60 * 1000;

type Line = { open?: true; answered?: number; done?: true; failed?: string };

const FACTS = { now: () => new Date().toISOString(), newId: randomUUID, random: randomBytes };

describe.runIf(SLOW)('a server that is killed while it delivers', () => {
  let folder: string;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'esign-delivering-'));
    receiver = await startWebhookReceiver();
    let count = 0;
    receiver.answer = (_, response) => {
      count += 1;
      const answer = () => response.writeHead(count % 7 === 0 ? 500 : 204).end();
      if (count % 3 === 0) setTimeout(answer, 20);
      else answer();
    };
  });
  afterEach(async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (transactions: number, aheadMs: number): ChildWithLines<Line> =>
    startChildProcess<Line>(
      new URL('delivering-worker.mjs', import.meta.url),
      folder,
      JSON.stringify({ receiver: receiver.url, transactions, aheadMs }),
    );

  const open = () => openStore(folder, FACTS);

  async function waiting(): Promise<number> {
    const store = await open();
    const rows = await store.database.read((db) =>
      db.selectFrom('delivery').select('id').where('state', '=', 'waiting').execute(),
    );
    await store.database.close();
    return rows.length;
  }

  test(`loses no event in ${KILLS} kills`, { timeout: 400_000 }, async () => {
    const failures: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = start(TRANSACTIONS_A_ROUND, 0);
      await child.until(({ open: isOpen }) => isOpen === true);
      const requests = Math.floor(Math.random() * REQUESTS_A_ROUND);
      await child.until(({ answered = 0, done }) => answered >= requests || done === true);
      await after(Math.random() * KILLED_WITHIN_MS);
      child.kill();
      await child.ended;
      failures.push(...child.lines.flatMap(({ failed }) => failed ?? []));
    }
    receiver.answer = (_, response) => response.writeHead(204).end();
    const last = start(0, AHEAD_MS);
    await last.until(({ done }) => done === true);
    while ((await waiting()) > 0) await after(100);
    last.kill();
    await last.ended;
    expect(failures).toEqual([]);

    const store = await open();
    const events = await store.database.read((db) =>
      db.selectFrom('event').select(['id', 'transaction_id', 'type']).orderBy('seq').execute(),
    );
    expect(await findInconsistencies(store)).toEqual([]);
    await store.database.close();
    expect(events.length).toBeGreaterThan(20 * KILLS);

    const arrived = new Map<string, string>();
    for (const { id, body } of receiver.received) {
      expect(arrived.get(id) ?? body).toBe(body);
      arrived.set(id, body);
    }
    expect([...arrived.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
    expect(receiver.verified(notificationSecretOf(store.keys, OWN_CLIENT.id, 0)).length).toBeGreaterThan(0);
    for (const transaction of new Set(events.map(({ transaction_id }) => transaction_id))) {
      const happened = events.filter((one) => one.transaction_id === transaction).map(({ id }) => id);
      expect([...arrived.keys()].filter((id) => happened.includes(id))).toEqual(happened);
    }
  });
});
