// Which tables and columns of a store are copied: all of them, but for those that are named here with a reason.
import { type BulkConnection, quoted, type TableShape } from '../../database/bulk.ts';
import { BLOBS_PLACE } from '../store/blobs/database-blobs.ts';
import { selectNumberedEvents } from '../store/delivery/events.ts';
import type { Tables } from '../store/schema.ts';
import { TABLE_NAMES } from '../store/store.ts';

/** Tables that are not copied, each with the reason. */
export const TABLES_OMITTED: Readonly<Record<string, string>> = {
  worker: 'The processes that deliver for the source do not run on the copy.',
  schema_migration: 'The tables of the target are made by its own migrations.',
  cache_change: 'What changes is seen by the nodes of the source, which do not use the copy.',
  blob: 'Blobs are copied as files, each compared with its hash.',
  blob_chunk: 'Blobs are copied as files, each compared with its hash.',
};

/** Columns that are not copied, as `table.column`, each with the reason. */
export const COLUMNS_OMITTED: Readonly<Record<string, string>> = {
  'event.inserted': 'PostgreSQL numbers rows as they are inserted, and they are inserted in their order.',
};

export const isCopied = (table: string): boolean => !Object.hasOwn(TABLES_OMITTED, table);

/** Rows that are not copied, as a condition for those that are, each with the reason. */
const ROWS_COPIED: Readonly<Record<string, string>> = {
  // Where the blobs of the source are. The target says where its own are.
  meta: `where key <> '${BLOBS_PLACE}'`,
};

/** In alphabetical order, in which they are copied. */
export const COPIED_TABLES: readonly (keyof Tables)[] = TABLE_NAMES.filter(isCopied).sort();

export const copiedColumns = ({ name, columns }: TableShape): string[] =>
  columns.filter((column) => !Object.hasOwn(COLUMNS_OMITTED, `${name}.${column}`));

/** Selects the copied columns of all rows: in the order of their numbers, or else of the primary key. */
export function selectRows(dialect: BulkConnection['dialect'], table: TableShape): string {
  const columns = copiedColumns(table);
  if (table.name === 'event' && dialect === 'postgres')
    return selectNumberedEvents(columns.filter((column) => column !== 'seq').map(quoted));
  const order = columns.includes('seq') ? ['seq'] : table.order;
  return `select ${columns.map(quoted).join(', ')} from ${quoted(table.name)} ${ROWS_COPIED[table.name] ?? ''} order by ${order.join(', ')}`;
}
