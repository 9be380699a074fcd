// Stores logins that one command starts and another one completes: `esign login --start`, `--complete`.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readPrivateFile, removePrivateFile, writePrivateFile } from './private-file.ts';

export type PendingLogin = {
  profile: string;
  /** The time is in milliseconds since 1970. */
  begunMs: number;
  /** The command that completes the login needs it. It includes the state and the client secret. */
  content: unknown;
};

const SUFFIX = '.begun';

const fileOf = (dir: string, profile: string): string => join(dir, `${encodeURIComponent(profile)}${SUFFIX}`);

/** Stores a started login, and replaces an earlier one of the profile. */
export const storePending = (dir: string, pending: PendingLogin): Promise<void> =>
  writePrivateFile(fileOf(dir, pending.profile), JSON.stringify(pending));

export const removePending = (dir: string, profile: string): Promise<void> =>
  removePrivateFile(fileOf(dir, profile));

/** Finds a started login. @param profile undefined for the latest of any profile */
export async function findPending(
  dir: string,
  profile: string | undefined,
): Promise<PendingLogin | undefined> {
  const files = profile === undefined ? await pendingFiles(dir) : [fileOf(dir, profile)];
  const logins = await Promise.all(files.map(pendingIn));
  return logins.filter((item) => item !== undefined).sort((a, b) => b.begunMs - a.begunMs)[0];
}

async function pendingFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(() => []);
  return names.filter((name) => name.endsWith(SUFFIX)).map((name) => join(dir, name));
}

async function pendingIn(file: string): Promise<PendingLogin | undefined> {
  const text = await readPrivateFile(file);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as PendingLogin);
  } catch {
    return undefined;
  }
}
