// Stores for the store's own suite: the same tables and queries on SQLite, and on PostgreSQL as PGlite has it.
import { randomBytes, randomUUID } from 'node:crypto';
import { access, constants, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Migration } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { openSqlite } from '../../src/database/sqlite.ts';
import { createBlobs } from '../../src/service/store/blobs.ts';
import { migrations } from '../../src/service/store/migrations.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import { furnish, type Store, type StoreFacts } from '../../src/service/store/store.ts';
import { START } from './harness.ts';
import type { Postgres } from './pglite.ts';

export const NOW = new Date(START).toISOString();

export const FACTS: StoreFacts = { now: () => NOW, newId: randomUUID, random: randomBytes };

/** A place to put stores; whatever was opened in it is closed before the place is emptied. */
export type Ground = {
  dialect: 'sqlite' | 'postgres';
  /** The database as it lies there. Opened again, it is the same one. */
  open(migrations?: readonly Migration[]): Promise<Database<Tables>>;
  store(): Promise<Store>;
  /** Forgets everything: the next test finds nothing. */
  clear(): Promise<void>;
};

/** Recorder where the system has a disk in memory: no test here depends on power staying on. */
export async function scratchFolder(): Promise<string> {
  const memory = '/dev/shm';
  const isThere = await access(memory, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mkdtemp(join(isThere ? memory : tmpdir(), 'esign-test-'));
}

export const sqliteGround = (): Ground =>
  groundOf('sqlite', {
    open: (folder, steps) => openSqlite<Tables>({ file: join(folder, 'store.db'), migrations: steps }),
    empty: async () => undefined,
  });

/** @param postgres belongs to whoever started it, and is left open */
export const postgresGround = (postgres: () => Promise<Postgres>): Ground =>
  groundOf('postgres', {
    async open(_, steps) {
      return openPostgres<Tables>({ dialect: (await postgres()).dialect(), migrations: steps });
    },
    async empty() {
      await (await postgres()).empty();
    },
  });

type Kind = {
  open(folder: string, steps: readonly Migration[]): Promise<Database<Tables>>;
  empty(): Promise<void>;
};

const KEY = new Uint8Array(32).fill(7);

function groundOf(dialect: Ground['dialect'], kind: Kind): Ground {
  let folder: Promise<string> | undefined;
  let opened: Database<Tables>[] = [];
  const ground: Ground = {
    dialect,
    async open(steps = migrations(dialect)) {
      folder ??= scratchFolder();
      const database = await kind.open(await folder, steps);
      opened.push(database);
      return database;
    },
    async store() {
      const database = await ground.open();
      return furnish(database, KEY, createBlobs(join((await folder) ?? '', 'blobs'), randomUUID), FACTS);
    },
    async clear() {
      for (const database of opened) await database.close().catch(() => undefined);
      opened = [];
      await kind.empty();
      if (folder) await rm(await folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
  return ground;
}
