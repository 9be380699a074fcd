// Opens stores of a service on PostgreSQL, each in an empty database of its own. Creating its tables takes ten times as long as copying them, and
// copying them ten times as long as emptying them: a worker creates them once, and uses a database again once its store is closed.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { createBlobs } from '../../../src/service/store/blobs/blobs.ts';
import { createDatabaseBlobs } from '../../../src/service/store/blobs/database-blobs.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { type Store, type StoreDeps, seedStore } from '../../../src/service/store/store.ts';
import { sharedPostgres } from '../servers/shared-postgres.ts';

const KEY = randomBytes(32);

let created: Promise<string> | undefined;

/** Emptied databases. */
const free: string[] = [];

/** Databases of folders that outlive their harness. */
const kept = new Map<string, string>();

/** @param folder for the blobs. The database of a folder that is opened again is the same one, until the run ends. */
export async function openPostgresStore(
  folder: string,
  isKept: boolean,
  facts: StoreDeps,
): Promise<{
  store: Store;
  /** Opens it as another node does. @param folder for the copies of its blobs */
  openAgain(folder: string): Promise<Store>;
  remove(): Promise<void>;
}> {
  const url = kept.get(folder) ?? free.pop() ?? (await createDatabaseWithTables());
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
      if (isKept) return;
      if (await isEmptied(url)) free.push(url);
      else await sharedPostgres().dropDatabase(url);
    },
  };
}

/** Makes a database that has its tables and no rows. @returns its URL */
export async function createDatabaseWithTables(): Promise<string> {
  created ??= createTables();
  return sharedPostgres().createDatabase(await created);
}

async function createTables(): Promise<string> {
  const url = await sharedPostgres().createDatabase();
  await (await open(url)).close();
  return url;
}

const EMPTY = `do $$
  declare tables text;
  begin
    set local lock_timeout = '5s';
    select string_agg(format('%I', tablename), ', ') into tables
    from pg_tables where schemaname = 'public' and tablename <> 'schema_migration';
    execute 'truncate ' || tables || ' restart identity cascade';
  end $$`;

/** False where a connection that was left open has locked a table. */
function isEmptied(url: string): Promise<boolean> {
  return sharedPostgres()
    .run(EMPTY, url)
    .then(
      () => true,
      () => false,
    );
}

const open = (url: string) =>
  openPostgres<Tables>({ ...connectPostgres({ url }), migrations: migrations('postgres') });
