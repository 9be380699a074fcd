// A field that had no value, showed none and was not read-only may be filled in, with an appearance that shows it in all readers. The known
// attacks replace a value, fill in a field that shows words of its own, or hide something with an appearance.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import type { Dict, Value } from '../../read/values.ts';
import {
  hasStates,
  isFlagged,
  isMisplaced,
  shownAppearance,
  showsText,
  writesPlainText,
} from '../changes/appearance.ts';
import { changedObjectsIn, type DiffContext, inherited, valueInWords } from '../changes/diff-context.ts';
import { endsMarkedContent } from '../changes/marked-content.ts';
import {
  boxesOf,
  changedObjectsOf,
  type EntryDifference,
  entriesThatDiffer,
  type FieldDifference,
  formDifferences,
} from './field-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const filledFields = defineRule({
  name: 'filled-fields',
  allows:
    'A field that was empty when it was signed may be filled in, with a look that shows its value. Nothing else of it changes, except that it may become read-only.',
  source: 'ISO 32000-2, 12.8.2.2, table 257 (P 2 and 3), and 12.8.2.4',
  codes: ['changed_form', 'changed_locked_field', 'overlay'],
  *judge(context) {
    for (const field of formDifferences(context).changed) {
      if (field.type === 'Sig') continue;
      if (field.hasOtherValue) yield* judgeValue(context, field);
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

const FILLED = new Set(['Tx', 'Btn', 'Ch']);

function* judgeValue(
  context: DiffContext,
  field: FieldDifference,
): Generator<Finding<'changed_form' | 'changed_locked_field'>> {
  const { old, latest, permission } = context;
  const { number, name, type, was, is } = field;
  const explained = changedObjectsIn(context, was.get('V'), is.get('V'));
  const [before, after] = [valueInWords(old, was.get('V')), valueInWords(latest, is.get('V'))];
  yield { explained };
  yield {
    change: {
      kind: 'form_filled',
      field: name,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      objects: [number, ...explained],
    },
  };
  const isFillable = FILLED.has(type ?? '') && permission !== 'nothing';
  if (context.isLocked(name)) yield objection('changed_locked_field', number, { field: name });
  else if (!isFillable || !wasEmptyWhenSigned(context, field) || !isShownAsState(context, field))
    yield objection('changed_form', number, { field: name });
  else if (!isShownByAppearance(context, field))
    yield objection('changed_form', number, { field: name, part: 'AP' });
}

// ── what the field showed when it was signed ────────────────────────────────────────────────────────────────────

const READ_ONLY = 1;

/** A field may be empty, and a box not ticked. */
const isEmptyValue = (words: string | undefined, type: string | undefined) =>
  words === '' || (words === 'Off' && type === 'Btn');

/** Tells whether people could fill the field in when the signature was made: it had no value, showed none, and was not read-only. */
function wasEmptyWhenSigned({ signed }: DiffContext, { item, type }: FieldDifference): boolean {
  const dict = signed.dict(item);
  if (!dict) return false;
  const value = inherited(signed, dict, 'V');
  const words = valueInWords(signed, value);
  const isEmpty = signed.resolve(value) === null || isEmptyValue(words, type);
  const isReadOnly = isFlagged(signed.resolve(inherited(signed, dict, 'Ff')), READ_ONLY);
  if (!isEmpty || isReadOnly) return false;
  if (type === 'Btn') return !boxesOf(signed, item).some((box) => isTicked(signed, box));
  return !showsText(signed, dict) && !showsChoice(signed, dict, type);
}

/** Readers show the state of a box, whatever the value of its field. */
function isTicked(view: PdfView, box: Dict | undefined): boolean {
  const state = view.resolve(box?.get('AS'));
  return state !== null && state !== 'Off';
}

/** PDFium shows what is chosen by default in a list that has no value and no appearance. */
function showsChoice(view: PdfView, dict: Dict, type: string | undefined): boolean {
  const isChosen = ['DV', 'I'].some((key) => view.resolve(inherited(view, dict, key)) !== null);
  return type === 'Ch' && isChosen && boxesOf(view, dict).some((box) => box && !shownAppearance(view, box));
}

// ── what it shows now ───────────────────────────────────────────────────────────────────────────────────────────

/** Tells whether one of the boxes of a button shows the state that the button has: readers show the one or the other. */
function isShownAsState({ latest }: DiffContext, { item, type, value }: FieldDifference): boolean {
  if (type !== 'Btn' || value === 'Off') return true;
  const boxes = boxesOf(latest, item).filter((box) => box !== undefined);
  const isShown = (box: Dict): boolean => latest.resolve(box.get('AS')) === value;
  return boxes.some(isShown) && boxes.filter(isShown).every((box) => hasState(latest, box, value));
}

/** Tells whether a box has an appearance for a state. Where it has none, some readers draw that of another one. */
const hasState = (view: PdfView, box: Dict, state: string | undefined): boolean =>
  state !== undefined && view.dict(view.dict(box.get('AP'))?.get('N'))?.has(state) === true;

/**
 * Tells whether each box of a field that was filled in has an appearance that all readers show. Readers write the appearance of one that
 * has none in ways of their own, outside of its place too, and some write each appearance anew.
 */
function isShownByAppearance({ latest }: DiffContext, { item, type, value }: FieldDifference): boolean {
  if (type === 'Btn') return true;
  const form = latest.dict(latest.root)?.get('AcroForm');
  const areShown = (field: Value, depth: number): boolean => {
    const dict = latest.dict(field);
    if (!dict || depth > DOCUMENT_LIMITS.formDepth) return false;
    const isBox = latest.resolve(dict.get('Subtype')) !== null;
    // Appearances in states are another fault.
    const isShown =
      (value ?? '') === '' ||
      shownAppearance(latest, dict) !== undefined ||
      hasStates(latest, dict.get('AP'));
    if (isBox && !(isShown && writesPlainText(latest, form, field))) return false;
    return (latest.array(dict.get('Kids')) ?? []).every((kid) => areShown(kid, depth + 1));
  };
  return areShown(item, 0);
}

// ── what changes along with the value ───────────────────────────────────────────────────────────────────────────

function mayFollow(
  { old, latest }: DiffContext,
  { item, type, value }: FieldDifference,
  { key, after }: EntryDifference,
): boolean {
  if (key === 'AS')
    return type === 'Btn' && (after === 'Off' || (typeof after === 'string' && after === value));
  if (key === 'Ff') return isMadeReadOnly(flagsOf(old, item), after);
  if (key !== 'AP') return false;
  const isHiding =
    !endsMarkedContent(latest, after) ||
    hasStates(latest, after) ||
    boxesOf(latest, item).some((box) => isMisplaced(latest, box));
  return type !== 'Btn' && after !== undefined && !isHiding;
}

/** A field had flags of its own, or those of a field above it. */
function flagsOf(old: PdfView, item: Value): Value | undefined {
  const dict = old.dict(item);
  return dict && inherited(old, dict, 'Ff');
}

/** Tells whether the only difference is that people cannot fill the field in again: programs that fill it in often say so in the same save. */
const isMadeReadOnly = (before: Value | undefined, after: Value | undefined): boolean =>
  (typeof before === 'number' || before === undefined) &&
  typeof after === 'number' &&
  after === ((before ?? 0) | READ_ONLY);
