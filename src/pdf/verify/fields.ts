// Lists the fields of a form, as far as signatures go: which there are, what each holds, and which have signatures. It must never
// miss a signature that a reader would show.
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { PdfView } from '../read/read-pdf.ts';
import { type Dict, isSame, Ref, textOf, type Value } from '../read/values.ts';
import { inherited } from './changes/diff-context.ts';

export type FormField = {
  /** It has the names of the fields above it: `buyer.signature`. */
  name: string;
  /** A dictionary that stands in the list itself has no number. */
  number: number | undefined;
  dict: Dict;
  /** The type is Sig, Tx, Btn or Ch, its own or inherited. */
  type: string | undefined;
  /** This object holds its value. */
  value: Value;
};

export const formOf = (view: PdfView): Dict | undefined => view.dict(view.dict(view.root)?.get('AcroForm'));

/**
 * `strays` are signatures that stand in a box of a field, or above the field that is for one, in the form or by what the field calls its parent: only
 * some readers show the field as signed. `isCut` is set for a form without an end, of which only the first fields are read.
 */
type FormFields = { fields: FormField[]; strays: FormField[]; isCut: boolean };

/**
 * A field takes over these entries from those above it. With `isTaken` the value is that of a field for a signature, which has it itself.
 */
type Above = {
  name: string;
  number: number | undefined;
  type: string | undefined;
  value: Value;
  isTaken: boolean;
};

/** Lists all fields with a type. */
export function fieldsOf(view: PdfView): FormFields {
  const fields: FormField[] = [];
  const strays: FormField[] = [];
  const adopted: FormField[] = [];
  let isCut = false;
  const visited = new Set<number>();
  const walk = (item: Value, above: Above, depth: number) => {
    const number = numberAt(item);
    if (number !== undefined && visited.has(number)) return;
    if (depth > DOCUMENT_LIMITS.formDepth || visited.size > DOCUMENT_LIMITS.formFields) {
      isCut = true;
      return;
    }
    if (number !== undefined) visited.add(number);
    const dict = view.dict(item);
    if (!dict) return;
    const ownName = textOf(view.resolve(dict.get('T')));
    const name =
      ownName === undefined ? above.name : above.name === '' ? ownName : `${above.name}.${ownName}`;
    const typed = view.resolve(dict.get('FT'));
    const type = typeof typed === 'string' ? typed : above.type;
    const isField = ownName !== undefined || !dict.has('Parent');
    const value = dict.get('V') ?? null;
    if (isField && type !== undefined) fields.push({ name, number, dict, type, value });
    const stray = strayIn(isField, value, above);
    if (type === 'Sig' && stray !== null) strays.push({ name, number, dict, type, value: stray });
    const parent = dict.get('Parent');
    const isOwn = type === 'Sig' && value !== null;
    if (parent !== undefined && !isOwn && numberAt(parent) !== above.number && isForSignature(view, dict))
      adopted.push({ name, number, dict, type: 'Sig', value: inherited(view, dict, 'V') ?? null });
    const isTaken = type === 'Sig' && (isField || stray !== null);
    const below = { name, number, type, value: value ?? above.value, isTaken: isTaken || above.isTaken };
    for (const kid of view.array(dict.get('Kids')) ?? []) walk(kid, below, depth + 1);
  };
  for (const item of view.array(formOf(view)?.get('Fields')) ?? [])
    walk(item, { name: '', number: undefined, type: undefined, value: null, isTaken: false }, 0);
  const kids = new Map<number, Set<number | undefined>>();
  const isKid = ({ number, dict }: FormField): boolean => {
    const parent = dict.get('Parent');
    if (number === undefined || !(parent instanceof Ref) || !visited.has(parent.number)) return false;
    const siblings =
      kids.get(parent.number) ?? new Set(view.array(view.dict(parent)?.get('Kids'))?.map(numberAt));
    kids.set(parent.number, siblings);
    return siblings.has(number);
  };
  strays.push(...adopted.filter((field) => field.value !== null && !isKid(field)));
  return { fields, strays, isCut };
}

const numberAt = (value: Value): number | undefined => (value instanceof Ref ? value.number : undefined);

const isForSignature = (view: PdfView, dict: Dict): boolean =>
  view.resolve(inherited(view, dict, 'FT')) === 'Sig';

/** Returns the value of a field or box that is not simply its own. A box may repeat that of its field. */
function strayIn(isField: boolean, value: Value, above: Above): Value {
  if (value === null) return above.isTaken ? null : above.value;
  return isField || (above.isTaken && isSame(value, above.value)) ? null : value;
}

const byName = new WeakMap<PdfView, Map<string, FormField[]>>();

/** Lists the fields with this name. A form with thousands of fields is read once for all of their names. */
export function fieldsNamed(view: PdfView, name: string): readonly FormField[] {
  const fields = byName.get(view) ?? new Map<string, FormField[]>();
  if (!byName.has(view))
    for (const field of fieldsOf(view).fields) {
      const same = fields.get(field.name);
      if (same) same.push(field);
      else fields.set(field.name, [field]);
    }
  byName.set(view, fields);
  return fields.get(name) ?? [];
}

const numberOf = ({ value }: FormField) => numberAt(value);

/** A field holds the signature. */
export type SignatureField = {
  name: string;
  field: FormField;
  dict: Dict;
  number: number | undefined;
  /** Other fields hold it as well, of which it was made for one at most, or only some readers show it as the signature of this field. */
  isDoubtful: boolean;
};

/** `isCut` says that there are more fields than are read. */
export type SignatureFields = { signed: SignatureField[]; empty: string[]; isCut: boolean };

export function signatureFieldsOf(view: PdfView): SignatureFields {
  const { fields, strays, isCut } = fieldsOf(view);
  const ofForm = fields.filter(({ type }) => type === 'Sig');
  const signed = [ofForm, strays].flatMap((group) =>
    group.flatMap((field): SignatureField[] => {
      const dict = view.dict(field.value);
      const number = numberOf(field);
      return dict ? [{ name: field.name, field, dict, number, isDoubtful: group === strays }] : [];
    }),
  );
  const holders = new Map<number | undefined, number>();
  for (const { number } of signed) holders.set(number, (holders.get(number) ?? 0) + 1);
  for (const field of signed) if (holders.get(field.number)! > 1) field.isDoubtful = true;
  const names = new Set(signed.map(({ name }) => name));
  const empty = ofForm.filter(({ name, value }) => !view.dict(value) && !names.has(name));
  return { signed, empty: empty.map(({ name }) => name), isCut };
}
