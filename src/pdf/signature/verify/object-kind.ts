// Says in words of the standard which part of a document an object is, for people who look for it in the file. It judges nothing, and repeats no text of
// the file but the name of a field.
import type { PdfFile } from '../../syntax/read-pdf.ts';
import { type Dict, PdfStream, Ref, type Value } from '../../syntax/values.ts';
import { pageTreeOf } from './drawn-objects.ts';
import { fieldsOf } from './fields.ts';

/** By /Type, and by /Subtype where an object has no type or one that many kinds share. */
const KINDS = new Map([
  ['Catalog', 'catalog'],
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
  ['DSS', 'validation data'],
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

const FIELD_TYPES = new Map([
  ['Sig', 'signature field'],
  ['Tx', 'text field'],
  ['Btn', 'button'],
  ['Ch', 'choice field'],
]);

/** The kind of an object in the file as it is now. */
export function kindOfObject({ latest }: PdfFile, number: number): string {
  const value = latest.object(number)?.value;
  if (value === undefined) return 'not in the file';
  const isIt = (candidate: Value | undefined) => candidate instanceof Ref && candidate.number === number;
  const field = fieldsOf(latest).fields.find((candidate) => candidate.number === number);
  if (field) return `${FIELD_TYPES.get(field.type ?? '') ?? 'field'} "${field.name}"`;
  const catalog = latest.dict(latest.root);
  if (isIt(latest.root)) return 'catalog';
  if (isIt(catalog?.get('AcroForm'))) return 'form';
  if (isIt(catalog?.get('DSS'))) return 'validation data';
  if (isIt(latest.trailer.get('Info'))) return 'document information';
  for (const [index, page] of pageTreeOf(latest).pages.entries()) {
    if (isIt(page)) return `page ${index + 1}`;
    const contents = latest.dict(page)?.get('Contents');
    if (isIt(contents) || latest.array(contents)?.some(isIt)) return `content of page ${index + 1}`;
  }
  return kindOfValue(value);
}

function kindOfValue(value: Value): string {
  const isStream = value instanceof PdfStream;
  const dict: Dict | undefined = isStream ? value.dict : value instanceof Map ? value : undefined;
  if (!dict) return Array.isArray(value) ? 'list' : 'value';
  const names = [dict.get('Subtype'), dict.get('Type')].filter((name) => typeof name === 'string');
  // Fonts and annotations have subtypes of their own.
  const kind = names.map((name) => KINDS.get(name)).find((word) => word !== undefined);
  return kind ?? (dict.has('Rect') ? 'annotation' : isStream ? 'stream' : 'dictionary');
}
