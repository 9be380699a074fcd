// Walks the form of a document in both versions, and finds which of its fields differ, which came with a later save, and where its lists of fields are
// not what they were. Nothing here is judged: the rules about fields are.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../syntax/read-pdf.ts';
import { type Dict, textOf, type Value } from '../../syntax/values.ts';
import {
  additions,
  comesToLife,
  type DiffContext,
  inherited,
  isExhausted,
  isKept,
  isNewObject,
  objectNumberOf,
  oncePerComparison,
  spend,
  valueInWords,
} from './diff-context.ts';

export type FormDifferences = {
  /** The numbers of fields and boxes that were there. Those below a field that is the same are not among them. */
  fields: ReadonlySet<number>;
  changed: readonly FieldDifference[];
  added: readonly AddedField[];
  /** The boxes of signature fields that came with a later save. */
  newBoxes: ReadonlySet<number>;
  /** Whether a document timestamp came with a later save, in a field of its own or in one that waited for it. */
  isTimestamped: boolean;
  /** Lists of fields that lost one or are in another order, and fields that are gone or came to life. */
  misfits: readonly { object: number | undefined; field: string }[];
  /** Fields that have no object of their own. */
  direct: readonly Value[];
};

/** A field that was there, or a box of a field, and differs with what it leads to. */
export type FieldDifference = {
  number: number;
  item: Value;
  name: string;
  type: string | undefined;
  was: Dict;
  is: Dict;
  /** Its later value, which may be that of a field above it. */
  value: string | undefined;
  hasOtherValue: boolean;
  /** Whether the field, or the field whose box it is, has another value. */
  isFilled: boolean;
};

export type AddedField = {
  item: Value;
  name: string;
  /** Undefined for anything but a signature field that is new and stands at the top of the form. */
  signatureField: NewSignatureField | undefined;
};

export type NewSignatureField = {
  number: number;
  /** The field itself, which may be its own box, and its boxes. */
  widgets: readonly Value[];
  /** Its signature; undefined for a field that waits for it. */
  signature: Dict | undefined;
};

export const formDifferences = oncePerComparison(compareForms);

/** The field above a list of fields; that of the form has no name. */
type Above = { name: string; type: string | undefined; isFilled: boolean };

/** A field takes as much work as this many values that are looked at. */
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

/** The field itself, which may be its box, and its boxes. */
export const boxesOf = (view: PdfView, item: Value): (Dict | undefined)[] =>
  [item, ...(view.array(view.dict(item)?.get('Kids')) ?? [])].map((box) => view.dict(box));

export const isTimestampOf = (view: PdfView, signature: Dict): boolean =>
  view.resolve(signature.get('SubFilter')) === 'ETSI.RFC3161';

/** What the objections of a rule say of a field. */
export const fieldFacts = (name: string): { field: string } | undefined =>
  name === '' ? undefined : { field: name };
