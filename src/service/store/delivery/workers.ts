// Records which processes deliver in the background. Each has a row, which it renews, and holds a file as long as it runs. The
// file tells at once that a process was killed, whatever the clock does. Where there is no file (PostgreSQL, a disk
// without locks), the row alone counts, until its time is over.
import { join } from 'node:path';
import { instantOf } from '../../../common/instant.ts';
import type { Database } from '../../../database/database.ts';
import { type HeldFile, holdFile, isHeld, removeQuietly } from '../../../database/file-locks.ts';
import type { Db, Tables } from '../schema.ts';
import { pathsIn } from '../state/folder.ts';

/** A process that has not renewed its row for so long counts as gone. */
const GONE_AFTER_MS = 60_000;

export type WorkerFiles = {
  hold(id: string): HeldFile | undefined;
  /** Tells whether a process holds its file; undefined where that cannot be found out. */
  isHeld(id: string): boolean | undefined;
  remove(id: string): void;
};

/** IDs of rows are made by services, but a name of a file has to be checked all the same. */
const PLAIN = /^[\w-]{1,64}$/;

/** A database that the caller opened has no folder. */
type Located = { folder: string | undefined };

export function workerFilesOf({ folder }: Located): WorkerFiles {
  if (folder === undefined) return NO_WORKER_FILES;
  const fileOf = (id: string) => join(pathsIn(folder).workers, id);
  return {
    hold: (id) => holdFile(fileOf(id)),
    isHeld: (id) => (PLAIN.test(id) ? isHeld(fileOf(id)) : undefined),
    remove(id) {
      if (PLAIN.test(id)) removeQuietly(fileOf(id));
    },
  };
}

const NO_WORKER_FILES: WorkerFiles = {
  hold: () => undefined,
  isHeld: () => undefined,
  remove: () => undefined,
};

type Workers = {
  atWork: string[];
  /** They were killed, or silent for too long. */
  gone: string[];
};

/** @param realMs the clock of the machine, in milliseconds since 1970 */
async function findWorkers(db: Db, files: WorkerFiles, realMs: number): Promise<Workers> {
  const workers: Workers = { atWork: [], gone: [] };
  const [now, furthest] = [instantOf(realMs), instantOf(realMs + 2 * GONE_AFTER_MS)];
  for (const { id, leased_until } of await db.selectFrom('worker').selectAll().execute()) {
    // A row that ends much later than any that is written now was written before the clock was set back. One that ends a little
    // later was written by a process that read its clock after this one did.
    const isInTime = leased_until >= now && leased_until <= furthest;
    workers[(files.isHeld(id) ?? isInTime) ? 'atWork' : 'gone'].push(id);
  }
  return workers;
}

export async function renewWorker(db: Db, id: string, realMs: number): Promise<void> {
  const leased_until = instantOf(realMs + GONE_AFTER_MS);
  await db
    .insertInto('worker')
    .values({ id, leased_until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ leased_until }))
    .execute();
}

export async function removeWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom('worker').where('id', '=', id).execute();
}

/** @returns whether a process is delivering */
export const isAnyWorkerActive = async (db: Db, store: Located, realMs: number): Promise<boolean> =>
  (await findWorkers(db, workerFilesOf(store), realMs)).atWork.length > 0;

/** Frees at once the deliveries of processes that are gone. */
export async function takeOver(
  { database, folder }: Located & { database: Database<Tables> },
  ownId: string,
  realMs: number,
): Promise<void> {
  const workers = workerFilesOf({ folder });
  const findLost = async (db: Db) =>
    (await findWorkers(db, workers, realMs)).gone.filter((id) => id !== ownId);
  if ((await database.read(findLost)).length === 0) return;
  const gone = await database.write(
    async (db) => {
      const ids = await findLost(db);
      if (ids.length === 0) return ids;
      await db
        .updateTable('delivery')
        .set({ lease: null, leased_until: null })
        .where('state', '=', 'waiting')
        .where('lease', 'in', ids)
        .execute();
      await db.deleteFrom('worker').where('id', 'in', ids).execute();
      return ids;
    },
    [],
    'locked',
  );
  for (const id of gone) workers.remove(id);
}
