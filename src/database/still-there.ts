// Whether an open database is still the one at its path. SQLite goes on writing into a file that was removed, and what it
// commits there is gone when the process ends.
import { statSync } from 'node:fs';
import { DamagedStoreError } from './database.ts';

/** Reads are checked no more often than this: they promise nothing. */
const LOOK_EVERY_MS = 100;

export type Presence = {
  /** Looks now; one or two `stat`, a few microseconds. */
  isThere(): boolean;
  /** Throws when it is gone; looks only now and then. */
  lookSometimes(): void;
};

type Identity = { dev: number; ino: number } | undefined;

/** To be called when the file has just been opened. */
export function createPresence(file: string): Presence {
  const opened = identityOf(file);
  let log: Identity;
  let lookedMs = performance.now();
  const isThere = () => {
    lookedMs = performance.now();
    if (!isSame(opened, identityOf(file))) return false;
    // The log comes with the first commit, and stays as long as anybody has the database open.
    log ??= identityOf(`${file}-wal`);
    return log === undefined || isSame(log, identityOf(`${file}-wal`));
  };
  return {
    isThere,
    lookSometimes() {
      if (performance.now() - lookedMs >= LOOK_EVERY_MS && !isThere()) throw removed();
    },
  };
}

export const removed = (): DamagedStoreError =>
  new DamagedStoreError('The files of the store were removed or replaced while it was in use.', {
    wayOut: 'Put them back, or start the service again to begin with what is there now.',
  });

function identityOf(path: string): Identity {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { dev: found.dev, ino: found.ino };
}

const isSame = (a: Identity, b: Identity): boolean =>
  a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
