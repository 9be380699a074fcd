// Stores the bytes of blobs as objects of a bucket, under their hash. The database names them, so that no node removes what another one is
// writing: S3 removes an object whatever happened to it since it was listed.
import type { Database } from '../../database/database.ts';
import type { Blobs } from '../store/blobs.ts';
import { nameBlob, readUnnamed, removeNames } from '../store/database-blobs.ts';
import type { Tables } from '../store/schema.ts';
import { createSharedBlobs, type SharedBody, type SharedBytes } from '../store/shared-blobs.ts';
import type { S3Client } from './client.ts';

/** Objects that are removed at the same time, while their rows are locked. */
const REMOVED_AT_ONCE = 16;

/** The name of the object with these bytes. */
export const blobObjectOf = (sha256: string): string => `blobs/${sha256}`;

/** @param copies of this node */
export const createS3Blobs = (client: S3Client, database: Database<Tables>, copies: Blobs): Blobs =>
  createSharedBlobs(objectsIn(client, database), copies);

const objectsIn = (client: S3Client, database: Database<Tables>): SharedBytes => ({
  write: (body) => storeObject(client, database, body),
  read: (sha256) => client.read(blobObjectOf(sha256)),
  remove: (sha256) => removeObjects(client, database, [sha256], 0),
  explainRestoring: (sha256) =>
    `Restore the object ${blobObjectOf(sha256)} of the bucket from a backup, or upload the same file again.`,
  async sweep(isNamed, untouchedMs, signal) {
    for await (const unnamed of readUnnamed(database, isNamed))
      for (let start = 0; start < unnamed.length; start += REMOVED_AT_ONCE) {
        if (signal?.aborted) return;
        await removeObjects(client, database, unnamed.slice(start, start + REMOVED_AT_ONCE), untouchedMs);
      }
  },
});

/**
 * Names the blob before it is sent: from then on a sweep leaves it alone, and one that was removing it is over. A process that is killed
 * between leaves a name without an object, or an object that nothing uses, and a later sweep removes both.
 */
async function storeObject(client: S3Client, database: Database<Tables>, body: SharedBody): Promise<void> {
  await database.write((db) => nameBlob(db, body), [], 'locked');
  await client.put(blobObjectOf(body.sha256), body);
}

const removeObjects = (
  client: S3Client,
  database: Database<Tables>,
  names: readonly string[],
  untouchedMs: number,
): Promise<void> =>
  removeNames(database, names, untouchedMs, async (removed) => {
    await Promise.all(removed.map((sha256) => client.remove(blobObjectOf(sha256))));
  });
