// Judges the form of a document: fields may be filled in where they were empty, and signed; a signature may bring a field of
// its own. How a field looks may change only together with its value.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfView } from '../../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, PdfString, textOf, type Value } from '../../../syntax/values.ts';
import { fieldsNamed } from '../fields.ts';
import {
  additions,
  type Comparison,
  comesToLife,
  type FaultFacts,
  inherited,
  keysOf,
  objectNumberOf,
  valueInWords,
} from './comparison.ts';
import { isPlainDefault, writesPlainText } from './default-appearance.ts';
import { HIDDEN, hasPlace, isMisplaced, isRectangle, isVisible, NO_VIEW, PRINT, showsText } from './looks.ts';
import { endsMarkedContent } from './marked-content.ts';

export function compareForms(
  comparison: Comparison,
  before: Value | undefined,
  after: Value | undefined,
): undefined {
  const { old, latest, fail, mark, keep, explain } = comparison;
  const form = latest.dict(after);
  const was: Dict = old.dict(before) ?? new Map();
  if (!form) return before === undefined ? undefined : fail('changed_form', objectNumberOf(before));
  mark(after);
  const usesForm = () =>
    old.resolve(was.get('NeedAppearances')) === true ||
    // What is drawn with it may name what the form does not have yet.
    !isPlainDefault(old, was.get('DA')) ||
    usesFormLook(old, was.get('Fields')) ||
    usesFormOnPages(comparison);
  for (const key of keysOf(was, form)) {
    const [value, later] = [was.get(key), form.get(key)];
    if (key === 'Fields' || (key === 'SigFlags' && typeof later === 'number')) continue;
    // A writer brings fonts for the look of its signature, and names its drawing there.
    const isOwn = key === 'DR' || (key === 'DA' && isPlainDefault(latest, later));
    if (isOwn && later !== undefined && (isUnchanged(comparison, value, later) || !usesForm()))
      explain(later);
    else
      keep(value, later, true, { code: 'changed_form', object: objectNumberOf(after), facts: { part: key } });
  }
  mark(form.get('Fields'));
  const above = { name: '', type: undefined, isFilled: false };
  compareLists(comparison, was.get('Fields'), form.get('Fields'), above, 0);
}

const isUnchanged = ({ changedBehind }: Comparison, before: Value | undefined, after: Value): boolean =>
  isSame(before, after) && changedBehind(before, true) === undefined;

/**
 * Whether a field that was there takes its look from the form: it has no look and a value or a default appearance that draws, or a look without resources
 * of its own.
 */
function usesFormLook(view: PdfView, items: Value | undefined, depth = 0): boolean {
  if (depth > DOCUMENT_LIMITS.formDepth) return true;
  return (view.array(items) ?? []).some((item) => {
    const field = view.dict(item);
    if (!field) return false;
    return takesLook(view, field) || usesFormLook(view, field.get('Kids'), depth + 1);
  });
}

function takesLook(view: PdfView, box: Dict): boolean {
  const look = view.resolve(view.dict(box.get('AP'))?.get('N'));
  const isWithoutLook = view.resolve(box.get('Subtype')) !== null && shownLook(view, box) === undefined;
  const isWritten = () => hasLetters(view, box) || !isPlainDefault(view, inherited(view, box, 'DA'));
  return (isWithoutLook && isWritten()) || !isStandAlone(view, look);
}

/** The look that each reader shows. One for each state is for buttons, by the state that they are in: of others some readers make a look anew. */
function shownLook(view: PdfView, box: Dict): PdfStream | undefined {
  const looks = view.resolve(view.dict(box.get('AP'))?.get('N'));
  const state = view.resolve(box.get('AS'));
  const isButton = view.resolve(inherited(view, box, 'FT')) === 'Btn';
  const isState = looks instanceof Map && isButton && typeof state === 'string';
  const look = isState ? view.resolve(looks.get(state)) : looks;
  return look instanceof PdfStream ? look : undefined;
}

const PUSH_BUTTON = 1 << 16;

/** Whether readers that make a look have something to write: a value, options to choose from, a mark or a caption. */
function hasLetters(view: PdfView, box: Dict): boolean {
  const entry = (key: string) => view.resolve(inherited(view, box, key));
  const isThere = (keys: string[]) => keys.some((key) => entry(key) !== null);
  if (view.resolve(box.get('Subtype')) === 'FreeText') return true;
  if (entry('FT') === 'Sig') return false;
  if (entry('FT') === 'Ch') return isThere(['V', 'DV', 'I']) || !isFlagged(entry('Ff'), COMBO);
  if (entry('FT') !== 'Btn') return isThere(['V', 'RV']);
  if (isFlagged(entry('Ff'), PUSH_BUTTON)) return view.dict(box.get('MK'))?.has('CA') === true;
  return [entry('V'), view.resolve(box.get('AS'))].some((state) => state !== null && state !== 'Off');
}

/** The same of text that stands on a page, and of boxes that belong to no field of the form: some readers draw these with its fonts too. */
const usesFormOnPages = ({ old, nodes }: Comparison): boolean =>
  [...nodes].some((number) => {
    const page = old.object(number)?.value;
    const annotations = page instanceof Map ? (old.array(page.get('Annots')) ?? []) : [];
    return annotations.some((item) => {
      const annotation = old.dict(item);
      const subtype = old.resolve(annotation?.get('Subtype'));
      return annotation !== undefined && LETTERED.has(subtype) && takesLook(old, annotation);
    });
  });

const LETTERED = new Set<Value>(['FreeText', 'Widget']);

/** A look, or one for each state, that is empty or has its own resources. */
function isStandAlone(view: PdfView, look: Value): boolean {
  if (look instanceof Map) return [...look.values()].every((one) => isStandAlone(view, view.resolve(one)));
  if (!(look instanceof PdfStream)) return true;
  return (
    view.dict(look.dict.get('Resources')) !== undefined || view.data(look)?.toString('latin1').trim() === ''
  );
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
  const isTooDeep = depth > DOCUMENT_LIMITS.formDepth;
  const added = isTooDeep || comesToLife(comparison, before) ? undefined : additions(was, is);
  if (!added) return comparison.fail('changed_form', objectNumberOf(after), factsOf(above.name));
  for (const item of was) compareField(comparison, item, above, depth);
  for (const item of added) judgeAdded(comparison, item, above);
}

function compareField(comparison: Comparison, item: Value, above: Above, depth: number): undefined {
  const { old, latest, fields, changed, changedBehind, fail, keep, mark, spend } = comparison;
  const number = objectNumberOf(item);
  spend(FIELD_STEPS);
  if (comparison.isExhausted()) return;
  if (number === undefined) return keep(item, item, true, { code: 'changed_form' });
  if (fields.has(number)) return;
  fields.add(number);
  // Thousands of fields are the same in each of hundreds of saves.
  if (!changed.has(number) && changedBehind(item, true) === undefined) return;
  const [was, is] = [old.dict(item), latest.dict(item)];
  if (!was) return is && fail('changed_form', number);
  const name = nameBelow(above.name, textOf(old.resolve(was.get('T'))));
  if (!is) return fail('changed_form', number, factsOf(name));
  mark(item);
  const typed = old.resolve(was.get('FT'));
  const value = valueInWords(latest, inherited(latest, is, 'V'));
  const field = { number, name, type: typeof typed === 'string' ? typed : above.type, item, value };
  // What has a name or a value of its own is another field than the one above it.
  const isBox = !was.has('T') && !was.has('V');
  const isFilled = compareValues(comparison, field, was.get('V'), is.get('V')) || (above.isFilled && isBox);
  for (const key of keysOf(was, is))
    if (key !== 'V' && key !== 'Kids')
      compareEntry(comparison, key, was.get(key), is.get(key), { ...field, isFilled });
  mark(was.get('Kids'));
  compareLists(comparison, was.get('Kids'), is.get('Kids'), { ...field, isFilled }, depth + 1);
}

/** Of the work that a field takes, compared with that of a value that is looked at. */
const FIELD_STEPS = 4;

type FieldFacts = {
  number: number;
  name: string;
  type: string | undefined;
  item: Value;
  /** Its later value, which may be that of a field above it. */
  value: string | undefined;
};

const FILLED = new Set(['Tx', 'Btn', 'Ch']);
/** An empty field, and a box that is not ticked. */
const isEmptyValue = (words: string | undefined, type: string | undefined) =>
  words === '' || (words === 'Off' && type === 'Btn');

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
  const [was, is] = [valueInWords(old, before), valueInWords(latest, after)];
  changes.push({
    kind: 'form_filled',
    field: name,
    ...(was !== undefined && { before: was }),
    ...(is !== undefined && { after: is }),
    objects,
  });
  const isFillable = FILLED.has(type ?? '') && rules.permission !== 'nothing';
  if (rules.isLocked(name)) fail('changed_locked_field', number, { field: name });
  else if (!isFillable || !wasEmptyWhenSigned(comparison, field) || !isShownAsState(comparison, field))
    fail('changed_form', number, { field: name });
  else if (!isShownByLook(comparison, field)) fail('changed_form', number, { field: name, part: 'AP' });
  return true;
}

/** Whether one of the boxes of a button shows the state that the button has: readers show the one or the other. */
function isShownAsState({ latest }: Comparison, { item, type, value }: FieldFacts): boolean {
  if (type !== 'Btn' || value === 'Off') return true;
  const boxes = boxesOf(latest, item).filter((box) => box !== undefined);
  const isShown = (box: Dict): boolean => latest.resolve(box.get('AS')) === value;
  return boxes.some(isShown) && boxes.filter(isShown).every((box) => hasState(latest, box, value));
}

/**
 * Whether each box of a field that was filled in has a look that all readers show. Readers write the look of one that has none in ways of their own, outside of
 * its place too, and some write each look anew.
 */
function isShownByLook({ latest }: Comparison, { item, type, value }: FieldFacts): boolean {
  if (type === 'Btn') return true;
  const form = latest.dict(latest.root)?.get('AcroForm');
  const areShown = (field: Value, depth: number): boolean => {
    const dict = latest.dict(field);
    if (!dict || depth > DOCUMENT_LIMITS.formDepth) return false;
    const isBox = latest.resolve(dict.get('Subtype')) !== null;
    // Looks in states are another fault.
    const isShown =
      (value ?? '') === '' || shownLook(latest, dict) !== undefined || hasStates(latest, dict.get('AP'));
    if (isBox && !(isShown && writesPlainText(latest, form, field))) return false;
    return (latest.array(dict.get('Kids')) ?? []).every((kid) => areShown(kid, depth + 1));
  };
  return areShown(item, 0);
}

/** Whether a box has a look for a state. Where it has none, some readers draw that of another one. */
const hasState = (view: PdfView, box: Dict, state: string | undefined): boolean =>
  state !== undefined && view.dict(view.dict(box.get('AP'))?.get('N'))?.has(state) === true;

const READ_ONLY = 1;
const COMBO = 1 << 17;
const isFlagged = (flags: Value, flag: number): boolean => typeof flags === 'number' && (flags & flag) !== 0;

/** Whether people could fill the field in when the signature was made: it had no value, showed none, and was not read-only. */
function wasEmptyWhenSigned({ signed }: Comparison, { item, type }: FieldFacts): boolean {
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

/** PDFium shows what is chosen by default in a list that has no value and no look. */
function showsChoice(view: PdfView, dict: Dict, type: string | undefined): boolean {
  const isChosen = ['DV', 'I'].some((key) => view.resolve(inherited(view, dict, key)) !== null);
  return type === 'Ch' && isChosen && boxesOf(view, dict).some((box) => box && !shownLook(view, box));
}

/** A field that was there to be signed now is. */
function judgeSigned(
  { old, latest, changes, fail, rules }: Comparison,
  { number, name, item }: FieldFacts,
  before: Value | undefined,
  after: Value | undefined,
  objects: number[],
): undefined {
  const facts = { field: name };
  const dict = latest.dict(after);
  if (old.resolve(before) !== null || !dict || !isNewObject(old, after))
    return fail('changed_signatures', number, facts);
  const isTimestamp = isTimestampOf(latest, dict);
  changes.push({ kind: isTimestamp ? 'timestamp' : 'signature', field: name, objects });
  const isShown = (box: Dict | undefined) =>
    isTimestamp ? isVisible(latest, box) : isMisplaced(latest, box);
  // A timestamp shows nothing: a visible box could state any time. Ghostscript draws a box without an area in the size of its look.
  if (boxesOf(latest, item).some(isShown)) fail('overlay', number, facts);
  if (isTimestamp) return;
  if (rules.isLocked(name)) fail('changed_locked_field', number, facts);
  else if (rules.permission === 'nothing') fail('changed_signatures', number, facts);
}

/** A signature that was there before was made for another field, or for none. */
const isNewObject = (old: PdfView, value: Value | undefined): boolean => {
  const number = objectNumberOf(value);
  return number !== undefined && old.object(number) === undefined;
};

/** The field itself, which may be its box, and its boxes. */
const boxesOf = (view: PdfView, item: Value): (Dict | undefined)[] =>
  [item, ...(view.array(view.dict(item)?.get('Kids')) ?? [])].map((one) => view.dict(one));

const isTimestampOf = (view: PdfView, dict: Dict): boolean =>
  view.resolve(dict.get('SubFilter')) === 'ETSI.RFC3161';

/** Where a field points to, which draws nothing. */
const POINTERS = new Set(['P', 'Parent', 'A', 'AA', 'StructParent', 'Lock', 'SV']);
/** What people may do with a field: these bits hide and show nothing. */
const HARMLESS_FLAGS = 64 | 128 | 512;

function compareEntry(
  comparison: Comparison,
  key: string,
  before: Value | undefined,
  after: Value | undefined,
  { number, name, type, item, isFilled, value }: FieldFacts & { isFilled: boolean },
): undefined {
  const { latest, explain, changedBehind, fail } = comparison;
  const found = isSame(before, after) ? changedBehind(before, !POINTERS.has(key)) : number;
  if (found === undefined || (key === 'M' && after instanceof PdfString)) return;
  const wasText = key === 'AP' && type === 'Sig' && showedText(comparison, item);
  const isHiding =
    key === 'AP' &&
    (!endsMarkedContent(latest, after) ||
      hasStates(latest, after) ||
      boxesOf(latest, item).some((box) => isMisplaced(latest, box)));
  const isPlain = key !== 'DA' || isPlainDefault(latest, after);
  const was = key === 'Ff' ? flagsOf(comparison, item) : before;
  if (isFilled && !wasText && !isHiding && isPlain && mayFollow(key, was, after, { type, value }))
    explain(after);
  else
    fail(key === 'AP' ? 'overlay' : 'changed_form', found >= 0 ? found : number, { field: name, part: key });
}

const showedText = ({ signed }: Comparison, item: Value): boolean =>
  showsText(signed, signed.dict(item) ?? new Map());

/** Whether looks come in states, of which readers choose different ones where the field is no button. */
const hasStates = (view: PdfView, looks: Value | undefined): boolean =>
  [...(view.dict(looks)?.values() ?? [])].some((look) => view.resolve(look) instanceof Map);

/** What changes along with the value of a field. */
function mayFollow(
  key: string,
  before: Value | undefined,
  after: Value | undefined,
  { type, value }: Pick<FieldFacts, 'type' | 'value'>,
): boolean {
  if (key === 'AP') return type !== 'Btn' && (type === 'Sig' || after !== undefined);
  if (key === 'AS')
    return type === 'Btn' && (after === 'Off' || (typeof after === 'string' && after === value));
  if (key === 'Ff') return type !== 'Sig' && isMadeReadOnly(before, after);
  if (type !== 'Sig') return false;
  if (key !== 'F') return key === 'MK' || key === 'DA';
  const [was, is] = [before ?? 0, after ?? 0];
  if (typeof was !== 'number' || typeof is !== 'number') return false;
  // What is seen on the screen may be printed as well.
  const isShown = (was & (HIDDEN | NO_VIEW)) === 0;
  return ((was ^ is) & ~(isShown ? HARMLESS_FLAGS | PRINT : HARMLESS_FLAGS)) === 0;
}

/** The flags that a field had, which may be those of a field above it. */
function flagsOf({ old }: Comparison, item: Value): Value | undefined {
  const dict = old.dict(item);
  return dict && inherited(old, dict, 'Ff');
}

/** Whether the only difference is that people cannot fill the field in again: programs that fill it in often say so in the same save. */
const isMadeReadOnly = (before: Value | undefined, after: Value | undefined): boolean =>
  (typeof before === 'number' || before === undefined) &&
  typeof after === 'number' &&
  after === ((before ?? 0) | READ_ONLY);

// ── fields that came with a signature ───────────────────────────────────────────────────────────────────────────

/**
 * Judges a field that came with a signature, or to be signed later. Where the document is certified, what is seen was there before: a
 * signature may not be drawn over it.
 */
function judgeAdded(comparison: Comparison, item: Value, above: Above): undefined {
  const { old, latest, changed, newFields, changes, explain, fail, rules } = comparison;
  const number = objectNumberOf(item);
  const dict = latest.dict(item);
  const name = nameBelow(above.name, textOf(latest.resolve(dict?.get('T'))));
  const isNew = number !== undefined && old.object(number) === undefined && changed.has(number);
  const value = latest.resolve(dict?.get('V'));
  const signature = latest.dict(dict?.get('V'));
  const isSignature =
    latest.resolve(dict?.get('FT')) === 'Sig' && (signature !== undefined || value === null);
  if (!dict || !isNew || !isSignature || above.name !== '')
    return fail('changed_form', number, factsOf(name));
  const widgets = [item, ...(latest.array(dict.get('Kids')) ?? [])];
  const isOwn = (one: number | undefined) => widgets.some((widget) => objectNumberOf(widget) === one);
  for (const widget of widgets) {
    const widgetNumber = objectNumberOf(widget);
    if (widgetNumber !== undefined) newFields.add(widgetNumber);
  }
  const objects = widgets.flatMap((widget) => explain(widget));
  const isTimestamp = signature !== undefined && isTimestampOf(latest, signature);
  const kind = isTimestamp ? 'timestamp' : signature ? 'signature' : 'signature_field';
  changes.push({ kind, field: name, objects });
  const isAlien =
    !widgets.every((widget, index) => isOwnBox(comparison, widget, index > 0)) ||
    fieldsNamed(latest, name).some((one) => !isOwn(one.number));
  const isActing = widgets.some((widget) => ['A', 'AA'].some((key) => latest.dict(widget)?.has(key)));
  // MuPDF writes in the box of a field that waits for a signature.
  const isMarked = !signature && rules.permission !== 'approval';
  const boxes = widgets.map((widget) => latest.dict(widget));
  const isSeen = boxes.some((box) => isVisible(latest, box) || (isMarked && hasPlace(latest, box)));
  const isAside = boxes.some((box) => isMisplaced(latest, box) || isEverywhere(latest, box));
  const isHiding = !boxes.every((box) => endsMarkedContent(latest, box?.get('AP')));
  const isOld = signature !== undefined && !isNewObject(old, dict.get('V'));
  if (isOld || (rules.permission === 'nothing' && !isTimestamp))
    fail('changed_signatures', number, factsOf(name));
  else if (isActing || isAlien) fail('changed_form', number, factsOf(name));
  else if (isHiding || isAside || (isSeen && (rules.permission !== 'approval' || kind !== 'signature')))
    fail('overlay', number, factsOf(name));
}

/** Whether MuPDF draws a box that waits for a signature over the whole page: it has no rectangle. */
const isEverywhere = (view: PdfView, box: Dict | undefined): boolean =>
  view.resolve(box?.get('Subtype')) === 'Widget' && !isRectangle(view, box?.get('Rect'));

/**
 * Whether a box came with its field and is nothing else: readers draw a square, a line or a text that is said to be a field by what kind of
 * annotation it is, without a look. A kid that has a name is a field of its own.
 */
function isOwnBox({ old, latest, changed }: Comparison, item: Value, isKid: boolean): boolean {
  const number = objectNumberOf(item);
  const box = latest.dict(item);
  const subtype = latest.resolve(box?.get('Subtype'));
  if (!box || number === undefined || old.object(number) !== undefined || !changed.has(number)) return false;
  if (box.has('Rect') && !isRectangle(latest, box.get('Rect'))) return false;
  if (!isPlainDefault(latest, box.get('DA'))) return false;
  return subtype === 'Widget' ? !(isKid && box.has('T')) : !isKid && !box.has('Subtype');
}
