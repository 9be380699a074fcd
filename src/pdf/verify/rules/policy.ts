// The policy lists the rules that decide what may follow a signature, in the order in which they are asked. A file is unchanged where no rule objects.

import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { isSame } from '../../read/values.ts';
import {
  type Allowance,
  type Change,
  type CleanObjects,
  type ComparedVersions,
  createDiffContext,
  type DiffContext,
  isExhausted,
  type StepBudget,
} from '../changes/diff-context.ts';
import { differencesBetween, spendOnSections } from '../changes/differences.ts';
import type { Fault } from '../findings.ts';
import { annotations } from './annotations.ts';
import { catalog } from './catalog.ts';
import { danglingReferences } from './dangling-references.ts';
import { entryPoint } from './entry-point.ts';
import { fieldTree } from './field-tree.ts';
import { filledFields } from './filled-fields.ts';
import { formDefaults } from './form-defaults.ts';
import { informationOf, metadata } from './metadata.ts';
import { newSignatureFields } from './new-signature-fields.ts';
import { notes } from './notes.ts';
import { pageContent } from './page-content.ts';
import { pageTree } from './page-tree.ts';
import { readableObjects } from './readable-objects.ts';
import { resurrectedObjects } from './resurrected-objects.ts';
import type { DiffRule, Objection, RuleDescription, SaveRule } from './rule.ts';
import { saveSyntax } from './save-syntax.ts';
import { signedFields } from './signed-fields.ts';
import { strayBytes } from './stray-bytes.ts';
import { structureTree } from './structure-tree.ts';
import { trailerEntries } from './trailer-entries.ts';
import { unchangedAppearance } from './unchanged-appearance.ts';
import { unexplainedObjects } from './unexplained-objects.ts';
import { validationData } from './validation-data.ts';

/**
 * They are about how later saves are written. The first objection ends it: readers may see other objects than those that would be compared.
 */
const SAVE_RULES: readonly SaveRule[] = [
  strayBytes,
  entryPoint,
  resurrectedObjects,
  danglingReferences,
  saveSyntax,
  trailerEntries,
];

/** Each object that differs is judged by what it is for. */
const OBJECT_RULES: readonly DiffRule[] = [
  readableObjects,
  // The document
  catalog,
  metadata,
  validationData,
  // The form
  formDefaults,
  fieldTree,
  filledFields,
  signedFields,
  newSignatureFields,
  // The pages
  pageTree,
  pageContent,
  annotations,
  notes,
  // The tags
  structureTree,
  // Everything else
  unexplainedObjects,
];

/** These rules are needed where an object that a page draws can have changed. */
const PAGE_RULES: readonly RuleDescription[] = [unchangedAppearance];

export const RULES: readonly RuleDescription[] = [...SAVE_RULES, ...OBJECT_RULES, ...PAGE_RULES];

export const ruleNamed = (name: string | undefined): RuleDescription | undefined =>
  RULES.find((rule) => rule.name === name);

// ── judging ─────────────────────────────────────────────────────────────────────────────────────────────────────

type Judged = { changes: Change[]; faults: Fault[] };

/**
 * Judges what was saved after a signature: asks the rules, from top to bottom, and joins what they find. What no rule allows is not
 * allowed.
 * @param end where the bytes that are signed end
 * @param steps one budget for all signatures of a file
 */
export function changesSince(
  file: PdfFile,
  signed: PdfView,
  end: number,
  allowance: Allowance,
  steps: StepBudget,
): Judged {
  if (end === file.bytes.length) return { changes: [], faults: [] };
  if (!spendOnSections(file, SECTION_LOOKS)) return unreadable();
  for (const rule of SAVE_RULES) {
    const objection = rule.judge({ file, signed, end });
    if (objection) return { changes: [], faults: [faultOf(rule, objection)] };
  }
  const compare = (old: PdfView, latest: PdfView, whole?: Searched) =>
    changesBetween({ file, signed, old, latest, allowance, steps }, whole);
  const whole = compare(signed, file.latest);
  const { changes, faults } = whole;
  if (faults.length > 0 || !isWrittenAgain(file, signed)) return { changes, faults };
  // A change that a later save takes back is still shown by readers that repair the file. What only one save wrote is part of the whole.
  for (let index = signed.index + 1; index < file.sections.length; index += 1) {
    const stored: (Judged & Searched) | undefined = judgedSavesOf(file, allowance).get(index);
    const save = stored ?? compare(file.view(index - 1), file.view(index), whole);
    if (!save.isOfSignature) judgedSavesOf(file, allowance).set(index, save);
    if (save.faults.length > 0) return { changes, faults: save.faults };
  }
  return { changes, faults };
}

const faultOf = ({ name }: RuleDescription, objection: Objection): Fault => ({ ...objection, rule: name });

const unreadable = (): Judged => ({
  changes: [],
  faults: [faultOf(readableObjects, { code: 'update_unreadable' })],
});

const judgedSaves = new WeakMap<PdfFile, Map<Allowance['permission'], Map<number, Judged>>>();

/** Judgements on single saves are the same for all signatures with the same permission: a file with 200 signatures has 20,000 pairs. */
function judgedSavesOf(file: PdfFile, { permission }: Allowance): Map<number, Judged> {
  const saves = judgedSaves.get(file) ?? new Map<Allowance['permission'], Map<number, Judged>>();
  judgedSaves.set(file, saves);
  const stored = saves.get(permission) ?? new Map<number, Judged>();
  saves.set(permission, stored);
  return stored;
}

/** The entries of all sections are read so often for a signature. */
const SECTION_LOOKS = 4;

/** Tells whether two of the saves after `signed` name the same object. */
function isWrittenAgain({ sections }: PdfFile, signed: PdfView): boolean {
  const written = new Set<number>();
  for (const { places } of sections.slice(signed.index + 1))
    for (const number of places.keys()) {
      // Number 0 begins the list of free numbers, and never is an object.
      if (written.has(number) && number !== 0) return true;
      written.add(number);
    }
  return false;
}

/** `changed` has the objects that differ, and `clean` those that lead to none of them. */
type Searched = { changed?: ReadonlySet<number>; clean?: CleanObjects; isOfSignature?: boolean };

function changesBetween(versions: ComparedVersions, whole: Searched | undefined): Judged & Searched {
  const { file, old, latest, steps } = versions;
  if (steps.remaining <= 0) return unreadable();
  const differences = differencesBetween(file, old, latest);
  if (file.isExhausted()) return unreadable();
  const { changed } = differences;
  const isSameInformation = isSame(informationOf(file, old), informationOf(file, latest));
  if (changed.size === 0 && isSameInformation) return { changes: [], faults: [] };
  // A change of a single save that another save took back is no difference of the whole.
  const isPart = [...changed].every((number) => whole?.changed?.has(number));
  const { context, isOfSignature } = createDiffContext(
    versions,
    differences,
    isPart ? whole?.clean : undefined,
  );
  const judged = judge(context);
  // What was not read to its end may hold anything.
  if (file.isExhausted()) return unreadable();
  return {
    ...judged,
    changed,
    clean: context.clean,
    isOfSignature: isOfSignature() || isExhausted(context),
  };
}

function judge(context: DiffContext): Judged {
  const changes: Change[] = [];
  const faults: Fault[] = [];
  const explained = new Set<number>();
  for (const rule of OBJECT_RULES) {
    let isFinal = false;
    for (const finding of rule.judge(context, { explained, objections: faults.length })) {
      if ('explained' in finding) for (const number of finding.explained) explained.add(number);
      else if ('change' in finding) changes.push(finding.change);
      else {
        faults.push(faultOf(rule, finding.objection));
        isFinal ||= finding.isFinal === true;
      }
    }
    if (isFinal) break;
  }
  if (isExhausted(context)) faults.push(...unreadable().faults);
  const content = faults.filter(({ code }) => code === 'changed_content');
  if (content.length > 0)
    changes.push({ kind: 'content', objects: content.flatMap(({ object }) => object ?? []) });
  return { changes, faults };
}
