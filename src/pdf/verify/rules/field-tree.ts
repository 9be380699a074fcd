// The fields of a form stay where they are, with the names that they get from the fields above them: what a later save adds stands in addition. The known
// attacks take a field away, move a box to another field, or let a reference to nothing become a field.

import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, PdfString, textOf, type Value } from '../../read/values.ts';
import {
  additions,
  changedObjectsIn,
  comesToLife,
  comparedObject,
  type DiffContext,
  differenceIn,
  inherited,
  isExhausted,
  isKept,
  isNewObject,
  keysOf,
  objectNumberOf,
  oncePerComparison,
  spend,
  valueInWords,
} from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const fieldTree = defineRule({
  name: 'field-tree',
  allows: 'The lists of fields may grow. Each field that was there stays, in its order.',
  source: 'ISO 32000-2, 12.7.4.1 and 12.8.2.2',
  codes: ['changed_form'],
  *judge(context) {
    const { latest, catalogs } = context;
    const { changed, misfits, direct } = formDifferences(context);
    const fields = latest.dict(catalogs.after.get('AcroForm'))?.get('Fields');
    yield { explained: comparedObject(context, fields) };
    for (const { item, was } of changed)
      yield { explained: [item, was.get('Kids')].flatMap((value) => comparedObject(context, value)) };
    for (const { object, field } of misfits) yield objection('changed_form', object, fieldDetails(field));
    for (const item of direct) {
      const difference = differenceIn(context, item, item, true);
      if (difference) yield objection('changed_form', difference.object);
    }
  },
});

type FormDifferences = {
  /** They are the numbers of fields and boxes that were there. Those below a field that is the same are not among them. */
  fields: ReadonlySet<number>;
  changed: readonly FieldDifference[];
  added: readonly AddedField[];
  /** These boxes of signature fields came with a later save. */
  newBoxes: ReadonlySet<number>;
  /** Tells whether a document timestamp came with a later save, in a field of its own or in one that waited for it. */
  isTimestamped: boolean;
  /** They are lists of fields that lost one or are in another order, and fields that are gone or came to life. */
  misfits: readonly { object: number | undefined; field: string }[];
  /** They have no object of their own. */
  direct: readonly Value[];
};

/** It was there, as a field or a box of one, and differs with what it leads to. */
export type FieldDifference = {
  number: number;
  item: Value;
  name: string;
  type: string | undefined;
  was: Dict;
  is: Dict;
  /** Its later value may be that of a field above it. */
  value: string | undefined;
  hasOtherValue: boolean;
  /** Tells whether the field, or the field whose box it is, has another value. */
  isFilled: boolean;
};

export type AddedField = {
  item: Value;
  name: string;
  /** Only a new signature field at the top of the form has one. */
  signatureField: NewSignatureField | undefined;
};

export type NewSignatureField = {
  number: number;
  /** The field itself may be its own box, and comes with its boxes. */
  widgets: readonly Value[];
  /** A field that waits for its signature has none. */
  signature: Dict | undefined;
};

export const formDifferences = oncePerComparison(compareForms);

/** It stands above a list of fields; that of the form has no name. */
type Above = { name: string; type: string | undefined; isFilled: boolean };

/** A field takes as much work as this many values that are read. */
const FIELD_STEPS = 4;

function compareForms(context: DiffContext): FormDifferences {
  const { old, latest, changed: touched, changedBehind, catalogs } = context;
  const fields = new Set<number>();
  const changed: FieldDifference[] = [];
  const added: AddedField[] = [];
  const misfits: FormDifferences['misfits'][number][] = [];
  const direct: Value[] = [];
  const compareLists = (before: Value | undefined, after: Value | undefined, above: Above, depth: number) => {
    const was = old.array(before) ?? [];
    const isTooDeep = depth > DOCUMENT_LIMITS.formDepth;
    const items =
      isTooDeep || comesToLife(context, before) ? undefined : additions(was, latest.array(after) ?? []);
    if (!items) return misfits.push({ object: objectNumberOf(after), field: above.name });
    for (const item of was) compareField(item, above, depth);
    for (const item of items) added.push(addedField(context, item, above));
  };
  const compareField = (item: Value, above: Above, depth: number) => {
    const number = objectNumberOf(item);
    spend(context, FIELD_STEPS);
    if (isExhausted(context)) return;
    if (number === undefined) return direct.push(item);
    if (fields.has(number)) return;
    fields.add(number);
    // Thousands of fields are the same in each of hundreds of saves.
    if (!touched.has(number) && changedBehind(item, true) === undefined) return;
    const [was, is] = [old.dict(item), latest.dict(item)];
    if (!was) return is && misfits.push({ object: number, field: '' });
    const name = nameBelow(above.name, textOf(old.resolve(was.get('T'))));
    if (!is) return misfits.push({ object: number, field: name });
    const ownType = old.resolve(was.get('FT'));
    const type = typeof ownType === 'string' ? ownType : above.type;
    const hasOtherValue = !isKept(context, was.get('V'), is.get('V'), false);
    // A box with a name or a value of its own is another field than the field above it.
    const isBox = !was.has('T') && !was.has('V');
    const isFilled = hasOtherValue || (above.isFilled && isBox);
    const value = valueInWords(latest, inherited(latest, is, 'V'));
    changed.push({ number, item, name, type, was, is, value, hasOtherValue, isFilled });
    compareLists(was.get('Kids'), is.get('Kids'), { name, type, isFilled }, depth + 1);
  };
  const [form, laterForm] = [catalogs.before, catalogs.after].map((catalog) => catalog.get('AcroForm'));
  const top = { name: '', type: undefined, isFilled: false };
  // A form that is gone is another objection.
  if (latest.dict(laterForm))
    compareLists(old.dict(form)?.get('Fields'), latest.dict(laterForm)?.get('Fields'), top, 0);
  const newBoxes = new Set(
    added.flatMap(({ signatureField }) =>
      (signatureField?.widgets ?? []).flatMap((widget) => objectNumberOf(widget) ?? []),
    ),
  );
  const signatures = [
    ...added.map(({ signatureField }) => signatureField?.signature),
    ...changed.map(({ type, hasOtherValue, is }) =>
      type === 'Sig' && hasOtherValue ? latest.dict(is.get('V')) : undefined,
    ),
  ];
  const isTimestamped = signatures.some((signature) => signature && isTimestampOf(latest, signature));
  return { fields, changed, added, newBoxes, isTimestamped, misfits, direct };
}

const nameBelow = (above: string, name: string | undefined): string =>
  name === undefined ? above : above === '' ? name : `${above}.${name}`;

function addedField({ old, latest, changed }: DiffContext, item: Value, above: Above): AddedField {
  const number = objectNumberOf(item);
  const dict = latest.dict(item);
  const name = nameBelow(above.name, textOf(latest.resolve(dict?.get('T'))));
  const signature = latest.dict(dict?.get('V'));
  const isSignatureField =
    latest.resolve(dict?.get('FT')) === 'Sig' &&
    (signature !== undefined || latest.resolve(dict?.get('V')) === null);
  const isNew = number !== undefined && isNewObject(old, item) && changed.has(number);
  if (!dict || !isNew || !isSignatureField || above.name !== '')
    return { item, name, signatureField: undefined };
  const widgets = [item, ...(latest.array(dict.get('Kids')) ?? [])];
  return { item, name, signatureField: { number, widgets, signature } };
}

/** Returns the field itself, which may be its box, and its boxes. */
export const boxesOf = (view: PdfView, item: Value): (Dict | undefined)[] =>
  [item, ...(view.array(view.dict(item)?.get('Kids')) ?? [])].map((box) => view.dict(box));

export const isTimestampOf = (view: PdfView, signature: Dict): boolean =>
  view.resolve(signature.get('SubFilter')) === 'ETSI.RFC3161';

/** Objections of rules name the field. */
export const fieldDetails = (name: string): { field: string } | undefined =>
  name === '' ? undefined : { field: name };

export type EntryDifference = {
  key: string;
  before: Value | undefined;
  after: Value | undefined;
  /** This object is at fault if the entry must not differ: the field, or what the entry leads to. */
  object: number;
};

/** These entries point to something else and draw nothing. */
const POINTERS = new Set(['P', 'Parent', 'A', 'AA', 'StructParent', 'Lock', 'SV']);
/** These entries are judged with the value of the field, and with the lists of fields. */
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
 * Lists the objects that differ in an entry. The stream of an appearance may be written over, behind a dictionary of appearances that
 * stays. Whoever else draws it is compared as well.
 */
export const changedObjectsOf = (context: DiffContext, { key, before, after }: EntryDifference): number[] =>
  changedObjectsIn(context, before, after, key === 'AP');
