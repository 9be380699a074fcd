// Suggests the file that a person may have meant by a path that does not exist: one beside it with nearly the same name.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearest } from '../../common/nearest.ts';

/** @param path as it was typed; the suggestion is written in the same way */
export async function nearestFile(absolute: string, path: string): Promise<string | undefined> {
  const names = await readdir(dirname(absolute)).catch(() => []);
  const meant = nearest(basename(absolute), names);
  return meant === undefined ? undefined : join(dirname(path), meant);
}
