// Reads and writes files that only their owner may read. It replaces a file as a whole: after a crash it has its old content
// or the new one, and never a part of either.
import { randomBytes } from 'node:crypto';
import { chmod, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readTrustedFile } from '../files/read-file.ts';
import { makeTrustedFolder } from '../files/trust.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Writes a file. It is durable when the promise resolves. Throws the system's error. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  makeTrustedFolder(folder);
  await chmod(folder, OWNER_ONLY_FOLDER);
  const scratch = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(scratch, 'wx', OWNER_ONLY);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(scratch, path);
  } catch (error) {
    await rm(scratch, { force: true });
    throw error;
  }
  await syncFolder(folder);
}

const LONGEST_BYTES = 1024 * 1024;

/** Reads a file. Undefined when there is none. @throws UntrustedError when another user could have written it, or the system's error */
export async function readPrivateFile(path: string): Promise<string | undefined> {
  const bytes = readTrustedFile(path, { mostBytes: LONGEST_BYTES });
  return bytes && new TextDecoder().decode(bytes);
}

export async function removePrivateFile(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** Syncs a folder, because it contains the names of its files. Windows cannot open folders, and needs no sync of them. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
