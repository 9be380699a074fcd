// A copy is killed at any moment, in both directions: what it leaves cannot be used, and the same command finishes it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, type CopiedStore, copyBetween, type Place } from '../../src/service/copies/stores.ts';
import { openTeamStore } from '../../src/service/serve/team-store.ts';
import { openStore } from '../../src/service/store/store.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { copyOptions } from '../support/stores/copy-options.ts';
import { FACTS } from '../support/stores/databases.ts';
import { fillStore } from '../support/stores/filled-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ESIGN = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));

const BLOBS = 60;
const ROUNDS = 6;
/** When a busy machine does not kill a copy in its middle within the usual rounds, more follow. */
const MOST_ROUNDS = 40;

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`a copy that is killed${why}`, () => {
  let store: string;
  let folder: string;
  let key: Uint8Array;
  let whole: CopiedStore;

  beforeAll(async () => {
    [{ folder: store }, folder] = await Promise.all([fillStore('rejected'), temporaryFolder()]);
    key = await readFile(join(store, 'key'));
    const { database, blobs } = await openStore(store, FACTS);
    for (let made = 0; made < BLOBS; made += 1) {
      const sha256 = await blobs.put(randomBytes(300_000));
      const row = { pdf_sha256: sha256, page: 1, dpi: 110, sha256, exceeded: null, tried_at: FACTS.now() };
      await database.write((db) => db.insertInto('picture').values(row).execute());
    }
    await database.close();
    whole = await backUp({ folder: store }, join(folder, 'whole.zip'), copyOptions());
  });
  afterAll(async () => {
    for (const made of [store, folder]) if (made) await rm(made, { recursive: true, force: true });
  });

  /** Starts the command and kills it. @returns whether it had ended before */
  async function kill(args: readonly string[], afterMs: number): Promise<boolean> {
    const env = { PATH: process.env.PATH, HOME: folder, ESIGN_HOME: join(folder, 'home') };
    const child = spawn(process.execPath, [ESIGN, 'store', 'copy', ...args], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
    const [code] = await ended;
    clearTimeout(timer);
    return code === 0;
  }

  /** Opens what is there as a service would. @returns the code of the refusal; undefined where it opened */
  const codeOf = (opening: Promise<{ database: { close(): Promise<void> } }>) =>
    opening.then(
      async ({ database }) => {
        await database.close();
        return undefined;
      },
      (error: { code?: string }) => error.code,
    );

  const blobsAndTables = ({ contents }: CopiedStore) => ({
    ...contents,
    tables: contents.tables.filter(({ name }) => name !== 'meta'),
  });

  /** Finishes a copy, unless it was finished. @returns its contents */
  async function finish(from: Place, to: Place): Promise<CopiedStore> {
    await copyBetween(from, to, copyOptions(key)).catch((error: { code?: string }) => {
      expect(error).toMatchObject({ code: 'store_not_empty' });
    });
    const file = join(folder, `${randomBytes(6).toString('hex')}.zip`);
    return backUp(to, file, copyOptions());
  }

  /** How long an undisturbed copy takes here, from its start. */
  async function lengthOf(args: readonly string[]): Promise<number> {
    const startedMs = performance.now();
    expect(await kill(args, 60_000)).toBe(true);
    return performance.now() - startedMs;
  }

  const needsRound = (round: number, outcomes: ReadonlySet<string | undefined>): boolean =>
    round < ROUNDS || (round < MOST_ROUNDS && !outcomes.has('copy_unfinished'));

  /** Kills later in each round, and starts over after the last of the usual ones. */
  const killedAfter = (lengthMs: number, round: number): number =>
    (lengthMs * ((round % ROUNDS) + 3)) / (ROUNDS + 3);

  test('into a database is refused by nodes until the same command has finished it', async () => {
    const first = await sharedPostgres().createDatabase();
    const lengthMs = await lengthOf(['--from', store, '--to', first]);
    const outcomes = new Set<string | undefined>();
    for (let round = 0; needsRound(round, outcomes); round += 1) {
      const url = await sharedPostgres().createDatabase();
      const isOver = await kill(['--from', store, '--to', url], killedAfter(lengthMs, round));
      const [tables] = await sharedPostgres().run<{ count: string }>(
        `select count(*) from pg_tables where tablename = 'meta'`,
        url,
      );
      // A database without tables is one that nothing was copied to.
      if (tables?.count !== '0') {
        const [marks] = await sharedPostgres().run<{ count: string }>('select count(*) from meta', url);
        const options = { url, key, folder: join(folder, 'copies'), installation: undefined, migrates: true };
        const code = marks?.count === '0' ? undefined : await codeOf(openTeamStore(options, FACTS));
        if (code === undefined && marks?.count !== '0') expect(await rowsOf(url)).toBe(450);
        outcomes.add(code);
        if (isOver) expect(code).toBeUndefined();
      }
      const copied = await finish({ folder: store }, { database: url });
      expect(blobsAndTables(copied)).toEqual(blobsAndTables(whole));
      await sharedPostgres().dropDatabase(url);
    }
    // Some were killed in the middle.
    expect(outcomes).toContain('copy_unfinished');
    await sharedPostgres().dropDatabase(first);
  });

  async function rowsOf(url: string): Promise<number> {
    const [row] = await sharedPostgres().run<{ count: string }>('select count(*) from sign_in_attempt', url);
    return Number(row?.count);
  }

  test('into a directory is refused until the same command has finished it', async () => {
    const lengthMs = await lengthOf(['--from', store, '--to', join(folder, 'first')]);
    const outcomes = new Set<string | undefined>();
    for (let round = 0; needsRound(round, outcomes); round += 1) {
      const to = join(folder, `copy-${round}`);
      await kill(['--from', store, '--to', to], killedAfter(lengthMs, round));
      if (existsSync(join(to, 'unfinished-copy'))) outcomes.add(await codeOf(openStore(to, FACTS)));
      const copied = await finish({ folder: store }, { folder: to });
      expect(copied.contents).toEqual(whole.contents);
    }
    expect(outcomes).toEqual(new Set(['copy_unfinished']));
  });
});
