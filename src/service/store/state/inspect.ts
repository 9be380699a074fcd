// Inspects the files of a store, for people who look for the cause of a failure: opened for reading only, never created, and no
// byte of it changed.
import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { DamagedStoreError } from '../../../database/database.ts';
import { countFileOf } from '../../../database/lost-commits.ts';
import { type InspectedDatabase, inspectSqlite } from '../../../database/sqlite-queries.ts';
import { readNamedBlobs } from '../blobs/sweep.ts';
import { createKeys } from '../keys.ts';
import type { Db, Tables } from '../schema.ts';
import { doesNotFit, isKeyOf } from '../store.ts';
import {
  blobsIn,
  ignoreMissingFile,
  keyIsMissing,
  pathsIn,
  readKey,
  refuseIncomplete,
  restoreHint,
} from './folder.ts';

export type StoreFinding = {
  part: 'store' | 'documents' | 'space';
  state: 'ok' | 'warn' | 'fail';
  says: string;
  hint?: string | undefined;
};

/** A transaction with a document of the largest size needs about twice that. */
const MB = 1024 * 1024;
const LITTLE_SPACE_BYTES = 50 * MB;

/** So many damaged files are named; the others are counted. */
const NAMED = 5;

/** SQLite lists at most so many faults of a damaged file. */
const SAID = 3;

export type InspectOptions = { deep: boolean; signal?: AbortSignal };

/** @returns undefined when there is no store. Throws DamagedStoreError when a part of it is missing or cannot be read. */
export async function inspectStore(
  folder: string,
  { deep, signal }: InspectOptions,
): Promise<readonly StoreFinding[] | undefined> {
  await refuseIncomplete(folder);
  const { database } = pathsIn(folder);
  if (!(await stat(database).catch(ignoreMissingFile))) return undefined;
  return inspectSqlite<Tables, StoreFinding[]>(database, async (inspected) => {
    const sound = await lookAtDatabase(folder, inspected, deep);
    const space = await lookAtSpace(folder);
    // The documents are not checked when the database is damaged: its rows cannot be trusted.
    if (sound.state === 'fail') return [sound, space];
    return [sound, await lookAtBlobs(folder, inspected, { deep, ...(signal && { signal }) }), space];
  });
}

async function lookAtDatabase(
  folder: string,
  { problems, read, refuseLostCommits }: InspectedDatabase<Tables>,
  deep: boolean,
): Promise<StoreFinding> {
  const part = 'store';
  const faults = await problems(deep);
  if (faults.length > 0)
    return {
      part,
      state: 'fail',
      says: `The sandbox database in ${folder} is damaged: ${faults.slice(0, SAID).join('; ')}.`,
      hint: restoreHint('store.db', folder),
    };
  const key = await readKey(folder);
  if (!key) throw keyIsMissing(folder);
  const keys = createKeys(key, () => new Uint8Array());
  if (!(await read((db) => isKeyOf(db, keys)))) throw doesNotFit(folder);
  const isComplete = refuseLostCommits();
  const says = `The sandbox database in ${folder} is intact${isComplete ? ', no commit is missing' : ''}, and its key matches.`;
  // A truncated log leaves a sound database: only the number of commits shows it.
  const unknown = ` Whether commits are missing is not known: the file ${countFileOf(pathsIn(folder).database)} is missing.`;
  return { part, state: 'ok', says: isComplete ? says : says + unknown };
}

type Damage = { sha256: string; why: string };

async function lookAtBlobs(
  folder: string,
  { read }: InspectedDatabase<Tables>,
  { deep, signal }: InspectOptions,
): Promise<StoreFinding> {
  const sizes = await read((db) => db.selectFrom('file').select(['original_sha256', 'size_bytes']).execute());
  const sizeOf = new Map(sizes.map((row) => [row.original_sha256, row.size_bytes]));
  const findDamage = deep ? compareBytes(folder) : compareSizes(folder, sizeOf);
  const looked = new Set<string>();
  const damages: Damage[] = [];
  for await (const names of readNamedBlobs({ read }))
    for (const sha256 of names) {
      if (looked.has(sha256)) continue;
      signal?.throwIfAborted();
      looked.add(sha256);
      const why = await findDamage(sha256);
      if (why !== undefined) damages.push({ sha256, why });
    }
  if (damages.length === 0)
    return {
      part: 'documents',
      state: 'ok',
      says: `All ${looked.size} stored files are ${deep ? 'unchanged' : 'present (--deep also compares their content)'}.`,
    };
  const named = await read((db) =>
    Promise.all(damages.slice(0, NAMED).map((damage) => describeDamage(db, damage))),
  );
  const more = damages.length > NAMED ? `, and ${damages.length - NAMED} more` : '';
  return {
    part: 'documents',
    state: 'fail',
    says: `${damages.length} of ${looked.size} stored files are damaged: ${named.join(', ')}${more}.`,
    hint: `Restore them from a backup of ${pathsIn(folder).blobs}, or upload the same documents again.`,
  };
}

/** Compares each blob as for a request: reads it whole, and compares it with its name. */
function compareBytes(folder: string) {
  const blobs = blobsIn(folder, () => 'never');
  return async (sha256: string): Promise<string | undefined> => {
    const size = await sizeIn(folder, sha256);
    if (size === undefined) return 'missing';
    return blobs.check(sha256).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof DamagedStoreError) return 'changed';
        throw error;
      },
    );
  };
}

/** Compares sizes only. The size is known of uploads, not of what was made from them. */
function compareSizes(folder: string, sizeOf: ReadonlyMap<string, number>) {
  return async (sha256: string): Promise<string | undefined> => {
    const size = await sizeIn(folder, sha256);
    if (size === undefined) return 'missing';
    const expected = sizeOf.get(sha256);
    if (expected === undefined) return size === 0 ? 'empty' : undefined;
    return size === expected ? undefined : `${size} bytes instead of ${expected}`;
  };
}

const sizeIn = async (folder: string, sha256: string): Promise<number | undefined> =>
  (await stat(join(pathsIn(folder).blobs, sha256.slice(0, 2), sha256)).catch(ignoreMissingFile))?.size;

async function describeDamage(db: Db, { sha256, why }: Damage): Promise<string> {
  const file = await db
    .selectFrom('file')
    .select('original_name')
    .where((eb) => eb.or([eb('original_sha256', '=', sha256), eb('pdf_sha256', '=', sha256)]))
    .executeTakeFirst();
  return `${file ? `"${file.original_name}"` : 'the image of a page'} (${why}, blob ${sha256})`;
}

async function lookAtSpace(folder: string): Promise<StoreFinding> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = bavail * bsize;
  const says = `${Math.floor(bytes / MB).toLocaleString('en')} MB are free on the disk of the sandbox.`;
  return bytes < LITTLE_SPACE_BYTES
    ? {
        part: 'space',
        state: 'warn',
        says,
        hint: 'Free some space on that disk. Nothing can be stored when it is full.',
      }
    : { part: 'space', state: 'ok', says };
}
