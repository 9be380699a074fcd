// Copies a store between places, backs it up into a file, and restores it from one.
import { readKey, StoreError } from '../store/state/folder.ts';
import { BACKUP, openBackup, writeBackup } from './backup-file.ts';
import { copyAndClose, type StoreContents, type StoreDescription } from './copy-store.ts';
import { openDatabaseStore, prepareDatabase } from './database-place.ts';
import { openFolderStore, prepareFolder } from './folder-place.ts';
import { type BucketOpener, type OpenStore, type Place, refuseKey, type StoreTarget } from './place.ts';

export type { BucketOpener, Place } from './place.ts';

export type CopyOptions = {
  /** A store that is in no folder needs its key from the caller; undefined says that there is none. */
  key: Uint8Array | undefined;
  newId: () => string;
  bucketAt: BucketOpener;
  signal: AbortSignal;
};

export type CopiedStore = {
  contents: StoreContents;
  /** A fingerprint is enough to compare keys. */
  key: string;
  /** A file has no identity, and neither has a sandbox that was never a team server. */
  installation: string | undefined;
};

export const copyBetween = (from: Place, to: Place, options: CopyOptions): Promise<CopiedStore> =>
  withStore(openPlace(from, options), async (store) => {
    const target = await prepare(to, store.description, { ...options, key: options.key ?? store.key });
    return copyInto(store, target, placeName(to), options.signal);
  });

/** Writes a backup; a file of this name is replaced. */
export const backUp = (from: Place, path: string, options: CopyOptions): Promise<CopiedStore> =>
  withStore(openPlace(from, options), async (store) => {
    const { description } = store;
    if (options.key) refuseKey(options.key, description);
    const writer = await writeBackup({ path, kind: BACKUP, description, newId: options.newId });
    return copyInto(store, { writer, installation: () => undefined }, path, options.signal);
  });

export const restore = (path: string, to: Place, options: CopyOptions): Promise<CopiedStore> =>
  withStore(openBackup(BACKUP, path, options.signal), async (store) => {
    const key = options.key ?? ('folder' in to ? await readKey(to.folder) : undefined);
    if (!key) throw keyMissing(store.description);
    const target = await prepare(to, store.description, { ...options, key });
    return copyInto(store, target, placeName(to), options.signal);
  });

export async function withStore<S extends { close(): Promise<void> }, R>(
  opening: Promise<S>,
  use: (store: S) => Promise<R>,
): Promise<R> {
  const store = await opening;
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** @param where the target is, for messages */
async function copyInto(
  { reader, description }: Pick<OpenStore, 'reader' | 'description'>,
  { writer, installation }: StoreTarget,
  where: string,
  signal: AbortSignal,
): Promise<CopiedStore> {
  const contents = await copyAndClose(reader, writer, where, signal);
  return { contents, key: description.key, installation: installation() };
}

const openPlace = (place: Place, { bucketAt }: CopyOptions): Promise<OpenStore> =>
  'folder' in place ? openFolderStore(place.folder) : openDatabaseStore(place.database, bucketAt);

const placeName = (place: Place): string => ('folder' in place ? place.folder : 'The database');

/** The key of a folder is stored in it. A database does not have its key, which is only compared where it is given. */
async function prepare(to: Place, description: StoreDescription, options: CopyOptions): Promise<StoreTarget> {
  const deps = { description, newId: options.newId, bucketAt: options.bucketAt };
  if ('database' in to) {
    if (options.key) refuseKey(options.key, description);
    return prepareDatabase(to, deps);
  }
  const key = options.key ?? (await readKey(to.folder));
  if (!key) throw keyMissing(description);
  return prepareFolder(to.folder, key, deps);
}

const keyMissing = ({ key }: StoreDescription): StoreError =>
  new StoreError(
    'key_missing',
    `The key of the store is missing. Its fingerprint is ${key}.`,
    'Set --key-file, ESIGN_SERVE_KEY_FILE or ESIGN_SERVE_KEY. For a sandbox, it is the file "key" of its directory.',
  );
