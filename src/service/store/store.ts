// Opens a store: the database, the blobs and the key in one folder, or a database that the caller opened. A new store gets an
// address, a company, a user and a client application of its own (assumed: A39, A40).

import { ALL_SCOPES } from '../../api/contract/operation.ts';
import type { Instant } from '../../common/instant.ts';
import { DamagedStoreError, type Database, UnreleasedStoreError } from '../../database/database.ts';
import { describeStorageError } from '../../database/failure.ts';
import {
  findClient,
  findOrCreateCompany,
  findUser,
  insertClient,
  insertToken,
  insertUser,
  setClientSecret,
  verifyUser,
} from './accounts/accounts.ts';
import type { Blobs } from './blobs/blobs.ts';
import { forgetCompanies } from './documents/sealing.ts';
import { createKeys, hashSecret, type Keys } from './keys.ts';
import { migrations } from './migrations.ts';
import { rowsWhere } from './rows.ts';
import { REAL_TIME, writeClockSetting } from './sandbox/clock.ts';
import { writeFaults } from './sandbox/faults.ts';
import type { Db, Tables } from './schema.ts';
import {
  blobsIn,
  isOnReadOnlyDisk,
  makeStoreFolder,
  pathsIn,
  readOrMakeKey,
  refuseIncomplete,
  restoreHint,
} from './state/folder.ts';

export type Store = {
  database: Database<Tables>;
  keys: Keys;
  blobs: Blobs;
  /** The store's own address has this port, chosen once (assumed: A39). */
  port: number;
  deliveries: DeliveryNotice;
  /** Its files are in this folder; undefined for a database that the caller opened. */
  folder: string | undefined;
};

/** Notifies the delivery loop that this process is about to commit something to deliver. */
export type DeliveryNotice = {
  isWritten: boolean;
  wake: () => void;
  /** This process has given up so many emails, or kept them in the mailbox. */
  undeliveredMails: number;
};

export type StoreDeps = { now: () => Instant; newId: () => string; random: (bytes: number) => Uint8Array };

export const OWN_COMPANY = 'Sandbox';
export const OWN_USER = { name: 'Sandbox Sender', email: 'sender@esign.test' };

/** A store is made with this client application; further ones get random ids. */
export const OWN_CLIENT = {
  id: 'esign-sandbox',
  name: 'esign',
  callback_url: 'http://127.0.0.1:8976/callback',
};

/** The ports are below the range that systems hand out to outgoing connections, so that one is free again next time. */
const PORTS = { from: 20_000, count: 10_000 };

/** Makes the address under which the store's own service is reached on this machine. */
export const ownOriginOf = ({ port }: Pick<Store, 'port'>): string => `http://127.0.0.1:${port}`;

export const ownTokenOf = (keys: Keys): string => keys.derive('access token of the own user');
export const controlSecretOf = (keys: Keys): string => keys.derive('control secret');
export const ownClientSecretOf = (keys: Keys): string => keys.derive('secret of the own client application');

/**
 * Creates a store where nothing is, and continues an interrupted creation.
 * @param folder is made, readable by its owner only; several processes may open it at once
 * @throws DamagedStoreError when a part of it is missing or does not belong to it; NewerStoreError, UnreleasedStoreError
 */
export async function openStore(folder: string, deps: StoreDeps): Promise<Store> {
  const isReadOnly = isOnReadOnlyDisk(folder);
  if (!isReadOnly) makeStoreFolder(folder);
  await refuseIncomplete(folder);
  const database = await openDatabase(folder, isReadOnly);
  try {
    const key = await readOrMakeKey(folder, () => isMade(database), deps);
    return await seedStore(database, key, blobsIn(folder, deps.newId), deps, folder);
  } catch (error) {
    await database.close();
    throw describeStorageError(error, pathsIn(folder).database);
  }
}

async function openDatabase(folder: string, isReadOnly: boolean): Promise<Database<Tables>> {
  const options = { file: pathsIn(folder).database, migrations: migrations('sqlite') };
  try {
    if (isReadOnly)
      return await (await import('../../database/sqlite.ts')).openReadOnlySqlite<Tables>(options);
    const { openSqlite } = await import('../../database/sqlite.ts');
    return await openSqlite<Tables>({ ...options, countsCommits: true });
  } catch (error) {
    if (!(error instanceof UnreleasedStoreError)) throw error;
    throw new UnreleasedStoreError(
      error.migration,
      `Move the directory ${folder} away. The next command makes an empty one.`,
    );
  }
}

const isMade = async (database: Database<Tables>): Promise<boolean> =>
  (await database.read(readMeta)).port !== undefined;

/** Makes a store over a database that is open already. @param folder where it is, for messages */
export async function seedStore(
  database: Database<Tables>,
  key: Uint8Array,
  blobs: Blobs,
  deps: StoreDeps,
  folder?: string,
): Promise<Store> {
  const keys = createKeys(key, deps.random);
  const check = keyCheckOf(keys);
  const deliveries: DeliveryNotice = { isWritten: false, wake: () => undefined, undeliveredMails: 0 };
  const before = await database.read(readMeta);
  if (before.port !== undefined && before.key_check === check)
    return { database, keys, blobs, port: before.port, deliveries, folder };
  const port = await database.write(async (db) => {
    const meta = await readMeta(db);
    // A copy of a team server has the check of its key, and neither a port nor an account of its own.
    if (meta.port === undefined && meta.key_check === undefined) await setMeta(db, 'key_check', check);
    else if (!(await isKeyOf(db, keys))) throw doesNotFit(folder);
    if (meta.port === undefined) return setUpStore(db, keys, deps);
    if (meta.key_check === undefined) await setMeta(db, 'key_check', check);
    return meta.port;
  });
  if (before.port === undefined) await database.settleLog();
  return { database, keys, blobs, port, deliveries, folder };
}

/**
 * Derives a text that is kept in the store, so that the key of another one is recognised. It tells nothing about the key.
 */
export const keyCheckOf = (keys: Keys): string => keys.derive('check of the key');

/**
 * Tells whether these are the keys that the store was made with. A store without this check is recognised by its own token,
 * which is derived from the key.
 */
export async function isKeyOf(db: Db, keys: Keys): Promise<boolean> {
  const { key_check } = await readMeta(db);
  if (key_check !== undefined) return key_check === keyCheckOf(keys);
  const [token] = await rowsWhere(db, 'token', 'hash', hashSecret(ownTokenOf(keys)), 'hash');
  return token !== undefined;
}

export const doesNotFit = (folder = 'this database'): DamagedStoreError =>
  new DamagedStoreError(
    `The key does not match the sandbox data in ${folder}: the file "key" or the file "store.db" is from another sandbox.`,
    { hint: restoreHint('the two matching files', folder) },
  );

export type Meta = { port: number | undefined; key_check: string | undefined };

export async function readMeta(db: Db): Promise<Meta> {
  const rows = await db.selectFrom('meta').select(['key', 'value']).execute();
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  const port = values.get('port');
  return { port: port === undefined ? undefined : Number(port), key_check: values.get('key_check') };
}

const setMeta = (db: Db, key: keyof Meta, value: string) =>
  db.insertInto('meta').values({ key, value }).execute();

async function setUpStore(db: Db, keys: Keys, deps: StoreDeps): Promise<number> {
  const [high = 0, low = 0] = deps.random(2);
  const port = PORTS.from + ((high * 256 + low) % PORTS.count);
  await setMeta(db, 'port', String(port));
  await makeOwnAccount(db, keys, deps);
  return port;
}

/** Makes the company, the user, the client application and the access token of the store itself, those that are missing. */
export async function makeOwnAccount(db: Db, keys: Keys, deps: StoreDeps): Promise<void> {
  const now = deps.now();
  const stored = await findUser(db, OWN_USER.email);
  const company_id =
    stored?.company_id ?? (await findOrCreateCompany(db, OWN_COMPANY, { newId: deps.newId, now }));
  const user_id = stored?.id ?? deps.newId();
  if (!stored) {
    await insertUser(db, { ...OWN_USER, id: user_id, company_id }, now);
    await verifyUser(db, user_id, now);
  }
  const secret = ownClientSecretOf(keys);
  if (await findClient(db, OWN_CLIENT.id)) await setClientSecret(db, OWN_CLIENT.id, secret);
  else await insertClient(db, { ...OWN_CLIENT, company_id, is_public: 0, created_at: now }, secret);
  const grant = { client_id: OWN_CLIENT.id, user_id, scopes: ALL_SCOPES.join(' ') };
  await insertToken(
    db,
    ownTokenOf(keys),
    { ...grant, kind: 'access', code_hash: null, expires_at: null },
    now,
  );
}

/** A reset keeps or empties each table. A table that is not here does not compile. */
const AT_RESET: Readonly<Record<keyof Tables, 'kept' | 'emptied'>> = {
  meta: 'kept',
  company: 'emptied',
  user: 'emptied',
  verified_user: 'emptied',
  client: 'emptied',
  authorization_code: 'emptied',
  token: 'emptied',
  file: 'emptied',
  template: 'emptied',
  document: 'emptied',
  page: 'emptied',
  picture: 'emptied',
  page_text: 'emptied',
  stamped_comparison: 'emptied',
  recipient: 'emptied',
  signing_link: 'emptied',
  signing: 'emptied',
  audit: 'emptied',
  field: 'emptied',
  transaction: 'emptied',
  sealed_document: 'emptied',
  webhook: 'emptied',
  event: 'emptied',
  mail: 'emptied',
  delivery: 'emptied',
  attempt: 'emptied',
  worker: 'kept',
  password: 'emptied',
  session: 'emptied',
  sign_in_link: 'emptied',
  consent: 'emptied',
  sign_in_attempt: 'emptied',
  idempotency: 'emptied',
  authority: 'kept',
};

export const TABLE_NAMES = Object.keys(AT_RESET) as (keyof Tables)[];

/** These tables have the state of the store. Processes that deliver now are not those of another time. */
export const STATE_TABLES = TABLE_NAMES.filter((table) => table !== 'worker');

/**
 * Empties every table, creates the store's own account again, returns the clock to real time, and removes all faults. Address, keys and authority stay. Blobs are left to {@link
 * Blobs.sweep}.
 */
export async function resetStore(db: Db, keys: Keys, deps: StoreDeps): Promise<void> {
  for (const table of TABLE_NAMES) if (AT_RESET[table] === 'emptied') await db.deleteFrom(table).execute();
  await forgetCompanies(db);
  await writeClockSetting(db, REAL_TIME);
  await writeFaults(db, []);
  await makeOwnAccount(db, keys, deps);
}
