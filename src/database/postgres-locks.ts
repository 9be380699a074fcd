// Locks names for longer than a commit, for work that only one node should do at a time. A lock ends with the connection that has it, so
// that a node that is killed leaves none; work under it must be checked again in its commit.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export type NameLocks = {
  /** @returns what unlocks the name; undefined where another node has locked it */
  tryLock(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Whether any node has locked the name. */
  isLocked(name: string): Promise<boolean>;
  close(): Promise<void>;
};

const CONNECT_WITHIN_MS = 5000;

/** An advisory lock with one number of 64 bits is listed with its two halves, and with `objsubid` 1. */
const FIND_LOCK = `
  with named as (select hashtextextended($1, 0) as number)
  select 1 from pg_locks, named
  where locktype = 'advisory' and granted and objsubid = 1
    and database = (select oid from pg_database where datname = current_database())
    and classid = ((number >> 32) & 4294967295)::oid and objid = (number & 4294967295)::oid`;

const LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_locked';
const UNLOCK = 'select pg_advisory_unlock(hashtextextended($1, 0))';

/** How long it waits before it opens a connection again for the names that it had locked. */
const AGAIN_AFTER_MS = 200;

/**
 * All locks of a process share one connection. Where that is lost, the names are locked again on the next one: the work under them goes on,
 * and other nodes must find out. In between, another node may lock one of them.
 */
export function createNameLocks(url: string): NameLocks {
  let connecting: Promise<pg.Client> | undefined;
  let isClosed = false;
  /** What this process works on. */
  const held = new Set<string>();
  /** What is locked on a connection, or is about to be: the same connection may lock a name again, and would have to unlock it as often. */
  const lockedOn = new WeakMap<pg.Client, Map<string, Promise<boolean>>>();

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'esign locks',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
      // Names are locked and looked for without waiting for each other.
      ...{ pipeline: true },
    });
    lockedOn.set(client, new Map());
    let isLost = false;
    const forget = () => {
      if (isLost) return;
      isLost = true;
      connecting = undefined;
      if (held.size > 0) void lockAgain();
    };
    client.on('error', forget).on('end', forget);
    await client.connect();
    return client;
  }

  function openConnection(): Promise<pg.Client> {
    connecting ??= connect();
    return connecting.catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
  }

  function lockOn(client: pg.Client, name: string): Promise<boolean> {
    const locked = lockedOn.get(client);
    const before = locked?.get(name);
    if (before) return before;
    const locking = client.query(LOCK, [name]).then(({ rows }) => Boolean(rows[0].is_locked));
    locked?.set(name, locking);
    const forget = () => locked?.delete(name);
    locking.then((isLocked) => isLocked || forget(), forget);
    return locking;
  }

  async function lockAgain(): Promise<void> {
    while (held.size > 0 && !isClosed) {
      try {
        const client = await openConnection();
        for (const name of held) await lockOn(client, name);
        return;
      } catch {
        await pause(AGAIN_AFTER_MS, undefined, { ref: false });
      }
    }
  }

  async function unlock(name: string): Promise<void> {
    held.delete(name);
    // A connection that is lost has unlocked it.
    const client = await connecting?.catch(() => undefined);
    if (!client || !lockedOn.get(client)?.delete(name)) return;
    await client.query(UNLOCK, [name]).catch(() => undefined);
  }

  return {
    async isLocked(name) {
      const client = await openConnection();
      const { rows } = await client.query(FIND_LOCK, [name]);
      return rows.length > 0;
    },
    async tryLock(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      let isLocked = false;
      try {
        isLocked = await lockOn(await openConnection(), name);
      } finally {
        if (!isLocked) held.delete(name);
      }
      return isLocked ? () => unlock(name) : undefined;
    },
    async close() {
      isClosed = true;
      await (await connecting?.catch(() => undefined))?.end();
    },
  };
}
