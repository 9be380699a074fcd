// Applies the migrations that create the tables of `schema.ts`. A migration that was released never changes; the next one comes
// after it, in a file of its own. A migration is loaded only when a store needs it.
import type { Kysely } from 'kysely';
import type { Migration } from '../../database/database.ts';
import type { Dialect } from './migrations/columns.ts';

type Up = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;

/**
 * A migration with `only` is for databases of this kind. After one with `isAdditive`, nodes of the version before may go on
 * reading (decision 0044).
 */
const MIGRATIONS: readonly {
  name: string;
  only?: Dialect;
  isAdditive?: true;
  load: () => Promise<Up>;
}[] = [
  { name: '0001-tables', load: async () => (await import('./migrations/0001-tables.ts')).createTables },
  {
    name: '0002-blobs',
    only: 'postgres',
    load: async () => (await import('./migrations/0002-blobs.ts')).createBlobTables,
  },
  {
    name: '0003-cache-changes',
    only: 'postgres',
    load: async () => (await import('../../database/postgres-changes.ts')).createChangeTable,
  },
  {
    name: '0004-comparisons',
    isAdditive: true,
    load: async () => (await import('./migrations/0004-comparisons.ts')).createStampedComparisons,
  },
];

export const migrations = (dialect: Dialect): Migration[] =>
  MIGRATIONS.filter(({ only = dialect }) => only === dialect).map(({ name, isAdditive, load }) => ({
    name,
    ...(isAdditive && { isAdditive }),
    up: async (db) => (await load())(db as unknown as Kysely<unknown>, dialect),
  }));

/** Databases of every kind have these. They are the version of the rows, whatever stores them. */
export const COMMON_MIGRATIONS: readonly string[] = MIGRATIONS.filter(({ only }) => only === undefined).map(
  ({ name }) => name,
);

/** Lists the migrations that make the tables of an earlier version, which had only some of the common ones. */
export function migrationsOf(dialect: Dialect, common: readonly string[]): Migration[] {
  const later = MIGRATIONS.findIndex(({ name, only }) => only === undefined && !common.includes(name));
  const names = MIGRATIONS.slice(0, later === -1 ? undefined : later).map(({ name }) => name);
  return migrations(dialect).filter(({ name }) => names.includes(name));
}
/** Returns the name of the newest migration that this version knows. */
export const schemaVersion = (dialect: Dialect): string => migrations(dialect).at(-1)?.name ?? '';
