// Finds the field that a widget belongs to: the dictionaries from the widget up to the root of the form, and what is inherited from
// them (ISO 32000-1, 12.7.3.1). It must never trust the tree: it may have cycles, and widgets without a way up.
import { DOCUMENT_LIMITS, FORM_LIMITS } from '../limits.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import { type Dict, PdfString, textOf, type Value } from '../syntax/values.ts';

/** The dictionaries of a field: its own first, the root of the form last. */
export type FieldChain = readonly Dict[];

export type FieldTree = {
  /** From a widget, or a field, upwards. */
  chainOf(dict: Dict): FieldChain;
  /** The fields that have no other fields below them, in the order of the form. */
  terminals: readonly Dict[];
  /** Whether the form was too large to be walked. */
  isCut: boolean;
};

export function readFieldTree(view: PdfView, form: Dict): FieldTree {
  const parents = new Map<Dict, Dict | undefined>();
  const terminals: Dict[] = [];
  let isCut = false;
  const visit = (value: Value, parent: Dict | undefined, depth: number) => {
    const dict = view.dict(value);
    if (!dict || parents.has(dict) || depth > DOCUMENT_LIMITS.formDepth) return;
    if (parents.size >= DOCUMENT_LIMITS.formFields) {
      isCut = true;
      return;
    }
    parents.set(dict, parent);
    const kids = view.array(dict.get('Kids')) ?? [];
    const isNamed = (kid: Value) => view.dict(kid)?.has('T') === true;
    if (dict.has('T') && !kids.some(isNamed)) terminals.push(dict);
    for (const kid of kids) visit(kid, dict, depth + 1);
  };
  for (const field of view.array(form.get('Fields')) ?? []) visit(field, undefined, 0);
  return {
    chainOf(dict) {
      const chain: Dict[] = [];
      let at: Dict | undefined = dict;
      while (at && !chain.includes(at) && chain.length <= DOCUMENT_LIMITS.formDepth) {
        chain.push(at);
        at = parents.has(at) ? parents.get(at) : view.dict(at.get('Parent'));
      }
      return chain;
    },
    terminals,
    isCut,
  };
}

/** The entry of a field, or of the nearest field above it. */
export function inheritedEntry(chain: FieldChain, key: string): Value | undefined {
  return chain.find((dict) => dict.has(key))?.get(key);
}

/** The dictionary that has the name of the field. Its widgets are below it. */
export const namedField = (chain: FieldChain): Dict | undefined => chain.find((dict) => dict.has('T'));

/** The names of a field and of all fields above it. One that is too long is cut. */
export const qualifiedName = (view: PdfView, chain: FieldChain): string =>
  chain
    .flatMap((dict) => textWithin(view.resolve(dict.get('T')), FORM_LIMITS.nameBytes) || [])
    .reverse()
    .join('.')
    .slice(0, FORM_LIMITS.nameCharacters);

/** Decodes the beginning of a text. */
export function textWithin(value: Value, most: number): string | undefined {
  if (!(value instanceof PdfString) || value.bytes.length <= most) return textOf(value);
  return textOf(new PdfString(value.bytes.subarray(0, most), value.isHex));
}
