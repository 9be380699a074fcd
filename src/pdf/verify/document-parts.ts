// Tells which parts a document has: its pages, what each of them draws, and what an object is called. Nothing here is judged.
import { COMPARE_LIMITS, DOCUMENT_LIMITS } from '../limits.ts';
import type { PdfFile, PdfView } from '../read/read-pdf.ts';
import { type Dict, PdfStream, Ref, type Value } from '../read/values.ts';
import { fieldsOf } from './fields.ts';

/** `nodes` are the objects that say which pages there are. `isCut` says that there may be more pages than these. */
type PageTree = { pages: Ref[]; nodes: Ref[]; isCut: boolean };

/** A page that is listed twice is two pages. */
export function pageTreeOf(view: PdfView): PageTree {
  const tree: PageTree = { pages: [], nodes: [], isCut: false };
  const above = new Set<number>();
  const walk = (node: Value | undefined): void => {
    const isWalked = node instanceof Ref && !above.has(node.number);
    if (
      !isWalked ||
      above.size > DOCUMENT_LIMITS.pageTreeDepth ||
      tree.pages.length >= COMPARE_LIMITS.pages
    ) {
      tree.isCut = true;
      return;
    }
    const kids = view.dict(node)?.get('Kids');
    const items = view.array(kids);
    if (!items) {
      tree.pages.push(node);
      return;
    }
    tree.nodes.push(node, ...(kids instanceof Ref ? [kids] : []));
    above.add(node.number);
    for (const item of items) walk(item);
    above.delete(node.number);
  };
  walk(view.dict(view.root)?.get('Pages'));
  return tree;
}

/**
 * A value has a role on the way from a page to what it draws. Entries that lead to other pages and are not drawn are passed over in pages,
 * in annotations and in fields alone: in resources any key may be a name that content uses.
 */
export type DrawnRole = 'page' | 'annotation' | 'field' | 'drawn';

const ASIDE: Record<DrawnRole, ReadonlySet<string>> = {
  page: new Set(['Kids', 'AA', 'B', 'StructParents']),
  annotation: new Set(['P', 'Dest', 'A', 'AA', 'IRT', 'StructParent']),
  field: new Set(['Kids', 'P', 'A', 'AA', 'StructParent']),
  drawn: new Set(),
};

function roleBelow(role: DrawnRole, key: string): DrawnRole {
  if (key === 'Parent' && role !== 'drawn') return role === 'page' ? 'page' : 'field';
  if (key === 'Annots' && role === 'page') return 'annotation';
  return key === 'Popup' && role === 'annotation' ? 'annotation' : 'drawn';
}

export type DrawnSearch = (value: Value, role: DrawnRole) => boolean;

/** Finds whether a value leads to a written object. An object that does not is not searched again for another page. */
export function createDrawnSearch(view: PdfView, written: ReadonlySet<number>): DrawnSearch {
  const clean = new Set<string>();
  return (value, first) => {
    const visited = new Set<string>();
    const open: [DrawnRole, Value][] = [[first, value]];
    while (open.length > 0) {
      const [role, next] = open.pop()!;
      if (next instanceof Ref) {
        const place = `${role} ${next.number}`;
        if (visited.has(place) || clean.has(place)) continue;
        if (written.has(next.number)) return true;
        visited.add(place);
        const object = view.object(next.number);
        // What cannot be read may lead anywhere.
        if (!object && (view.place(next.number)?.kind ?? 'free') !== 'free') return true;
        open.push([role, object?.value ?? null]);
      } else if (Array.isArray(next)) for (const item of next) open.push([role, item]);
      else if (next instanceof PdfStream) pushEntries(role, next.dict, open);
      else if (next instanceof Map) pushEntries(role, next, open);
    }
    for (const place of visited) clean.add(place);
    return false;
  };
}

/** Calls `visit` for each dictionary and stream on the way to what pages draw, once for each role. It ends where `takeStep` is false. */
export function createDrawnWalk(
  view: PdfView,
  takeStep: () => boolean,
  visit: (value: Dict | PdfStream, role: DrawnRole, number: number | undefined) => void,
): (value: Value, role: DrawnRole) => void {
  const visited = new Set<string>();
  return (value, first) => {
    const open: [DrawnRole, Value, number | undefined][] = [[first, value, undefined]];
    while (open.length > 0 && takeStep()) {
      const [role, next, around] = open.pop()!;
      if (next instanceof Ref) {
        const place = `${role} ${next.number}`;
        if (visited.has(place)) continue;
        visited.add(place);
      }
      const number = next instanceof Ref ? next.number : around;
      const resolved = view.resolve(next);
      const entries: [DrawnRole, Value][] = [];
      if (Array.isArray(resolved)) for (const item of resolved) entries.push([role, item]);
      else if (resolved instanceof Map || resolved instanceof PdfStream) {
        visit(resolved, role, number);
        pushEntries(role, resolved instanceof Map ? resolved : resolved.dict, entries);
      }
      for (const [below, entry] of entries)
        if (typeof entry === 'object' && entry !== null) open.push([below, entry, number]);
    }
  };
}

function pushEntries(role: DrawnRole, dict: Dict, open: [DrawnRole, Value][]): void {
  for (const [key, value] of dict) if (!ASIDE[role].has(key)) open.push([roleBelow(role, key), value]);
}

// ── what an object is called ────────────────────────────────────────────────────────────────────────────────────────

/**
 * Says in words of the standard which part of a document an object is, for people who look for it in the file. It repeats no text of the
 * file but the name of a field.
 * @returns the kind of an object, by its number, in the file as it is now
 */
export function createObjectKinds({ latest }: PdfFile): (number: number) => string {
  let kinds: ReadonlyMap<number, string> | undefined;
  return (number) => {
    const value = latest.object(number)?.value;
    if (value === undefined) return 'not in the file';
    // Thousands of objections may be about one file.
    kinds ??= namedParts(latest);
    return kinds.get(number) ?? kindOfValue(value);
  };
}

const FIELD_TYPES = new Map([
  ['Sig', 'signature field'],
  ['Tx', 'text field'],
  ['Btn', 'button'],
  ['Ch', 'choice field'],
]);

/** Some objects are what they are by their place in the document. */
function namedParts(view: PdfView): ReadonlyMap<number, string> {
  const kinds = new Map<number, string>();
  const name = (value: Value | undefined, words: string) => {
    if (value instanceof Ref && !kinds.has(value.number)) kinds.set(value.number, words);
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
    if (number !== undefined) kinds.set(number, `${FIELD_TYPES.get(type ?? '') ?? 'field'} "${field}"`);
  return kinds;
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
