// Finds the entries in which a field differs, its value and its place in the form aside.
import { isSame, PdfString, type Value } from '../../syntax/values.ts';
import { changedObjectsIn, type DiffContext, keysOf } from './diff-context.ts';
import type { FieldDifference } from './form-differences.ts';

export type EntryDifference = {
  key: string;
  before: Value | undefined;
  after: Value | undefined;
  /** The object that is at fault if the entry must not differ: the field, or what the entry leads to. */
  object: number;
};

/** These entries point to something else and draw nothing. */
const POINTERS = new Set(['P', 'Parent', 'A', 'AA', 'StructParent', 'Lock', 'SV']);
/** These are judged with the value of the field, and with the lists of fields. */
const JUDGED = new Set(['V', 'Kids']);

export function* entriesThatDiffer(
  { changedBehind }: DiffContext,
  { number, was, is }: FieldDifference,
): Generator<EntryDifference, void> {
  for (const key of keysOf(was, is)) {
    if (JUDGED.has(key)) continue;
    const [before, after] = [was.get(key), is.get(key)];
    const changed = isSame(before, after) ? changedBehind(before, !POINTERS.has(key)) : number;
    // A writer states when it changed the field (ISO 32000-2, table 166).
    if (changed === undefined || (key === 'M' && after instanceof PdfString)) continue;
    yield { key, before, after, object: changed >= 0 ? changed : number };
  }
}

/**
 * The objects that differ in an entry. The stream of a look may be written over, behind a dictionary of looks that stays. Whoever else draws it is
 * compared as well.
 */
export const changedObjectsOf = (context: DiffContext, { key, before, after }: EntryDifference): number[] =>
  changedObjectsIn(context, before, after, key === 'AP');
