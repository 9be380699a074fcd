// The tree of tags (ISO 32000-2, 14.7) is spoken aloud, and nothing of it is drawn. Programs that sign a tagged document add a tag for the box of the
// signature. The known attack replaces the text of a page for those who listen to it: what the tree says of anything else stays as it was.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, Ref, type Value } from '../../read/values.ts';
import {
  additions,
  comparedObject,
  type DiffContext,
  isExhausted,
  isKept,
  keysOf,
  objectNumberOf,
  plainDict,
  spend,
} from '../changes/diff-context.ts';
import { formDifferences } from './field-tree.ts';
import { defineRule, type Finding, objection } from './rule.ts';

export const structureTree = defineRule({
  name: 'structure-tree',
  allows:
    'A tag may be added for the box of a new signature field, with its entries in the tree. All other tags say what they said.',
  source: 'ISO 32000-2, 14.7.2 and 14.8.4; ISO 14289-1, 7.18.4',
  codes: ['changed_structure'],
  *judge(context) {
    const { old, latest, catalogs } = context;
    const [before, after] = [catalogs.before, catalogs.after].map((catalog) => catalog.get('StructTreeRoot'));
    if (isKept(context, before, after, false)) return;
    const [was, is] = [plainDict(old, before), plainDict(latest, after)];
    const isFirst = was !== undefined && isFirstTree(context, was, after);
    if (!was || !is || !(isSame(before, after) || isFirst)) {
      yield refusal(objectNumberOf(after));
      return;
    }
    yield { explained: comparedObject(context, after) };
    const tree = {
      context,
      root: objectNumberOf(after),
      isFirst,
      added: new Set<number>(),
      visited: new Set<number>(),
    };
    for (const key of keysOf(was, is)) {
      const [value, later] = [was.get(key), is.get(key)];
      if (key === 'K') yield* compareKids(tree, value, later, 0);
      else if (key === 'ParentTreeNextKey' && typeof later === 'number') continue;
      else if (isFirst && key === 'RoleMap' && later instanceof Map && later.size === 0) continue;
      else if (key !== 'ParentTree' && !isKept(context, value, later, false))
        yield refusal(objectNumberOf(later) ?? tree.root);
    }
    yield* compareParentTrees(tree, was.get('ParentTree'), is.get('ParentTree'));
  },
});

type TreeFindings = Generator<Finding<'changed_structure'>, void>;

const refusal = (object: number | undefined) =>
  objection('changed_structure', object, { part: 'StructTreeRoot' });

/** A walk of the tree has met these tags; `added` came with a box. */
type Tree = {
  context: DiffContext;
  root: number | undefined;
  /** There were no tags before. */
  isFirst: boolean;
  added: Set<number>;
  visited: Set<number>;
};

// ── tags ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Tells whether the tree had nothing, and a new object takes its place: LibreOffice writes an empty one, and iText adds to it. */
const isFirstTree = ({ old }: DiffContext, was: Dict, after: Value | undefined): boolean =>
  [...was.keys()].every((key) => key === 'Type') &&
  after instanceof Ref &&
  old.place(after.number) === undefined;

/** Tells whether a number that a page may have for its contents (/StructParents) names no tags. */
export function hasNoTags(context: DiffContext, number: Value | undefined): boolean {
  const { latest, catalogs } = context;
  const tree = plainDict(latest, catalogs.after.get('StructTreeRoot'))?.get('ParentTree');
  const numbers = numbersIn(context, latest, tree);
  return typeof number === 'number' && Number.isInteger(number) && numbers?.values.has(number) === false;
}

/** A single kid stands alone, several stand in a list. */
function kidsOf(view: PdfView, value: Value | undefined): Value[] {
  const resolved = view.resolve(value);
  if (Array.isArray(resolved)) return resolved;
  return value === undefined || resolved === null ? [] : [value];
}

function* compareKids(
  tree: Tree,
  before: Value | undefined,
  after: Value | undefined,
  depth: number,
): TreeFindings {
  const { context, root } = tree;
  const { old, latest } = context;
  const [was, is] = [kidsOf(old, before), kidsOf(latest, after)];
  const added = depth > DOCUMENT_LIMITS.pageTreeDepth ? undefined : additions(was, is);
  if (!added) {
    yield refusal(objectNumberOf(after) ?? root);
    return;
  }
  if (Array.isArray(latest.resolve(after))) yield { explained: comparedObject(context, after) };
  for (const kid of was) yield* compareTag(tree, kid, depth + 1);
  for (const kid of added) yield* judgeAddedTag(tree, kid);
}

/** A tag that was there says what it said, and may have got kids. */
function* compareTag(tree: Tree, item: Value, depth: number): TreeFindings {
  const { context, root, visited } = tree;
  const { old, latest, changedBehind } = context;
  const number = objectNumberOf(item);
  spend(context, 1);
  if (number === undefined || isExhausted(context)) {
    if (changedBehind(item, false) !== undefined) yield refusal(number ?? root);
    return;
  }
  if (visited.has(number)) return;
  visited.add(number);
  const [was, is] = [plainDict(old, item), plainDict(latest, item)];
  if (!was || !is) {
    if (changedBehind(item, false) !== undefined) yield refusal(number);
    return;
  }
  yield { explained: comparedObject(context, item) };
  for (const key of keysOf(was, is)) {
    const [value, later] = [was.get(key), is.get(key)];
    if (key === 'K') yield* compareKids(tree, value, later, depth);
    else if (!isSame(value, later)) yield refusal(number);
    else if (key === 'P' && depth < DOCUMENT_LIMITS.pageTreeDepth) yield* compareTagAbove(tree, value, depth);
    else if (changedBehind(value, false) !== undefined) yield refusal(number);
  }
}

/** Compares the tag above another one, which the tree may not have: merged documents leave branches that only the numbers name. */
function* compareTagAbove(tree: Tree, value: Value | undefined, depth: number): TreeFindings {
  if (value !== undefined && objectNumberOf(value) !== tree.root) yield* compareTag(tree, value, depth + 1);
}

/** Tags for boxes have these entries. None of it is spoken in the place of something else. */
const ENTRIES = new Set(['Type', 'S', 'P', 'Pg', 'K']);

/** Returns a tag that did not exist, and has nothing to say of its own. */
function newTagOf({ context }: Tree, item: Value): { number: number; tag: Dict } | undefined {
  const number = objectNumberOf(item);
  const tag = plainDict(context.latest, item);
  if (number === undefined || !tag || context.old.place(number) !== undefined) return undefined;
  return [...tag.keys()].every((key) => ENTRIES.has(key)) ? { number, tag } : undefined;
}

/** Judges a tag for the box of a new field, also below the only one of a tree that had none. */
function* judgeAddedTag(tree: Tree, item: Value): TreeFindings {
  const { isFirst, visited, context } = tree;
  const { number, tag } = newTagOf(tree, item) ?? {};
  if (isFirst && tag?.get('S') === 'Document' && number !== undefined && !visited.has(number)) {
    visited.add(number);
    yield { explained: [number] };
    for (const kid of kidsOf(context.latest, tag.get('K'))) yield judgeBoxTag(tree, kid);
  } else yield judgeBoxTag(tree, item);
}

function judgeBoxTag(tree: Tree, item: Value): Finding<'changed_structure'> {
  const { context, root, added } = tree;
  const { newBoxes } = formDifferences(context);
  const { number, tag } = newTagOf(tree, item) ?? {};
  const isOfBox = (kid: Value): boolean => {
    const object = kid instanceof Map ? kid.get('Obj') : undefined;
    const isReference = kid instanceof Map && kid.get('Type') === 'OBJR' && kid.size <= 3;
    return isReference && object instanceof Ref && newBoxes.has(object.number);
  };
  const isForm = tag?.get('S') === 'Form' && !(tag.get('K') instanceof Ref);
  if (number === undefined || !isForm || !kidsOf(context.latest, tag.get('K')).every(isOfBox))
    return refusal(objectNumberOf(item) ?? root);
  added.add(number);
  return { explained: [number] };
}

// ── the tags of contents and annotations ────────────────────────────────────────────────────────────────────────

/**
 * Compares which tags the contents of a page and each annotation belong to: that of what was there stays, by the same numbers, and says
 * what it said, also where the tree does not have it.
 */
function* compareParentTrees(tree: Tree, before: Value | undefined, after: Value | undefined): TreeFindings {
  const { context, root, added } = tree;
  const [was, is] = [numbersIn(context, context.old, before), numbersIn(context, context.latest, after)];
  const refuse = () => refusal(objectNumberOf(after) ?? root);
  if (!was || !is) {
    yield refuse();
    return;
  }
  yield { explained: is.nodes.flatMap((node) => comparedObject(context, node)) };
  for (const [key, value] of was.values) {
    const later = is.values.get(key);
    if (!isSameParents(context, value, later)) {
      yield refuse();
      return;
    }
    if (context.latest.array(later)) yield { explained: comparedObject(context, later) };
    for (const tag of kidsOf(context.old, value)) yield* compareTag(tree, tag, 0);
  }
  for (const [key, value] of is.values)
    if (!was.values.has(key) && !(value instanceof Ref && added.has(value.number))) {
      yield refuse();
      return;
    }
}

/** Compares a tag, or the tags of a page's contents in their order, which some writers write anew. */
function isSameParents(context: DiffContext, before: Value, after: Value | undefined): boolean {
  const [was, is] = [context.old.array(before), context.latest.array(after)];
  // Many numbers may name the same long list.
  spend(context, was?.length ?? 1);
  if (isExhausted(context)) return false;
  if (!was || !is) return !was && !is && isSame(before, after);
  return was.length === is.length && was.every((tag, index) => isSame(tag, is[index]));
}

type Numbers = { values: Map<number, Value>; nodes: Value[] };

/**
 * Reads the entries of a tree of numbers (ISO 32000-2, 7.9.7); undefined where a number or a node stands twice, or a node has anything
 * else.
 */
function numbersIn(context: DiffContext, view: PdfView, root: Value | undefined): Numbers | undefined {
  const numbers: Numbers = { values: new Map(), nodes: [] };
  const visited = new Set<number>();
  const isVisited = (value: Value | undefined): boolean => {
    const number = objectNumberOf(value);
    if (number === undefined) return false;
    if (visited.has(number)) return true;
    visited.add(number);
    return false;
  };
  const walk = (node: Value, depth: number): boolean => {
    spend(context, 1);
    if (isExhausted(context) || isVisited(node)) return false;
    const dict = plainDict(view, node);
    if (!dict || depth > DOCUMENT_LIMITS.formDepth || ![...dict.keys()].every((key) => NODE.has(key)))
      return false;
    // A list of nodes leads to itself as a node does.
    if (isVisited(dict.get('Kids'))) return false;
    numbers.nodes.push(node, dict.get('Nums') ?? null, dict.get('Kids') ?? null);
    const pairs = view.array(dict.get('Nums')) ?? [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [key, value] = [pairs[at], pairs[at + 1]];
      spend(context, 1);
      if (isExhausted(context) || typeof key !== 'number' || value === undefined || numbers.values.has(key))
        return false;
      numbers.values.set(key, value);
    }
    return (view.array(dict.get('Kids')) ?? []).every((kid) => walk(kid, depth + 1));
  };
  return root === undefined || walk(root, 0) ? numbers : undefined;
}

const NODE = new Set(['Nums', 'Kids', 'Limits', 'Type']);
