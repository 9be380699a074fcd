// Checks the rows of an export before they are written: each has the columns of its table, each value is of the type of its column, and settings are
// such as commands make. What values mean to each other is not checked.
import * as z from 'zod';
import { LIMITS } from '../../api/contract/limits.ts';
import { FAULT_KINDS, type FaultKind } from '../../api/contract/sandbox/fault-kinds.ts';
import { epochMsOf, isInstant } from '../../common/instant.ts';
import type { BulkConnection, BulkRow } from '../../database/bulk.ts';
import { TIME } from '../store/migrations/columns.ts';
import type { StoreError } from '../store/state/folder.ts';
import { EXPORTED_SETTINGS } from './portable-columns.ts';
import { isCopied } from './tables.ts';

type CheckedColumn = { name: string; isEmptyAllowed: boolean; accepts(value: unknown): boolean };

/** The columns of each table. */
export type CheckedTables = ReadonlyMap<string, readonly CheckedColumn[]>;

const COLUMNS = `select m.name as "table", c.name as "column", lower(c.type) as type, c."notnull" as required
  from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`;

const ID = /^[\w-]{1,64}$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** A half of a pair of surrogates cannot be stored. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && !/\p{Surrogate}/u.test(value);

/** @param connection to a store of SQLite */
export async function readColumns(connection: BulkConnection): Promise<CheckedTables> {
  const tables = new Map<string, CheckedColumn[]>();
  for (const { table, column, type, required } of await connection.run(COLUMNS)) {
    if (!isCopied(`${table}`)) continue;
    const name = `${column}`;
    const checked = { name, isEmptyAllowed: required === 0, accepts: valueCheck(name, `${type}`) };
    tables.set(`${table}`, [...(tables.get(`${table}`) ?? []), checked]);
  }
  return tables;
}

function valueCheck(column: string, type: string): (value: unknown) => boolean {
  if (type === 'integer') return Number.isSafeInteger;
  if (type === 'double precision') return Number.isFinite;
  if (type === TIME) return (value) => isText(value) && isInstant(value);
  if (column === 'id' || column.endsWith('_id')) return (value) => isText(value) && ID.test(value);
  if (column.endsWith('sha256')) return (value) => isText(value) && SHA256.test(value);
  return isText;
}

type Refusing = { columns: CheckedTables; refuse(why: string): StoreError };

/** @throws StoreError */
export function checkRow(table: string, row: BulkRow, { columns, refuse }: Refusing): void {
  const expected = columns.get(table) ?? [];
  if (Object.keys(row).length !== expected.length)
    throw refuse(`a row of "${table}" has other columns than this version of esign writes.`);
  for (const { name, isEmptyAllowed, accepts } of expected) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    const isFine = value === null ? isEmptyAllowed : accepts(value);
    if (!isFine) throw refuse(`a row of "${table}" has a value of "${name}" that is not valid.`);
  }
  if (table === 'meta' && !isSetting(row)) throw refuse('it has a setting that is not valid.');
}

const whole = z.int().nonnegative();

const SETTINGS: Readonly<Record<string, z.ZodType>> = {
  clock: z.strictObject({
    offset_ms: z.int().refine((ms) => Math.abs(ms) < epochMsOf(LIMITS.clockLatest)),
    paused_at: z
      .string()
      .refine((at) => isInstant(at) && at >= LIMITS.clockEarliest && at < LIMITS.clockLatest)
      .nullable(),
  }),
  faults: z.array(
    z.strictObject({
      id: z.string().regex(ID),
      operation: z.string(),
      kind: z.enum(Object.keys(FAULT_KINDS) as [FaultKind, ...FaultKind[]]),
      count: whole.nullable(),
      probability: z.number().nullable(),
      seed: whole.nullable(),
      latency: whole.nullable(),
      jitter: whole.nullable(),
      retry_after: whole.nullable(),
      bytes: whole.nullable(),
      hits: whole,
      chances: whole,
    }),
  ),
};

function isSetting({ key, value }: BulkRow): boolean {
  if (!EXPORTED_SETTINGS.includes(`${key}`)) return false;
  try {
    return SETTINGS[`${key}`]?.safeParse(JSON.parse(`${value}`)).success === true;
  } catch {
    return false;
  }
}
