// What changed after a signature, and whether it was allowed to: every object that differs is looked at by what it is for.
// What is not understood as allowed is not allowed.
import type { FileSection, PdfFile, PdfView } from '../../../syntax/read-pdf.ts';
import { isSame, type Value } from '../../../syntax/values.ts';
import type { Fault } from '../findings.ts';
import { compareCatalogs } from './catalog.ts';
import {
  type Change,
  type CleanObjects,
  type Compared,
  type Comparison,
  type ComparisonBudget,
  createComparison,
  type Rules,
} from './comparison.ts';
import { differencesBetween, strayByteAfter } from './differences.ts';
import { compareForms } from './form.ts';
import { comparePages } from './pages.ts';
import { findIrregularity } from './save-syntax.ts';
import { compareStructureTrees } from './structure-tree.ts';

export type { Change, ChangeKind, ComparisonBudget, Permission, Rules } from './comparison.ts';

export type Judged = { changes: Change[]; faults: Fault[] };

/**
 * @param end where the bytes that are signed end
 * @param budget one for all signatures of a file
 */
export function changesSince(
  file: PdfFile,
  signed: PdfView,
  end: number,
  rules: Rules,
  budget: ComparisonBudget,
): Judged {
  if (end === file.bytes.length) return { changes: [], faults: [] };
  if (!spendOnSections(file, SECTION_LOOKS)) return refused({ code: 'update_unreadable' });
  const stray = strayByteAfter(file, signed, end);
  if (stray !== undefined) return refused({ code: 'bytes_after', at: stray });
  const irregular = findIrregularity(file, signed, end);
  if (irregular) {
    const { part, ...where } = irregular;
    return refused({ code: 'update_irregular', ...where, facts: { part } });
  }
  const swapped = swappedEntry(file, signed);
  if (swapped) return refused({ code: 'changed_structure', facts: { part: swapped } });
  const between = (old: PdfView, latest: PdfView, known?: Searched) =>
    changesBetween({ file, signed, old, latest, rules, budget, whole: known });
  const whole = between(signed, file.latest);
  const { changes, faults } = whole;
  if (faults.length > 0 || !isWrittenAgain(file, signed)) return { changes, faults };
  // A change that a later save takes back is still shown by readers that repair the file. What only one save wrote is part of the whole.
  for (let index = signed.index + 1; index < file.sections.length; index += 1) {
    const stored: (Judged & Searched) | undefined = savesOf(file, rules).get(index);
    const save = stored ?? between(file.view(index - 1), file.view(index), whole);
    if (!save.isOfSignature) savesOf(file, rules).set(index, save);
    if (save.faults.length > 0) return { changes, faults: save.faults };
  }
  return { changes, faults };
}

const judgedSaves = new WeakMap<PdfFile, Map<Rules['permission'], Map<number, Judged>>>();

/** What was found out about single saves and is the same for all signatures with the same permission: a file with 200 signatures has 20,000 pairs. */
function savesOf(file: PdfFile, { permission }: Rules): Map<number, Judged> {
  const saves = judgedSaves.get(file) ?? new Map<Rules['permission'], Map<number, Judged>>();
  judgedSaves.set(file, saves);
  const known = saves.get(permission) ?? new Map<number, Judged>();
  saves.set(permission, known);
  return known;
}

/** How often the entries of all sections are looked at for one signature. */
const SECTION_LOOKS = 4;

/** Counts looks at the entries of all sections. @returns whether more may be looked at */
export function spendOnSections(file: PdfFile, looks: number): boolean {
  for (const { places } of file.sections) file.spend(looks * (1 + places.size));
  return !file.isExhausted();
}

/**
 * The entry of a later trailer by which another object becomes the catalog or the encryption, for which no object has to change. The
 * encryption is also another one where its own object changed, whatever else names that object.
 */
function swappedEntry(file: PdfFile, signed: PdfView): string | undefined {
  const later = file.sections.slice(signed.index + 1);
  const isKept = (key: string) =>
    later.every(({ trailer }) => isSame(trailer.get(key), signed.trailer.get(key)));
  const isSameKey = (_: FileSection, index: number) =>
    isSameBehind(signed, file.view(signed.index + 1 + index), signed.trailer.get('Encrypt'));
  if (!isKept('Root')) return 'Root';
  return isKept('Encrypt') && later.every(isSameKey) ? undefined : 'Encrypt';
}

const ENCRYPTION_DEPTH = 8;

/** Whether a value leads to the same in both versions. Another way of decrypting shows the same objects differently. */
function isSameBehind(old: PdfView, latest: PdfView, was: Value | undefined, is = was, depth = 0): boolean {
  if (depth > ENCRYPTION_DEPTH) return false;
  const [one, other] = [old.resolve(was), latest.resolve(is)];
  const isSamePart = (before: Value | undefined, after: Value | undefined) =>
    before !== undefined && after !== undefined && isSameBehind(old, latest, before, after, depth + 1);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSamePart(item, other[index]));
  if (one instanceof Map && other instanceof Map)
    return one.size === other.size && [...one].every(([key, item]) => isSamePart(item, other.get(key)));
  return isSame(one, other);
}

/** Whether two of the saves after `signed` name the same object. */
function isWrittenAgain({ sections }: PdfFile, signed: PdfView): boolean {
  const seen = new Set<number>();
  for (const { places } of sections.slice(signed.index + 1))
    for (const number of places.keys()) {
      // Number 0 begins the list of free numbers, and never is an object.
      if (seen.has(number) && number !== 0) return true;
      seen.add(number);
    }
  return false;
}

const refused = (fault: Fault): Judged => ({ changes: [], faults: [fault] });

type Versions = Omit<Compared, 'changed' | 'containers' | 'clean'> & { whole?: Searched | undefined };
/** What differed, and what was found to lead to none of it. */
type Searched = { changed?: ReadonlySet<number>; clean?: CleanObjects; isOfSignature?: boolean };

function changesBetween({ whole, ...versions }: Versions): Judged & Searched {
  const { file, old, latest } = versions;
  if (versions.budget.left <= 0) return refused({ code: 'update_unreadable' });
  const { changed, doubtful, containers } = differencesBetween(file, old, latest);
  const [first] = doubtful;
  if (first !== undefined) return refused({ code: 'update_unreadable', object: first });
  if (file.isExhausted()) return refused({ code: 'update_unreadable' });
  const isSameInformation = isSame(old.trailer.get('Info'), latest.trailer.get('Info'));
  if (changed.size === 0 && isSameInformation) return { changes: [], faults: [] };
  // What one save changed and another took back is no difference of the whole.
  const isPart = [...changed].every((number) => whole?.changed?.has(number));
  const comparison = createComparison({
    ...versions,
    changed,
    containers,
    clean: isPart ? whole?.clean : undefined,
  });
  const { changes, faults } = judged(comparison);
  // What was not read to its end may hold anything.
  if (file.isExhausted()) return refused({ code: 'update_unreadable' });
  const isOfSignature = comparison.isOfSignature() || comparison.isExhausted();
  return { changes, faults, changed, clean: comparison.clean, isOfSignature };
}

function judged(comparison: Comparison): Judged {
  const { changed, explained, faults, changes, fail } = comparison;
  const catalogs = compareCatalogs(comparison);
  if (catalogs) {
    const { before, after } = catalogs;
    compareForms(comparison, before.get('AcroForm'), after.get('AcroForm'));
    comparePages(comparison, before.get('Pages'), after.get('Pages'));
    compareStructureTrees(comparison, before.get('StructTreeRoot'), after.get('StructTreeRoot'));
  }
  const unexplained = [...changed].filter((number) => !explained.has(number)).find(comparison.isInUse);
  if (comparison.isExhausted()) fail('update_unreadable');
  else if (faults.length === 0 && unexplained !== undefined) fail('changed_structure', unexplained);
  const content = faults.filter(({ code }) => code === 'changed_content');
  if (content.length > 0)
    changes.push({ kind: 'content', objects: content.flatMap(({ object }) => object ?? []) });
  return { changes, faults };
}
