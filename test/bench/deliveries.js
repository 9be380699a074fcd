// Measures how fast due events reach their receivers, and how a receiver that does not answer affects others.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { watchMemory } from '../support/servers/sandbox-server.mjs';
import { openBeside } from './expiry.js';
import { median } from './median.js';
import { createCaller, startTransaction, withFolder, withService } from './service.js';

const ROUNDS = 3;
const DUE = Number(process.env.ESIGN_BENCH_DUE_DELIVERIES ?? 10_000);
/** The maximum number of concurrent deliveries to one endpoint. */
const CONNECTIONS = 32;
const LOOK_MS = 50;
const SETTLE_MS = 1500;
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

const MB = 1024 * 1024;

export const deliveryRate = () =>
  withReceiver(async (receiver) => {
    const pairs = [];
    let growth = 0;
    for (let round = 0; round <= ROUNDS; round += 1)
      await withFolder((folder) =>
        withService(folder, async (service) => {
          const database = await openBeside(folder);
          await createCaller(service)('POST', '/v1/transaction', event(receiver.url));
          await pause(SETTLE_MS);
          await receiver.seen();
          queue(database, [`${receiver.url}/hook`], DUE);
          const idle = await idleMemory(service.pid);
          const memory = watchMemory(service.pid);
          release(database);
          const { firstMs, lastMs } = await receiver.until('/hook', DUE);
          const peak = memory.stop();
          database.close();
          const ours = (DUE / (lastMs - firstMs)) * 1000;
          const theirs = await pool(receiver.url);
          // The first round warms up the compiled code.
          if (round > 0) pairs.push([ours, theirs]);
          growth = Math.max(growth, peak - idle);
        }),
      );
    const shown = pairs.map(([a, b]) => `${a.toFixed(0)} ÷ ${b.toFixed(0)}`).join(', ');
    return `${median(pairs.map(([a, b]) => a / b)).toFixed(2)}   (${shown} a second; memory +${(growth / MB).toFixed(0)} MB)`;
  });

async function idleMemory(pid) {
  const memory = watchMemory(pid);
  await pause(LOOK_MS * 2);
  return memory.stop();
}

const event = (url) => ({ name: 'Agreement', notification_endpoint: `${url}/hook` });

/** As large as a delivery. */
const pool = async (url) => {
  const body = JSON.stringify({
    created: '2026-11-21T00:00:00.000Z',
    id: '0199f1a2-0000-7000-8000-000000000000',
    type: 'transaction_created',
    data: {
      id: '0199f1a2-0000-7000-8000-000000000000',
      status: 'draft',
      created_by: { email: 'sender@esign.test', id: '0199f1a2-0000-7000-8000-000000000000' },
    },
  });
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'esign',
    'webhook-id': '0199f1a2-0000-7000-8000-000000000000',
    'webhook-timestamp': '1763683200',
    'webhook-signature': 'v1,MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=',
  };
  const options = { url: `${url}/hook`, headers, body, count: DUE, connections: CONNECTIONS };
  const { stdout } = await promisify(execFile)(process.execPath, [
    beside('pool.js'),
    JSON.stringify(options),
  ]);
  return Number(stdout);
};

const FAR = '2999-01-01T00:00:00.000Z';

let copied = 0;

/** Copies the one event of the store, each for a transaction of its own: making them one by one takes a minute. */
function queue(database, endpoints, count) {
  const columns = (table) =>
    database
      .prepare(`select name from pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name)
      .filter((name) => name !== 'seq');
  const copy = (table, values, from) => {
    const names = columns(table);
    const selected = names.map((name) => values[name] ?? `t."${name}"`);
    database.exec(`with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})
      insert into "${table}" (${names.map((name) => `"${name}"`).join()}) select ${selected.join()} from (${from}) t, numbers`);
  };
  database.exec('begin immediate');
  for (const endpoint of endpoints) {
    copied += 1;
    const tag = copied;
    const id = (what) => `t.${what} || '-${tag}-' || number`;
    const ids = { id: id('id'), transaction_id: id('transaction_id') };
    copy(
      'transaction',
      { id: id('id'), template_id: id('template_id'), notification_endpoint: `'${endpoint}'` },
      `select * from "transaction" order by length(id) limit 1`,
    );
    copy('event', ids, 'select * from event order by seq limit 1');
    copy(
      'delivery',
      {
        ...ids,
        subject_id: id('subject_id'),
        endpoint: `'${endpoint}'`,
        state: `'waiting'`,
        attempts: '0',
        due_at: `'${FAR}'`,
        lease: 'null',
        leased_until: 'null',
        done_at: 'null',
        reason: 'null',
      },
      'select * from delivery order by seq limit 1',
    );
  }
  database.exec('commit');
}

const release = (database) =>
  database.prepare('update delivery set due_at = ? where due_at = ?').run(new Date().toISOString(), FAR);

// --- Many endpoints, some of which hang ---

const ENDPOINTS = 100;
const HANGING = 10;
const EACH = 20;

export const deliveryFairness = () =>
  withReceiver(async (receiver) => {
    const healthy = Array.from({ length: ENDPOINTS - HANGING }, (_, n) => `/hook/${n}`);
    const hanging = Array.from({ length: HANGING }, (_, n) => `/hang/${n}`);
    const time = (paths) =>
      withFolder((folder) =>
        withService(folder, async (service) => {
          const database = await openBeside(folder);
          await createCaller(service)('POST', '/v1/transaction', event(receiver.url));
          await pause(SETTLE_MS);
          // Warm up, so that the first of two is not the slower one.
          queue(database, [`${receiver.url}/warm`], 500);
          release(database);
          await receiver.until('/warm', 500);
          queue(
            database,
            paths.map((path) => receiver.url + path),
            EACH,
          );
          release(database);
          const ends = [];
          const seen = {};
          while (healthy.some((path) => (seen[path]?.count ?? 0) < EACH)) {
            await pause(LOOK_MS);
            for (const [path, { count, firstMs, lastMs }] of Object.entries(await receiver.seen())) {
              seen[path] = {
                count: (seen[path]?.count ?? 0) + count,
                firstMs: seen[path]?.firstMs ?? firstMs,
                lastMs,
              };
            }
          }
          for (const path of healthy) ends.push(seen[path]);
          database.close();
          return Math.max(...ends.map((one) => one.lastMs)) - Math.min(...ends.map((one) => one.firstMs));
        }),
      );
    const pairs = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await time([...hanging, ...healthy]), await time(healthy)]);
    const shown = pairs.map(([a, b]) => `${a.toFixed(0)} ÷ ${b.toFixed(0)}`).join(', ');
    return `${median(pairs.map(([a, b]) => a / b)).toFixed(2)}   (${shown} ms)`;
  });

// --- Those who start transactions meanwhile ---

const STARTS = 500;

export const startWhileHanging = () =>
  withReceiver(async (receiver) => {
    const slowest = (path) =>
      withFolder((folder) =>
        withService(folder, async (service) => {
          const call = createCaller(service);
          const times = [];
          const timed = async (method, where, body) => {
            const startedAt = performance.now();
            const answer = await call(method, where, body);
            if (where.endsWith('/start')) times.push(performance.now() - startedAt);
            return answer;
          };
          const named = (method, where, body) =>
            timed(
              method,
              where,
              method === 'POST' && where === '/v1/transaction'
                ? { ...body, notification_endpoint: receiver.url + path }
                : body,
            );
          for (let n = 0; n < STARTS; n += 1) await startTransaction(named);
          times.splice(0, STARTS / 10);
          return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
        }),
      );
    const pairs = [];
    for (let round = 0; round < ROUNDS; round += 1)
      pairs.push([await slowest('/hang/x'), await slowest('/hook')]);
    const shown = pairs.map(([a, b]) => `${a.toFixed(1)} ÷ ${b.toFixed(1)}`).join(', ');
    return `${median(pairs.map(([a, b]) => a / b)).toFixed(2)}   (${shown} ms)`;
  });

// --- From the commit to the receiver ---

const SINGLE = 60;

export const deliveryDelay = () =>
  withReceiver((receiver) =>
    withFolder((folder) =>
      withService(folder, async (service) => {
        const call = createCaller(service);
        const times = [];
        for (let n = 0; n < SINGLE; n += 1) {
          await call('POST', '/v1/transaction', event(receiver.url));
          const answeredMs = performance.timeOrigin + performance.now();
          const { firstMs } = await receiver.until('/hook', 1);
          times.push(firstMs - answeredMs);
          await pause(LOOK_MS);
        }
        return `${median(times.slice(10)).toFixed(1)} ms after the answer to the request (slowest ${Math.max(...times.slice(10)).toFixed(1)})`;
      }),
    ),
  );

// --- The receiver ---

/** Runs a receiver of events. `until` resolves when a path was posted to so many times. */
export async function withReceiver(use) {
  const child = spawn(process.execPath, [beside('receiver.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const url = String((await once(child.stdout, 'data'))[0]);
    const seen = async () => (await fetch(`${url}/seen`)).json();
    return await use({
      url,
      seen,
      async until(path, count) {
        let all;
        for (;;) {
          const one = (await seen())[path];
          if (one)
            all = {
              count: (all?.count ?? 0) + one.count,
              firstMs: all?.firstMs ?? one.firstMs,
              lastMs: one.lastMs,
            };
          if (all && all.count >= count) return all;
          await pause(count === 1 ? 5 : LOOK_MS);
        }
      },
    });
  } finally {
    child.kill();
  }
}
