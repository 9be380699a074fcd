// Brings the tables of a database to the newest shape, in one commit. Only the first of several processes does it.
import { type Kysely, sql } from 'kysely';
import { type Database, type Migration, NewerStoreError } from './database.ts';

type Ledger = { schema_migration: { name: string } };

/**
 * Reads without a lock first: a store that is up to date costs one query.
 * @param idle a connection on which nothing else is going on yet
 */
export async function migrate<T>(
  database: Database<T>,
  idle: Kysely<T>,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = await names(idle as unknown as Kysely<Ledger>).catch(() => undefined);
  if (applied && isUpToDate(applied, migrations)) return;
  await database.write(async (typed) => {
    const db = typed as unknown as Kysely<Ledger>;
    await sql`create table if not exists schema_migration (name varchar(200) primary key)`.execute(db);
    const done = await names(db);
    if (isUpToDate(done, migrations)) return;
    for (const migration of migrations.slice(done.length)) {
      await migration.up(db as unknown as Kysely<never>);
      await db.insertInto('schema_migration').values({ name: migration.name }).execute();
    }
  });
}

async function names(db: Kysely<Ledger>): Promise<string[]> {
  const rows = await db.selectFrom('schema_migration').select('name').orderBy('name').execute();
  return rows.map((row) => row.name);
}

function isUpToDate(applied: string[], migrations: readonly Migration[]): boolean {
  const unknown = applied.find((name, index) => migrations[index]?.name !== name);
  if (unknown !== undefined)
    throw new NewerStoreError(
      `The stored data was written by a newer version of esign (it contains "${unknown}").`,
    );
  return applied.length === migrations.length;
}
