// Empty stores for the suite of `service/store`: on SQLite, and on PostgreSQL.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, Migration } from '../../../src/database/database.ts';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { openSqlite } from '../../../src/database/sqlite.ts';
import { createBlobs } from '../../../src/service/store/blobs/blobs.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { type Store, type StoreDeps, seedStore } from '../../../src/service/store/store.ts';
import { START } from '../harness.ts';
import { sharedPostgres } from '../servers/shared-postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { checkpointStore } from './copy-store.ts';
import { createDatabaseWithTables } from './postgres-store.ts';

export const NOW = new Date(START).toISOString();

export const FACTS: StoreDeps = { now: () => NOW, newId: randomUUID, random: randomBytes };

/** A place for stores; all stores opened in it are closed before the place is emptied. */
export type TestStores = {
  dialect: 'sqlite' | 'postgres';
  /** Opens the database of the place. A second call opens the same one. */
  open(migrations?: readonly Migration[]): Promise<Database<Tables>>;
  store(): Promise<Store>;
  /** Deletes everything for the next test. */
  clear(): Promise<void>;
};

export const sqliteStores = (): TestStores =>
  storesOn('sqlite', {
    makeFolder: folderWithTables,
    open: (folder, steps) => openSqlite<Tables>({ file: join(folder, 'store.db'), migrations: steps }),
    empty: async () => undefined,
  });

let tables: Promise<Buffer> | undefined;

/** Makes a folder with a database that has its tables and no rows: creating them takes longer than most tests, so a worker does it once. */
async function folderWithTables(): Promise<string> {
  tables ??= createTables();
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'store.db'), await tables, { mode: 0o600 });
  return folder;
}

async function createTables(): Promise<Buffer> {
  const folder = await temporaryFolder();
  const file = join(folder, 'store.db');
  try {
    const database = await openSqlite<Tables>({ file, migrations: migrations('sqlite') });
    await database.close();
    checkpointStore(folder);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

export function postgresStores(): TestStores {
  let url: Promise<string> | undefined;
  return storesOn('postgres', {
    async makeFolder() {
      url = createDatabaseWithTables();
      return temporaryFolder();
    },
    async open(_, steps) {
      url ??= sharedPostgres().createDatabase();
      return openPostgres<Tables>({ ...connectPostgres({ url: await url }), migrations: steps });
    },
    async empty() {
      if (url !== undefined) await sharedPostgres().dropDatabase(await url);
      url = undefined;
    },
  });
}

type Kind = {
  /** Makes the folder of a place whose first database has all migrations. */
  makeFolder(): Promise<string>;
  open(folder: string, steps: readonly Migration[]): Promise<Database<Tables>>;
  empty(): Promise<void>;
};

const KEY = new Uint8Array(32).fill(7);

function storesOn(dialect: TestStores['dialect'], kind: Kind): TestStores {
  let folder: Promise<string> | undefined;
  let opened: Database<Tables>[] = [];
  const stores: TestStores = {
    dialect,
    async open(steps) {
      folder ??= steps ? temporaryFolder() : kind.makeFolder();
      const database = await kind.open(await folder, steps ?? migrations(dialect));
      opened.push(database);
      return database;
    },
    async store() {
      const database = await stores.open();
      return seedStore(database, KEY, createBlobs(join((await folder) ?? '', 'blobs'), randomUUID), FACTS);
    },
    async clear() {
      for (const database of opened) await database.close().catch(() => undefined);
      opened = [];
      await kind.empty();
      if (folder) await rm(await folder, { recursive: true, force: true });
      folder = undefined;
    },
  };
  return stores;
}
