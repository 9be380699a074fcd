// A store: the database, the blobs and the key in one folder, or a database that somebody else opened. Making one
// gives it an address, a company, a user and a client application of its own (assumed: A39, A40).
import { chmod, link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Instant } from '../../api/contract/instant.ts';
import { ALL_SCOPES } from '../../api/contract/scopes.ts';
import type { Database } from '../../database/database.ts';
import { makeFolder } from '../../database/folder.ts';
import { companyNamed, insertClient, insertToken, insertUser } from './accounts.ts';
import { type Blobs, createBlobs } from './blobs.ts';
import { createKeys, KEY_BYTES, type Keys } from './keys.ts';
import { migrations } from './migrations.ts';
import type { Db, Tables } from './schema.ts';

export type Store = {
  database: Database<Tables>;
  keys: Keys;
  blobs: Blobs;
  /** The port of the store's own address, chosen once (assumed: A39). */
  port: number;
};

export type StoreFacts = { now: () => Instant; newId: () => string; random: (bytes: number) => Uint8Array };

/** assumed: A40 */
export const OWN_COMPANY = 'Sandbox';
export const OWN_USER = { name: 'Sandbox Sender', email: 'sender@esign.test' };

/** The client application that a store is made with; further ones get random ids. */
export const OWN_CLIENT = {
  id: 'esign-sandbox',
  name: 'esign',
  callback_url: 'http://127.0.0.1:8976/callback',
};

/** Below the range that systems hand out to outgoing connections, so that it is free again next time. */
const PORTS = { from: 20_000, count: 10_000 };

export const ownTokenOf = (keys: Keys): string => keys.derive('access token of the own user');
export const controlSecretOf = (keys: Keys): string => keys.derive('control secret');
export const ownClientSecretOf = (keys: Keys): string => keys.derive('secret of the own client application');

const BLOBS = 'blobs';

/** @param folder is made, readable by its owner only; several processes may open it at once */
export async function openStore(folder: string, facts: StoreFacts): Promise<Store> {
  const { openSqlite } = await import('../../database/sqlite.ts');
  await makeFolder(join(folder, BLOBS));
  await chmod(folder, 0o700);
  const key = await keyOf(folder, facts);
  const database = await openSqlite<Tables>({
    file: join(folder, 'store.db'),
    migrations: migrations('sqlite'),
  });
  return furnish(database, key, createBlobs(join(folder, BLOBS), facts.newId), facts);
}

/** A store over a database that is open already. */
export async function furnish(
  database: Database<Tables>,
  key: Uint8Array,
  blobs: Blobs,
  facts: StoreFacts,
): Promise<Store> {
  const keys = createKeys(key, facts.random);
  const known = await database.read((db) => portOf(db));
  const port = known ?? (await database.write(async (db) => (await portOf(db)) ?? settle(db, keys, facts)));
  return { database, keys, blobs, port };
}

async function portOf(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'port').executeTakeFirst();
  return row && Number(row.value);
}

async function settle(db: Db, keys: Keys, facts: StoreFacts): Promise<number> {
  const [high = 0, low = 0] = facts.random(2);
  const port = PORTS.from + ((high * 256 + low) % PORTS.count);
  await db
    .insertInto('meta')
    .values({ key: 'port', value: String(port) })
    .execute();
  await makeOwnAccount(db, keys, facts);
  return port;
}

async function makeOwnAccount(db: Db, keys: Keys, facts: StoreFacts): Promise<void> {
  const now = facts.now();
  const company_id = await companyNamed(db, OWN_COMPANY, { newId: facts.newId, now });
  const user_id = facts.newId();
  await insertUser(db, { ...OWN_USER, id: user_id, company_id }, now);
  await insertClient(db, { ...OWN_CLIENT, company_id, created_at: now }, ownClientSecretOf(keys));
  const grant = { client_id: OWN_CLIENT.id, user_id, scopes: ALL_SCOPES.join(' ') };
  await insertToken(
    db,
    ownTokenOf(keys),
    { ...grant, kind: 'access', code_hash: null, expires_at: null },
    now,
  );
}

const KEPT_AT_RESET = new Set(['meta']);

const ALL_TABLES = [
  'meta',
  'company',
  'user',
  'client',
  'authorization_code',
  'token',
  'file',
  'template',
  'document',
  'page',
  'picture',
  'recipient',
  'field',
  'transaction',
  'webhook',
  'event',
  'mail',
  'password',
  'session',
  'consent',
  'sign_in_attempt',
  'idempotency',
] as const satisfies readonly (keyof Tables)[];

/** Empties every table and makes the own account again. Address and keys stay. Blobs are left to {@link Blobs.sweep}. */
export async function resetStore(db: Db, keys: Keys, facts: StoreFacts): Promise<void> {
  for (const table of ALL_TABLES) if (!KEPT_AT_RESET.has(table)) await db.deleteFrom(table).execute();
  await makeOwnAccount(db, keys, facts);
}

/** Reads the key, or makes it: of several processes that come first, one wins and the others take its key. */
async function keyOf(folder: string, { random, newId }: StoreFacts): Promise<Uint8Array> {
  const path = join(folder, 'key');
  const known = await readFile(path).catch(() => undefined);
  if (known) return checked(known, path);
  const scratch = `${path}.${newId()}.tmp`;
  const file = await open(scratch, 'wx', 0o600);
  await file.writeFile(random(KEY_BYTES));
  await file.sync();
  await file.close();
  await link(scratch, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(scratch);
  const directory = await open(folder, 'r');
  await directory.sync();
  await directory.close();
  return checked(await readFile(path), path);
}

function checked(key: Uint8Array, path: string): Uint8Array {
  if (key.length === KEY_BYTES) return key;
  throw new Error(
    `The key of the store at ${path} is damaged: it has ${key.length} bytes instead of ${KEY_BYTES}.`,
  );
}
