// Opens stores of a service on PostgreSQL, each in a database of its own. Creating its tables takes ten times as long as copying them, so
// a worker creates them once.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { createBlobs } from '../../../src/service/store/blobs.ts';
import { createDatabaseBlobs } from '../../../src/service/store/database-blobs.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { type Store, type StoreFacts, seedStore } from '../../../src/service/store/store.ts';
import { sharedPostgres } from '../servers/shared-postgres.ts';

const KEY = randomBytes(32);

let created: Promise<string> | undefined;

/** Databases of folders that outlive their harness. */
const kept = new Map<string, string>();

/** @param folder for the blobs. The database of a folder that is opened again is the same one, until the run ends. */
export async function openPostgresStore(
  folder: string,
  isKept: boolean,
  facts: StoreFacts,
): Promise<{
  store: Store;
  /** Opens it as another node does. @param folder for the copies of its blobs */
  openAgain(folder: string): Promise<Store>;
  remove(): Promise<void>;
}> {
  created ??= createTables();
  const url = kept.get(folder) ?? (await sharedPostgres().createDatabase(await created));
  if (isKept) kept.set(folder, url);
  const openAgain = async (copies: string) => {
    const database = await open(url);
    const blobs = createDatabaseBlobs(database, createBlobs(copies, facts.newId));
    return seedStore(database, KEY, blobs, facts);
  };
  return {
    store: await openAgain(join(folder, 'blobs')),
    openAgain,
    async remove() {
      if (!isKept) await sharedPostgres().dropDatabase(url);
    },
  };
}

async function createTables(): Promise<string> {
  const url = await sharedPostgres().createDatabase();
  await (await open(url)).close();
  return url;
}

const open = (url: string) =>
  openPostgres<Tables>({ ...connectPostgres({ url }), migrations: migrations('postgres') });
