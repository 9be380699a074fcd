// Reads an export in the form of the store that takes it over: encrypted with the key of that store, with addresses that
// lead there, and with new secrets where the export has none. Values are checked first: an export may come from anywhere.

import * as z from 'zod';
import { LIMITS } from '../../api/contract/limits.ts';
import { FAULT_KINDS, type FaultKind } from '../../api/contract/sandbox/faults.ts';
import { secretOf } from '../../api/standard-webhooks.ts';
import { epochMsOf, isInstant } from '../../common/instant.ts';
import type { BulkConnection, BulkRow } from '../../database/bulk.ts';
import { hashSecret, type Keys } from '../store/keys.ts';
import { TIME } from '../store/migrations/columns.ts';
import type { StoreError } from '../store/state/folder.ts';
import type { StoreReader } from './copy-store.ts';
import { COPIED_TABLES, isCopied } from './database-rows.ts';
import {
  ENCRYPTED_COLUMNS,
  EXPORTED_SETTINGS,
  exportedTables,
  isPathOfSandbox,
  SECRET_COLUMNS,
  SIGNING_PATH,
  withUrl,
} from './portable-export.ts';

type ImportForm = {
  keys: Keys;
  /** The export has secrets. */
  secrets: boolean;
  /** The sandbox that takes it over has this address. */
  origin: string;
  random: (bytes: number) => Uint8Array;
  /** The export is written to these tables. */
  columns: CheckedTables;
  /** @param why a sentence about the file */
  refuse(why: string): StoreError;
};

const SECRET_BYTES = 32;

/**
 * Reads all tables of the store. A table that is not in the export is empty, except for the links that are made for its
 * letters.
 */
export function importedReader(file: StoreReader, form: ImportForm): StoreReader {
  const { columns, secrets, refuse } = form;
  const tables = COPIED_TABLES.filter((table) => columns.has(table));
  if (file.tables.join() !== exportedTables(tables, secrets).join())
    throw refuse('it has other tables than this version of esign writes.');
  const links = createNewLinks(() => Buffer.from(form.random(SECRET_BYTES)).toString('base64url'));
  return {
    tables,
    blobs: () => file.blobs(),
    async *rows(table) {
      if (file.tables.includes(table))
        for await (const rows of file.rows(table))
          yield rows.map((row) => {
            checkRow(table, row, form);
            return rowForStore(table, row, { ...form, links });
          });
      // Its name comes after those of letters and recipients.
      else if (table === 'signing_link') yield links.rows();
    },
  };
}

// --- Rows for this sandbox ---

type RowForm = ImportForm & { links: NewLinks };

function rowForStore(table: string, row: BulkRow, form: RowForm): BulkRow {
  const columns = Object.entries(row).map(([column, value]) => [
    column,
    valueForStore(`${table}.${column}`, value, row, form),
  ]);
  return Object.fromEntries(columns) as BulkRow;
}

function valueForStore(column: string, value: unknown, row: BulkRow, form: RowForm): unknown {
  const { keys, secrets } = form;
  if (!secrets && Object.hasOwn(SECRET_COLUMNS, column)) return newSecret(column, value, row, form);
  if (value === null || !ENCRYPTED_COLUMNS.has(column)) return value;
  const text = `${value}`;
  try {
    if (column === 'mail.letter_sealed') return keys.encrypt(letterForStore(text, row, form));
    if (column === 'idempotency.answer_sealed')
      return keys.encrypt(withUrl(text, (url) => (isPathOfSandbox(url) ? form.origin + url : url)));
  } catch (error) {
    throw error instanceof SyntaxError ? form.refuse(`"${column}" has a value that is not JSON.`) : error;
  }
  return keys.encrypt(text);
}

/** @param value what the export has in place of a secret */
function newSecret(column: string, value: unknown, row: BulkRow, { keys, random, links, refuse }: RowForm) {
  const isMissing = value === null || value === SECRET_COLUMNS[column];
  if (!isMissing) throw refuse(`it says that it has no secrets, but has one in "${column}".`);
  switch (column) {
    case 'webhook.secret_sealed':
      return keys.encrypt(secretOf(random(SECRET_BYTES)));
    case 'file.token_hash':
      return hashSecret(Buffer.from(random(SECRET_BYTES)).toString('base64url'));
    case 'recipient.token_sealed':
      return value === null ? null : keys.encrypt(tokenOfRecipient(row, links));
    case 'recipient.token_hash':
      return row.token_sealed === null ? null : hashSecret(tokenOfRecipient(row, links));
    default:
      // Nothing has this hash, so nothing is taken for the secret.
      return value;
  }
}

const tokenOfRecipient = ({ id, updated_at }: BulkRow, links: NewLinks): string =>
  links.ofRecipient(`${id}`, `${updated_at}`);

/** @throws SyntaxError */
function letterForStore(text: string, row: BulkRow, { secrets, origin, links, refuse }: RowForm): string {
  return withUrl(text, (path) => {
    if (!isPathOfSandbox(path)) throw refuse('an email in it leads to another address.');
    if (secrets || !path.startsWith(SIGNING_PATH)) return origin + path;
    if (path !== SIGNING_PATH)
      throw refuse('it says that it has no secrets, but an email has a signing link.');
    return `${origin}${SIGNING_PATH}${links.ofLetter(row)}`;
  });
}

// --- New links: an import without secrets has one for each recipient who was invited, and one for each other letter ---

type NewLinks = {
  /** Returns the token that a recipient signs with, and that invitation and reminders lead to. */
  ofRecipient(recipientId: string, createdAt: string): string;
  /** @param mail the row of the letter */
  ofLetter(mail: BulkRow): string;
  /** Lists the rows of all tokens that were made, in the order of the table. */
  rows(): BulkRow[];
};

/** These emails lead to the page where the recipient signs, or has signed. */
const TO_SIGN: readonly unknown[] = ['invitation', 'reminder'];

function createNewLinks(newToken: () => string): NewLinks {
  const tokens = new Map<string, string>();
  const links: BulkRow[] = [];
  const make = (recipient_id: string, created_at: string): string => {
    const token = newToken();
    links.push({ token_hash: hashSecret(token), recipient_id, created_at });
    return token;
  };
  const ofRecipient = (recipientId: string, createdAt: string): string => {
    const token = tokens.get(recipientId) ?? make(recipientId, createdAt);
    tokens.set(recipientId, token);
    return token;
  };
  return {
    ofRecipient,
    ofLetter({ kind, recipient_id, created }) {
      const link = TO_SIGN.includes(kind) ? ofRecipient : make;
      return link(`${recipient_id}`, `${created}`);
    },
    rows: () => links.toSorted((a, b) => (`${a.token_hash}` < `${b.token_hash}` ? -1 : 1)),
  };
}

// --- Checks: each row has the columns of its table, and each value the type of its column. What values mean to each other is not checked ---

type CheckedColumn = { name: string; isEmptyAllowed: boolean; accepts(value: unknown): boolean };

type CheckedTables = ReadonlyMap<string, readonly CheckedColumn[]>;

const COLUMNS = `select m.name as "table", c.name as "column", lower(c.type) as type, c."notnull" as required
  from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`;

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

const ID = /^[\w-]{1,64}$/;

const SHA256 = /^[0-9a-f]{64}$/;

/** A half of a pair of surrogates cannot be stored. */
const isText = (value: unknown): value is string =>
  typeof value === 'string' && !/\p{Surrogate}/u.test(value);

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
function checkRow(table: string, row: BulkRow, { columns, refuse }: Refusing): void {
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
