// Reads and writes the rows of a store in a database, SQLite or PostgreSQL.
import { type BulkConnection, type BulkRow, quoted, type TableShape } from '../../database/bulk.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { refuseUnknown } from '../../database/migrate.ts';
import { NAMING_COLUMNS } from '../store/blobs/sweep.ts';
import { COMMON_MIGRATIONS, migrations } from '../store/migrations.ts';
import { StoreError, UNFINISHED, unfinishedCopy } from '../store/state/folder.ts';
import type { RowBatch } from './contents.ts';
import type { StoreDescription, StoreReader } from './copy-store.ts';
import { COPIED_TABLES, copiedColumns, isCopied, selectRows } from './tables.ts';

/** The bytes of blobs, beside the rows that name them. */
export type BlobSource = {
  /** @returns undefined for one that is missing */
  sizeOf(sha256: string): Promise<number | undefined>;
  read(sha256: string): AsyncIterable<Uint8Array>;
};

/**
 * Describes the store of a database.
 * @param where it is, for messages @param upgrade what brings its tables up to date, for the hint
 * @throws StoreError where there is none, or one with the tables of an earlier version; NewerStoreError, UnreleasedStoreError
 */
export async function describeStore(
  connection: BulkConnection,
  where: string,
  upgrade: string,
): Promise<StoreDescription> {
  const tables = await connection.tables();
  const isThere = (name: string) => tables.some((table) => table.name === name);
  if (!isThere('schema_migration') || !isThere('meta')) throw noStore(where);
  const applied = (await connection.run('select name from schema_migration')).map(({ name }) => `${name}`);
  const meta = await readMetaRows(connection);
  if (meta.has(UNFINISHED)) throw unfinishedCopy(where);
  refuseUnknown(
    applied,
    migrations(connection.dialect).map(({ name }) => name),
  );
  const key = meta.get('key_check');
  const missing = COMMON_MIGRATIONS.filter((name) => !applied.includes(name));
  if (missing.length > 0 || key === undefined)
    throw new StoreError(
      'migrations_missing',
      `The data in ${where} was written by an earlier version of esign${missing.length > 0 ? ` (it lacks "${missing[0]}")` : ''}.`,
      `Update its tables first: ${upgrade}`,
    );
  return { schema: COMMON_MIGRATIONS, key };
}

export const noStore = (where: string): StoreError =>
  new StoreError(
    'storage_unusable',
    `There is no data of esign in ${where}.`,
    'Check the directory or the URL of the database.',
  );

export async function readMetaRows(connection: BulkConnection): Promise<Map<string, string>> {
  const rows = await connection.run('select key, value from meta');
  return new Map(rows.map(({ key, value }) => [`${key}`, `${value}`]));
}

/** Reads within the transaction that the connection has begun. */
export function readDatabase(
  connection: BulkConnection,
  tables: readonly TableShape[],
  source: BlobSource,
): StoreReader {
  const shapes = new Map(tables.map((table) => [table.name, table]));
  return {
    tables: COPIED_TABLES.filter((name) => shapes.has(name)),
    rows: (name) => connection.stream(selectRows(connection.dialect, shapeIn(shapes, name))),
    async *blobs() {
      for await (const rows of connection.stream(selectNames(connection.dialect)))
        for (const { sha256: named } of rows) {
          const sha256 = `${named}`;
          const sizeBytes = await source.sizeOf(sha256);
          if (sizeBytes === undefined) throw missingBlob(sha256);
          yield { sha256, sizeBytes, read: () => source.read(sha256) };
        }
    },
  };
}

function shapeIn(shapes: ReadonlyMap<string, TableShape>, name: string): TableShape {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`There is no table "${name}".`);
  return shape;
}

/** Every blob that a row names, once. What no row names is not a part of the store. */
const selectNames = (dialect: BulkConnection['dialect']): string =>
  `select sha256 from (${NAMING_COLUMNS.map(
    ({ table, column }) =>
      `select ${quoted(column)} as sha256 from ${quoted(table)} where ${quoted(column)} is not null`,
  ).join(' union ')}) named order by sha256${dialect === 'postgres' ? ' collate "C"' : ''}`;

const missingBlob = (sha256: string): DamagedStoreError =>
  new DamagedStoreError(`The stored file ${sha256} is missing.`, {
    hint: 'If something was deleted meanwhile, run the command again. Otherwise, restore the file from a backup; `esign doctor --deep` lists what a sandbox lacks.',
  });

/** Inserts the rows of a table. @throws StoreError for rows that do not fit the table, as a file may have them */
export async function insertCopiedRows(
  connection: BulkConnection,
  tables: readonly TableShape[],
  name: string,
  batches: AsyncIterable<RowBatch>,
): Promise<void> {
  const shape = tables.find((table) => table.name === name && isCopied(name));
  if (!shape) throw unfitting(name);
  const columns = copiedColumns(shape);
  for await (const { rows } of batches) {
    if (rows.some((row) => !fits(row, columns))) throw unfitting(name);
    if (rows.length > 0) await connection.insert(name, columns, rows);
  }
}

const fits = (row: BulkRow, columns: readonly string[]): boolean =>
  Object.keys(row).length === columns.length && columns.every((column) => Object.hasOwn(row, column));

const unfitting = (table: string): StoreError =>
  new StoreError(
    'backup_damaged',
    `The rows of "${table}" do not fit the tables of this version of esign.`,
    'Use another backup.',
  );
