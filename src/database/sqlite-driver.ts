// Wraps the two SQLite drivers in one interface: node:sqlite where Node has it, a package with the same interface on Node 20.
// It converts values: a boolean becomes 0 or 1, undefined becomes null.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SqliteDatabase } from 'kysely';
import { StorageError } from './failure.ts';

type SqlValue = null | number | bigint | string | Uint8Array;

type Statement = {
  all(...values: SqlValue[]): unknown[];
  get(...values: SqlValue[]): unknown;
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...values: SqlValue[]): IterableIterator<unknown>;
  columns(): unknown[];
};

type Handle = { exec(sql: string): void; prepare(sql: string): Statement; close(): void };

type OpenOptions = { readOnly?: boolean };

type Driver = { DatabaseSync: new (file: string, options: OpenOptions) => Handle };

export type SqliteConnection = SqliteDatabase & {
  exec(sql: string): void;
  /** Returns a number that changes whenever another connection, of this process or another, has committed. */
  dataVersion(): number;
  /** Returns a number that changes whenever any connection has changed the tables. */
  schemaVersion(): number;
  /** Counts the commits that the database has in the open transaction (`lost-commits.ts`). */
  commitCount(): number;
  /** Counts the rows that this connection has changed since it was opened. */
  totalChanges(): number;
  /** Gives up the statements and pages that it keeps. Those of migrations are not needed again. */
  releaseMemory(): void;
};

const STATEMENTS_KEPT = 300;

export function connectSqlite(file: string, options: OpenOptions = {}): SqliteConnection {
  const handle = open(file, options);
  const prepared = new Map<string, ReturnType<typeof adapt>>();
  const numbers = new Map<string, Statement>();
  const numberOf = (sql: string): number => {
    const statement = numbers.get(sql) ?? handle.prepare(sql);
    numbers.set(sql, statement);
    return Object.values(statement.get() as Record<string, number>)[0] ?? 0;
  };
  return {
    exec: (sql) => handle.exec(sql),
    dataVersion: () => numberOf('pragma data_version'),
    schemaVersion: () => numberOf('pragma schema_version'),
    commitCount: () => numberOf('pragma user_version'),
    totalChanges: () => numberOf('select total_changes()'),
    releaseMemory() {
      prepared.clear();
      handle.exec('pragma shrink_memory');
    },
    prepare(sql) {
      const stored = prepared.get(sql);
      if (stored) return stored;
      if (prepared.size >= STATEMENTS_KEPT) prepared.clear();
      const statement = adapt(handle.prepare(sql));
      prepared.set(sql, statement);
      return statement;
    },
    // On Node 20 the driver leaves it to the garbage collector, or to the end of the process, to finish the statements, and
    // with the last of them the connection: the file of the log is there until then. Nothing committed depends on it.
    close() {
      prepared.clear();
      numbers.clear();
      handle.close();
    },
  };
}

/** Recognises SQLITE_BUSY and its extended codes, as both drivers report it. */
export const isBusy = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;

function adapt(statement: Statement) {
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => withResultCode(() => statement.all(...values.map(bindable))),
    run: (values: readonly unknown[]) => statement.run(...values.map(bindable)),
    iterate: (values: readonly unknown[]) => statement.iterate(...values.map(bindable)),
  };
}

/**
 * They are the result codes by message. The driver of Node 20 omits the code from the errors of `all`; the message is then
 * that of SQLite for the code (sqlite3_errstr), which is part of its interface and is not translated.
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

function withResultCode<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const failure = error as Error & { errcode?: number | undefined };
    if (failure.errcode === undefined && Object.hasOwn(CODES, failure.message))
      failure.errcode = CODES[failure.message];
    throw error;
  }
}

function bindable(value: unknown): SqlValue {
  if (value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value as SqlValue;
}

let driver: Driver | undefined;

function open(file: string, options: OpenOptions): Handle {
  driver ??=
    suppressWarning(() => process.getBuiltinModule('node:sqlite') as Driver | undefined) ?? packagedDriver();
  return new driver.DatabaseSync(file, options);
}

const PACKAGE = '@photostructure/sqlite';

/**
 * Loads the library of the package directly, because finding it through the package takes 5 ms.
 * Where it is not at the expected path, the package loads it.
 */
function packagedDriver(): Driver {
  try {
    const library = libraryOf(dirname(fileURLToPath(import.meta.url)));
    if (library !== undefined) {
      const loaded = { exports: {} };
      process.dlopen(loaded, library);
      return loaded.exports as Driver;
    }
  } catch {
    // This library is for another system, and the package knows others.
  }
  try {
    // It is required and not imported, because Node would read its CommonJS parts for their exports first.
    const { createRequire } = process.getBuiltinModule('node:module');
    return createRequire(import.meta.url)(PACKAGE) as Driver;
  } catch (cause) {
    const message = `Node ${process.versions.node} does not include SQLite, and the optional package ${PACKAGE} cannot be loaded.`;
    const hint = 'Use Node 22.13 or newer, or install esign with its optional dependencies.';
    throw new StorageError(message, 'unusable', { cause, hint });
  }
}

/** Finds the library in the nearest node_modules above a folder. Alpine Linux has a different one. */
function libraryOf(folder: string): string | undefined {
  if (existsSync('/etc/alpine-release')) return undefined;
  const system = join('prebuilds', `${process.platform}-${process.arch}`);
  const file = join(folder, 'node_modules', PACKAGE, system, '@photostructure+sqlite.glibc.node');
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : libraryOf(parent);
}

/** Suppresses the warning of Node 22 that node:sqlite is experimental, because users of `esign` cannot change it. */
function suppressWarning<T>(load: () => T): T {
  const warn = process.emitWarning;
  process.emitWarning = (() => undefined) as typeof process.emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = warn;
  }
}
