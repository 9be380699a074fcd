// Reads and writes the rows of a store in a database, SQLite or PostgreSQL.
import { type BulkConnection, type BulkRow, quoted, type TableShape } from '../../database/bulk.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { refuseUnknown } from '../../database/migrate.ts';
import { BLOBS_PLACE } from '../store/blobs/database-blobs.ts';
import { NAMING_COLUMNS } from '../store/blobs/sweep.ts';
import { selectNumberedEvents } from '../store/delivery/events.ts';
import { COMMON_MIGRATIONS, migrations } from '../store/migrations.ts';
import type { Tables } from '../store/schema.ts';
import { StoreError, UNFINISHED, unfinishedCopy } from '../store/state/folder.ts';
import { TABLE_NAMES } from '../store/store.ts';
import type { RowBatch, StoreDescription, StoreReader } from './copy-store.ts';

/** It reads the bytes of blobs, beside the rows that name them. */
export type BlobSource = {
  /** @returns undefined for a blob that is missing */
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
        for (const row of rows) {
          const sha256 = `${row.sha256}`;
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

/** Selects every blob that a row names, once. A blob that no row names is not a part of the store. */
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

// --- What is copied ---

/** These tables are not copied, each for the reason beside it. */
export const TABLES_OMITTED: Readonly<Record<string, string>> = {
  worker: 'The processes that deliver for the source do not run on the copy.',
  schema_migration: 'The tables of the target are made by its own migrations.',
  cache_change: 'What changes is seen by the nodes of the source, which do not use the copy.',
  blob: 'Blobs are copied as files, each compared with its hash.',
  blob_chunk: 'Blobs are copied as files, each compared with its hash.',
};

export const isCopied = (table: string): boolean => !Object.hasOwn(TABLES_OMITTED, table);

/** The tables are copied in alphabetical order. */
export const COPIED_TABLES: readonly (keyof Tables)[] = TABLE_NAMES.filter(isCopied).sort();

/** These columns are not copied, each for the reason beside it. */
const COLUMNS_OMITTED: Readonly<Record<string, string>> = {
  'event.inserted': 'PostgreSQL numbers rows as they are inserted, and they are inserted in their order.',
};

export const copiedColumns = ({ name, columns }: TableShape): string[] =>
  columns.filter((column) => !Object.hasOwn(COLUMNS_OMITTED, `${name}.${column}`));

/** Only rows that meet these conditions are copied, each for the reason beside it. */
const ROWS_COPIED: Readonly<Record<string, string>> = {
  // This row says where the blobs of the source are, and the target says where its own are.
  meta: `where key <> '${BLOBS_PLACE}'`,
};

/** Selects the copied columns of all rows: in the order of their numbers, or else of the primary key. */
function selectRows(dialect: BulkConnection['dialect'], table: TableShape): string {
  const columns = copiedColumns(table);
  if (table.name === 'event' && dialect === 'postgres')
    return selectNumberedEvents(columns.filter((column) => column !== 'seq').map(quoted));
  const order = columns.includes('seq') ? ['seq'] : table.order;
  return `select ${columns.map(quoted).join(', ')} from ${quoted(table.name)} ${ROWS_COPIED[table.name] ?? ''} order by ${order.join(', ')}`;
}
