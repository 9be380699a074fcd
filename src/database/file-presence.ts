// Checks whether an open database is still the one at its path. SQLite keeps writing to a file that was removed, and those
// commits are lost when the process ends.
import { statSync } from 'node:fs';
import { hrtime } from 'node:process';
import { DamagedStoreError } from './database.ts';

/** Reads check no more often than this, because they need no guarantee. */
const LOOK_EVERY_MS = 100;

export type Presence = {
  /** Checks now, by one or two `stat` of a few microseconds. */
  isThere(): boolean;
  /** Throws when the file is gone; checks only now and then. */
  checkSometimes(): void;
};

/** The clock for intervals. Loading the global `performance` takes longer than opening the database. */
const monotonicMs = (): number => Number(hrtime.bigint() / 1_000_000n);

type Identity = { dev: number; ino: number } | undefined;

/** Must be called when the file has just been opened. */
export function createPresence(file: string): Presence {
  const opened = identityOf(file);
  let log: Identity;
  let lookedMs = monotonicMs();
  const isThere = () => {
    lookedMs = monotonicMs();
    if (!isSame(opened, identityOf(file))) return false;
    // The log is created by the first commit, and exists as long as any process has the database open.
    log ??= identityOf(`${file}-wal`);
    return log === undefined || isSame(log, identityOf(`${file}-wal`));
  };
  return {
    isThere,
    checkSometimes() {
      if (monotonicMs() - lookedMs >= LOOK_EVERY_MS && !isThere()) throw databaseRemoved();
    },
  };
}

export const databaseRemoved = (): DamagedStoreError =>
  new DamagedStoreError('The files of the database were removed or replaced while it was in use.', {
    hint: 'Restore the files, or start esign again to use the current files.',
  });

function identityOf(path: string): Identity {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && { dev: found.dev, ino: found.ino };
}

const isSame = (a: Identity, b: Identity): boolean =>
  a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
