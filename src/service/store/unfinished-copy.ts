// Marks a store that is being copied, so that nothing opens it before it is complete: by a file in its folder, or a row of `meta` in a
// database. The mark is the fingerprint of the key, so that the same copy can be finished later, and no other one is mixed with it.
import { StoreError } from './store-error.ts';

/** The name of the file, and the key of the row. */
export const UNFINISHED = 'unfinished-copy';

/** @param where `The database`, or the folder */
export const unfinishedCopy = (where: string): StoreError =>
  new StoreError(
    'copy_unfinished',
    `${where} has an unfinished copy, which cannot be used.`,
    'Run the same `esign store copy` or `esign store restore` again, which finishes it. Or empty the target, and begin again.',
  );
