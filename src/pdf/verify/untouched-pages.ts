// Decides whether an object that a page draws can have changed since a signed version. Where none can, a page need not be drawn to know that it
// looks as it did, and the document engine is not started. The answer is "untouched" only for what the usual programs append to a signed file:
// validation data, metadata, and signatures and timestamps in new fields that show nothing. Everything else is drawn and compared.
//
// It trusts in nothing that the judges of changes concluded, apart from the syntax of later saves: a mistake of theirs is still drawn.
import type { PdfFile, PdfView } from '../syntax/read-pdf.ts';
import { type Dict, isSame, Ref, type Value } from '../syntax/values.ts';
import { isVisible } from './changes/appearance.ts';
import { additions, keysOf, plainDict } from './changes/diff-context.ts';
import { spendOnSections } from './changes/differences.ts';
import { createDrawnSearch, type DrawnRole, type DrawnSearch, pageTreeOf } from './drawn-objects.ts';
import { mayBeLinearized } from './rules/entry-point.ts';
import { findSignedIrregularity } from './rules/save-syntax.ts';

/** Honest files have few saves after a signature, and each of them is compared with the signed version. */
const MOST_SAVES = 8;

/** @param file whose later saves are written as the standard wants it (save-syntax.ts), which verifying its signatures shows */
export function arePagesUntouched(file: PdfFile, signed: PdfView): boolean {
  const stored = answers.get(signed) ?? comparePages(file, signed);
  answers.set(signed, stored);
  return stored;
}

/** It is asked before the signatures are verified, and afterwards. */
const answers = new WeakMap<PdfView, boolean>();

function comparePages(file: PdfFile, signed: PdfView): boolean {
  const { sections } = file;
  if (sections.length - signed.index > MOST_SAVES || !isReadAlike(file)) return false;
  const writes = writesOf(file, signed);
  if (!writes) return false;
  for (let index = signed.index + 1; index < sections.length; index += 1)
    if (!spendOnSections(file, 1) || !isDrawnAlike(signed, file.view(index), writes)) return false;
  // What was not read to its end may hold anything.
  return !file.isExhausted();
}

/** Tells whether all readers find the objects of the whole file by its tables, at the same places and with the same content. */
const isReadAlike = (file: PdfFile): boolean =>
  file.shift === 0 &&
  !file.isEncrypted &&
  !mayBeLinearized(file) &&
  findSignedIrregularity(file, file.latest) === undefined;

/** How many later saves wrote each object. */
type Writes = ReadonlyMap<number, number>;

/** Undefined where a save frees an object, or replaces a stream that holds objects: these would change without being written. */
function writesOf(file: PdfFile, signed: PdfView): Writes | undefined {
  const containers = new Set<number>();
  for (const { places } of file.sections)
    for (const place of places.values()) if (place.kind === 'packed') containers.add(place.container);
  const writes = new Map<number, number>();
  for (const { places } of file.sections.slice(signed.index + 1))
    for (const [number, { kind }] of places) {
      // Number 0 begins the list of free numbers, and never is an object.
      if (number === 0) continue;
      const isReplaced = containers.has(number) && signed.place(number) !== undefined;
      if (kind === 'free' || isReplaced) return undefined;
      writes.set(number, (writes.get(number) ?? 0) + 1);
    }
  return writes;
}

/** The signed version and a later one. */
type Versions = {
  signed: PdfView;
  later: PdfView;
  writes: Writes;
  /** Tells whether a value leads to an object that a later save wrote, in one of both versions. */
  leadsToWritten: DrawnSearch;
};

/** Tells whether the pages of a later version draw the same objects as those of the signed one. */
function isDrawnAlike(signed: PdfView, later: PdfView, writes: Writes): boolean {
  const written = new Set(writes.keys());
  const searches = [createDrawnSearch(signed, written), createDrawnSearch(later, written)];
  const leadsToWritten: DrawnSearch = (value, role) => searches.some((search) => search(value, role));
  const versions = { signed, later, writes, leadsToWritten };
  const added = addedFields(versions);
  const { pages, nodes, isCut } = pageTreeOf(signed);
  return (
    added !== undefined &&
    !isCut &&
    // The later version has the same pages then.
    !nodes.some(({ number }) => writes.has(number)) &&
    pages.every((page) => isPageUntouched(versions, page, added))
  );
}

/** The fields that the form has in addition; undefined where the catalog or the form may change what pages show in another way. */
function addedFields(versions: Versions): ReadonlySet<number> | undefined {
  const { signed, later, leadsToWritten } = versions;
  const [catalog, laterCatalog] = [plainDict(signed, signed.root), plainDict(later, later.root)];
  if (!catalog || !laterCatalog || !isSame(signed.root, later.root)) return undefined;
  if (!differsOnlyIn(catalog, laterCatalog, CATALOG_ENTRIES)) return undefined;
  if (leadsToWritten(catalog.get('OCProperties') ?? null, 'drawn')) return undefined;

  const form = plainDict(signed, catalog.get('AcroForm'));
  const laterForm = plainDict(later, laterCatalog.get('AcroForm'));
  if (!form || !laterForm || !differsOnlyIn(form, laterForm, FORM_ENTRIES)) return undefined;
  // Readers make the looks of such fields themselves.
  if (signed.resolve(form.get('NeedAppearances')) === true || form.has('XFA')) return undefined;
  for (const [key, value] of form)
    if (!FORM_ENTRIES.has(key) && leadsToWritten(value, 'drawn')) return undefined;
  if (typeof (laterForm.get('SigFlags') ?? 0) !== 'number') return undefined;
  const added = addedItems(versions, 'field', form.get('Fields'), laterForm.get('Fields'));
  if (hasWrittenBox(versions, form.get('Fields'))) return undefined;
  if (!added?.every((field) => isUnseenField(versions, field))) return undefined;
  return new Set(added.map(({ number }) => number));
}

/** Tells whether a later save wrote a field that was there, or a box of one, on whatever page it is. */
function hasWrittenBox({ signed, writes }: Versions, fields: Value | undefined): boolean {
  const seen = new Set<number>();
  const open = [fields];
  while (open.length > 0) {
    const list = open.pop();
    if (list instanceof Ref && writes.has(list.number) && list !== fields) return true;
    for (const item of signed.array(list) ?? []) {
      if (!(item instanceof Ref) || seen.has(item.number)) continue;
      if (writes.has(item.number)) return true;
      seen.add(item.number);
      open.push(signed.dict(item)?.get('Kids'));
    }
  }
  return false;
}

/** Entries that may differ: no page draws those of the catalog, and the form is judged on its own. */
const CATALOG_ENTRIES = new Set(['AcroForm', 'DSS', 'Extensions', 'Metadata']);
const FORM_ENTRIES = new Set(['Fields', 'SigFlags']);

const differsOnlyIn = (dict: Dict, laterDict: Dict, keys: ReadonlySet<string>): boolean =>
  [...keysOf(dict, laterDict)].every((key) => keys.has(key) || isSame(dict.get(key), laterDict.get(key)));

/** The references that a list got. Undefined where anything else of it may be different. */
function addedItems(
  { signed, later, leadsToWritten }: Versions,
  role: DrawnRole,
  list: Value | undefined,
  laterList: Value | undefined,
): Ref[] | undefined {
  const items = list === undefined ? [] : signed.array(list);
  const laterItems = laterList === undefined ? [] : later.array(laterList);
  if (!items || !laterItems || items.some((item) => leadsToWritten(item, role))) return undefined;
  const added = additions(items, laterItems);
  return added?.every((item) => item instanceof Ref) ? added : undefined;
}

/** Tells whether a field is new, is its own box, and shows nothing in any reader. */
function isUnseenField({ signed, later, writes }: Versions, field: Ref): boolean {
  const dict = plainDict(later, field);
  return (
    dict !== undefined &&
    signed.place(field.number) === undefined &&
    // Two saves that write it may make two different ones of it.
    writes.get(field.number) === 1 &&
    [...dict.keys()].every((key) => FIELD_ENTRIES.has(key)) &&
    dict.get('Subtype') === 'Widget' &&
    dict.get('FT') === 'Sig' &&
    isPoint(dict.get('Rect')) &&
    !isVisible(later, dict)
  );
}

/** Any other entry may make some reader show the box. */
const FIELD_ENTRIES = new Set(['AP', 'F', 'FT', 'Ff', 'MK', 'P', 'Rect', 'Subtype', 'T', 'Type', 'V']);

/** Tells whether a rectangle, whose numbers stand in it, has no area. */
function isPoint(rect: Value | undefined): boolean {
  if (!Array.isArray(rect) || rect.length !== 4) return false;
  const [left, bottom, right, top] = rect;
  return rect.every((corner) => typeof corner === 'number') && left === right && bottom === top;
}

/** Tells whether a page draws what it drew. It may be written again, and its list of annotations may have got such fields. */
function isPageUntouched(versions: Versions, page: Ref, fields: ReadonlySet<number>): boolean {
  const { signed, later, writes, leadsToWritten } = versions;
  if (!writes.has(page.number) && !leadsToWritten(page, 'page')) return true;
  const [dict, laterDict] = [plainDict(signed, page), plainDict(later, page)];
  if (!dict || !laterDict || !differsOnlyIn(dict, laterDict, PAGE_ENTRIES)) return false;
  const others = new Map([...dict].filter(([key]) => !PAGE_ENTRIES.has(key)));
  if (leadsToWritten(others, 'page')) return false;
  const added = addedItems(versions, 'annotation', dict.get('Annots'), laterDict.get('Annots'));
  return added?.every(({ number }) => fields.has(number)) ?? false;
}

const PAGE_ENTRIES = new Set(['Annots']);
