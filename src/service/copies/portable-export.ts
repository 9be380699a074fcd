// Reads a store as an export of a sandbox has it: without the key, without what belongs to the folder, and without secrets where none are wanted. An
// export needs no key, because nothing in it is encrypted.
import { parseUrl } from '../../common/parse-url.ts';
import type { BulkRow } from '../../database/bulk.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { hashSecret, type Keys } from '../store/keys.ts';
import { CLOCK_KEY } from '../store/sandbox/clock.ts';
import { FAULTS_KEY } from '../store/sandbox/faults.ts';
import { OWN_CLIENT, ownTokenOf } from '../store/store.ts';
import type { StoreReader } from './copy-store.ts';

type ExportForm = {
  keys: Keys;
  /** The export has secrets. */
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

// --- Addresses of the sandbox ---

/** An address of the sandbox begins in an export with one of these two: the first has a signing token after it. */
export const SIGNING_PATH = '/sign?token=';

const DASHBOARD_PATH = '/transactions/';

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

// --- Columns with secrets ---

/** These columns are encrypted with the key of the store. */
export const ENCRYPTED_COLUMNS: ReadonlySet<string> = new Set([
  'authority.content_sealed',
  'idempotency.answer_sealed',
  'mail.letter_sealed',
  'recipient.token_sealed',
  'signing.values_sealed',
  'webhook.previous_secret_sealed',
  'webhook.secret_sealed',
]);

/** An export has these settings; port, key and identity belong to the folder. */
export const EXPORTED_SETTINGS: readonly string[] = [CLOCK_KEY, FAULTS_KEY];

/** No export has values of these columns, which are about processes that run now. It has these values instead. */
export const COLUMNS_OF_PROCESSES: Readonly<Record<string, null>> = {
  'delivery.lease': null,
  'delivery.leased_until': null,
};

/** Only an export with secrets has these tables, each for the reason beside it. */
export const SECRET_TABLES: Readonly<Record<string, string>> = {
  authority: 'They are private keys. A sandbox makes its own.',
  authorization_code: 'They are hashes of codes, which programs exchange within minutes.',
  idempotency: 'They are answers, which may have signing links and secrets of webhooks.',
  password: 'They are hashes of passwords, which can be guessed.',
  session: 'They are hashes of the cookies of browsers.',
  sign_in_attempt: 'They are hashes of what was typed at the sign-in, which may be a password.',
  sign_in_link: 'They are hashes of tokens of links that sign in once.',
  signing_link: 'They are hashes of signing tokens. New ones are made for the letters that have a link.',
  token: 'They are hashes of access and refresh tokens.',
};

/**
 * These columns have a secret or the hash of one. An export without secrets has these values instead, which the import
 * replaces.
 */
export const SECRET_COLUMNS: Readonly<Record<string, '' | null>> = {
  'client.secret_hash': '',
  'file.token_hash': '',
  'recipient.token_hash': null,
  // An empty text stands for a secret that the store has.
  'recipient.token_sealed': '',
  'webhook.previous_secret_sealed': null,
  'webhook.secret_sealed': '',
};
