// Opens a database on a read-only disk. SQLite has to write beside a file even to read it, and its newest commits may be
// in the log there, so both are copied, and the copy is read. Nothing can be changed.
import { constants } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Database } from './database.ts';
import { openSqlite, type SqliteOptions } from './sqlite.ts';

/** Opens a copy. @throws DamagedStoreError, NewerStoreError, StorageError, or the system's error */
export async function openReadOnlySqlite<T>({ file, migrations }: SqliteOptions): Promise<Database<T>> {
  const folder = await mkdtemp(join(tmpdir(), 'esign-read-only-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const copy = join(folder, basename(file));
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await copyFile(`${file}-wal`, `${copy}-wal`, constants.COPYFILE_FICLONE).catch(ignoreMissing);
    const database = await openSqlite<T>({ file: copy, migrations });
    return {
      ...database,
      isReadOnly: true,
      write: () => Promise.reject(readOnly()),
      settleLog: async () => undefined,
      async close() {
        await database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

const SQLITE_READONLY = 8;

/** Makes the error that SQLite itself throws for a write. */
const readOnly = (): Error =>
  Object.assign(new Error('attempt to write a readonly database'), { errcode: SQLITE_READONLY });

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
