// Reads an export as the store has it that takes it over: encrypted with the key of that store, with addresses that lead there, and with new secrets
// where the export has none. Values are checked first: an export may come from anywhere.
import { secretOf } from '../../api/standard-webhooks.ts';
import type { BulkRow } from '../../database/bulk.ts';
import { hashSecret, type Keys } from '../store/keys.ts';
import type { StoreError } from '../store/state/folder.ts';
import { type CheckedTables, checkRow } from './check-row.ts';
import type { StoreReader } from './copy-store.ts';
import { createNewLinks, type NewLinks } from './new-links.ts';
import { ENCRYPTED_COLUMNS, SECRET_COLUMNS, SIGNING_PATH } from './portable-columns.ts';
import { exportedTables, isPathOfSandbox, withUrl } from './portable-export.ts';
import { COPIED_TABLES } from './tables.ts';

export type ImportForm = {
  keys: Keys;
  /** Whether the export has secrets. */
  secrets: boolean;
  /** The address of the sandbox that takes it over. */
  origin: string;
  random: (bytes: number) => Uint8Array;
  /** The tables that the export is written to. */
  columns: CheckedTables;
  /** @param why a sentence about the file */
  refuse(why: string): StoreError;
};

const SECRET_BYTES = 32;

/** All tables of the store. A table that is not in the export is empty, except for the links that are made for its letters. */
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
            return ownRow(table, row, { ...form, links });
          });
      // Its name comes after those of letters and recipients.
      else if (table === 'signing_link') yield links.rows();
    },
  };
}

type OwnForm = ImportForm & { links: NewLinks };

function ownRow(table: string, row: BulkRow, form: OwnForm): BulkRow {
  const columns = Object.entries(row).map(([column, value]) => [
    column,
    ownValue(`${table}.${column}`, value, row, form),
  ]);
  return Object.fromEntries(columns) as BulkRow;
}

function ownValue(column: string, value: unknown, row: BulkRow, form: OwnForm): unknown {
  const { keys, secrets } = form;
  if (!secrets && Object.hasOwn(SECRET_COLUMNS, column)) return newSecret(column, value, row, form);
  if (value === null || !ENCRYPTED_COLUMNS.has(column)) return value;
  const text = `${value}`;
  try {
    if (column === 'mail.letter_sealed') return keys.encrypt(ownLetter(text, row, form));
    if (column === 'idempotency.answer_sealed')
      return keys.encrypt(withUrl(text, (url) => (isPathOfSandbox(url) ? form.origin + url : url)));
  } catch (error) {
    throw error instanceof SyntaxError ? form.refuse(`"${column}" has a value that is not JSON.`) : error;
  }
  return keys.encrypt(text);
}

/** @param value what the export has in place of a secret */
function newSecret(column: string, value: unknown, row: BulkRow, { keys, random, links, refuse }: OwnForm) {
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
function ownLetter(text: string, row: BulkRow, { secrets, origin, links, refuse }: OwnForm): string {
  return withUrl(text, (path) => {
    if (!isPathOfSandbox(path)) throw refuse('an email in it leads to another address.');
    if (secrets || !path.startsWith(SIGNING_PATH)) return origin + path;
    if (path !== SIGNING_PATH)
      throw refuse('it says that it has no secrets, but an email has a signing link.');
    return `${origin}${SIGNING_PATH}${links.ofLetter(row)}`;
  });
}
