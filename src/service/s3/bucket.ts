// Opens the place of an installation in a bucket. An object there names the installation, so that a node with another server, bucket or prefix
// is refused, and no two installations use one place: each would remove what the other one needs.

import { setTimeout as pause } from 'node:timers/promises';
import { sha256Of } from '../../common/sha256.ts';
import type { Database } from '../../database/database.ts';
import { UnavailableError } from '../../database/failure.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import { nameBlob, readUnnamed, removeNames } from '../store/blobs/database-blobs.ts';
import { createSharedBlobs, type SharedBody, type SharedBytes } from '../store/blobs/shared-blobs.ts';
import type { Tables } from '../store/schema.ts';
import { StoreError } from '../store/state/folder.ts';
import { createS3Client, type S3Client, type S3Facts, type S3Limits } from './client.ts';
import type { S3Access } from './failures.ts';

export type S3Place = {
  /** `s3://BUCKET[/PREFIX]` */
  location: string;
  access: S3Access;
  /** Other limits than the usual ones. */
  limits?: S3Limits | undefined;
};

export type Bucket = {
  location: string;
  client: S3Client;
  /** Writes, reads and removes a small object. @throws StoreError with the reason */
  probe(): Promise<void>;
  /** @throws StoreError where the place is that of any installation */
  refuseTaken(): Promise<void>;
  /** @throws StoreError where the place is another one's, or lacks the mark of an installation that has blobs */
  claim(installation: string, hasBlobs: boolean): Promise<void>;
  /** Asks once, with a short time limit, whether the place of an installation can be read. @throws StoreError, UnavailableError */
  ask(installation: string): Promise<void>;
  blobs(database: Database<Tables>, copies: Blobs): Blobs;
};

/** A health check waits for the answer. */
const ASKING: S3Limits = { tries: 1, lateTries: 1, timeoutMs: 2000, msPerMegabyte: 0 };

/** Sends nothing yet. */
export function openBucket(
  { location, access, limits }: S3Place,
  facts: S3Facts & { newId: () => string },
): Bucket {
  const client = createS3Client(location, access, facts, limits);
  const asking = createS3Client(location, access, facts, ASKING);
  return {
    location,
    client,
    probe: () => explainUnavailable(() => probeBucket(client, facts.newId)),
    refuseTaken: () =>
      explainUnavailable(async () => {
        const mark = await readMark(client);
        if (mark !== undefined) throw takenBy(client, mark);
      }),
    claim: (installation, hasBlobs) => explainUnavailable(() => claimPlace(client, installation, hasBlobs)),
    ask: (installation) => claimPlace(asking, installation, true),
    blobs: (database, copies) => createS3Blobs(client, database, copies),
  };
}

const MARK = 'installation';

/** Longer than the identity of any installation. */
const LONGEST_MARK_BYTES = 200;

/** Before anything is served, a server that does not respond is more likely to be the wrong one. */
async function explainUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new StoreError('blobs_unusable', error.message, 'Check --s3-endpoint, and that its server runs.');
  }
}

/** @returns the identity of the installation whose place it is; undefined where it is not in use */
async function readMark(client: S3Client): Promise<string | undefined> {
  const bytes = await readWhole(client, MARK);
  if (bytes.length === 0) return undefined;
  return bytes
    .subarray(0, LONGEST_MARK_BYTES)
    .toString('utf8')
    .replace(/[^\w-]/g, '');
}

const writeMark = (client: S3Client, installation: string): Promise<void> =>
  putBytes(client, MARK, Buffer.from(installation));

async function claimPlace(client: S3Client, installation: string, isBegun: boolean): Promise<void> {
  const mark = await readMark(client);
  if (mark === installation) return;
  if (mark !== undefined) throw takenBy(client, mark);
  if (isBegun)
    throw new StoreError(
      'installation_foreign',
      `${client.location} has nothing of the installation ${installation}, whose files were stored there.`,
      'Check --blobs and --s3-endpoint. If they are right, restore the objects of the bucket from a backup.',
    );
  await writeMark(client, installation);
}

const takenBy = (client: S3Client, mark: string): StoreError =>
  new StoreError(
    'installation_foreign',
    `${client.location} belongs to the installation ${mark}.`,
    'Set --blobs to another bucket, or to another prefix in this one.',
  );

async function probeBucket(client: S3Client, newId: () => string): Promise<void> {
  const [name, bytes] = [`probe-${newId()}`, Buffer.from('A check of esign.')];
  await putBytes(client, name, bytes);
  const read = await readWhole(client, name);
  await client.remove(name);
  if (read.equals(bytes)) return;
  throw new StoreError(
    'blobs_unusable',
    `${client.location} does not return what was written to it a moment ago.`,
    'Check --s3-endpoint: it has to be a server of S3, without a cache in front of it.',
  );
}

function putBytes(client: S3Client, name: string, bytes: Buffer): Promise<void> {
  return client.put(name, {
    sha256: sha256Of(bytes),
    sizeBytes: bytes.length,
    async *read() {
      yield bytes;
    },
  });
}

async function readWhole(client: S3Client, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of client.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// --- Blobs: the database names them, so that no node removes what another one is writing ---

/** As many objects are removed at the same time, while their rows are locked. */
const REMOVED_AT_ONCE = 16;

/** Names the object with these bytes. */
export const blobObjectOf = (sha256: string): string => `blobs/${sha256}`;

/** @param copies of this node */
const createS3Blobs = (client: S3Client, database: Database<Tables>, copies: Blobs): Blobs =>
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

// --- Its state, for health checks and metrics. However many ask, the bucket gets a question every few seconds ---

export type BucketState = 'ok' | 'unavailable';

export type BucketWatch = {
  /** Never rejects. @returns the newest state that is known, after a short while at most */
  state(): Promise<BucketState>;
};

type BucketWatchOptions = {
  /** Asks the bucket once. */
  ask: () => Promise<void>;
  /** Called when the state changes. @param error why the bucket cannot be used; undefined where it can be again */
  onChange: (error: unknown) => void;
  /** A clock that is never set. */
  monotonicMs?: () => number;
  /** How long a health check waits for a question. Orchestrators give up after a second. */
  waitMs?: number;
};

/** How long an answer counts. */
const FRESH_MS = 5000;

/** The bucket was read a moment ago, when the node started. */
export function watchBucket({
  ask,
  onChange,
  monotonicMs = () => performance.now(),
  waitMs = 500,
}: BucketWatchOptions): BucketWatch {
  let lastState: BucketState = 'ok';
  let answeredMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function askOnce(): Promise<void> {
    const error = await ask().then(
      () => undefined,
      (reason: unknown) => reason ?? new Error('The bucket cannot be used.'),
    );
    const state = error === undefined ? 'ok' : 'unavailable';
    answeredMs = monotonicMs();
    asking = undefined;
    if (state === lastState) return;
    lastState = state;
    onChange(error);
  }

  return {
    async state() {
      if (!asking && monotonicMs() - answeredMs < FRESH_MS) return lastState;
      asking ??= askOnce();
      await Promise.race([asking, pause(waitMs, undefined, { ref: false })]);
      return lastState;
    },
  };
}
