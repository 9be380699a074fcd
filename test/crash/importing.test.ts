// A process that replaces the state of a sandbox by that of a file is killed at any moment: the sandbox has the state before, or the one after.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exportSandbox, importSandbox } from '../../src/service/copies/sandbox-files.ts';
import { openStore } from '../../src/service/store/store.ts';
import { findInconsistencies } from '../support/assert-consistent.ts';
import { startTransaction } from '../support/fixtures/transactions.ts';
import { openHarness } from '../support/harness.ts';
import { FACTS } from '../support/stores/databases.ts';
import { addManyRows, IMPORT_FACTS, SANDBOX_FACTS } from '../support/stores/exported-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FULL, SLOW } from '../support/tier.ts';

const ESIGN = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

const ROUNDS = FULL ? 30 : 3;
const BLOBS = 10;

let place: string;
beforeEach(async () => {
  place = await temporaryFolder();
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** Exports a sandbox with a transaction and some files. @returns the bytes of the file */
async function exported(file: string): Promise<Buffer> {
  const harness = await openHarness('in process');
  await startTransaction(harness);
  const { database, blobs } = harness.store;
  for (let made = 0; made < BLOBS; made += 1) {
    const sha256 = await blobs.put(randomBytes(200_000));
    const [page] = await database.read((db) => db.selectFrom('file').select('pdf_sha256').execute());
    const drawn = { pdf_sha256: page?.pdf_sha256 ?? '', page: made, dpi: 110, sha256, exceeded: null };
    await database.write((db) =>
      db
        .insertInto('picture')
        .values({ ...drawn, tried_at: FACTS.now() })
        .execute(),
    );
  }
  await addManyRows(harness.store);
  await exportSandbox(harness.folder, file, { ...SANDBOX_FACTS, secrets: true });
  await harness.close();
  return readFile(file);
}

test.skipIf(!SLOW)('leaves one of the two states, with all its files', { timeout: 600_000 }, async () => {
  const [before, after] = [join(place, 'before.zip'), join(place, 'after.zip')];
  const states = [await exported(before), await exported(after)];
  const env = { PATH: process.env.PATH, HOME: place, ESIGN_HOME: join(place, 'home') };
  const folder = join(place, 'home', 'data', 'sandbox');
  const now = join(place, 'now.zip');
  const replaceBy = (file: string) => importSandbox(file, folder, { ...IMPORT_FACTS, replaces: true });

  const isThere = (name: string) => existsSync(join(folder, 'incoming', name));

  /** The file is read into a store beside; and its files and rows are about to replace those of the sandbox. */
  const PHASES = {
    reading: () => isThere(''),
    replacing: () => isThere('key') && !isThere('unfinished-copy'),
  };

  /** Starts the command, and kills it so long after a phase has begun. @returns how long that took, where it ended by itself */
  async function kill(phase: keyof typeof PHASES, afterMs: number): Promise<number | undefined> {
    const words = ['sandbox', 'reset', '--to', after, '--yes', '--json'];
    const child = spawn(process.execPath, [ESIGN, ...words], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (!PHASES[phase]() && child.exitCode === null) await pause(1);
    const startedMs = performance.now();
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    const [code] = await ended;
    clearTimeout(timer);
    return code === 0 ? performance.now() - startedMs : undefined;
  }

  const seen: number[] = [];
  const rounds = Array.from({ length: ROUNDS }, (_, round) => round);
  const kills = (['reading', 'replacing'] as const).flatMap((phase) =>
    rounds.map((round) => ({ phase, round })),
  );
  let lengthMs = 0;
  for (const { phase, round } of kills) {
    await replaceBy(before);
    if (round === 0) {
      lengthMs = (await kill(phase, 120_000)) ?? 0;
      expect(lengthMs).toBeGreaterThan(0);
      await replaceBy(before);
    }
    const tookMs = await kill(phase, (lengthMs * round) / ROUNDS);
    // The first one is killed at once, and what it left is removed by the next.
    if (phase === 'reading' && round === 0) expect(isThere('')).toBe(true);
    await exportSandbox(folder, now, { ...SANDBOX_FACTS, secrets: true });
    const bytes = await readFile(now);
    const state = states.findIndex((one) => one.equals(bytes));
    expect(state, `${phase}, round ${round}`).not.toBe(-1);
    if (tookMs !== undefined) expect(state).toBe(1);
    seen.push(state);
    const store = await openStore(folder, FACTS);
    expect(await findInconsistencies(store)).toEqual([]);
    await store.database.close();
  }
  expect(seen).toContain(0);
  await replaceBy(before);
  expect((await readdir(folder)).filter((name) => name.startsWith('incoming'))).toEqual([]);
});
