// Runs the few statements of every request, with their SQL built once: composing a query again costs several times what SQLite
// needs to run it. Ids of rows are random, but in the order of time.

import { randomUUID } from 'node:crypto';
import { CompiledQuery, type Insertable } from 'kysely';
import { rowsLater, runLater } from '../../database/deferred-query.ts';

import type { Db, Tables } from './schema.ts';

type Table = keyof Tables;

/** Texts are stored by database, because they differ between databases; the object of a transaction is another one each time. */
const builtFor = new WeakMap<object, Map<string, string>>();

function textOf(db: Db, key: string, build: () => { compile(): { sql: string } }): string {
  const { adapter } = db.getExecutor();
  const built = builtFor.get(adapter) ?? new Map<string, string>();
  builtFor.set(adapter, built);
  const text = built.get(key) ?? build().compile().sql;
  built.set(key, text);
  return text;
}

export async function insertRow<T extends Table>(
  db: Db,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> {
  const names = Object.keys(row);
  const text = textOf(db, `insert ${table} ${names.join()}`, () => db.insertInto(table).values(row));
  await runLater(db, text, Object.values(row));
}

/** A statement inserts or changes so many rows at once: few statements are composed when these are powers of two. */
const AT_ONCE = [64, 32, 16, 8, 4, 2, 1] as const;

/** Cuts the rows into pieces of which each fits one of the statements that were composed before. */
export function splitRows<R>(rows: readonly R[]): R[][] {
  const pieces: R[][] = [];
  for (let start = 0; start < rows.length; ) {
    const size = AT_ONCE.find((count) => count <= rows.length - start) ?? 1;
    pieces.push(rows.slice(start, start + size));
    start += size;
  }
  return pieces;
}

/** Inserts rows, which all have the same columns. */
export async function insertRows<T extends Table>(
  db: Db,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  for (const piece of splitRows(rows)) {
    const names = Object.keys(piece[0] as object);
    const key = `insert ${piece.length} ${table} ${names.join()}`;
    const text = textOf(db, key, () => db.insertInto(table).values(piece));
    await runLater(
      db,
      text,
      piece.flatMap((row) => Object.values(row)),
    );
  }
}

/** Updates every column of a row, by its id. */
export async function updateRow<T extends Table & WithId>(
  db: Db,
  table: T,
  { id, ...rest }: Tables[T] & { id: string },
): Promise<void> {
  const names = Object.keys(rest);
  const text = textOf(db, `update ${table} ${names.join()}`, () =>
    db
      .updateTable(table as 'field')
      .set(rest as Partial<Tables['field']>)
      .where('id', '=', id),
  );
  await runLater(db, text, [...Object.values(rest), id]);
}

/**
 * Runs a statement that changes rows.
 * @param build the same statement, its parameters in the order of `values`
 */
export async function runPrepared(
  db: Db,
  key: string,
  build: () => { compile(): { sql: string } },
  values: readonly unknown[],
): Promise<void> {
  await runLater(db, textOf(db, key, build), values);
}

type WithId = 'transaction' | 'template' | 'document' | 'page' | 'recipient' | 'field';

/** Reads all rows in which `column` has one of these values, in the order of another column. */
export function rowsIn<T extends Table>(
  db: Db,
  table: T,
  column: keyof Tables[T] & string,
  values: readonly string[],
  order: keyof Tables[T] & string,
): Promise<Tables[T][]> {
  const { ref } = db.dynamic;
  const build = (filled: readonly string[]) =>
    db
      .selectFrom(table as 'field')
      .selectAll()
      .where(ref<'id'>(column), 'in', filled)
      .orderBy(ref(order));
  return rowsOfMany<Tables[T]>(db, `select ${table} ${column} ${order}`, build, values);
}

/**
 * Runs a statement whose only parameters are these values. The list is filled up to a power of two with its last value, so
 * that few statements are composed.
 */
export async function rowsOfMany<R>(
  db: Db,
  key: string,
  build: (filled: readonly string[]) => { compile(): { sql: string } },
  values: readonly string[],
): Promise<R[]> {
  if (values.length === 0) return [];
  const count = 2 ** Math.ceil(Math.log2(values.length));
  const filled = Array.from({ length: count }, (_, index) => values[index] ?? (values.at(-1) as string));
  const text = textOf(db, `${key} in ${count}`, () => build(filled));
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, filled));
  return rows as R[];
}

/** Runs a statement that was composed once for this connection and has one parameter. */
export async function rowsOf<R>(
  db: Db,
  key: string,
  build: () => { compile(): { sql: string } },
  value: string,
): Promise<R[]> {
  const { rows } = await db.executeQuery(CompiledQuery.raw(textOf(db, key, build), [value]));
  return rows as R[];
}

/** Reads all rows in which `column` has this value, in the order of another column. */
export async function rowsWhere<T extends Table>(
  db: Db,
  table: T,
  column: keyof Tables[T] & string,
  value: string,
  order: keyof Tables[T] & string,
): Promise<Tables[T][]> {
  const { rows } = await db.executeQuery(
    CompiledQuery.raw(textOfRowsWhere(db, table, column, order), [value]),
  );
  return rows as Tables[T][];
}

/** Reads like `rowsWhere`, without waiting for the rows where they are asked for together with others. */
export const rowsWhereLater = <T extends Table>(
  db: Db,
  table: T,
  column: keyof Tables[T] & string,
  value: string,
  order: keyof Tables[T] & string,
): Promise<{ rows: Promise<Tables[T][]> }> =>
  rowsLater(db, textOfRowsWhere(db, table, column, order), [value]);

const textOfRowsWhere = <T extends Table>(
  db: Db,
  table: T,
  column: keyof Tables[T] & string,
  order: keyof Tables[T] & string,
): string =>
  textOf(db, `select ${table} ${column} ${order}`, () => {
    const { ref } = db.dynamic;
    return db
      .selectFrom(table as 'field')
      .selectAll()
      .where(ref<'id'>(column), '=', '')
      .orderBy(ref(order));
  });

/** Reads one column of the row that has the greatest value in another; undefined where the table is empty. */
export async function lastValue<T extends Table, C extends keyof Tables[T] & string>(
  db: Db,
  table: T,
  column: C,
  order: keyof Tables[T] & string,
): Promise<Tables[T][C] | undefined> {
  const text = textOf(db, `last ${table} ${column} ${order}`, () => {
    const { ref } = db.dynamic;
    return db
      .selectFrom(table as 'field')
      .select(ref<'id'>(column))
      .orderBy(ref(order), 'desc')
      .limit(1);
  });
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, [1]));
  return (rows[0] as Tables[T] | undefined)?.[column];
}

/** SQLite takes 32,766 parameters in a statement. */
const CHUNK = 500;

export function chunks<T>(rows: T[]): T[][] {
  const result: T[][] = [];
  for (let start = 0; start < rows.length; start += CHUNK) result.push(rows.slice(start, start + CHUNK));
  return result;
}

const HEX_DIGITS_OF_TIME = 12;
const COUNTER_MAX = 0xfff;

/** The twelve bits after the time count (RFC 9562 §6.2, method 1); they begin in the lower half, to have room. */
const COUNTER_START = 0x7ff;

const TIME_ORDERED = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/;

/** Makes ids, each of which comes after the one before, whatever the clock does. */
export function timeOrderedIds(clock: () => number): () => string {
  let last: string | undefined;
  return () => {
    const random = randomUUID();
    const counter = Number.parseInt(random.slice(15, 18), 16) & COUNTER_START;
    last = idAfter(last, idOf(clock(), counter, random));
    return last;
  };
}

/**
 * Makes an id that comes after `last`: the fresh one where its millisecond is a later one, else the next number after
 * `last` with the random part of the fresh one.
 * @param last one that this or another process made, whose clock may be ahead
 */
export function idAfter(last: string | undefined, fresh: string): string {
  if (last === undefined || !TIME_ORDERED.test(last) || timeOf(fresh) > timeOf(last)) return fresh;
  const time = Number.parseInt(last.slice(0, 8) + last.slice(9, 13), 16);
  const counter = Number.parseInt(last.slice(15, 18), 16);
  return counter < COUNTER_MAX ? idOf(time, counter + 1, fresh) : idOf(time + 1, 0, fresh);
}

const timeOf = (id: string): string => id.slice(0, 13);

/** @param random an id whose last 62 bits are random */
function idOf(timeMs: number, counter: number, random: string): string {
  const time = timeMs.toString(16).padStart(HEX_DIGITS_OF_TIME, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}${random.slice(18)}`;
}
