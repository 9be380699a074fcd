// Replaces the state of a store in a folder by that of another store in a folder, while other processes use it. The other one is used up.
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceRows } from '../../../database/bulk-sqlite.ts';
import { NewerStoreError } from '../../../database/database.ts';
import { connectSqlite, type SqliteConnection } from '../../../database/sqlite-driver.ts';
import { syncDirectory } from '../blobs/blobs.ts';
import { AUTHORITY, IMPORTED_AUTHORITY_KEY, LOOPBACK_AUTHORITY } from '../documents/sealing.ts';
import { CLOCK_KEY } from '../sandbox/clock.ts';
import { FAULTS_KEY } from '../sandbox/faults.ts';
import type { Tables } from '../schema.ts';
import { OWN_CLIENT, OWN_COMPANY, OWN_USER, STATE_TABLES } from '../store.ts';
import { ignoreMissingFile, pathsIn, StoreError } from './folder.ts';

export type Replacement = {
  /** The sandbox may have a state, which is lost. */
  replaces: boolean;
  /** With `imported` and a day, such as 2026-11-30, those of the other store replace those that are here. */
  authorities: 'kept' | 'same in both' | { imported: string };
};

/**
 * Replaces the state. Port, key and identity stay, and both stores have the same key.
 * @throws StoreError `store_not_empty`, before anything is lost
 */
export async function replaceState(folder: string, from: string, replacement: Replacement): Promise<void> {
  // Files come before the rows that name them.
  await moveBlobs(pathsIn(from).blobs, pathsIn(folder).blobs);
  await replaceRows(pathsIn(folder).database, pathsIn(from).database, STATE_TABLES, (connection) => {
    refuseOtherTables(connection);
    if (!replacement.replaces) refuseData(connection);
    connection.exec(
      `insert or replace into copy.meta select * from main.meta where key not in ('${CLOCK_KEY}', '${FAULTS_KEY}')`,
    );
    takeAuthorities(connection, replacement.authorities);
  });
}

/** Takes over the authorities. They issued the certificates of companies beside them, which never stay without them. */
function takeAuthorities(connection: SqliteConnection, authorities: Replacement['authorities']): void {
  if (authorities === 'kept') connection.exec('delete from copy.authority');
  connection.exec(
    `insert or ignore into copy.authority select * from main.authority where id in ('${AUTHORITY}', '${LOOPBACK_AUTHORITY}')`,
  );
  if (typeof authorities === 'object')
    connection
      .prepare('insert or replace into copy.meta (key, value) values (?, ?)')
      .all([IMPORTED_AUTHORITY_KEY, authorities.imported]);
}

/** Moves blobs. Each replaces one with the same bytes, so that none of them is old enough for a sweep. */
async function moveBlobs(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(ignoreMissingFile);
  const subfolders = new Set<string>();
  for (const { name, parentPath } of (entries ?? []).filter((entry) => entry.isFile())) {
    const subfolder = join(to, name.slice(0, 2));
    await mkdir(subfolder, { recursive: true, mode: 0o700 });
    await rename(join(parentPath, name), join(subfolder, name));
    subfolders.add(subfolder);
  }
  for (const directory of [...subfolders, to]) await syncDirectory(directory);
}

/** Refuses tables of another version: another process may have upgraded the store meanwhile. */
function refuseOtherTables(connection: SqliteConnection): void {
  const [main, copy] = ['main', 'copy'].map((schema) =>
    JSON.stringify(connection.prepare(`select name from ${schema}.schema_migration order by name`).all([])),
  );
  if (main !== copy)
    throw new NewerStoreError('A newer version of esign has upgraded the sandbox meanwhile.');
}

/** A store that was just made has only rows that meet these conditions. Authorities stay after a reset, too. */
const ROWS_OF_NEW_STORE: Partial<Record<keyof Tables, string>> = {
  meta: `key not in ('${CLOCK_KEY}', '${FAULTS_KEY}')`,
  authority: 'true',
  company: `name = '${OWN_COMPANY}' and imprint_url is null and privacy_url is null`,
  user: `email = '${OWN_USER.email}'`,
  verified_user: `user_id in (select id from main.user where email = '${OWN_USER.email}')`,
  client: `id = '${OWN_CLIENT.id}' and notification_rotations = 0`,
  // No other access token is valid for ever.
  token: `kind = 'access' and expires_at is null`,
};

/** @throws StoreError `store_not_empty` for a store that has more than one that was just made */
export function refuseFilledStore(folder: string): void {
  const connection = connectSqlite(pathsIn(folder).database, { readOnly: true });
  try {
    refuseData(connection);
  } finally {
    connection.close();
  }
}

function refuseData(connection: SqliteConnection): void {
  const table = STATE_TABLES.find((name) => {
    const others = `select 1 from main."${name}" where not (${ROWS_OF_NEW_STORE[name] ?? 'false'}) limit 1`;
    return connection.prepare(others).all([]).length > 0;
  });
  if (table === undefined) return;
  throw new StoreError(
    'store_not_empty',
    `The sandbox is not empty: ${table === 'meta' ? 'its clock was moved, or it has faults' : `its table "${table}" has data`}.`,
    'To replace everything in it, run `esign sandbox reset --to FILE`.',
  );
}
