// Makes the folder of a store, its parents first, readable by their owner only. It works synchronously: the folder nearly
// always exists, and a command waits for nothing else.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { mustTrust } from './trust.ts';

const PRIVATE = 0o700;

/**
 * Makes a folder step by step, because the recursive mkdir of Node tries for ever where a parent exists and nothing can be made
 * in it (as under /proc). Throws the system's error.
 */
export function makeFolder(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  // Another process may have made it, and a parent may have been removed.
  if (!isMade(path)) mkdirSync(path, { mode: PRIVATE });
}

/**
 * Makes a folder only where no other user can write, and checks that again afterwards: in /tmp another user may have made it first.
 * @throws UntrustedError, or the system's error
 */
export function makeTrustedFolder(path: string): void {
  mustTrust(path);
  if (existsSync(path)) return;
  makeFolder(path);
  mustTrust(path);
}

/** Makes one folder. False only when a parent is missing. */
function isMade(path: string): boolean {
  try {
    mkdirSync(path, { mode: PRIVATE });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
