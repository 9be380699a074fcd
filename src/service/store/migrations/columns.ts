// Defines types of columns for all migrations.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

export type Dialect = 'sqlite' | 'postgres';

export const ID = 'varchar(64)';
export const TIME = 'varchar(30)';
export const HASH = 'varchar(64)';
export const required = (column: ColumnDefinitionBuilder) => column.notNull();
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey();

/** Begins a table whose rows are numbered in the order in which they were written. */
export const numberedRows = (db: Kysely<unknown>, name: string, dialect: Dialect) =>
  db.schema
    .createTable(name)
    .addColumn('seq', dialect === 'sqlite' ? 'integer' : 'bigserial', (column) =>
      dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    );

/**
 * Leaves `seq` empty until the commit of a row is over (`delivery/events.ts`), and calls the number that PostgreSQL gives to a row
 * when it is inserted `inserted`: commits run beside each other there, so that a greater number may be visible first.
 */
export async function numberAfterCommit(db: Kysely<unknown>, name: string): Promise<void> {
  const table = sql.table(name);
  await sql`alter table ${table} rename column seq to inserted`.execute(db);
  await sql`alter table ${table} add column seq bigint unique`.execute(db);
  await sql`create index ${sql.id(`${name}_without_seq`)} on ${table} (inserted) where seq is null`.execute(
    db,
  );
}
