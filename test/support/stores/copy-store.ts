// Copies the folder of a store that this process has closed.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectSqlite } from '../../../src/database/sqlite-driver.ts';

/**
 * Brings the log of a closed store into its database. The driver of Node 20 ends a connection only when its last prepared
 * statement is collected as garbage: until then the log still exists, and may disappear at any moment.
 */
export function checkpointStore(folder: string): void {
  const database = connectSqlite(join(folder, 'store.db'));
  const [outcome] = database.prepare('pragma wal_checkpoint(truncate)').all([]);
  database.close();
  expect(outcome, 'the log of a closed store is free').toMatchObject({ busy: 0 });
}

/** Copies a folder with all its files except logs. Its store was settled. */
export const copyWithoutLog = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, filter: (path) => !/-(wal|shm)$/.test(path) });
