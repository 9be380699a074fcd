// Pages look as they looked when they were signed, outside the places of what was filled in, signed or noted. This is the second opinion on all rules above: the
// pages that lead to an object of a later save are drawn in both versions. A version after which no page can have changed is not drawn, and no engine is started.

import { VERIFY_LIMITS } from '../../limits.ts';
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, textOf, type Value } from '../../read/values.ts';
import type {
  AllowedPlace,
  VersionDifference,
  VersionToCompare,
} from '../../render/comparison/compare-versions.ts';
import { CHOICE_COMBO, hasPlace, isFlagged, isLettered, isVisible } from '../changes/appearance.ts';
import { isTextAppearance } from '../changes/blank-appearance.ts';
import { additions, type Change, inherited, keysOf, plainDict } from '../changes/diff-context.ts';
import { spendOnSections } from '../changes/differences.ts';
import { createDrawnSearch, type DrawnRole, type DrawnSearch, pageTreeOf } from '../document-parts.ts';
import { formOf, signatureFieldsOf } from '../fields.ts';
import { type Fault, judgementOf } from '../findings.ts';
import { coverageOf, isCoverage } from '../signature.ts';
import { mayBeLinearized } from './entry-point.ts';
import type { RuleDescription } from './rule.ts';
import { findSignedIrregularity } from './save-syntax.ts';

export const unchangedAppearance = {
  name: 'unchanged-appearance',
  allows:
    'Pages show what they showed, on the screen and on paper, outside the places of what was filled in, signed or noted.',
  source: 'ISO 32000-2, 12.8.2.2',
  codes: ['shown_differently', 'not_compared'],
} as const satisfies RuleDescription;

/** The engine answers so after it drew a signed version and the file. */
type AppearanceComparison =
  | { ok: true; differences: readonly VersionDifference[] }
  | { ok: false; reason: 'too_complex'; limit: string }
  | { ok: false; reason: 'unreadable' | 'busy' };

export function judgeAppearance(compared: AppearanceComparison): Fault[] {
  const { name: rule } = unchangedAppearance;
  if (!compared.ok) {
    const limit = compared.reason === 'too_complex' ? compared.limit : compared.reason;
    return [{ code: 'not_compared', details: { limit }, rule }];
  }
  return compared.differences.map(({ page, medium = 'screen' }) => ({
    code: 'shown_differently',
    details: page === undefined ? {} : { page: String(page + 1), medium },
    rule,
  }));
}

/** The signatures of the file have been verified. */
type VerifiedSignatures = {
  file: PdfFile;
  signatures: readonly {
    covers: { end: number; save: number; isWholeFile: boolean } | undefined;
    changes: readonly Change[];
    faults: readonly Fault[];
  }[];
};

/** Lists the signed versions of which a page may be drawn differently now, each once, the first first. */
export const versionsToCompare = (report: VerifiedSignatures): VersionToCompare[] =>
  signedVersions(report).flatMap(({ isUntouched, version }) => (isUntouched() ? [] : [version()]));

/** Tells whether pages will have to be compared if the signatures of the file are valid. */
export const mayHaveToCompare = (file: PdfFile): boolean =>
  signatureFieldsOf(file.latest)
    .signed.slice(0, VERIFY_LIMITS.signatures)
    .some((field) => {
      const coverage = coverageOf(file, field);
      return (
        isCoverage(coverage) && coverage.end < file.bytes.length && !arePagesUntouched(file, coverage.view)
      );
    });

/**
 * Lists the signed versions with a later save behind them. `isUntouched` says that no object that a page draws can have changed since,
 * provided that the signatures are not invalid.
 */
export function signedVersions({ file, signatures }: VerifiedSignatures) {
  const isSound = signatures.every(({ faults }) => judgementOf(faults).verdict !== 'invalid');
  const ends = new Set<number>();
  return signatures.flatMap(({ covers, changes }) => {
    if (!covers || covers.isWholeFile || ends.has(covers.end)) return [];
    ends.add(covers.end);
    const { end, save } = covers;
    return {
      isUntouched: () => isSound && arePagesUntouched(file, file.view(save)),
      version: () => versionOf(file, end, changes),
    };
  });
}

function versionOf(file: PdfFile, end: number, changes: readonly Change[]): VersionToCompare {
  const later = file.sections.findIndex(({ start }) => start >= end);
  const signed = file.view(Math.max(0, later - 1));
  const written = new Set(file.sections.slice(later).flatMap(({ places }) => [...places.keys()]));
  const { pages } = pageTreeOf(file.latest);
  const leads = [createDrawnSearch(signed, written), createDrawnSearch(file.latest, written)];
  const mayDiffer = formChanges(signed, file.latest, leads) ? hasLetters : () => false;
  const affected = pages.flatMap((page, index) =>
    mayDiffer(file.latest, page) || leads.some((search) => search(page, 'page')) ? [index] : [],
  );
  return {
    end,
    pages: affected,
    pageCount: pages.length,
    allowed: placesOf(signed, file.latest, pages, changes),
  };
}

/** Tells whether text that has no appearance of its own may be drawn with something else now. */
function formChanges(signed: PdfView, latest: PdfView, leads: readonly DrawnSearch[]): boolean {
  const [was, is] = [formOf(signed), formOf(latest)];
  return ['DR', 'DA'].some((key) => {
    const value = is?.get(key) ?? null;
    return !isSame(was?.get(key) ?? null, value) || leads.some((search) => search(value, 'drawn'));
  });
}

const hasLetters = (view: PdfView, page: Ref): boolean =>
  (view.array(view.dict(page)?.get('Annots')) ?? []).some((item) => isLettered(view, view.dict(item)));

/** Timestamps show nothing: there is no place for them. MuPDF writes in the box of a field that waits for a signature. */
const SHOWN = new Set<Change['kind']>(['form_filled', 'signature', 'annotation', 'signature_field']);

function placesOf(
  signed: PdfView,
  view: PdfView,
  pages: readonly Ref[],
  changes: readonly Change[],
): AllowedPlace[] {
  const shown = changes.filter(({ kind }) => SHOWN.has(kind));
  if (shown.length === 0) return [];
  const changeOf = new Map(shown.flatMap((change) => change.objects.map((number) => [number, change])));
  return pages.flatMap((page, index) =>
    (view.array(view.dict(page)?.get('Annots')) ?? []).flatMap((item) => {
      const annotation = view.dict(item);
      const parent = annotation?.get('Parent');
      const changed = [item, parent].flatMap(
        (owner) => (owner instanceof Ref && changeOf.get(owner.number)) || [],
      );
      const rect = changed.length > 0 && rectOf(view, annotation);
      const filled = filledText(view, annotation, changed);
      const isSignature = changed.some(({ kind }) => kind === 'signature');
      const isWaiting = changed.some(({ kind }) => kind === 'signature_field');
      if (!rect || (isWaiting && !hasPlace(view, annotation))) return [];
      // A box that comes with a signature may lie over what others show, which is a remark.
      const wasThere = item instanceof Ref && signed.object(item.number) !== undefined;
      const mustBeEmpty = wasThere && (filled !== undefined || isSignature);
      const kinds = {
        ...(isSignature && { isSignature }),
        ...(mustBeEmpty && { mustBeEmpty }),
        ...(isWaiting && { mustBeBlank: true }),
      };
      return [{ page: index, rect, ...(filled && { filled }), ...kinds }];
    }),
  );
}

/** Reads the text that a field or a list was filled in with, as it is shown; a box that is ticked shows another text than its value. */
function filledText(
  view: PdfView,
  annotation: Dict | undefined,
  changes: readonly Change[],
): AllowedPlace['filled'] | undefined {
  const change = changes.find(({ kind }) => kind === 'form_filled');
  const type = annotation && view.resolve(inherited(view, annotation, 'FT'));
  if (!change || !annotation) return undefined;
  const normal = view.resolve(view.dict(annotation.get('AP'))?.get('N'));
  const isDrawn = normal instanceof PdfStream && !isTextAppearance(view, normal);
  const filled = { name: change.field ?? '', value: change.after ?? '', ...(isDrawn && { isDrawn }) };
  if (type === 'Tx') return filled;
  const flags = view.resolve(inherited(view, annotation, 'Ff'));
  if (type !== 'Ch') return undefined;
  const isCombo = isFlagged(flags, CHOICE_COMBO);
  const value = isCombo ? optionShown(view, annotation, filled.value) : optionsOf(view, annotation).join(' ');
  return { ...filled, value };
}

/** Lists all texts that a list may show: other words in its appearance are none of its options. */
function optionsOf(view: PdfView, annotation: Dict): string[] {
  const options = view.array(inherited(view, annotation, 'Opt')) ?? [];
  return options.flatMap((option) => {
    const resolved = view.resolve(option);
    const shown = Array.isArray(resolved) ? view.resolve(resolved[1]) : resolved;
    return textOf(shown) ?? [];
  });
}

/** An option may be shown by another text than the value that it stands for (ISO 32000-2, table 234). */
function optionShown(view: PdfView, annotation: Dict, value: string): string {
  const options = view.array(inherited(view, annotation, 'Opt')) ?? [];
  const pairs = options.map((option) => (view.array(option) ?? []).map((text) => textOf(view.resolve(text))));
  return pairs.find(([exported]) => exported === value)?.[1] ?? value;
}

function rectOf(view: PdfView, annotation: Dict | undefined): AllowedPlace['rect'] | undefined {
  const corners = view.array(annotation?.get('Rect'))?.map((value) => view.resolve(value)) ?? [];
  if (corners.length !== 4 || !corners.every((value) => typeof value === 'number')) return undefined;
  const [x1, y1, x2, y2] = corners as [number, number, number, number];
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}

/** Honest files have few saves after a signature, and each of them is compared with the signed version. */
const MOST_SAVES = 8;

/** @param file whose later saves are written as the standard wants it (save-syntax.ts), which verifying its signatures shows */
export function arePagesUntouched(file: PdfFile, signed: PdfView): boolean {
  const stored = answers.get(signed) ?? comparePages(file, signed);
  answers.set(signed, stored);
  return stored;
}

/** The answer is needed before the signatures are verified, and again afterwards. */
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

/** Each object was written by so many later saves. */
type Writes = ReadonlyMap<number, number>;

/** Returns undefined where a save frees an object, or replaces a stream that holds objects: these would change without being written. */
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

/** Lists the fields that the form has in addition; undefined where the catalog or the form may change what pages show in another way. */
function addedFields(versions: Versions): ReadonlySet<number> | undefined {
  const { signed, later, leadsToWritten } = versions;
  const [catalog, laterCatalog] = [plainDict(signed, signed.root), plainDict(later, later.root)];
  if (!catalog || !laterCatalog || !isSame(signed.root, later.root)) return undefined;
  if (!differsOnlyIn(catalog, laterCatalog, CATALOG_ENTRIES)) return undefined;
  if (leadsToWritten(catalog.get('OCProperties') ?? null, 'drawn')) return undefined;

  const form = plainDict(signed, catalog.get('AcroForm'));
  const laterForm = plainDict(later, laterCatalog.get('AcroForm'));
  if (!form || !laterForm || !differsOnlyIn(form, laterForm, FORM_ENTRIES)) return undefined;
  // Readers make the appearances of such fields themselves.
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
  const visited = new Set<number>();
  const open = [fields];
  while (open.length > 0) {
    const list = open.pop();
    if (list instanceof Ref && writes.has(list.number) && list !== fields) return true;
    for (const item of signed.array(list) ?? []) {
      if (!(item instanceof Ref) || visited.has(item.number)) continue;
      if (writes.has(item.number)) return true;
      visited.add(item.number);
      open.push(signed.dict(item)?.get('Kids'));
    }
  }
  return false;
}

/** These entries may differ: no page draws those of the catalog, and the form is judged on its own. */
const CATALOG_ENTRIES = new Set(['AcroForm', 'DSS', 'Extensions', 'Metadata']);
const FORM_ENTRIES = new Set(['Fields', 'SigFlags']);

const differsOnlyIn = (dict: Dict, laterDict: Dict, keys: ReadonlySet<string>): boolean =>
  [...keysOf(dict, laterDict)].every((key) => keys.has(key) || isSame(dict.get(key), laterDict.get(key)));

/** Lists the references that a list got. Returns undefined where anything else of it may be different. */
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
