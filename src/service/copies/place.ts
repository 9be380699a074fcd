// Describes the places of a store, a folder with SQLite or a database of PostgreSQL, and what can be done with any of them.
import type { Bucket } from '../s3/bucket.ts';
import { createKeys } from '../store/keys.ts';
import { StoreError } from '../store/state/folder.ts';
import { keyCheckOf } from '../store/store.ts';
import type { StoreDescription, StoreReader, StoreWriter } from './copy-store.ts';

export type Place =
  | { folder: string }
  | {
      database: string;
      /** The bucket `s3://BUCKET[/PREFIX]` takes the blobs of a target; without it, they are stored in the database. */
      blobs?: string | undefined;
    };

/** Opens a place in a bucket, with the access that is configured. @throws ConfigError where it is not */
export type BucketOpener = (location: string) => Promise<Bucket>;

export type OpenStore = {
  reader: StoreReader;
  description: StoreDescription;
  /** The key lies beside the data; undefined where it comes from outside. */
  key: Uint8Array | undefined;
  close(): Promise<void>;
};

export type StoreTarget = {
  writer: StoreWriter;
  /** Returns the identity of the installation, once the copy is finished; undefined in a folder of a sandbox. */
  installation(): string | undefined;
};

export type TargetDeps = {
  description: StoreDescription;
  newId: () => string;
  bucketAt: BucketOpener;
};

export const keyFingerprint = (key: Uint8Array): string => keyCheckOf(createKeys(key, encryptsNothing));

function encryptsNothing(): never {
  throw new Error('A copy encrypts nothing.');
}

export function refuseKey(candidate: Uint8Array, { key }: StoreDescription): void {
  if (keyFingerprint(candidate) === key) return;
  throw new StoreError(
    'key_mismatch',
    'The key is not the one that the store was made with, so what is encrypted in it could not be read.',
    `Give the key whose fingerprint is ${key} with --key-file.`,
  );
}

/** @param content words for what is there */
export const notEmpty = (where: string, content: string): StoreError =>
  new StoreError(
    'store_not_empty',
    `${where} is not empty (it has ${content}), and nothing there is replaced.`,
    'Use an empty database, or a directory that does not exist.',
  );

export const isBeingCopied = (where: string): StoreError =>
  new StoreError(
    'locked',
    `Another esign process is copying to ${where}.`,
    'Wait until it has ended, or end it.',
  );
