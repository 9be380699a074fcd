// Makes the remark on a Word document whose tracked changes were neither accepted nor rejected. Both conversions show them as changes, so
// that nothing is signed that only the settings of a program hide.
import type { PdfRemark } from '../pdf/remarks.ts';
import type { TrackedChanges } from './model.ts';

/** @returns none where nothing was changed */
export function changesRemarks({ inserted, deleted }: TrackedChanges): PdfRemark[] {
  const counts = [counted(inserted, 'insertion'), counted(deleted, 'deletion')].flat();
  return counts.length === 0 ? [] : [{ code: 'tracked_changes', what: counts.join(', ') }];
}

const counted = (count: number, kind: string): string[] =>
  count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`];
