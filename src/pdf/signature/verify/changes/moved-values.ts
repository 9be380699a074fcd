// Finds values that a later save wrote as objects of their own, and did not change otherwise: PDFBox does so with dictionaries in arrays.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import { isSame, PdfStream, Ref, type Value } from '../../../syntax/values.ts';
import type { DiffContext } from './diff-context.ts';

/** Whether the two say the same, where the later one names new objects for parts that stood in the earlier one itself. */
export function isMovedApart(
  { old, latest, changedBehind }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
): boolean {
  const isEqual = (one: Value | undefined, other: Value | undefined, depth: number): boolean => {
    if (one === undefined || other === undefined || depth > DOCUMENT_LIMITS.pageTreeDepth) return false;
    if (other instanceof Ref && !(one instanceof Ref)) {
      const isNew = old.place(other.number) === undefined;
      const moved = latest.object(other.number);
      return isNew && moved?.generation === other.generation && isEqual(one, moved.value, depth + 1);
    }
    if (Array.isArray(one) && Array.isArray(other))
      return (
        one.length === other.length && one.every((item, index) => isEqual(item, other[index], depth + 1))
      );
    if (one instanceof Map && other instanceof Map)
      return (
        one.size === other.size && [...one].every(([key, item]) => isEqual(item, other.get(key), depth + 1))
      );
    return !(other instanceof PdfStream) && isSame(one, other) && changedBehind(one, false) === undefined;
  };
  return isEqual(before, after, 0);
}
