// Judges the form of a document: fields may be filled in where they were empty, and signed; a signature may bring a field of
// its own. How a field looks may change only together with its value.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfView } from '../../../reader/read-pdf.ts';
import { type Dict, isSame, PdfString, textOf, type Value } from '../../../reader/values.ts';
import { additions, type Comparison, type FaultFacts, keysOf, numberOf, wordsOf } from './comparison.ts';

export function compareForms(
  comparison: Comparison,
  before: Value | undefined,
  after: Value | undefined,
): undefined {
  const { old, latest, fail, mark, keep, explain } = comparison;
  const form = latest.dict(after);
  const was: Dict = old.dict(before) ?? new Map();
  if (!form) return before === undefined ? undefined : fail('changed_form', numberOf(before));
  mark(after);
  const wasEmpty = (old.array(was.get('Fields')) ?? []).length === 0;
  for (const key of keysOf(was, form)) {
    const [value, later] = [was.get(key), form.get(key)];
    if (key === 'Fields' || (key === 'SigFlags' && typeof later === 'number')) continue;
    if (key === 'NeedAppearances' && (later === undefined || later === false)) continue;
    // A writer that makes a form for its signature brings fonts for it; nothing else uses them yet.
    if (value === undefined && wasEmpty && (key === 'DR' || key === 'DA')) explain(later);
    else keep(value, later, true, { code: 'changed_form', object: numberOf(after), facts: { part: key } });
  }
  mark(form.get('Fields'));
  const above = { name: '', type: undefined, isFilled: false };
  compareLists(comparison, was.get('Fields'), form.get('Fields'), above, 0);
}

type Above = { name: string; type: string | undefined; isFilled: boolean };

const factsOf = (name: string): FaultFacts | undefined => (name === '' ? undefined : { field: name });

const nameBelow = (above: string, own: string | undefined): string =>
  own === undefined ? above : above === '' ? own : `${above}.${own}`;

function compareLists(
  comparison: Comparison,
  before: Value | undefined,
  after: Value | undefined,
  above: Above,
  depth: number,
): undefined {
  const was = comparison.old.array(before) ?? [];
  const is = comparison.latest.array(after) ?? [];
  const added = depth > DOCUMENT_LIMITS.formDepth ? undefined : additions(was, is);
  if (!added) return comparison.fail('changed_form', numberOf(after), factsOf(above.name));
  for (const item of was) compareField(comparison, item, above, depth);
  for (const item of added) judgeAdded(comparison, item, above);
}

function compareField(comparison: Comparison, item: Value, above: Above, depth: number): undefined {
  const { old, latest, fields, fail, keep, mark } = comparison;
  const number = numberOf(item);
  if (number === undefined) return keep(item, item, true, { code: 'changed_form' });
  if (fields.has(number)) return;
  fields.add(number);
  const [was, is] = [old.dict(item), latest.dict(item)];
  if (!was) return;
  const name = nameBelow(above.name, textOf(old.resolve(was.get('T'))));
  if (!is) return fail('changed_form', number, factsOf(name));
  mark(item);
  const typed = old.resolve(was.get('FT'));
  const field = { number, name, type: typeof typed === 'string' ? typed : above.type };
  const isFilled = compareValues(comparison, field, was.get('V'), is.get('V')) || above.isFilled;
  for (const key of keysOf(was, is))
    if (key !== 'V' && key !== 'Kids')
      compareEntry(comparison, key, was.get(key), is.get(key), { ...field, isFilled });
  mark(was.get('Kids'));
  compareLists(comparison, was.get('Kids'), is.get('Kids'), { ...field, isFilled }, depth + 1);
}

type FieldFacts = { number: number; name: string; type: string | undefined };

const FILLED = new Set(['Tx', 'Btn', 'Ch']);
const EMPTY = new Set([undefined, '', 'Off']);

/** Whether the field has another value than it had. */
function compareValues(
  comparison: Comparison,
  field: FieldFacts,
  before: Value | undefined,
  after: Value | undefined,
): boolean {
  const { old, latest, changedBehind, explain, changes, fail, rules } = comparison;
  if (isSame(before, after) && changedBehind(before, false) === undefined) return false;
  const { number, name, type } = field;
  const objects = [number, ...explain(after)];
  if (type === 'Sig') {
    judgeSigned(comparison, field, before, after, objects);
    return true;
  }
  const [was, is] = [wordsOf(old, before), wordsOf(latest, after)];
  changes.push({
    kind: 'form_filled',
    field: name,
    ...(was !== undefined && { before: was }),
    ...(is !== undefined && { after: is }),
    objects,
  });
  const isEmpty = old.resolve(before) === null || (EMPTY.has(was) && was !== undefined);
  const isFillable = FILLED.has(type ?? '') && rules.permission !== 'nothing';
  if (rules.isLocked(name)) fail('changed_locked_field', number, { field: name });
  else if (!isFillable || !isEmpty) fail('changed_form', number, { field: name });
  return true;
}

/** A field that was there to be signed now is. */
function judgeSigned(
  { old, latest, changes, fail, rules }: Comparison,
  { number, name }: FieldFacts,
  before: Value | undefined,
  after: Value | undefined,
  objects: number[],
): undefined {
  const facts = { field: name };
  const dict = latest.dict(after);
  if (old.resolve(before) !== null || !dict) return fail('changed_signatures', number, facts);
  const isTimestamp = isTimestampOf(latest, dict);
  changes.push({ kind: isTimestamp ? 'timestamp' : 'signature', field: name, objects });
  if (isTimestamp) return;
  if (rules.isLocked(name)) fail('changed_locked_field', number, facts);
  else if (rules.permission === 'nothing') fail('changed_signatures', number, facts);
}

const isTimestampOf = (view: PdfView, dict: Dict): boolean =>
  view.resolve(dict.get('SubFilter')) === 'ETSI.RFC3161';

/** Where a field points to, which draws nothing. */
const POINTERS = new Set(['P', 'Parent', 'A', 'AA', 'StructParent', 'Lock', 'SV']);
/** Bits that say how a field is printed and what people may do with it: they hide nothing. */
const HARMLESS_FLAGS = 4 | 64 | 128 | 512;

function compareEntry(
  { explain, changedBehind, fail }: Comparison,
  key: string,
  before: Value | undefined,
  after: Value | undefined,
  { number, name, type, isFilled }: FieldFacts & { isFilled: boolean },
): undefined {
  const found = isSame(before, after) ? changedBehind(before, !POINTERS.has(key)) : number;
  if (found === undefined || (key === 'M' && after instanceof PdfString)) return;
  if (isFilled && mayFollow(key, before, after, type)) explain(after);
  else
    fail(key === 'AP' ? 'overlay' : 'changed_form', found >= 0 ? found : number, { field: name, part: key });
}

/** What changes along with the value of a field. */
function mayFollow(
  key: string,
  before: Value | undefined,
  after: Value | undefined,
  type: string | undefined,
): boolean {
  if (key === 'AP') return type !== 'Btn';
  if (key === 'AS') return type === 'Btn' && typeof after === 'string';
  if (type !== 'Sig') return false;
  if (key !== 'F') return key === 'MK' || key === 'DA';
  return ((Number(before ?? 0) ^ Number(after ?? 0)) & ~HARMLESS_FLAGS) === 0;
}

// ── fields that came with a signature ───────────────────────────────────────────────────────────────────────────

/** Where somebody certified the document, what is seen was there before: a signature may not be drawn over it. */
function judgeAdded(comparison: Comparison, item: Value, above: Above): undefined {
  const { old, latest, changed, newFields, changes, explain, fail, rules } = comparison;
  const number = numberOf(item);
  const dict = latest.dict(item);
  const name = nameBelow(above.name, textOf(latest.resolve(dict?.get('T'))));
  const isNew = number !== undefined && old.object(number) === undefined && changed.has(number);
  const signature = latest.dict(dict?.get('V'));
  const isSignature = latest.resolve(dict?.get('FT')) === 'Sig' && signature !== undefined;
  if (!dict || !isNew || !isSignature || above.name !== '')
    return fail('changed_form', number, factsOf(name));
  const widgets = [item, ...(latest.array(dict.get('Kids')) ?? [])];
  for (const widget of widgets) {
    const widgetNumber = numberOf(widget);
    if (widgetNumber !== undefined) newFields.add(widgetNumber);
  }
  const objects = widgets.flatMap((widget) => explain(widget));
  const isTimestamp = isTimestampOf(latest, signature);
  changes.push({ kind: isTimestamp ? 'timestamp' : 'signature', field: name, objects });
  const isActing = widgets.some((widget) => ['A', 'AA'].some((key) => latest.dict(widget)?.has(key)));
  const isSeen = widgets.some((widget) => isVisible(latest, latest.dict(widget)));
  if (rules.permission === 'nothing' && !isTimestamp) fail('changed_signatures', number, factsOf(name));
  else if (isActing) fail('changed_form', number, factsOf(name));
  else if (isSeen && (rules.permission !== 'approval' || isTimestamp)) fail('overlay', number, factsOf(name));
}

const HIDDEN = 2 | 32;

/** Whether the box of a field has an area, and is not hidden. */
function isVisible(view: PdfView, widget: Dict | undefined): boolean {
  const corners = view.array(widget?.get('Rect'))?.map((value) => view.resolve(value));
  if (!widget || !corners) return false;
  if (corners.length !== 4 || !corners.every((value) => typeof value === 'number')) return true;
  const [left, bottom, right, top] = corners as number[];
  const flags = view.resolve(widget.get('F'));
  const isHidden = typeof flags === 'number' && (flags & HIDDEN) !== 0;
  return left !== right && bottom !== top && !isHidden;
}
