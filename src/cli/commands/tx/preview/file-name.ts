// Tells a file from the id of a transaction, which both stand in the same place.
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';

/** What is there is a file; so is what looks like one: it has an ending, or is in a folder. Ids have neither. */
export async function isFileName(word: string, workingDir: string): Promise<boolean> {
  if (word === '-' || /[./\\]/.test(word)) return true;
  return access(resolve(workingDir, word)).then(
    () => true,
    () => false,
  );
}
