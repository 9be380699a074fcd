// Decides whether an argument is the name of a file or the id of a transaction.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

/** Whether a word names a file: one that exists, or a name with an ending or a folder. Ids have neither. */
export async function isFileName(word: string, workingDir: string): Promise<boolean> {
  if (word === '-' || /[./\\]/.test(word)) return true;
  return access(resolve(workingDir, word)).then(
    () => true,
    () => false,
  );
}
