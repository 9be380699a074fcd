// Notices that another process has changed the tables while this one has the database open. SQLite counts changes of the schema in
// the file's header, so a check takes microseconds; the migrations are read only when that number differs.
import type { Kysely } from 'kysely';
import { type Migration, NewerStoreError } from './database.ts';
import { listAppliedMigrations, listBreakingMigrations, unknownTo } from './migrate.ts';
import type { SqliteConnection } from './sqlite-driver.ts';

export type SchemaWatch = {
  /** Starts watching. @param before the number of the schema before it was found to be up to date */
  begin(before: number): void;
  /** Checks inside a transaction. @throws NewerStoreError when a newer version of esign has upgraded the tables */
  check<T>(connected: { connection: SqliteConnection; db: Kysely<T> }): Promise<void>;
  /** Resolves with the first refusal. */
  upgraded: Promise<NewerStoreError>;
};

export function watchSchema(migrations: readonly Migration[]): SchemaWatch {
  const { upgraded, noticing } = createUpgradeNotice();
  let upToDate: number | undefined;
  return {
    upgraded,
    begin(before) {
      upToDate = before;
    },
    async check({ connection, db }) {
      if (upToDate === undefined) return;
      const seen = connection.schemaVersion();
      if (seen === upToDate) return;
      await noticing(() => refuseUpgraded(db, migrations));
      upToDate = seen;
    },
  };
}

/** @param isServer the tables say which migrations are additive */
export async function refuseUpgraded<T>(
  db: Kysely<T>,
  migrations: readonly Migration[],
  { isServer = false } = {},
): Promise<void> {
  const unknown = unknownTo(migrations, await listAppliedMigrations(db));
  if (unknown === undefined) return;
  const isReadable = isServer && unknownTo(migrations, await listBreakingMigrations(db)) === undefined;
  throw new NewerStoreError(
    `The stored data was upgraded by a newer version of esign (to "${unknown}") while this process was running.`,
    { isReadable },
  );
}

/** Reports the first refusal of data that a newer version has upgraded. */
export function createUpgradeNotice() {
  let notice: (error: NewerStoreError) => void = () => undefined;
  const upgraded = new Promise<NewerStoreError>((resolve) => {
    notice = resolve;
  });
  return {
    upgraded,
    async noticing<R>(work: () => Promise<R>): Promise<R> {
      try {
        return await work();
      } catch (error) {
        if (error instanceof NewerStoreError) notice(error);
        throw error;
      }
    },
  };
}
