// Says in words of the standard which part of a document an object is, for people who look for it in the file. It judges nothing, and repeats no text of
// the file but the name of a field.
import type { PdfFile, PdfView } from '../syntax/read-pdf.ts';
import { type Dict, PdfStream, Ref, type Value } from '../syntax/values.ts';
import { pageTreeOf } from './drawn-objects.ts';
import { fieldsOf } from './fields.ts';

/** @returns the kind of an object, by its number, in the file as it is now */
export function createObjectKinds({ latest }: PdfFile): (number: number) => string {
  let parts: ReadonlyMap<number, string> | undefined;
  return (number) => {
    const value = latest.object(number)?.value;
    if (value === undefined) return 'not in the file';
    // Thousands of objections may be about one file.
    parts ??= namedParts(latest);
    return parts.get(number) ?? kindOfValue(value);
  };
}

const FIELD_TYPES = new Map([
  ['Sig', 'signature field'],
  ['Tx', 'text field'],
  ['Btn', 'button'],
  ['Ch', 'choice field'],
]);

/** Objects that are what they are by their place in the document. */
function namedParts(view: PdfView): ReadonlyMap<number, string> {
  const parts = new Map<number, string>();
  const name = (value: Value | undefined, words: string) => {
    if (value instanceof Ref && !parts.has(value.number)) parts.set(value.number, words);
  };
  const catalog = view.dict(view.root);
  name(view.root, 'catalog');
  name(catalog?.get('AcroForm'), 'form');
  name(catalog?.get('DSS'), 'validation data');
  name(view.trailer.get('Info'), 'document information');
  for (const [index, page] of pageTreeOf(view).pages.entries()) {
    name(page, `page ${index + 1}`);
    const contents = view.dict(page)?.get('Contents');
    for (const content of [contents, ...(view.array(contents) ?? [])])
      name(content, `content of page ${index + 1}`);
  }
  for (const { number, type, name: field } of fieldsOf(view).fields)
    if (number !== undefined) parts.set(number, `${FIELD_TYPES.get(type ?? '') ?? 'field'} "${field}"`);
  return parts;
}

/** Names an object by its /Subtype or /Type. */
const KINDS = new Map([
  ['Pages', 'node of the page tree'],
  ['Page', 'page'],
  ['Font', 'font'],
  ['FontDescriptor', 'descriptor of a font'],
  ['ExtGState', 'graphics state'],
  ['Pattern', 'pattern'],
  ['ObjStm', 'object stream'],
  ['XRef', 'cross-reference stream'],
  ['Metadata', 'metadata stream'],
  ['Sig', 'signature'],
  ['DocTimeStamp', 'document timestamp'],
  ['StructTreeRoot', 'tree of tags'],
  ['StructElem', 'tag'],
  ['Outlines', 'outline'],
  ['OCG', 'layer'],
  ['Filespec', 'file specification'],
  ['EmbeddedFile', 'embedded file'],
  ['Widget', 'box of a field'],
  ['Annot', 'annotation'],
  ['Image', 'picture'],
  ['Form', 'drawing (form XObject)'],
]);

function kindOfValue(value: Value): string {
  const isStream = value instanceof PdfStream;
  const dict: Dict | undefined = isStream ? value.dict : value instanceof Map ? value : undefined;
  if (!dict) return Array.isArray(value) ? 'list' : 'value';
  // Fonts and annotations have subtypes of their own.
  const names = [dict.get('Subtype'), dict.get('Type')].filter((name) => typeof name === 'string');
  const kind = names.map((name) => KINDS.get(name)).find((words) => words !== undefined);
  return kind ?? (dict.has('Rect') ? 'annotation' : isStream ? 'stream' : 'dictionary');
}
