// Locks names for longer than a commit, for work that only one node should do at a time. A lock ends with the connection that has it, so
// that a node that is killed leaves none; work under it must be checked again in its commit.
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

/** All locks of a process share one connection. It must not lock a name twice: the same connection may always lock it again. */
export function createNameLocks(url: string): NameLocks {
  let connecting: Promise<pg.Client> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'esign locks',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    const forget = () => {
      connecting = undefined;
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

  return {
    async isLocked(name) {
      const client = await openConnection();
      const { rows } = await client.query(FIND_LOCK, [name]);
      return rows.length > 0;
    },
    async tryLock(name) {
      const client = await openConnection();
      const { rows } = await client.query(
        'select pg_try_advisory_lock(hashtextextended($1, 0)) as is_locked',
        [name],
      );
      if (!rows[0].is_locked) return undefined;
      return async () => {
        // A connection that is lost has unlocked it.
        await client
          .query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
          .catch(() => undefined);
      };
    },
    async close() {
      await (await connecting?.catch(() => undefined))?.end();
    },
  };
}
