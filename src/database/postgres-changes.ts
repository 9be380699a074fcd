// Caches reads of PostgreSQL. Each commit stores what it changes, and each request asks what has been changed since the last
// request did: one short statement, which the requests that wait at the same time share.
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { createEntries } from './cache.ts';
import type { ChangedIds, Database } from './database.ts';
import { runLater } from './deferred-query.ts';

/** This migration makes the table. Where it is not in the list of a database, nothing is cached. */
export const CHANGES_MIGRATION = '0003-cache-changes';

/** The table is logged, although its rows could be lost, because a replica has no tables that are not. */
export async function createChangeTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table cache_change (
    xid xid8 not null default pg_current_xact_id(), about text[]
  )`.execute(db);
  await sql`create index cache_change_by_xid on cache_change (xid)`.execute(db);
}

/** Stores what a commit changes, for the caches of all nodes. */
export async function recordChanges<T>(db: Kysely<T>, changes: ChangedIds | undefined): Promise<void> {
  // An empty list means that nothing that is cached is changed.
  if (changes?.length === 0) return;
  await runLater(db, 'insert into cache_change (about) values ($1)', [changes ? [...changes] : null]);
}

type Seen = {
  /** It names the commits that were visible when the server was asked. */
  snapshot: string;
  /** The server's clock counts, because the clocks of nodes differ. */
  at_ms: number;
  /** It differs after a restart, or where another server has taken over: some commits may be gone then. */
  server: string;
  /** These were committed since the snapshot before; null stands for everything. */
  changes: (string[] | null)[] | null;
};

/** Rows that were changed by hand, which no list of changes names, are seen after this time. */
const EMPTIED_EVERY_MS = 10_000;

const TIDIED_EVERY_MS = 60_000;

export type ChangeCache<T> = {
  open: Database<T>['cache'];
  onCommit(changes: ChangedIds | undefined): void;
};

export type Reads<T> = {
  /** Reads in one snapshot. */
  read: Database<T>['read'];
  /** Reads without a snapshot, for a function with one statement. */
  readOne: Database<T>['read'];
};

/** Reads each time. */
export const cacheNothing = <T>({ read, readOne }: Reads<T>): ChangeCache<T> => ({
  onCommit: () => undefined,
  open: async () => ({
    cached: (_, __, fn, needsNoSnapshot) => (needsNoSnapshot ? readOne(fn) : read(fn)),
  }),
});

export function createChangeCache<T>(
  reader: Kysely<T>,
  { read, readOne }: Reads<T>,
  { emptiedEveryMs = EMPTIED_EVERY_MS, tidiedEveryMs = TIDIED_EVERY_MS } = {},
): ChangeCache<T> {
  const entries = createEntries();
  let last: Seen | undefined;
  /**
   * The cache was emptied at these times, by the clock of the server and by that of this process, which no one sets.
   */
  let emptied = { at_ms: 0, here_ms: 0 };
  let tidied: Pick<Seen, 'snapshot' | 'at_ms'> | undefined;

  async function refresh(): Promise<void> {
    const before = last;
    // Nothing is known until it has answered.
    last = undefined;
    const state = await seenSince(reader, before?.snapshot);
    const isContinued =
      before !== undefined &&
      before.server === state.server &&
      // Changes are kept for longer than that.
      state.at_ms - emptied.at_ms < emptiedEveryMs &&
      performance.now() - emptied.here_ms < emptiedEveryMs;
    if (isContinued) for (const changes of state.changes ?? []) entries.remove(changes ?? undefined);
    else {
      entries.remove(undefined);
      emptied = { at_ms: state.at_ms, here_ms: performance.now() };
    }
    last = state;
    tidy(state);
  }

  /** Removes the changes that every node has seen, or has emptied its cache since. */
  function tidy(state: Seen): void {
    if (tidied && state.at_ms - tidied.at_ms < tidiedEveryMs) return;
    const { snapshot } = tidied ?? {};
    tidied = state;
    if (snapshot === undefined) return;
    // A database that is read-only has no changes, and a failure is met again by the next request.
    removeChangesBefore(reader, snapshot).catch(() => undefined);
  }

  const looking = shareRuns(refresh);
  return {
    onCommit: entries.remove,
    async open() {
      await looking();
      return {
        cached: async (about, key, fn, needsNoSnapshot) =>
          entries.find<Awaited<ReturnType<typeof fn>>>(about, key) ??
          entries.fill(about, key, () => (needsNoSnapshot ? readOne(fn) : read(fn))),
      };
    },
  };
}

/** Runs work that all who wait for it share: each gets the result of a run that began after they asked. Runs follow each other. */
function shareRuns(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last = last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return work();
      });
    return next;
  };
}

const SEEN_SINCE = `select pg_current_snapshot()::text as snapshot,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as at_ms,
  concat(pg_postmaster_start_time(), ' ', (select oid from pg_database where datname = current_database())) as server,
  (select json_agg(about) from cache_change
    where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)) as changes`;

async function seenSince<T>(db: Kysely<T>, snapshot: string | undefined): Promise<Seen> {
  const { rows } = await db.executeQuery<Seen>(CompiledQuery.raw(SEEN_SINCE, [snapshot ?? null]));
  const [state] = rows;
  if (!state) throw new Error('PostgreSQL gave no snapshot.');
  return state;
}

const removeChangesBefore = <T>(db: Kysely<T>, snapshot: string) =>
  sql`delete from cache_change where xid < pg_snapshot_xmin(${snapshot}::pg_snapshot)`.execute(db);
