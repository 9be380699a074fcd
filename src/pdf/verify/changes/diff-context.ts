// Answers what rules ask of two versions of a file: which objects differ, what a value leads to, whether it is the same. Nothing here decides whether a
// change is allowed, and no rule can change what another one reads.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfFile, PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, textOf, type Value } from '../../read/values.ts';
import type { Differences } from './differences.ts';

/**
 * A certification says `nothing`, `form` or `notes` (DocMDP 1, 2, 3). `approval` is a signature that says nothing: as `form`, and others
 * may sign visibly.
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
  /** The first page has the number 1. */
  page?: number;
  before?: string;
  after?: string;
  objects: number[];
};

export type Allowance = {
  permission: Permission;
  /** Tells whether the signature locks this field. */
  isLocked(name: string): boolean;
};

/** So many objects and values may still be read, for all signatures of a file together. */
export type StepBudget = { remaining: number };

export type DiffContext = {
  readonly file: PdfFile;
  /** The signature covers this version. */
  readonly signed: PdfView;
  /** The two versions that are compared are the signed one or a later one, and one after it. */
  readonly old: PdfView;
  readonly latest: PdfView;
  /** These objects are new, changed or gone. */
  readonly changed: ReadonlySet<number>;
  /** Some of them hold other objects, and readers may read the doubtful ones differently. */
  readonly containers: ReadonlySet<number>;
  readonly doubtful: readonly number[];
  readonly permission: Permission;
  isLocked(name: string): boolean;
  /** A version without a catalog has an empty one. */
  readonly catalogs: { readonly before: Dict; readonly after: Dict };
  /**
   * These objects have rules of their own, wherever a reference to them stands: the catalog, the form and its fields, pages, annotations.
   */
  readonly governed: ReadonlySet<number>;
  /** Nothing is drawn by referring to the catalog, or to the nodes and pages of its page tree. */
  readonly nodes: ReadonlySet<number>;
  /** Finds the first object that differs behind a value of the earlier version. */
  readonly changedBehind: ChangeSearch;
  /** {@link changedBehind} has found these objects to lead to nothing that differs. */
  readonly clean: CleanObjects;
  readonly steps: StepBudget;
};

export type ComparedVersions = {
  file: PdfFile;
  signed: PdfView;
  old: PdfView;
  latest: PdfView;
  allowance: Allowance;
  steps: StepBudget;
};

/**
 * Opens the comparison of two versions.
 * @param clean of a comparison whose differences include these: what led to none of them there leads to none here
 * @returns `isOfSignature`: what the signature itself covers or locks was asked for, so that the answer may be another one for another
 * signature
 */
export function createDiffContext(
  { file, signed, old, latest, allowance, steps }: ComparedVersions,
  { changed, containers, doubtful }: Differences,
  clean?: CleanObjects,
): { context: DiffContext; isOfSignature(): boolean } {
  let isOfSignature = false;
  const catalogs = {
    before: old.dict(old.root) ?? new Map<string, Value>(),
    after: latest.dict(latest.root) ?? new Map<string, Value>(),
  };
  const governedObjects = findGoverned(old, catalogs.before);
  const cleanHere = { drawn: new Set<number>(), aside: new Set<number>() };
  const searched = {
    changed,
    ...governedObjects,
    isTag: createTagSearch(old, catalogs.before, steps),
    clean: cleanHere,
    cleanElsewhere: clean,
  };
  const context: DiffContext = {
    file,
    get signed() {
      isOfSignature = true;
      return signed;
    },
    old,
    latest,
    changed,
    containers,
    doubtful,
    permission: allowance.permission,
    isLocked(name) {
      isOfSignature = true;
      return allowance.isLocked(name);
    },
    catalogs,
    ...governedObjects,
    changedBehind: createChangeSearch(old, searched, steps),
    clean: cleanHere,
    steps,
  };
  return { context, isOfSignature: () => isOfSignature };
}

function findGoverned(old: PdfView, catalog: Dict): Pick<DiffContext, 'governed' | 'nodes'> {
  const governed = new Set<number>();
  const nodes = new Set<number>();
  const govern = (value: Value | undefined) => {
    if (value instanceof Ref) governed.add(value.number);
  };
  // A form may list a page as a field: what one walk has met is walked by the other one as well.
  const walk = (
    items: Value | undefined,
    visit: (item: Value, dict: Dict) => void,
    depth = 0,
    visited = new Set<number>(),
  ): undefined => {
    if (depth > DOCUMENT_LIMITS.pageTreeDepth) return;
    for (const item of old.array(items) ?? []) {
      const number = objectNumberOf(item);
      if (number !== undefined && visited.has(number)) continue;
      if (number !== undefined) visited.add(number);
      govern(item);
      const dict = plainDict(old, item);
      if (!dict) continue;
      visit(item, dict);
      walk(dict.get('Kids'), visit, depth + 1, visited);
    }
  };
  govern(old.root);
  if (old.root) nodes.add(old.root.number);
  govern(catalog.get('AcroForm'));
  walk(plainDict(old, catalog.get('AcroForm'))?.get('Fields'), () => {});
  walk([catalog.get('Pages') ?? null], (node, dict) => {
    if (node instanceof Ref) nodes.add(node.number);
    for (const annotation of old.array(dict.get('Annots')) ?? []) govern(annotation);
  });
  return { governed, nodes };
}

/**
 * Finds whether a number is that of a tag which is compared with the tree of tags: one below its root, or one that the numbers of contents and
 * annotations name (`rules/structure-tree.ts`).
 */
function createTagSearch(old: PdfView, catalog: Dict, steps: StepBudget): (number: number) => boolean {
  let tags: Set<number> | undefined;
  const find = (): Set<number> => {
    const visited = new Set<number>();
    const root = plainDict(old, catalog.get('StructTreeRoot'));
    const open: Value[] = [root?.get('K') ?? null, root?.get('ParentTree') ?? null];
    while (open.length > 0 && steps.remaining-- > 0) {
      const next = open.pop()!;
      if (next instanceof Ref && visited.has(next.number)) continue;
      if (next instanceof Ref) visited.add(next.number);
      const value = old.resolve(next);
      if (Array.isArray(value)) for (const item of value) open.push(item);
      else if (value instanceof Map) for (const key of BELOW_TAG) open.push(value.get(key) ?? null);
    }
    return visited;
  };
  return (number) => {
    tags ??= find();
    return tags.has(number);
  };
}

/** These entries lead to tags, in a tag and in a tree of numbers. */
const BELOW_TAG = ['K', 'Kids', 'Nums'];

// ── work ────────────────────────────────────────────────────────────────────────────────────────────────────────

export const spend = ({ steps }: Pick<DiffContext, 'steps'>, count: number): void => {
  steps.remaining -= count;
};

export const isExhausted = ({ steps }: Pick<DiffContext, 'steps'>): boolean => steps.remaining <= 0;

/** Answers a question once for each comparison: several rules ask about the same fields and pages. */
export function oncePerComparison<Answer>(
  ask: (context: DiffContext) => Answer,
): (context: DiffContext) => Answer {
  const answers = new WeakMap<DiffContext, Answer>();
  return (context) => {
    if (!answers.has(context)) answers.set(context, ask(context));
    return answers.get(context)!;
  };
}

/** Answers a question about a stream once for each version of a file: thousands of boxes may share one appearance. */
export function oncePerStream(
  ask: (view: PdfView, stream: PdfStream) => boolean,
): (view: PdfView, stream: PdfStream) => boolean {
  const cache = new WeakMap<PdfStream, Map<number, boolean>>();
  return (view, stream) => {
    const answers = cache.get(stream) ?? new Map<number, boolean>();
    cache.set(stream, answers);
    const answer = answers.get(view.index) ?? ask(view, stream);
    answers.set(view.index, answer);
    return answer;
  };
}

// ── objects ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const objectNumberOf = (value: Value | undefined): number | undefined =>
  value instanceof Ref ? value.number : undefined;

/** Tells whether a value refers to an object that differs. */
export const isTouched = ({ changed }: DiffContext, value: Value | undefined): value is Ref =>
  value instanceof Ref && changed.has(value.number);

/**
 * Returns the object that a value refers to, where it differs: a rule that compares the entries of a dictionary explains it. The data of a
 * stream may say something else.
 */
export const comparedObject = (context: DiffContext, value: Value | undefined): number[] =>
  isTouched(context, value) && !(context.latest.resolve(value) instanceof PdfStream) ? [value.number] : [];

/**
 * Lists objects that differ from a value of the later version down: new ones, and those to which the earlier value led as well. Who names
 * any other one, which is there for something else, does not explain it. `isDeep` searches behind objects that do not differ as well.
 */
export function changedObjectsIn(
  { old, latest, changed, governed, steps }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
  isDeep = false,
): number[] {
  const isOutside = (number: number) => (!isDeep && !changed.has(number)) || governed.has(number);
  const differing = [...reachable(latest, after, isOutside, steps)].filter((number) => changed.has(number));
  const isNew = (number: number) => (old.place(number)?.kind ?? 'free') === 'free';
  if (differing.every(isNew)) return differing;
  const earlier = reachable(old, before, (number) => governed.has(number), steps);
  return differing.filter((number) => isNew(number) || earlier.has(number));
}

export function reachable(
  view: PdfView,
  value: Value | undefined,
  isExcluded: (number: number) => boolean,
  steps: StepBudget,
): Set<number> {
  const visited = new Set<number>();
  const open: Value[] = [value ?? null];
  while (open.length > 0 && steps.remaining-- > 0) {
    const next = open.pop()!;
    if (!(next instanceof Ref)) addParts(next, open);
    else if (!visited.has(next.number) && !isExcluded(next.number)) {
      visited.add(next.number);
      open.push(view.object(next.number)?.value ?? null);
    }
  }
  return visited;
}

/** Names a tag for an entry of the outlines (ISO 32000-2, table 151). */
const TAG_OF_OUTLINE = 'SE';

function addParts(
  value: Value,
  open: Value[],
  isOmitted: (key: string, item: Value) => boolean = () => false,
): undefined {
  if (value instanceof PdfStream) open.push(value.dict);
  else if (Array.isArray(value)) for (const item of value) open.push(item);
  else if (value instanceof Map) for (const [key, item] of value) if (!isOmitted(key, item)) open.push(item);
}

// ── sameness ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells whether a value is the same, with everything that it leads to. */
export const isKept = (
  { changedBehind }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
  isDrawn: boolean,
): boolean => isSame(before, after) && changedBehind(before, isDrawn) === undefined;

/** Finds the object in which a value, or something that it leads to, is not the same. */
export function differenceIn(
  { changedBehind }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
  isDrawn: boolean,
): { object: number | undefined } | undefined {
  if (!isSame(before, after)) return { object: objectNumberOf(after) ?? objectNumberOf(before) };
  const changed = changedBehind(before, isDrawn);
  return changed === undefined ? undefined : { object: changed === ENDLESS ? undefined : changed };
}

/** These objects lead to nothing that differs, where they are drawn and where they are not. */
export type CleanObjects = Record<'drawn' | 'aside', ReadonlySet<number>>;

type ChangeSearch = (value: Value | undefined, isDrawn: boolean) => number | undefined;

/** A search that would not end has this answer. */
const ENDLESS = -1;

type SearchedObjects = Pick<DiffContext, 'changed' | 'governed' | 'nodes'> & {
  isTag(number: number): boolean;
  clean: Record<'drawn' | 'aside', Set<number>>;
  cleanElsewhere: CleanObjects | undefined;
};

/**
 * What is drawn must not lead to anything that differs. Elsewhere a reference to a page or a field says only which one is meant, and so does
 * a reference to a page or the catalog everywhere: these are compared on their own, with all that is drawn on them. An entry of the outlines
 * may name a tag, which is compared with the tree of tags.
 */
function createChangeSearch(
  old: PdfView,
  { changed, governed, nodes, isTag, clean, cleanElsewhere }: SearchedObjects,
  steps: StepBudget,
): ChangeSearch {
  const isTagOfOutline = (key: string, item: Value) =>
    key === TAG_OF_OUTLINE && item instanceof Ref && isTag(item.number);
  return (value, isDrawn) => {
    const [here, elsewhere] = isDrawn
      ? [clean.drawn, cleanElsewhere?.drawn]
      : [clean.aside, cleanElsewhere?.aside];
    const visited = new Set<number>();
    const open: Value[] = [value ?? null];
    while (open.length > 0) {
      if (steps.remaining-- <= 0) return ENDLESS;
      const next = open.pop()!;
      const node = isDrawn ? nodeAsDrawn(old, nodes, next) : undefined;
      if (node !== undefined && changed.has(node)) return node;
      if (!(next instanceof Ref)) addParts(next, open, isDrawn ? undefined : isTagOfOutline);
      else if (!visited.has(next.number) && !here.has(next.number) && !elsewhere?.has(next.number)) {
        if (nodes.has(next.number) || (!isDrawn && governed.has(next.number))) continue;
        const object = old.object(next.number);
        // What cannot be read here may lead anywhere in a reader that is less strict.
        const isUnreadable = !object && (old.place(next.number)?.kind ?? 'free') !== 'free';
        if (changed.has(next.number) || isUnreadable) return next.number;
        visited.add(next.number);
        open.push(object?.value ?? null);
      }
    }
    // Objects that lead to nothing that differs are not searched again.
    for (const number of visited) here.add(number);
    return undefined;
  };
}

/** Their entries are drawn by their names. */
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
 * Finds the page or catalog that a dictionary names where it needs a dictionary whose entries are drawn: what a page or the catalog may
 * get, such as metadata, would be drawn then.
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

// ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** Lists what the second list has and the first has not; undefined where something of the first is gone or stands in another order. */
export function additions(before: readonly Value[], after: readonly Value[]): Value[] | undefined {
  const added: Value[] = [];
  let at = 0;
  for (const item of after)
    if (at < before.length && isSame(before[at], item)) at += 1;
    else added.push(item);
  return at === before.length ? added : undefined;
}

/** Tells whether a reference to nothing refers to an object now, of whatever generation: readers disagree on whether it does. */
export const comesToLife = ({ old, latest }: DiffContext, value: Value | undefined): boolean =>
  value instanceof Ref && old.resolve(value) === null && latest.object(value.number) !== undefined;

/** Tells whether a value refers to an object that did not exist in the earlier version. */
export function isNewObject(old: PdfView, value: Value | undefined): boolean {
  const number = objectNumberOf(value);
  return number !== undefined && old.object(number) === undefined;
}

/** Returns the value of a dictionary, or of those above it. */
export function inherited(view: PdfView, dict: Dict, key: string): Value | undefined {
  let owner: Dict | undefined = dict;
  for (let depth = 0; owner && depth < DOCUMENT_LIMITS.formDepth; depth += 1) {
    if (owner.has(key)) return owner.get(key);
    owner = view.dict(owner.get('Parent'));
  }
  return undefined;
}

/** A stream is no plain dictionary: a reader could draw its data. */
export function plainDict(view: PdfView, value: Value | undefined): Dict | undefined {
  const resolved = view.resolve(value);
  return resolved instanceof Map ? resolved : undefined;
}

export const keysOf = (dict: ReadonlyMap<string, Value>, other: ReadonlyMap<string, Value>): Set<string> =>
  new Set([...dict.keys(), ...other.keys()]);

/** Returns the text of a value, where it is a text or a name. */
export function valueInWords(view: PdfView, value: Value | undefined): string | undefined {
  const resolved = view.resolve(value);
  return typeof resolved === 'string' ? resolved : textOf(resolved);
}
