// Runs the missing migrations of a database in one commit, which only the first of several processes does, and notices that another process has changed
// the tables meanwhile: SQLite counts changes of the schema in the file's header, so that a check takes microseconds.
import { type Kysely, sql } from 'kysely';
import { type Database, type Migration, NewerStoreError, UnreleasedStoreError } from './database.ts';
import { rowsLater } from './deferred-query.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

type Ledger = { schema_migration: { name: string; is_additive?: boolean } };

/** A file of SQLite has no nodes that go on reading. */
const ADD_IS_ADDITIVE =
  'alter table schema_migration add column if not exists is_additive boolean not null default false';

/**
 * Lists the migrations that a database lacks, by a read without a lock: a current store costs one query.
 * @throws NewerStoreError, UnreleasedStoreError
 */
export async function listMissingMigrations<T>(
  db: Kysely<T>,
  migrations: readonly Migration[],
): Promise<string[]> {
  const applied = await listAppliedMigrations(db).catch((error: { code?: string }): string[] => {
    if (error.code === LOCK_NOT_AVAILABLE) throw error;
    // There are no tables yet.
    return [];
  });
  refuseUnknown(applied, namesOf(migrations));
  return migrations.map(({ name }) => name).filter((name) => !applied.includes(name));
}

/** Runs the migrations that are still missing when it is its turn. */
export async function migrate<T>(database: Database<T>, migrations: readonly Migration[]): Promise<void> {
  await database.write(
    async (typed) => {
      const db = typed as unknown as Kysely<Ledger>;
      await database.lockName(typed, 'migrations');
      await sql`create table if not exists schema_migration (name varchar(200) primary key)`.execute(db);
      // Each commit of other nodes reads this table first: those that have begun end before, and the next ones see what has changed.
      const isServer = database.dialect === 'postgres';
      if (isServer) await sql`lock table schema_migration in access exclusive mode`.execute(db);
      const done = await listAppliedMigrations(db);
      refuseUnknown(done, namesOf(migrations));
      const missing = migrations.filter(({ name }) => !done.includes(name));
      if (missing.length === 0) return;
      if (isServer) await sql.raw(ADD_IS_ADDITIVE).execute(db);
      for (const { name, up, isAdditive = false } of missing) {
        await up(db as unknown as Kysely<never>);
        await db
          .insertInto('schema_migration')
          .values({ name, ...(isServer && { is_additive: isAdditive }) })
          .execute();
      }
      // A migration that changes only rows changes the schema version as well, so that running processes notice it.
      await sql`create table schema_changed (name varchar(200))`.execute(db);
      await sql`drop table schema_changed`.execute(db);
    },
    undefined,
    'locked',
  );
}

/** PostgreSQL answers with this SQLSTATE where another node migrates a table for longer than a statement waits. */
const LOCK_NOT_AVAILABLE = '55P03';

/** Thrown where migrations are missing and an operator runs them. */
export class MissingMigrationsError extends Error {
  override name = 'MissingMigrationsError';
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(
      `The database lacks ${missing.length} of the changes to its tables that this version of esign needs.`,
    );
    this.missing = missing;
  }
}

/** Lists the names in the order in which they were applied. */
export async function listAppliedMigrations<T>(database: Kysely<T>): Promise<string[]> {
  const db = database as unknown as Kysely<Ledger>;
  const rows = await db.selectFrom('schema_migration').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
}

/** Counts them in the statement of a commit that is not waited for: other processes add to them, and never remove one. */
export async function countMigrationsLater<T>(db: Kysely<T>): Promise<{ count: Promise<number> }> {
  const counting = 'select count(*)::int as count from schema_migration';
  const { rows } = await rowsLater<{ count: number }>(db, counting, []);
  const count = rows.then(([row]) => row?.count ?? 0);
  count.catch(() => undefined);
  return { count };
}

/** Finds the first applied migration that this version does not know. Two from parallel branches may have been applied in either order. */
const unknownTo = (migrations: readonly Migration[], applied: readonly string[]): string | undefined =>
  applied.find((name) => !migrations.some((migration) => migration.name === name));

/** Lists the applied migrations after which a version that does not know them reads something else than is meant. */
async function listBreakingMigrations<T>(db: Kysely<T>): Promise<string[]> {
  // The column is missing where no version that writes it has migrated the database yet.
  const { rows } = await sql<{ name: string }>`
    select name from schema_migration
    where (to_jsonb(schema_migration) ->> 'is_additive') is distinct from 'true'`.execute(db);
  return rows.map(({ name }) => name);
}

const namesOf = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name);

/** The first release ends with number 4. A later one, also of a branch, has greater numbers only. */
const AFTER_THE_FIRST_RELEASE = '0005';

/** Refuses a store with unknown migrations. Those with numbers of the first release were never released. */
export function refuseUnknown(applied: readonly string[], supported: readonly string[]): void {
  const unknown = applied.filter((name) => !supported.includes(name)).sort()[0];
  if (unknown === undefined) return;
  if (unknown < AFTER_THE_FIRST_RELEASE && supported.some((name) => name > unknown))
    throw new UnreleasedStoreError(unknown);
  throw new NewerStoreError(
    `The stored data was written by a newer version of esign (it contains "${unknown}").`,
  );
}

export type SchemaWatch = {
  /** Starts watching. @param before the number of the schema before it was found to be up to date */
  begin(before: number): void;
  /** Checks inside a transaction. @throws NewerStoreError when a newer version of esign has upgraded the tables */
  check<T>(connected: { connection: SqliteConnection; db: Kysely<T> }): Promise<void>;
  /** Resolves with the first refusal. */
  upgraded: Promise<NewerStoreError>;
};

export function watchSchema(migrations: readonly Migration[]): SchemaWatch {
  const { upgraded, noticing } = createUpgradeNotice();
  let upToDate: number | undefined;
  return {
    upgraded,
    begin(before) {
      upToDate = before;
    },
    async check({ connection, db }) {
      if (upToDate === undefined) return;
      const version = connection.schemaVersion();
      if (version === upToDate) return;
      await noticing(() => refuseUpgraded(db, migrations));
      upToDate = version;
    },
  };
}

/** @param isServer the tables say which migrations are additive */
export async function refuseUpgraded<T>(
  db: Kysely<T>,
  migrations: readonly Migration[],
  { isServer = false } = {},
): Promise<void> {
  const unknown = unknownTo(migrations, await listAppliedMigrations(db));
  if (unknown === undefined) return;
  const isReadable = isServer && unknownTo(migrations, await listBreakingMigrations(db)) === undefined;
  throw new NewerStoreError(
    `The stored data was upgraded by a newer version of esign (to "${unknown}") while this process was running.`,
    { isReadable },
  );
}

/** Reports the first refusal of data that a newer version has upgraded. */
export function createUpgradeNotice() {
  let notice: (error: NewerStoreError) => void = () => undefined;
  const upgraded = new Promise<NewerStoreError>((resolve) => {
    notice = resolve;
  });
  return {
    upgraded,
    async noticing<R>(work: () => Promise<R>): Promise<R> {
      try {
        return await work();
      } catch (error) {
        if (error instanceof NewerStoreError) notice(error);
        throw error;
      }
    },
  };
}
