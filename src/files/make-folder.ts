// Makes the folder that a store lives in, its parents first, readable by their owner only. In one go: it is there already
// nearly always, and a command waits for nothing else.
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { mustTrust } from './trust.ts';

const PRIVATE = 0o700;

/**
 * Step by step: Node's own recursive mkdir tries for ever where a parent exists and nothing can be made in it (as
 * under /proc). Throws the system's error.
 */
export function makeFolder(path: string): void {
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  // Somebody else may have been quicker, and a parent may be gone again.
  if (!isMade(path)) mkdirSync(path, { mode: PRIVATE });
}

/**
 * Makes it only where no other user can write, and checks that again afterwards: in /tmp another user may have been quicker.
 * @throws UntrustedError, or the system's error
 */
export function makeTrustedFolder(path: string): void {
  mustTrust(path);
  if (existsSync(path)) return;
  makeFolder(path);
  mustTrust(path);
}

/** False only when a parent is missing. */
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
