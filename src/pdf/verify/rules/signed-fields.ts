// A field that waited for a signature may get one that was made for it, and shows what it likes in its own place. The known attacks name a
// signature that was there before, draw a timestamp that states any time, or draw over the page with a box that has no area.
import type { Dict, Value } from '../../read/values.ts';
import {
  HIDDEN,
  hasStates,
  isMisplaced,
  isPlainDefault,
  isVisible,
  NO_VIEW,
  PRINT,
  showsText,
} from '../changes/appearance.ts';
import { changedObjectsIn, type DiffContext, isNewObject } from '../changes/diff-context.ts';
import { endsMarkedContent } from '../changes/marked-content.ts';
import {
  boxesOf,
  changedObjectsOf,
  type EntryDifference,
  entriesThatDiffer,
  type FieldDifference,
  formDifferences,
  isTimestampOf,
} from './field-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const signedFields = defineRule({
  name: 'signed-fields',
  allows:
    'A signature field that was empty may be signed with a new signature, and shows it in its own place. A timestamp shows nothing.',
  source: 'ISO 32000-2, 12.8.2.2, table 257, 12.8.2.4 and 12.7.5.5',
  codes: ['changed_signatures', 'changed_locked_field', 'changed_form', 'overlay'],
  *judge(context) {
    for (const field of formDifferences(context).changed) {
      if (field.type !== 'Sig') continue;
      if (field.hasOtherValue) yield* judgeSignature(context, field);
      for (const entry of entriesThatDiffer(context, field)) {
        if (field.isFilled && mayFollow(context, field, entry))
          yield { explained: changedObjectsOf(context, entry) };
        else {
          const code = entry.key === 'AP' ? 'overlay' : 'changed_form';
          yield objection(code, entry.object, { field: field.name, part: entry.key });
        }
      }
    }
  },
});

function* judgeSignature(
  context: DiffContext,
  { number, name, item, was, is }: FieldDifference,
): Generator<Finding<'changed_signatures' | 'changed_locked_field' | 'overlay'>> {
  const { old, latest, permission } = context;
  const [before, after] = [was.get('V'), is.get('V')];
  const explained = changedObjectsIn(context, before, after);
  yield { explained };
  const details = { field: name };
  const signature = latest.dict(after);
  // A signature that was there before was made for another field, or for none.
  if (old.resolve(before) !== null || !signature || !isNewObject(old, after)) {
    yield objection('changed_signatures', number, details);
    return;
  }
  const isTimestamp = isTimestampOf(latest, signature);
  const kind = isTimestamp ? 'timestamp' : 'signature';
  yield { change: { kind, field: name, objects: [number, ...explained] } };
  const isShown = (box: Dict | undefined) =>
    isTimestamp ? isVisible(latest, box) : isMisplaced(latest, box);
  // A timestamp shows nothing: a visible box could state any time. Ghostscript draws a box without an area in the size of its appearance.
  if (boxesOf(latest, item).some(isShown)) yield objection('overlay', number, details);
  if (isTimestamp) return;
  if (context.isLocked(name)) yield objection('changed_locked_field', number, details);
  else if (permission === 'nothing') yield objection('changed_signatures', number, details);
}

/** Allows what changes along with the signature. The appearance of a field that showed words of its own stays. */
function mayFollow(
  context: DiffContext,
  { item }: FieldDifference,
  { key, before, after }: EntryDifference,
): boolean {
  const { latest } = context;
  if (key === 'F') return areFlagsHarmless(before ?? 0, after ?? 0);
  if (key === 'DA') return isPlainDefault(latest, after);
  if (key !== 'AP') return key === 'MK';
  const { signed } = context;
  return (
    !showsText(signed, signed.dict(item) ?? new Map()) &&
    endsMarkedContent(latest, after) &&
    !hasStates(latest, after) &&
    !boxesOf(latest, item).some((box) => isMisplaced(latest, box))
  );
}

/** These bits say what people may do with a field: they hide and show nothing. */
const HARMLESS_FLAGS = 64 | 128 | 512;

function areFlagsHarmless(before: Value, after: Value): boolean {
  if (typeof before !== 'number' || typeof after !== 'number') return false;
  // What is seen on the screen may be printed as well.
  const isShown = (before & (HIDDEN | NO_VIEW)) === 0;
  return ((before ^ after) & ~(isShown ? HARMLESS_FLAGS | PRINT : HARMLESS_FLAGS)) === 0;
}
