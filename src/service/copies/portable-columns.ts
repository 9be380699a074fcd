// What an export of a sandbox has of the tables that are copied (`tables.ts`), and in what form. It needs no key: what is encrypted in a store is not
// encrypted in an export. Columns are named as `table.column`.
import { CLOCK_KEY } from '../store/sandbox/clock.ts';
import { FAULTS_KEY } from '../store/sandbox/faults.ts';

/** Columns that are encrypted with the key of the store. */
export const ENCRYPTED_COLUMNS: ReadonlySet<string> = new Set([
  'authority.content_sealed',
  'idempotency.answer_sealed',
  'mail.letter_sealed',
  'recipient.token_sealed',
  'signing.values_sealed',
  'webhook.previous_secret_sealed',
  'webhook.secret_sealed',
]);

/** The settings that an export has; port, key and identity belong to the folder. */
export const EXPORTED_SETTINGS: readonly string[] = [CLOCK_KEY, FAULTS_KEY];

/** Columns that no export has a value of, with what it has instead: they are about processes that run now. */
export const COLUMNS_OF_PROCESSES: Readonly<Record<string, null>> = {
  'delivery.lease': null,
  'delivery.leased_until': null,
};

/** Tables that only an export with secrets has, each with the reason. */
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

/** Columns with a secret or the hash of one, with what an export without secrets has instead. The import says what comes of them. */
export const SECRET_COLUMNS: Readonly<Record<string, '' | null>> = {
  'client.secret_hash': '',
  'file.token_hash': '',
  'recipient.token_hash': null,
  // Empty where there is one.
  'recipient.token_sealed': '',
  'webhook.previous_secret_sealed': null,
  'webhook.secret_sealed': '',
};

/** How an address of the sandbox begins in an export, with a signing token after it, and how it begins without one. */
export const SIGNING_PATH = '/sign?token=';
export const DASHBOARD_PATH = '/transactions/';
