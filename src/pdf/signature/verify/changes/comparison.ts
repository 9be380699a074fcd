// What the judges of changes share: the two versions of a file, which objects differ between them, what was found so far. It
// must never decide whether a change is allowed.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfFile, PdfView } from '../../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, textOf, type Value } from '../../../syntax/values.ts';
import type { Fault, FaultCode } from '../findings.ts';

/**
 * What a signature allows to follow it. `nothing`, `form` and `notes` are what a certification says (DocMDP 1, 2, 3);
 * `approval` is a signature that says nothing: as `form`, and others may sign visibly.
 */
export type Permission = 'nothing' | 'form' | 'notes' | 'approval';

export type ChangeKind =
  | 'validation_data'
  | 'timestamp'
  | 'signature'
  | 'signature_field'
  | 'metadata'
  | 'form_filled'
  | 'annotation'
  | 'content';

export type Change = {
  kind: ChangeKind;
  field?: string;
  /** From 1. */
  page?: number;
  before?: string;
  after?: string;
  objects: number[];
};

export type Rules = {
  permission: Permission;
  /** Whether the signature locks this field. */
  isLocked(name: string): boolean;
};

export type FaultFacts = Record<string, string>;

export type Comparison = {
  /** The version that the signature covers. */
  signed: PdfView;
  /** The two versions that are compared: the signed one or a later one, and one after it. */
  old: PdfView;
  latest: PdfView;
  changed: ReadonlySet<number>;
  rules: Rules;
  changes: Change[];
  faults: Fault[];
  /** Objects that differ, and were looked at by what they are for. */
  explained: Set<number>;
  /** Objects with rules of their own, wherever a reference to them stands: the catalog, the form and its fields, pages, annotations. */
  governed: Set<number>;
  /** The catalog and the nodes and pages of its page tree. Nothing is drawn by referring to one of them. */
  nodes: Set<number>;
  /** Fields that were there before, and those that came with a signature. */
  fields: Set<number>;
  newFields: Set<number>;
  fail(code: FaultCode, object?: number, facts?: FaultFacts): undefined;
  /** Marks a reference as looked at, where its object differs. */
  mark(value: Value | undefined): undefined;
  isTouched(value: Value | undefined): boolean;
  /** Marks what differs from a value of the later version down, and names it. `isDeep`: also behind objects that do not differ. */
  explain(value: Value | undefined, isDeep?: boolean): number[];
  changedBehind(value: Value | undefined, isDrawn: boolean): number | undefined;
  /** Objects that {@link changedBehind} found to lead to nothing that differs. */
  clean: CleanObjects;
  /** Requires that a value is the same, and everything it leads to. */
  keep(before: Value | undefined, after: Value | undefined, isDrawn: boolean, fault: KeptFault): undefined;
  /** Whether what the signature itself covers or locks was asked for: for another one the answer may be another. */
  isOfSignature(): boolean;
  /** Counts work that is done for each comparison anew. */
  spend(steps: number): void;
  /** Whether it was there before, or the later version leads to it. What a later save left behind unused shows nothing. */
  isInUse(number: number): boolean;
  isExhausted(): boolean;
};

/** What is said when it differs; `object` where no better one is known. */
export type KeptFault = { code: FaultCode; object?: number | undefined; facts?: FaultFacts };

export const objectNumberOf = (value: Value | undefined): number | undefined =>
  value instanceof Ref ? value.number : undefined;

/** Objects and values that may still be looked at. */
export type ComparisonBudget = { left: number };

export type Compared = {
  file: PdfFile;
  signed: PdfView;
  old: PdfView;
  latest: PdfView;
  changed: ReadonlySet<number>;
  /** Those among them that hold others, and need no other explanation. */
  containers: ReadonlySet<number>;
  rules: Rules;
  budget: ComparisonBudget;
  /** Of a comparison whose differences are among these: what led to none of them there leads to none here. */
  clean?: CleanObjects | undefined;
};

/** Objects that lead to nothing that differs, where they are drawn and where they are not. */
export type CleanObjects = Record<'drawn' | 'aside', ReadonlySet<number>>;

export function createComparison(compared: Compared): Comparison {
  const { signed, old, latest, changed, containers, rules, budget } = compared;
  let isOfSignature = false;
  const faults: Fault[] = [];
  const explained = new Set(containers);
  const governed = new Set<number>();
  const nodes = new Set<number>();
  const isTouched = (value: Value | undefined) => value instanceof Ref && changed.has(value.number);
  const fail: Comparison['fail'] = (code, object, facts) => {
    faults.push({ code, ...(object !== undefined && { object }), ...(facts && { facts }) });
  };
  let used: Set<number> | undefined;
  const clean = { drawn: new Set<number>(), aside: new Set<number>() };
  const changedBehind = createSearch(old, { changed, governed, nodes, clean, known: compared.clean }, budget);
  return {
    get signed() {
      isOfSignature = true;
      return signed;
    },
    old,
    latest,
    changed,
    rules: {
      permission: rules.permission,
      isLocked(name) {
        isOfSignature = true;
        return rules.isLocked(name);
      },
    },
    isOfSignature: () => isOfSignature,
    changes: [],
    faults,
    explained,
    governed,
    nodes,
    fields: new Set(),
    newFields: new Set(),
    fail,
    isTouched,
    mark(value) {
      // What is compared are the entries of a dictionary: the data of a stream may say something else.
      if (isTouched(value) && !(latest.resolve(value) instanceof PdfStream))
        explained.add(objectNumberOf(value)!);
    },
    explain(value, isDeep = false) {
      const found: number[] = [];
      const isSeen = (number: number) => !isDeep && !changed.has(number);
      for (const number of reachable(latest, value, (next) => isSeen(next) || governed.has(next), budget)) {
        if (!changed.has(number)) continue;
        explained.add(number);
        found.push(number);
      }
      return found;
    },
    changedBehind,
    clean,
    keep(before, after, isDrawn, { code, object, facts }) {
      if (!isSame(before, after))
        return fail(code, objectNumberOf(after) ?? objectNumberOf(before) ?? object, facts);
      const found = changedBehind(before, isDrawn);
      if (found !== undefined) fail(code, found >= 0 ? found : object, facts);
    },
    isInUse(number) {
      if (old.place(number) !== undefined) return true;
      used ??= reachable(latest, latest.trailer, () => false, budget);
      return used.has(number);
    },
    spend(steps) {
      budget.left -= steps;
    },
    isExhausted: () => budget.left <= 0,
  };
}

/** The numbers of objects that a value leads to. */
function reachable(
  view: PdfView,
  value: Value | undefined,
  isExcluded: (number: number) => boolean,
  budget: ComparisonBudget,
): Set<number> {
  const seen = new Set<number>();
  const open: Value[] = [value ?? null];
  while (open.length > 0 && budget.left-- > 0) {
    const next = open.pop()!;
    if (!(next instanceof Ref)) addParts(next, open);
    else if (!seen.has(next.number) && !isExcluded(next.number)) {
      seen.add(next.number);
      open.push(view.object(next.number)?.value ?? null);
    }
  }
  return seen;
}

/** Names a tag for an entry of the outlines (ISO 32000-2, table 151): what became of the tag is judged with the tree of tags. */
const TAG_OF_OUTLINE = 'SE';

function addParts(value: Value, open: Value[], omitted?: string): undefined {
  if (value instanceof PdfStream) open.push(value.dict);
  else if (Array.isArray(value)) for (const item of value) open.push(item);
  else if (value instanceof Map) for (const [key, item] of value) if (key !== omitted) open.push(item);
}

type SearchedObjects = Record<'changed' | 'governed' | 'nodes', ReadonlySet<number>> & {
  clean: Record<'drawn' | 'aside', Set<number>>;
  known: CleanObjects | undefined;
};

/**
 * Finds the first object that differs behind a value of the earlier version; -1 where the search would not end. What is drawn
 * must not lead to anything that differs. Elsewhere a reference to a page or a field says only which one is meant, and so does one to a
 * page or the catalog everywhere: these are compared on their own, with all that is drawn on them.
 */
function createSearch(
  old: PdfView,
  { changed, governed, nodes, clean, known }: SearchedObjects,
  budget: ComparisonBudget,
): Comparison['changedBehind'] {
  return (value, isDrawn) => {
    const [own, before] = isDrawn ? [clean.drawn, known?.drawn] : [clean.aside, known?.aside];
    const seen = new Set<number>();
    const open: Value[] = [value ?? null];
    while (open.length > 0) {
      if (budget.left-- <= 0) return -1;
      const next = open.pop()!;
      const node = isDrawn ? nodeAsDrawn(old, nodes, next) : undefined;
      if (node !== undefined && changed.has(node)) return node;
      if (!(next instanceof Ref)) addParts(next, open, isDrawn ? undefined : TAG_OF_OUTLINE);
      else if (!seen.has(next.number) && !own.has(next.number) && !before?.has(next.number)) {
        if (nodes.has(next.number) || (!isDrawn && governed.has(next.number))) continue;
        const object = old.object(next.number);
        // What cannot be read here may lead anywhere in a reader that is less strict.
        const isUnreadable = !object && (old.place(next.number)?.kind ?? 'free') !== 'free';
        if (changed.has(next.number) || isUnreadable) return next.number;
        seen.add(next.number);
        open.push(object?.value ?? null);
      }
    }
    // What was found to lead to nothing that differs is not looked at again.
    for (const number of seen) own.add(number);
    return undefined;
  };
}

/** Dictionaries whose entries are drawn by their names. */
const DRAWN_BY_NAME = [
  'Font',
  'XObject',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
  'Resources',
  'CharProcs',
  'Colorants',
  'AP',
  'N',
  'D',
  'R',
];

/**
 * The page or catalog that a dictionary names where it needs one whose entries are drawn: what a page or the catalog may get, such as
 * metadata, would be drawn then.
 */
function nodeAsDrawn(view: PdfView, nodes: ReadonlySet<number>, value: Value): number | undefined {
  const dict = value instanceof PdfStream ? value.dict : value;
  if (!(dict instanceof Map)) return undefined;
  for (const key of DRAWN_BY_NAME) {
    let named = dict.get(key);
    for (let step = 0; named instanceof Ref && step < DOCUMENT_LIMITS.formDepth; step += 1) {
      if (nodes.has(named.number)) return named.number;
      named = view.object(named.number)?.value;
    }
  }
  return undefined;
}

/**
 * What the second list has and the first has not; undefined where something of the first is gone or stands in another order.
 */
export function additions(before: readonly Value[], after: readonly Value[]): Value[] | undefined {
  const added: Value[] = [];
  let at = 0;
  for (const item of after)
    if (at < before.length && isSame(before[at], item)) at += 1;
    else added.push(item);
  return at === before.length ? added : undefined;
}

/** Whether a reference to nothing refers to an object now, of whatever generation: readers disagree on whether it does. */
export const comesToLife = ({ old, latest }: Comparison, value: Value | undefined): boolean =>
  value instanceof Ref && old.resolve(value) === null && latest.object(value.number) !== undefined;

/** What a dictionary has itself, or from those above it. */
export function inherited(view: PdfView, dict: Dict, key: string): Value | undefined {
  let found: Dict | undefined = dict;
  for (let depth = 0; found && depth < DOCUMENT_LIMITS.formDepth; depth += 1) {
    if (found.has(key)) return found.get(key);
    found = view.dict(found.get('Parent'));
  }
  return undefined;
}

export const keysOf = (one: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): Set<string> =>
  new Set([...one.keys(), ...other.keys()]);

/** What a value says, where it is a text or a name. */
export function valueInWords(view: PdfView, value: Value | undefined): string | undefined {
  const resolved = view.resolve(value);
  return typeof resolved === 'string' ? resolved : textOf(resolved);
}
