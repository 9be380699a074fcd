// Opens the store of a team server on PostgreSQL. Unlike a sandbox, it has no user and no client application of its own, its key comes from
// outside, and it has an identity: a node that was told which installation it belongs to never starts on another database. Where its blobs
// are is decided once, by the first node.

import { type Instant, instantOf } from '../../common/instant.ts';
import { MissingMigrationsError } from '../../database/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../../database/postgres.ts';
import {
  connectPostgres,
  inspectPostgres,
  isPooledByTransaction,
} from '../../database/postgres-connections.ts';
import { makeFolder } from '../../files/trust.ts';
import type { Bucket, S3Place } from '../s3/bucket.ts';
import { findUser, verifyUser } from '../store/accounts/accounts.ts';
import { createPasswords } from '../store/accounts/passwords.ts';
import {
  accountSubject,
  addVerifiedUser,
  endAccess,
  forgetAttempts,
  listWithAccess,
  type NewUser,
  setPassword,
} from '../store/accounts/sessions.ts';
import { createBlobs } from '../store/blobs/blobs.ts';
import { BLOBS_PLACE, createDatabaseBlobs, hasBlobs } from '../store/blobs/database-blobs.ts';
import { createKeys, isSameSecret, type Keys } from '../store/keys.ts';
import { migrations } from '../store/migrations.ts';
import type { Db, Tables } from '../store/schema.ts';
import { StoreError, UNFINISHED, unfinishedCopy } from '../store/state/folder.ts';
import { keyCheckOf, type Store, type StoreDeps } from '../store/store.ts';

export type TeamStoreOptions = {
  /** `postgres://user:password@host:port/database` */
  url: string;
  /** 32 bytes, the same on every node. What is encrypted with it cannot be read without it. */
  key: Uint8Array;
  /** For copies of files of this node. It may be emptied while no node uses it. */
  folder: string;
  /** The identity of the installation; undefined where any is accepted, and an empty database becomes a new one. */
  installation?: string | undefined;
  /** The bucket for blobs; undefined where they are stored in the database. */
  s3?: S3Place | undefined;
  /** Whether missing migrations are run, or are an error. Those of an empty database, which make its tables, may be an exception, or others may be run `later`. */
  migrates: boolean | 'where empty' | 'later';
};

/** PostgreSQL states it as `server_version_num`. */
const OLDEST_POSTGRES = 130_000;

export type TeamStore = Omit<Store, 'database'> & {
  database: PostgresDatabase<Tables>;
  installation: string;
  /** Such as `15.18`. */
  databaseVersion: string;
  /** Writes, reads and removes a small object; undefined where blobs are in the database. */
  probeBlobs: (() => Promise<void>) | undefined;
  /** Asks the bucket once, with a short time limit; undefined where blobs are in the database. @throws StoreError, UnavailableError */
  askBucket: (() => Promise<void>) | undefined;
};

/**
 * Opens the store, and makes it in an empty database.
 * @throws StoreError; NewerStoreError for a schema that this version does not know; UnavailableError
 */
export async function openTeamStore(
  { url, key, folder, installation, s3, migrates }: TeamStoreOptions,
  facts: StoreDeps,
): Promise<TeamStore> {
  const { version: databaseVersion, isEmpty } = await refuseUnusable(url, installation);
  const database = await openMigrated(url, isEmpty ? migrates !== false : migrates);
  try {
    const keys = createKeys(key, facts.random);
    const bucket = s3 && (await import('../s3/bucket.ts')).openBucket(s3, facts);
    const identity = await identify(database, keys, facts, bucket);
    refuseOther(identity.installation, installation);
    await bucket?.claim(identity.installation, await hasBlobs(database));
    makeFolder(folder);
    const copies = createBlobs(folder, facts.newId);
    return {
      database,
      keys,
      blobs: bucket ? bucket.blobs(database, copies) : createDatabaseBlobs(database, copies),
      port: 0,
      deliveries: { isWritten: false, wake: () => undefined, undeliveredMails: 0 },
      folder: undefined,
      databaseVersion,
      installation: identity.installation,
      probeBlobs: bucket?.probe,
      askBucket: bucket && (() => bucket.ask(identity.installation)),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openMigrated(
  url: string,
  migrates: TeamStoreOptions['migrates'],
): Promise<PostgresDatabase<Tables>> {
  try {
    return await openPostgres<Tables>({
      ...connectPostgres({ url }),
      migrations: migrations('postgres'),
      migrates: migrates === 'where empty' ? false : migrates,
    });
  } catch (error) {
    if (!(error instanceof MissingMigrationsError)) throw error;
    throw new StoreError(
      'migrations_missing',
      error.message,
      'Run `esign serve migrate`, or start a node without --no-migrate. While nodes of an older version of esign serve, use that version for other commands.',
    );
  }
}

/**
 * Looks before any table is made: a wrong database, or one that was lost, must not become a new installation.
 * @throws StoreError, StorageError
 */
export async function refuseUnusable(
  url: string,
  expected: string | undefined,
): Promise<{ version: string; isEmpty: boolean }> {
  const { version, versionNumber, isEmpty, isReadOnly } = await inspectPostgres(url);
  if (versionNumber < OLDEST_POSTGRES)
    throw new StoreError(
      'storage_unusable',
      `The database server is PostgreSQL ${version}, which is too old.`,
      `Use PostgreSQL ${OLDEST_POSTGRES / 10_000} or later.`,
    );
  if (isReadOnly)
    throw new StoreError(
      'storage_unusable',
      'The database is read-only. It may be a replica.',
      'Set --database to the primary server.',
    );
  if (await isPooledByTransaction(url))
    throw new StoreError(
      'storage_unusable',
      'A pooler in transaction mode is in front of the database server.',
      'Connect to the server itself, or set pool_mode = session for this database. Nodes have pools of their own.',
    );
  if (isEmpty && expected !== undefined)
    throw new StoreError(
      'installation_foreign',
      `The database is empty, but this node belongs to the installation ${expected}.`,
      'Check --database. If it is right, restore the database from a backup. To begin a new installation, unset ESIGN_SERVE_INSTALLATION.',
    );
  return { version, isEmpty };
}

function refuseOther(stored: string, expected: string | undefined): void {
  if (expected === undefined || expected === stored) return;
  throw new StoreError(
    'installation_foreign',
    `The database belongs to the installation ${stored}, but this node belongs to ${expected}.`,
    'Check --database and ESIGN_SERVE_INSTALLATION.',
  );
}

type Identity = {
  installation: string;
  /** The fingerprint of the key. */
  fingerprint: string;
  /** Where its blobs are: `s3://BUCKET/PREFIX`, or undefined for the database. */
  blobs: string | undefined;
};

/** Gives a new database an identity, and compares the key and the place of blobs with those that the database was made with. */
async function identify(
  database: PostgresDatabase<Tables>,
  keys: Keys,
  { newId }: StoreDeps,
  bucket: Bucket | undefined,
): Promise<Identity> {
  const fingerprint = keyCheckOf(keys);
  const stored = (await database.read(readIdentity)) ?? (await makeIdentity());
  if (!isSameSecret(stored.fingerprint, fingerprint))
    throw new StoreError(
      'key_mismatch',
      `The key is not the one that the installation ${stored.installation} was made with, so what is encrypted there cannot be read.`,
      'Set ESIGN_SERVE_KEY_FILE to the file with the key of this installation. It is the same on every node.',
    );
  if (stored.blobs !== bucket?.location) throw isElsewhere(stored, bucket?.location);
  return stored;

  async function makeIdentity(): Promise<Identity> {
    // Nobody has served with tables of an older version that have no identity.
    await database.migrate();
    // A bucket that cannot be used must not be remembered.
    await bucket?.probe();
    await bucket?.refuseTaken();
    return database.write(
      async (db) => {
        await database.lockName(db, 'identity of the installation');
        const made = await readIdentity(db);
        if (made) return made;
        const fresh = { installation: newId(), fingerprint, blobs: bucket?.location };
        await insertIdentity(db, fresh);
        return fresh;
      },
      [],
      'locked',
    );
  }
}

/** Files that are stored already would not be found in another place. */
const isElsewhere = ({ installation, blobs }: Identity, configured: string | undefined): StoreError =>
  new StoreError(
    'installation_foreign',
    `The installation ${installation} stores its files in ${blobs ?? 'the database'}, but this node would store them in ${configured ?? 'the database'}.`,
    `${blobs === undefined ? 'Unset --blobs and ESIGN_SERVE_BLOBS' : `Set --blobs or ESIGN_SERVE_BLOBS to ${blobs}`}. To move all files, copy the installation into a new database with \`esign store copy\`.`,
  );

async function readIdentity(db: Db): Promise<Identity | undefined> {
  const rows = await db.selectFrom('meta').select(['key', 'value']).execute();
  const values = new Map(rows.map(({ key, value }) => [key, value]));
  if (values.has(UNFINISHED)) throw unfinishedCopy('The database');
  const [installation, fingerprint] = [values.get('installation'), values.get('key_check')];
  return installation !== undefined && fingerprint !== undefined
    ? { installation, fingerprint, blobs: values.get(BLOBS_PLACE) }
    : undefined;
}

async function insertIdentity(db: Db, { installation, fingerprint, blobs }: Identity): Promise<void> {
  const rows = [
    { key: 'installation', value: installation },
    { key: 'key_check', value: fingerprint },
    ...(blobs === undefined ? [] : [{ key: BLOBS_PLACE, value: blobs }]),
  ];
  await db.insertInto('meta').values(rows).execute();
}

type Facts = {
  nowMs(): number;
  newId(): string;
  random(bytes: number): Uint8Array;
};

// --- Users: registration is closed, and no page changes a password ---

/** `add` returns undefined where a user has the email address already; `setPassword` and `disable`, where no user has it. */
export function manageTeamUsers({ database }: Pick<Store, 'database'>, { nowMs, newId, random }: Facts) {
  const passwords = createPasswords(random);
  const now = (): Instant => instantOf(nowMs());
  return {
    async add({ password, ...user }: Omit<NewUser, 'passwordHash'> & { password: string }) {
      const passwordHash = await passwords.hash(password);
      return database.write((db) => addVerifiedUser(db, { ...user, passwordHash }, { now: now(), newId }));
    },
    list: () => database.read(listWithAccess),
    /** Generates a password where none is given, and returns it only then. */
    async setPassword(email: string, chosen: string | undefined) {
      const password = chosen ?? passwords.make();
      const hash = await passwords.hash(password);
      return database.write(async (db) => {
        const user = await findUser(db, email);
        if (!user) return undefined;
        await setPassword(db, user.id, hash, now());
        // A user who came with a copy of a sandbox may not have been verified there.
        await verifyUser(db, user.id, now());
        // Attempts on other accounts still count: others than the administrator may be making them.
        await forgetAttempts(db, accountSubject(user.email), []);
        return { email: user.email, ...(chosen === undefined && { password }) };
      });
    },
    disable: (email: string) =>
      database.write(async (db) => {
        const user = await findUser(db, email);
        if (!user) return undefined;
        return { id: user.id, email: user.email, ...(await endAccess(db, user.id, now())) };
      }),
  };
}
