// The fields of a form, as far as signatures go: which there are, what each holds, and which have signatures. It must never
// miss a signature that a reader would show.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../syntax/read-pdf.ts';
import { type Dict, Ref, textOf, type Value } from '../../syntax/values.ts';

export type FormField = {
  /** Its name with those above it: `buyer.signature`. */
  name: string;
  /** The object; undefined for a dictionary that stands in the list itself. */
  number: number | undefined;
  dict: Dict;
  /** Sig, Tx, Btn, Ch: its own or inherited. */
  type: string | undefined;
  /** The object that holds its value. */
  value: Value;
};

export const formOf = (view: PdfView): Dict | undefined => view.dict(view.dict(view.root)?.get('AcroForm'));

/** All fields with a type. Of a form without an end only the first: then `isCut` is set. */
export function fieldsOf(view: PdfView): { fields: FormField[]; isCut: boolean } {
  const fields: FormField[] = [];
  let isCut = false;
  const seen = new Set<number>();
  const walk = (item: Value, above: { name: string; type: string | undefined }, depth: number) => {
    const number = item instanceof Ref ? item.number : undefined;
    if (number !== undefined && seen.has(number)) return;
    if (depth > DOCUMENT_LIMITS.formDepth || seen.size > DOCUMENT_LIMITS.formFields) {
      isCut = true;
      return;
    }
    if (number !== undefined) seen.add(number);
    const dict = view.dict(item);
    if (!dict) return;
    const own = textOf(view.resolve(dict.get('T')));
    const name = own === undefined ? above.name : above.name === '' ? own : `${above.name}.${own}`;
    const typed = view.resolve(dict.get('FT'));
    const type = typeof typed === 'string' ? typed : above.type;
    const isField = own !== undefined || !dict.has('Parent');
    if (isField && type !== undefined)
      fields.push({ name, number, dict, type, value: dict.get('V') ?? null });
    for (const kid of view.array(dict.get('Kids')) ?? []) walk(kid, { name, type }, depth + 1);
  };
  for (const item of view.array(formOf(view)?.get('Fields')) ?? [])
    walk(item, { name: '', type: undefined }, 0);
  return { fields, isCut };
}

const byName = new WeakMap<PdfView, Map<string, FormField[]>>();

/** The fields with this name. A form with thousands of fields is read once for all of their names. */
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

const numberOf = ({ value }: FormField) => (value instanceof Ref ? value.number : undefined);

/** A signature that a field holds. */
export type SignatureField = {
  name: string;
  field: FormField;
  dict: Dict;
  number: number | undefined;
  /** Other fields hold it as well: it was made for one of them at most. */
  isShared: boolean;
};

/** `isCut`: there are more fields than are looked at. */
export type SignatureFields = { signed: SignatureField[]; empty: string[]; isCut: boolean };

/** Signatures of fields, and those that the catalog names as permissions. */
export function signatureFieldsOf(view: PdfView): SignatureFields {
  const all = fieldsOf(view);
  const fields = all.fields.filter(({ type }) => type === 'Sig');
  const signed: SignatureField[] = [];
  const holders = new Map<number | undefined, number>();
  for (const field of fields) {
    const dict = view.dict(field.value);
    if (!dict) continue;
    const number = numberOf(field);
    holders.set(number, (holders.get(number) ?? 0) + 1);
    signed.push({ name: field.name, field, dict, number, isShared: false });
  }
  for (const one of signed) one.isShared = (holders.get(one.number) ?? 0) > 1;
  const empty = fields.filter(({ value }) => !view.dict(value)).map(({ name }) => name);
  return { signed, empty, isCut: all.isCut };
}
