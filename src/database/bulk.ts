// Describes a connection that reads and writes whole tables, for copies of a database. Rows are streamed, so that a large
// table is never in memory. It knows no tables: it lists those that the database has.

/** Values are texts, numbers or null, the same on SQLite and PostgreSQL. Bytes come as a Buffer. */
export type BulkRow = Readonly<Record<string, unknown>>;

export type TableShape = {
  name: string;
  /** They stand in alphabetical order. */
  columns: readonly string[];
  /**
   * These expressions order by the primary key. Texts are ordered by their bytes, so that the order is the same on both.
   */
  order: readonly string[];
};

export type BulkConnection = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Begins a transaction. A `snapshot` sees one state of the database until it ends, and changes nothing. */
  begin(kind: 'snapshot' | 'changes'): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  tables(): Promise<readonly TableShape[]>;
  /** Reads the rows of a query, some at a time. */
  stream(text: string): AsyncIterable<readonly BulkRow[]>;
  run(text: string, values?: readonly unknown[]): Promise<readonly BulkRow[]>;
  /** @param columns those that every row has */
  insert(table: string, columns: readonly string[], rows: readonly BulkRow[]): Promise<void>;
  /** Makes rows that are inserted later get numbers after those that were copied. */
  settleNumbers(): Promise<void>;
  /** Rolls back what was not committed. */
  close(): Promise<void>;
};

/** So many rows are in memory at a time. */
export const BATCH = 200;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A catalog lists columns in this form. `key` is the place of the column in the primary key, from 1 on, or 0. */
export type ListedColumn = { table: string; column: string; key: number; order: string };

/** Groups columns by their tables. */
export function shapesOf(rows: readonly ListedColumn[]): TableShape[] {
  const names = [...new Set(rows.map(({ table }) => table))].sort();
  return names.map((name) => {
    const columns = rows.filter(({ table }) => table === name);
    const keys = columns.filter(({ key }) => key > 0).sort((a, b) => a.key - b.key);
    return {
      name,
      columns: columns.map(({ column }) => column).sort(),
      order: keys.map(({ order }) => order),
    };
  });
}
