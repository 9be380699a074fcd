// Measures sandboxes inside of tests (`@esign-cli/esign/testing`): how long one takes to open and to reset, how much memory many take, how many
// transactions a second are taken to their end, and what a clock that is advanced costs.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSource } from '../../scripts/load-source.js';
import { copies, openBeside } from './expiry.js';
import { median } from './median.js';
import { singleInserts, withFolder } from './service.js';

const TESTING = new URL('../../dist/testing.js', import.meta.url).href;
const SERVICE = new URL('../../dist/service.js', import.meta.url).href;
const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

const RUNS = 20;
const STORIES = Number(process.env.ESIGN_BENCH_STORIES ?? 1000);
const DUE = Number(process.env.ESIGN_BENCH_DUE ?? 100_000);
const DAY_MS = 24 * 3600 * 1000;
const MB = 1024 * 1024;

/** The same place that sandboxes are in. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const timed = async (work) => {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
};

const compare = (ours, theirs) =>
  `${(median(ours) / median(theirs)).toFixed(2)} (${median(ours).toFixed(1)} ÷ ${median(theirs).toFixed(1)} ms)`;

/** Compares a sandbox that is ready with its database alone, opened with all of its tables. */
export async function openSandbox() {
  const { createSandbox } = await import(TESTING);
  const { openSqlite, migrations } = await loadSource('test/bench/sandboxes-parts.ts');
  const openDatabase = async () => {
    const folder = mkdtempSync(join(MEMORY, 'esign-bench-'));
    let database;
    const ms = await timed(async () => {
      database = await openSqlite({ file: join(folder, 'store.db'), migrations: migrations('sqlite') });
    });
    await database.close();
    rmSync(folder, { recursive: true });
    return ms;
  };
  const open = async () => {
    let sandbox;
    const ms = await timed(async () => {
      sandbox = await createSandbox();
    });
    await sandbox.close();
    return ms;
  };
  const [ours, theirs] = [[], []];
  // What loads and compiles the code is not measured.
  for (let warm = 0; warm < 3; warm += 1) await Promise.all([open(), openDatabase()]);
  for (let run = 0; run < RUNS; run += 1) {
    ours.push(await open());
    theirs.push(await openDatabase());
  }
  return compare(ours, theirs);
}

/** Compares `reset()` of a sandbox in which a transaction was completed with opening one. */
export async function resetSandbox() {
  const { createSandbox } = await import(TESTING);
  const [resets, opens] = [[], []];
  for (let run = -3; run < RUNS; run += 1) {
    let sandbox;
    const openMs = await timed(async () => {
      sandbox = await createSandbox();
    });
    await sandbox.seed(worldOf('completed'));
    const resetMs = await timed(() => sandbox.reset());
    await sandbox.close();
    if (run < 0) continue;
    opens.push(openMs);
    resets.push(resetMs);
  }
  return compare(resets, opens);
}

const worldOf = (state, name = 'Lease') => ({
  transactions: [{ name, files: [CONTRACT], to: ['Ada <ada@example.com>'], state }],
});

/** @returns the memory of 99 more sandboxes, each of which has answered a request, beyond that of the first */
export function hundredSandboxes() {
  const program = `
    const { createSandbox } = await import(${JSON.stringify(TESTING)});
    const open = async () => {
      const sandbox = await createSandbox();
      const authorization = 'Bearer ' + await sandbox.token();
      const answer = await sandbox.fetch('/v1/transaction', {
        method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body: '{}',
      });
      if (answer.status !== 201) throw new Error(String(answer.status));
      return sandbox;
    };
    const resident = () => { gc(); gc(); return process.memoryUsage().rss; };
    const first = await open();
    const before = resident();
    const others = await Promise.all(Array.from({ length: 99 }, open));
    console.log(resident() - before);
    for (const sandbox of [first, ...others]) await sandbox.close();`;
  const printed = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', program]);
  return `${(Number(printed) / MB).toFixed(0)} MB`;
}

/** Takes transactions from nothing to their end with the headless signer, on the disk, one after the other. */
export const completeStories = () =>
  withFolder(async (dataDir) => {
    const { createSandbox } = await import(TESTING);
    const inserts = await singleInserts();
    const sandbox = await createSandbox({ dataDir });
    const rateOf = async (state, name) => {
      await sandbox.seed(worldOf(state, `${name} warm`));
      const before = process.cpuUsage();
      const ms = await timed(async () => {
        for (let story = 0; story < STORIES; story += 1)
          await sandbox.seed(worldOf(state, `${name} ${story}`));
      });
      const { user, system } = process.cpuUsage(before);
      const seconds = (user + system) / 1e6;
      return `${((STORIES * 1000) / ms).toFixed(1)}/s, ${(STORIES / seconds).toFixed(1)} per second of a core`;
    };
    const unsealed = await rateOf('rejected', 'Rejected');
    const sealed = await rateOf('completed', 'Completed');
    await sandbox.close();
    return `unsealed (rejected) ${unsealed}; sealed ${sealed}; single durable inserts ${inserts.toFixed(0)}/s`;
  });

/** Compares `clock.advance` over many times at which something is due with the same expiries without a clock that is moved. */
export async function advanceClock() {
  const advanced = await withDue(async (folder, startMs) => {
    const { createSandbox } = await import(TESTING);
    const sandbox = await createSandbox({ dataDir: folder });
    await sandbox.clock.set(startMs);
    const ms = await timed(() => sandbox.clock.advance('30d'));
    await sandbox.close();
    return ms;
  });
  const worked = await withDue(async (folder, startMs) => {
    const { createService } = await import(SERVICE);
    const service = await createService({ dataDir: folder, clock: () => startMs + 30 * DAY_MS });
    const ms = await timed(() => service.work());
    await service.close();
    return ms;
  });
  return compare([advanced], [worked]);
}

/** @param work gets a folder in which transactions are due at different times of 30 days, and when these begin */
const withDue = (work) =>
  withFolder(async (folder) => {
    const { createSandbox } = await import(TESTING);
    const sandbox = await createSandbox({ dataDir: folder, seed: worldOf('started') });
    const [{ id }] = sandbox.seeded;
    const startMs = (await sandbox.clock.now()).getTime();
    await sandbox.close();
    const database = await openBeside(folder);
    copies(database, id, 'due', DUE);
    const dueAt = (number) =>
      new Date(startMs + 1000 + Math.floor((number / DUE) * 29 * DAY_MS)).toISOString();
    const update = database.prepare('update "transaction" set expires_at = ? where id = ?');
    database.exec('begin');
    for (let number = 1; number <= DUE; number += 1) update.run(dueAt(number), `${id}-due-${number}`);
    database.exec('commit');
    const ms = await work(folder, startMs);
    const left = database
      .prepare(`select count(*) as left from "transaction" where id like ? and status <> 'expired'`)
      .get(`${id}-due-%`).left;
    database.close();
    if (left > 0) throw new Error(`${left} did not expire`);
    return ms;
  });
