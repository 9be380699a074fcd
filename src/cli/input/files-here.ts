// Lists the files of a folder that could be signed, by their names, for a person to choose from.
import { readdir } from 'node:fs/promises';

const SIGNABLE = /^[^.].*\.(pdf|docx|png|jpe?g|webp|gif|tiff?|bmp)$/i;

/** Lists them in the order of their names; none when the folder cannot be read. */
export async function signableFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && SIGNABLE.test(entry.name))
    .map(({ name }) => name)
    .sort();
}
