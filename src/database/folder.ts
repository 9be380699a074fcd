// Makes the folder that a store lives in, its parents first, readable by their owner only.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE = 0o700;

/**
 * Step by step: Node's own recursive mkdir tries for ever where a parent exists and nothing can be made in it (as
 * under /proc). Throws the system's error.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  await mkdir(path, { mode: PRIVATE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** False only when a parent is missing. */
async function isMade(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: PRIVATE });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT') return false;
    throw error;
  }
}
