// Shows what a store, or a file of one, contains, as it was counted and hashed.
import type { Entry, RecordOutcome, Table } from '../command/outcome.ts';

export type ShownContents = {
  tables: readonly { name: string; rows: number; sha256: string }[];
  blobs: { count: number; bytes: number; sha256: string };
};

export const contentsEntries = ({ tables, blobs }: ShownContents): Entry[] => [
  { key: 'rows', label: 'Rows', value: tables.reduce((sum, table) => sum + table.rows, 0) },
  { key: 'files', label: 'Files', value: blobs.count, shown: `${blobs.count} (${blobs.bytes} bytes)` },
  { key: 'files_sha256', label: 'SHA-256 of files', value: blobs.sha256 },
];

/** A person sees the tables that have rows. */
export const contentsTables = ({ tables }: ShownContents): Pick<RecordOutcome, 'tables' | 'pageTables'> => ({
  tables: [{ key: 'table', ...tableOf(tables) }],
  pageTables: [tableOf(tables.filter((table) => table.rows > 0))],
});

const tableOf = (tables: ShownContents['tables']): Table => ({
  title: 'TABLES',
  columns: ['NAME', 'ROWS', 'SHA-256'],
  rows: tables.map(({ name, rows, sha256 }) => [name, rows, sha256]),
});
