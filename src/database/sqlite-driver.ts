// The two SQLite drivers behind one small shape: node's own where Node has it, its twin on Node 20. Values are
// converted here and nowhere else: a boolean becomes 0 or 1, undefined becomes null.
import { createRequire, isBuiltin } from 'node:module';
import process from 'node:process';
import type { SqliteDatabase } from 'kysely';

type Value = null | number | bigint | string | Uint8Array;

type Statement = {
  all(...values: Value[]): unknown[];
  get(...values: Value[]): unknown;
  run(...values: Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...values: Value[]): IterableIterator<unknown>;
  columns(): unknown[];
};

type Handle = { exec(sql: string): void; prepare(sql: string): Statement; close(): void };

type OpenOptions = { readOnly?: boolean };

type Driver = { DatabaseSync: new (file: string, options: OpenOptions) => Handle };

export type SqliteConnection = SqliteDatabase & {
  exec(sql: string): void;
  /** Changes whenever another connection, of this process or another, has committed. */
  dataVersion(): number;
};

const STATEMENTS_KEPT = 300;

export async function connectSqlite(file: string, options: OpenOptions = {}): Promise<SqliteConnection> {
  const handle = await open(file, options);
  const prepared = new Map<string, ReturnType<typeof adapt>>();
  const version = handle.prepare('pragma data_version');
  return {
    exec: (sql) => handle.exec(sql),
    dataVersion: () => (version.get() as { data_version: number }).data_version,
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      if (prepared.size >= STATEMENTS_KEPT) prepared.clear();
      const statement = adapt(handle.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
    close() {
      prepared.clear();
      handle.close();
    },
  };
}

/** SQLITE_BUSY and its extended codes, as both drivers report it. */
export const isBusy = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;

function adapt(statement: Statement) {
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => coded(() => statement.all(...values.map(bindable))),
    run: (values: readonly unknown[]) => statement.run(...values.map(bindable)),
    iterate: (values: readonly unknown[]) => statement.iterate(...values.map(bindable)),
  };
}

/**
 * The driver of Node 20 leaves the result code out of what `all` throws. The text is then SQLite's own for the code
 * (sqlite3_errstr), which is part of its interface and is not translated.
 */
const CODES: Record<string, number> = {
  'database is locked': 5,
  'attempt to write a readonly database': 8,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'database or disk is full': 13,
  'unable to open database file': 14,
  'file is not a database': 26,
};

function coded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const known = error as Error & { errcode?: number | undefined };
    if (known.errcode === undefined && Object.hasOwn(CODES, known.message))
      known.errcode = CODES[known.message];
    throw error;
  }
}

function bindable(value: unknown): Value {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as Value;
}

async function open(file: string, options: OpenOptions): Promise<Handle> {
  if (!isBuiltin('node:sqlite')) {
    // Required, not imported: Node would read its CommonJS parts for their exports first.
    const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as Driver;
    return new DatabaseSync(file, options);
  }
  return quietly(async () => {
    const builtin = 'node:sqlite';
    const { DatabaseSync } = (await import(builtin)) as Driver;
    return new DatabaseSync(file, options);
  });
}

/** Node 22 warns that node:sqlite is experimental; people who run `esign` cannot do anything about it. */
async function quietly<T>(load: () => Promise<T>): Promise<T> {
  const warn = process.emitWarning;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = warn;
  }
}
