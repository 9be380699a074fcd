// Reads a store as an export of a sandbox has it: without the key, without what belongs to the folder, and without secrets where none are wanted.
import { parseUrl } from '../../api/contract/parse-url.ts';
import type { BulkRow } from '../../database/bulk.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { hashSecret, type Keys } from '../store/keys.ts';
import { OWN_CLIENT, ownTokenOf } from '../store/store.ts';
import type { StoreReader } from './copy-store.ts';
import {
  COLUMNS_OF_PROCESSES,
  DASHBOARD_PATH,
  ENCRYPTED_COLUMNS,
  EXPORTED_SETTINGS,
  SECRET_COLUMNS,
  SECRET_TABLES,
  SIGNING_PATH,
} from './portable-columns.ts';

export type ExportForm = {
  keys: Keys;
  /** Whether the export has secrets. */
  secrets: boolean;
};

export function portableReader(reader: StoreReader, { keys, secrets }: ExportForm): StoreReader {
  const ownToken = hashSecret(ownTokenOf(keys));
  const isOfFolder = (table: string, row: BulkRow): boolean =>
    (table === 'meta' && !EXPORTED_SETTINGS.includes(`${row.key}`)) ||
    (table === 'token' && row.hash === ownToken);
  return {
    tables: exportedTables(reader.tables, secrets),
    blobs: () => reader.blobs(),
    async *rows(table) {
      for await (const rows of reader.rows(table))
        yield rows
          .filter((row) => !isOfFolder(table, row))
          .map((row) => portableRow(table, row, { keys, secrets }));
    },
  };
}

export const exportedTables = (tables: readonly string[], secrets: boolean): string[] =>
  tables.filter((table) => secrets || !Object.hasOwn(SECRET_TABLES, table));

function portableRow(table: string, row: BulkRow, form: ExportForm): BulkRow {
  const columns = Object.entries(row).map(([column, value]) => [
    column,
    value === null ? null : portableValue(`${table}.${column}`, value, row, form),
  ]);
  return Object.fromEntries(columns) as BulkRow;
}

function portableValue(column: string, value: unknown, row: BulkRow, { keys, secrets }: ExportForm): unknown {
  if (Object.hasOwn(COLUMNS_OF_PROCESSES, column)) return COLUMNS_OF_PROCESSES[column];
  // The secret of the sandbox's own application is derived from its key.
  if (column === 'client.secret_hash' && row.id === OWN_CLIENT.id) return '';
  if (!secrets && Object.hasOwn(SECRET_COLUMNS, column)) return SECRET_COLUMNS[column];
  if (!ENCRYPTED_COLUMNS.has(column)) return value;
  const text = decrypt(keys, column, `${value}`);
  if (column === 'idempotency.answer_sealed') return withUrl(text, (url) => pathOf(url) ?? url);
  if (column !== 'mail.letter_sealed') return text;
  return withUrl(text, (url) => (secrets ? pathOf(url) : withoutToken(pathOf(url))) ?? null);
}

function decrypt(keys: Keys, column: string, value: string): string {
  try {
    return keys.decrypt(value);
  } catch (cause) {
    throw new DamagedStoreError(`A value of the column "${column}" cannot be decrypted.`, { cause });
  }
}

/** Changes the property `url` of an object in JSON, where it has one. */
export function withUrl(json: string, change: (url: string) => string | null): string {
  const value = JSON.parse(json) as { url?: unknown } | null;
  return typeof value === 'object' && typeof value?.url === 'string'
    ? JSON.stringify({ ...value, url: change(value.url) })
    : json;
}

/** Addresses of the sandbox begin with its own port, which another sandbox does not have. */
function pathOf(url: string): string | undefined {
  const { pathname = '', search = '' } = parseUrl(url) ?? {};
  const path = pathname + search;
  return isPathOfSandbox(path) ? path : undefined;
}

export const isPathOfSandbox = (text: string): boolean =>
  [SIGNING_PATH, DASHBOARD_PATH].some((start) => text.startsWith(start));

const withoutToken = (path: string | undefined): string | undefined =>
  path?.startsWith(SIGNING_PATH) ? SIGNING_PATH : path;
