// Column types of tables, for all migrations.
import type { ColumnDefinitionBuilder, Kysely } from 'kysely';

export type Dialect = 'sqlite' | 'postgres';

export const ID = 'varchar(64)';
export const TIME = 'varchar(30)';
export const HASH = 'varchar(64)';
export const required = (column: ColumnDefinitionBuilder) => column.notNull();
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey();

/** A table whose rows are numbered in the order in which they were written. */
export const numberedRows = (db: Kysely<unknown>, name: string, dialect: Dialect) =>
  db.schema
    .createTable(name)
    .addColumn('seq', dialect === 'sqlite' ? 'integer' : 'serial', (column) =>
      dialect === 'sqlite' ? column.primaryKey().autoIncrement() : column.primaryKey(),
    );
