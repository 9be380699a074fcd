// Reads the form of a document in the copy that PDFium makes of it, in which the stamp finds the same pages and annotations.
// `inspectPdf` has accepted the document.
import { boxOfRect, geometryOf, type PageGeometry } from '../../geometry.ts';
import { DOCUMENT_LIMITS, FORM_LIMITS } from '../../limits.ts';
import { numbersIn, type PdfView, readPdf } from '../read-pdf.ts';
import { soundCopy } from '../sound-copy.ts';
import type { Dict, Value } from '../values.ts';
import type { AcroFormField, FormRead, FormWidget } from './form.ts';
import {
  type FieldChain,
  type FieldTree,
  inheritedEntry,
  namedField,
  onState,
  qualifiedName,
  readField,
  readFieldTree,
} from './read-field.ts';

export async function readForm(bytes: Uint8Array): Promise<FormRead> {
  const copy = await soundCopy(bytes);
  if (!copy.ok) return copy.reason === 'too_complex' ? copy : { ok: false, reason: 'unreadable' };
  const file = readPdf(copy.pdf);
  if (!file.ok || file.locked) return { ok: false, reason: 'unreadable' };
  const view = file.latest;
  const form = view.dict(view.dict(view.root)?.get('AcroForm'));
  if (!form) return { ok: false, reason: 'no_form' };
  const pages = formPages(view);
  if (pages?.length !== copy.pageCount) return { ok: false, reason: 'unreadable' };
  const tree = readFieldTree(view, form);
  const places = findPlaces(view, pages);
  if (tree.isCut || !places) return { ok: false, reason: 'too_large' };
  const groups = groupsOf(view, tree, places);
  if (groups.length > FORM_LIMITS.fields) return { ok: false, reason: 'too_large' };
  if (groups.length === 0) return { ok: false, reason: form.has('XFA') ? 'dynamic' : 'no_form' };
  const fields: AcroFormField[] = [];
  let characters = 0;
  for (const { chain, members } of groups) {
    const field = readField(view, chain, members);
    characters += charactersOf(field);
    if (characters > FORM_LIMITS.characters) return { ok: false, reason: 'too_large' };
    fields.push(field);
  }
  return file.isExhausted()
    ? { ok: false, reason: 'too_large' }
    : { ok: true, fields, isSigned: fields.some(({ traits }) => traits.includes('signed')) };
}

function charactersOf({ name, tooltip = '', values, options }: AcroFormField): number {
  const texts = [name, tooltip, ...values, ...options.flatMap(({ value, text }) => [value, text])];
  return texts.reduce((sum, text) => sum + text.length, 0);
}

type Place = { widget: FormWidget; dict: Dict };

// ISO 32000-1, table 165.
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;

/** Lists the widgets of all pages in their order. Returns undefined for more than any form has. */
function findPlaces(view: PdfView, pages: readonly FormPage[]): Place[] | undefined {
  const places: Place[] = [];
  let count = 0;
  for (const [page, { dict, geometry }] of pages.entries()) {
    const annotations = view.array(dict.get('Annots')) ?? [];
    for (const [annotation, value] of annotations.entries()) {
      count += 1;
      if (count > DOCUMENT_LIMITS.formFields) return undefined;
      const widget = view.dict(value);
      if (!widget || view.resolve(widget.get('Subtype')) !== 'Widget') continue;
      if (places.length >= FORM_LIMITS.places) return undefined;
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = readRectangle(view, widget.get('Rect')) ?? [];
      const rect = {
        left: Math.min(x1, x2),
        bottom: Math.min(y1, y2),
        right: Math.max(x1, x2),
        top: Math.max(y1, y2),
      };
      const box = geometry ? boxOfRect(geometry, rect) : { x: 0, y: 0, width: 0, height: 0 };
      const flags = readNumber(view, widget.get('F')) ?? 0;
      const isHidden = (flags & (HIDDEN | NO_VIEW)) !== 0 || !(box.width > 0 && box.height > 0);
      places.push({
        widget: { page, annotation, box, isHidden, state: onState(view, widget) },
        dict: widget,
      });
    }
  }
  return places;
}

type Group = { chain: FieldChain; members: Place[] };

/** Entries of the field count before those of its widgets, where some programs write what belongs to the field. */
function fieldFirst(chain: FieldChain, named: Dict | undefined): FieldChain {
  const at = named ? chain.indexOf(named) : 0;
  return [...chain.slice(at), ...chain.slice(0, at)];
}

/** Puts the widgets of each field together, in the order of the pages; fields that stand on no page follow. */
function groupsOf(view: PdfView, tree: FieldTree, places: readonly Place[]): Group[] {
  const groups = new Map<string | Dict, Group>();
  // Fields with the same name and type are one field (12.7.3.2).
  const keyOf = (chain: FieldChain, field: Dict): string | Dict => {
    const name = qualifiedName(view, chain);
    const isWhole = name !== '' && name.length < FORM_LIMITS.nameCharacters;
    return isWhole ? `${String(view.resolve(inheritedEntry(chain, 'FT')))} ${name}` : field;
  };
  const add = (chain: FieldChain, field: Dict, place?: Place) => {
    const key = keyOf(chain, field);
    const group = groups.get(key) ?? { chain, members: [] };
    if (place) group.members.push(place);
    groups.set(key, group);
  };
  for (const place of places) {
    const chain = tree.chainOf(place.dict);
    if (inheritedEntry(chain, 'FT') === undefined) continue;
    const named = namedField(chain);
    add(fieldFirst(chain, named), named ?? place.dict, place);
  }
  for (const field of tree.terminals) {
    const chain = tree.chainOf(field);
    if (inheritedEntry(chain, 'FT') !== undefined) add(chain, field);
  }
  return [...groups.values()];
}

/** `geometry` is undefined for a page of which nothing would be visible. */
type FormPage = { dict: Dict; geometry: PageGeometry | undefined };

type Inherited = { MediaBox?: Value; CropBox?: Value; Rotate?: Value };

/** PDFium takes a letter where a page says nothing of use. */
const LETTER = [0, 0, 612, 792];

/** Lists the pages in reading order; undefined where the tree cannot be walked. */
function formPages(view: PdfView): FormPage[] | undefined {
  const pages: FormPage[] = [];
  const visited = new Set<Dict>();
  const visit = (value: Value | undefined, above: Inherited, depth: number): boolean => {
    const dict = view.dict(value);
    if (!dict || visited.has(dict) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    visited.add(dict);
    const inherited = withOwn(dict, above);
    const kids = view.array(dict.get('Kids'));
    if (kids) return kids.every((kid) => visit(kid, inherited, depth + 1));
    pages.push({ dict, geometry: geometryOfPage(view, dict, inherited) });
    return true;
  };
  const root = view.dict(view.dict(view.root)?.get('Pages'));
  return root && visit(view.dict(view.root)?.get('Pages'), {}, 0) ? pages : undefined;
}

function withOwn(dict: Dict, above: Inherited): Inherited {
  const inherited = { ...above };
  for (const key of ['MediaBox', 'CropBox', 'Rotate'] as const) {
    const value = dict.get(key);
    if (value !== undefined) inherited[key] = value;
  }
  return inherited;
}

function geometryOfPage(
  view: PdfView,
  dict: Dict,
  { MediaBox, CropBox, Rotate }: Inherited,
): PageGeometry | undefined {
  return geometryOf({
    mediaBox: readRectangle(view, MediaBox) ?? LETTER,
    cropBox: readRectangle(view, CropBox),
    rotate: readNumber(view, Rotate),
    userUnit: readNumber(view, dict.get('UserUnit')),
  });
}

function readNumber(view: PdfView, value: Value | undefined): number | undefined {
  const number = view.resolve(value);
  return typeof number === 'number' ? number : undefined;
}

/** Reads four numbers; undefined for anything else. */
function readRectangle(view: PdfView, value: Value | undefined): number[] | undefined {
  const numbers = numbersIn(view, value);
  return numbers?.length === 4 ? numbers : undefined;
}
