// Finds values that a later save wrote as objects of their own, and did not change otherwise: PDFBox does so with dictionaries in arrays.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import { isSame, PdfStream, Ref, type Value } from '../../syntax/values.ts';
import type { DiffContext } from './diff-context.ts';

/** Whether the two say the same, where the later one names new objects for parts that stood in the earlier one itself. */
export function isMovedApart(
  { old, latest, changedBehind }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
): boolean {
  const isEqual = (was: Value | undefined, is: Value | undefined, depth: number): boolean => {
    if (was === undefined || is === undefined || depth > DOCUMENT_LIMITS.pageTreeDepth) return false;
    if (is instanceof Ref && !(was instanceof Ref)) {
      const isNew = old.place(is.number) === undefined;
      const moved = latest.object(is.number);
      return isNew && moved?.generation === is.generation && isEqual(was, moved.value, depth + 1);
    }
    if (Array.isArray(was) && Array.isArray(is))
      return was.length === is.length && was.every((item, index) => isEqual(item, is[index], depth + 1));
    if (was instanceof Map && is instanceof Map)
      return was.size === is.size && [...was].every(([key, item]) => isEqual(item, is.get(key), depth + 1));
    return !(is instanceof PdfStream) && isSame(was, is) && changedBehind(was, false) === undefined;
  };
  return isEqual(before, after, 0);
}
