// Locks names for longer than a commit, for work that only one node should do at a time. A lock ends with the connection that has it, so
// that a node that is killed leaves none; work under it must be checked again in its commit.
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export type NameLocks = {
  /** @returns what unlocks the name; undefined where another node has locked it */
  tryLock(name: string): Promise<(() => Promise<void>) | undefined>;
  /** Tells whether any node has locked the name. */
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

/** It waits so long before it tries again to lock the names that were locked on a connection that was lost. */
const AGAIN_AFTER_MS = 200;

/**
 * A session is a connection and the names that are locked on it or are about to be: the same connection may lock a name
 * again, and would have to unlock it as often.
 */
type Session = { client: pg.Client; locked: Map<string, Promise<boolean>> };

/**
 * All locks of a process share one connection. Where that is lost, the names are locked again on the next one: the work under them goes on,
 * and other nodes must find out. In between, another node may lock one of them; then it is tried again for as long as the work goes on.
 */
export function createNameLocks(url: string): NameLocks {
  let opening: Promise<Session> | undefined;
  let isClosed = false;
  let isLockingAgain = false;
  /** The process works on these names. */
  const held = new Set<string>();

  function open(): Promise<Session> {
    if (opening) return opening;
    const session = connect(url, () => {
      if (opening !== session) return;
      opening = undefined;
      void session.then(({ client }) => client.end()).catch(() => undefined);
      void lockAgain();
    });
    opening = session;
    session.catch(() => {
      if (opening === session) opening = undefined;
    });
    return session;
  }

  /** Runs once at a time, until everything that is held is locked. */
  async function lockAgain(): Promise<void> {
    if (isLockingAgain) return;
    isLockingAgain = true;
    try {
      while (held.size > 0 && !isClosed && !(await isAllLocked()))
        await pause(AGAIN_AFTER_MS, undefined, { ref: false });
    } finally {
      isLockingAgain = false;
    }
  }

  async function isAllLocked(): Promise<boolean> {
    try {
      const session = await open();
      const locked = await Promise.all([...held].map((name) => lockOn(session, name)));
      return locked.every(Boolean) && opening !== undefined;
    } catch {
      return false;
    }
  }

  async function unlock(name: string): Promise<void> {
    held.delete(name);
    // A connection that is lost has unlocked it.
    const session = await opening?.catch(() => undefined);
    const isLocked = await session?.locked.get(name)?.catch(() => false);
    if (!session || !isLocked) return;
    session.locked.delete(name);
    await session.client.query(UNLOCK, [name]).catch(() => undefined);
  }

  return {
    async isLocked(name) {
      const { client } = await open();
      const { rows } = await client.query(FIND_LOCK, [name]);
      return rows.length > 0;
    },
    async tryLock(name) {
      if (held.has(name)) return undefined;
      held.add(name);
      let isLocked = false;
      try {
        isLocked = await lockOn(await open(), name);
      } finally {
        // It may have been locked on the next connection meanwhile.
        if (!isLocked) await unlock(name);
      }
      return isLocked ? () => unlock(name) : undefined;
    },
    async close() {
      isClosed = true;
      const session = await opening?.catch(() => undefined);
      await session?.client.end();
    },
  };
}

/** @param lose called when the connection is lost, once or more often */
async function connect(url: string, lose: () => void): Promise<Session> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'esign locks',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    // Names are locked and looked for without waiting for each other.
    ...{ pipeline: true },
  });
  client.on('error', lose).on('end', lose);
  try {
    await client.connect();
  } catch (error) {
    // A connection that was refused in the middle of its start would stay open.
    void client.end().catch(() => undefined);
    throw error;
  }
  return { client, locked: new Map() };
}

function lockOn({ client, locked }: Session, name: string): Promise<boolean> {
  const before = locked.get(name);
  if (before) return before;
  const locking = client.query(LOCK, [name]).then(({ rows }) => Boolean(rows[0].is_locked));
  locked.set(name, locking);
  const forget = () => {
    if (locked.get(name) === locking) locked.delete(name);
  };
  locking.then((isLocked) => isLocked || forget(), forget);
  return locking;
}
