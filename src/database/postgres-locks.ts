// Locks names for longer than a commit, for work that only one node should do at a time. A lock ends with the connection that has it, so
// that a node that is killed leaves none; work under it must be checked again in its commit.
import pg from 'pg';

export type NameLocks = {
  /** @returns what unlocks the name; undefined where another node has locked it */
  tryLock(name: string): Promise<(() => Promise<void>) | undefined>;
  close(): Promise<void>;
};

const CONNECT_WITHIN_MS = 5000;

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

  return {
    async tryLock(name) {
      connecting ??= connect();
      const client = await connecting.catch((error: unknown) => {
        connecting = undefined;
        throw error;
      });
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
