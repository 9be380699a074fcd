// Opens PostgreSQL as a Database. The caller brings the Kysely dialect (a pool, or PGlite in tests); this file
// sets the isolation: every commit is serializable, and one that conflicts with another is run again.
import { type Dialect, Kysely } from 'kysely';
import type { Database, Migration } from './database.ts';
import { migrate } from './migrate.ts';
import { createUpgradeNotice, refuseUpgraded } from './schema-watch.ts';

const ATTEMPTS = 20;

/**
 * SQLSTATE of serialization_failure and deadlock_detected; of a unique row, and of a table, that a concurrent commit
 * made first: looked at again, it is there.
 */
const RETRIED = new Set(['40001', '40P01', '23505', '42P07']);

export async function openPostgres<T>(options: {
  dialect: Dialect;
  migrations: readonly Migration[];
}): Promise<Database<T>> {
  const db = new Kysely<T>({ dialect: options.dialect });
  const read: Database<T>['read'] = (fn) => db.transaction().setIsolationLevel('repeatable read').execute(fn);
  let isMigrated = false;
  const { upgraded, noticing } = createUpgradeNotice();
  const database: Database<T> = {
    dialect: 'postgres',
    read,
    // There is no cheap way to notice commits of other connections, so nothing is cached.
    cache: async () => ({ cached: (_, __, fn) => read(fn) }),
    async write(fn) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await db
            .transaction()
            .setIsolationLevel('serializable')
            .execute(async (transaction) => {
              if (isMigrated) await noticing(() => refuseUpgraded(transaction, options.migrations));
              return fn(transaction);
            });
        } catch (error) {
          const { code } = error as { code?: string };
          if (attempt >= ATTEMPTS || code === undefined || !RETRIED.has(code)) throw error;
        }
      }
    },
    // The server manages its log.
    settleLog: async () => undefined,
    close: () => db.destroy(),
    upgraded,
  };
  await migrate(database, db, options.migrations);
  isMigrated = true;
  return database;
}
