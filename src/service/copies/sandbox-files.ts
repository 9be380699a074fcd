// Exports a sandbox to a file, and imports such a file into a sandbox that other processes may use meanwhile (decision 0053).
import { rm } from 'node:fs/promises';
import { openBulkSqlite } from '../../database/bulk-sqlite.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { describeStorageError, StorageError } from '../../database/failure.ts';
import { holdFreeFile } from '../../database/file-locks.ts';
import { openSqlite } from '../../database/sqlite.ts';
import { compareAuthorities } from '../sealing/embedded-sealing.ts';
import { removeUnnamedBlobs } from '../store/blobs/sweep.ts';
import { migrations } from '../store/migrations.ts';
import type { Tables } from '../store/schema.ts';
import { pathsIn, readKey, StoreError } from '../store/state/folder.ts';
import { refuseFilledStore, replaceState } from '../store/state/replace-state.ts';
import { makeOwnAccount, openStore, ownOriginOf, type Store, type StoreDeps } from '../store/store.ts';
import { EXPORT, type OpenFile, openBackup, writeBackup } from './backup-file.ts';
import { copyAndClose, copyStore, type StoreContents } from './copy-store.ts';
import { openFolderStore, prepareFolder } from './folder-place.ts';
import { keyFingerprint } from './place.ts';
import { portableReader } from './portable-export.ts';
import { importedReader, readColumns } from './portable-import.ts';
import { withStore } from './stores.ts';

export type SandboxDeps = StoreDeps & { signal: AbortSignal };

export type SandboxFile = { contents: StoreContents; secrets: boolean };

/** `not_imported` means that the file has the certificate authority of another sandbox, which was not wanted. */
export type ImportedFile = SandboxFile & { authority: 'kept' | 'not_imported' | 'imported' };

export type ImportOptions = SandboxDeps & {
  /** The sandbox may have a state, which is lost. */
  replaces: boolean;
  /**
   * Asks whether the authority of the file is to replace that of the sandbox, so that `esign verify` trusts it. It is called only
   * where it is another one, before anything is changed. @param sha256 of its root certificate, in hexadecimal
   */
  wantsAuthority(sha256: string): Promise<boolean>;
};

/**
 * Exports a sandbox; a file of this name is replaced.
 * @param folder of the sandbox, which is made where there is none
 * @throws StoreError, DamagedStoreError, NewerStoreError, StorageError
 */
export async function exportSandbox(
  folder: string,
  path: string,
  { secrets, ...deps }: SandboxDeps & { secrets: boolean },
): Promise<SandboxFile> {
  const { database, keys } = await openStore(folder, deps);
  await database.close();
  return withStore(openFolderStore(folder), async ({ reader, description: { schema } }) => {
    const description = { schema, secrets };
    const writer = await writeBackup({ path, kind: EXPORT, description, newId: deps.newId });
    const portable = portableReader(reader, { keys, secrets });
    return { contents: await copyAndClose(portable, writer, path, deps.signal), secrets };
  });
}

/**
 * Verifies the whole file first. The state of the sandbox is replaced in one commit.
 * @param folder of the sandbox, which is made where there is none
 * @throws StoreError `export_damaged`, `store_not_empty` or `locked`; NewerStoreError, DamagedStoreError, StorageError
 */
export const importSandbox = (
  path: string,
  folder: string,
  { replaces, wantsAuthority, ...deps }: ImportOptions,
): Promise<ImportedFile> =>
  withStore(openBackup(EXPORT, path, deps.signal), async (file) => {
    const store = await openStore(folder, deps);
    const { secrets } = file.description;
    try {
      if (store.database.isReadOnly)
        throw new StorageError(`${folder} cannot be used: it is read-only.`, 'unusable');
      if (!replaces) refuseFilledStore(folder);
      const authority = await withIncoming(folder, async (incoming) => {
        await writeIncoming({ path, file, incoming }, store, deps);
        const compared = await compareAuthorities(incoming, folder).catch(() => {
          throw EXPORT.refuse(path, 'its certificate authority cannot be read.');
        });
        const isImported = typeof compared === 'object' && (await wantsAuthority(compared.foreign));
        deps.signal.throwIfAborted();
        const day = deps.now().slice(0, DAY_LENGTH);
        const others = compared === 'same' ? 'same in both' : 'kept';
        await replaceState(folder, incoming, {
          replaces,
          authorities: isImported ? { imported: day } : others,
        });
        if (isImported) return 'imported';
        return typeof compared === 'object' ? 'not_imported' : 'kept';
      });
      if (replaces) await removeUnnamedBlobs(store);
      return { contents: file.contents, secrets, authority };
    } catch (error) {
      throw describeStorageError(error, folder);
    } finally {
      await store.database.close();
    }
  });

/** An instant begins with its day, such as 2026-11-30. */
const DAY_LENGTH = 10;

/** Runs work in the folder of an import. One process imports at a time. The folder of a killed one is removed. */
async function withIncoming<T>(folder: string, use: (incoming: string) => Promise<T>): Promise<T> {
  const { incoming } = pathsIn(folder);
  const lock = `${incoming}.lock`;
  const hold = holdFreeFile(lock);
  if (!hold)
    throw new StoreError(
      'locked',
      `Another esign process is importing a file into the sandbox in ${folder}.`,
      'Wait until it has ended, or end it.',
    );
  try {
    await rm(incoming, { recursive: true, force: true });
    return await use(incoming);
  } finally {
    await rm(incoming, { recursive: true, force: true });
    hold.release();
  }
}

type Incoming = { path: string; file: OpenFile<typeof EXPORT>; incoming: string };

/** Makes a store of the file, with the tables of this version and the key of the sandbox. */
async function writeIncoming(
  { path, file, incoming }: Incoming,
  store: Store,
  deps: SandboxDeps,
): Promise<void> {
  const { schema, secrets } = file.description;
  const refuse = (why: string) => EXPORT.refuse(path, why);
  const key = await readKey(store.folder ?? '');
  if (!key) throw new Error('A store that was opened has a key.');
  const description = { schema, key: keyFingerprint(key) };
  const { writer } = await prepareFolder(incoming, key, { description, newId: deps.newId });
  const { database } = pathsIn(incoming);
  try {
    const columns = await columnsIn(database);
    const form = {
      keys: store.keys,
      secrets,
      origin: ownOriginOf(store),
      random: deps.random,
      columns,
      refuse,
    };
    await copyStore(importedReader(file.reader, form), writer, deps.signal);
  } catch (error) {
    throw error instanceof DamagedStoreError || isContradiction(error)
      ? refuse('its rows and files do not fit together.')
      : error;
  } finally {
    await writer.close();
  }
  const imported = await openSqlite<Tables>({ file: database, migrations: migrations('sqlite') });
  await imported.write((db) => makeOwnAccount(db, store.keys, deps));
  await imported.close();
}

async function columnsIn(database: string) {
  const connection = openBulkSqlite(database, { isReadOnly: true });
  try {
    return await readColumns(connection);
  } finally {
    await connection.close();
  }
}

/** Recognises SQLITE_CONSTRAINT: two rows have the same ID, or something is missing in one. */
const isContradiction = (error: unknown): boolean =>
  (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 19;
