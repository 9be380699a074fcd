// Judges the tree of tags (ISO 32000-2, 14.7), which readers speak aloud and draw nothing of. Programs that sign a tagged document add a tag for the
// box of the signature. What the tree says of anything else stays as it was: a tag can replace the text of a page for those who listen to it.
import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfView } from '../../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, type Value } from '../../../syntax/values.ts';
import { additions, type Comparison, keysOf, objectNumberOf } from './comparison.ts';

/** Judged after the form: a tag may be added for a field that came with a signature. */
export function compareStructureTrees(
  comparison: Comparison,
  before: Value | undefined,
  after: Value | undefined,
): undefined {
  const { old, latest, changedBehind, fail } = comparison;
  if (isSame(before, after) && changedBehind(before, false) === undefined) return;
  const [was, is] = [plainDict(old, before), plainDict(latest, after)];
  const refuse = (object: number | undefined): undefined =>
    fail('changed_structure', object ?? objectNumberOf(after), { part: 'StructTreeRoot' });
  if (!was || !is || !isSame(before, after)) return refuse(undefined);
  const tree = { comparison, added: new Set<number>(), visited: new Set<number>(), refuse };
  comparison.mark(after);
  for (const key of keysOf(was, is)) {
    const [value, later] = [was.get(key), is.get(key)];
    if (key === 'K') compareKids(tree, value, later, 0);
    else if (key === 'ParentTreeNextKey' && typeof later === 'number') continue;
    else if (key !== 'ParentTree' && !isKept(comparison, value, later)) refuse(objectNumberOf(later));
  }
  compareParentTrees(tree, was.get('ParentTree'), is.get('ParentTree'));
}

type Tree = {
  comparison: Comparison;
  /** Tags that came with a box. */
  added: Set<number>;
  visited: Set<number>;
  refuse(object: number | undefined): undefined;
};

const plainDict = (view: PdfView, value: Value | undefined): Dict | undefined => {
  const resolved = view.resolve(value);
  return resolved instanceof Map ? resolved : undefined;
};

const isKept = (
  { changedBehind }: Comparison,
  before: Value | undefined,
  after: Value | undefined,
): boolean => isSame(before, after) && changedBehind(before, false) === undefined;

/** One kid stands alone, several in a list. */
function kidsOf(view: PdfView, value: Value | undefined): Value[] {
  const resolved = view.resolve(value);
  if (Array.isArray(resolved)) return resolved;
  return value === undefined || resolved === null ? [] : [value];
}

function compareKids(tree: Tree, before: Value | undefined, after: Value | undefined, depth: number) {
  const { old, latest, mark } = tree.comparison;
  const [was, is] = [kidsOf(old, before), kidsOf(latest, after)];
  const added = depth > DOCUMENT_LIMITS.pageTreeDepth ? undefined : additions(was, is);
  if (!added) return tree.refuse(objectNumberOf(after));
  if (Array.isArray(latest.resolve(after))) mark(after);
  for (const kid of was) compareTag(tree, kid, depth + 1);
  for (const kid of added) judgeAdded(tree, kid);
}

/** A tag that was there says what it said, and may have got kids. */
function compareTag(tree: Tree, item: Value, depth: number): undefined {
  const { comparison, visited, refuse } = tree;
  const { old, latest, changed, changedBehind, spend } = comparison;
  const number = objectNumberOf(item);
  spend(1);
  if (number === undefined || comparison.isExhausted())
    return changedBehind(item, false) === undefined ? undefined : refuse(number);
  if (visited.has(number)) return;
  visited.add(number);
  const [was, is] = [plainDict(old, item), plainDict(latest, item)];
  if (!was || !is) return changed.has(number) ? refuse(number) : undefined;
  comparison.mark(item);
  for (const key of keysOf(was, is)) {
    const [value, later] = [was.get(key), is.get(key)];
    if (key === 'K') compareKids(tree, value, later, depth);
    // The tag above is compared on its own.
    else if (!isSame(value, later) || (key !== 'P' && changedBehind(value, false) !== undefined))
      refuse(number);
  }
}

/** The kind of tags for boxes, and what they have. None of it is spoken in the place of something else. */
const ENTRIES = new Set(['Type', 'S', 'P', 'Pg', 'K']);

/** A tag for the box of a new field: it has that box, and nothing to say of its own. */
function judgeAdded({ comparison, added, refuse }: Tree, item: Value): undefined {
  const { old, latest, changed, newFields, explained } = comparison;
  const number = objectNumberOf(item);
  const tag = plainDict(latest, item);
  const isNew = number !== undefined && old.place(number) === undefined && changed.has(number);
  if (!tag || !isNew || ![...tag.keys()].every((key) => ENTRIES.has(key))) return refuse(number);
  const kids = kidsOf(latest, tag.get('K'));
  const isOfBox = (kid: Value): boolean => {
    const object = kid instanceof Map ? kid.get('Obj') : undefined;
    const isReference = kid instanceof Map && kid.get('Type') === 'OBJR' && kid.size <= 3;
    return isReference && object instanceof Ref && newFields.has(object.number);
  };
  if (tag.get('S') !== 'Form' || tag.get('K') instanceof Ref || !kids.every(isOfBox)) return refuse(number);
  added.add(number);
  explained.add(number);
}

/** Which tags the contents of a page and each annotation belong to: that of what was there stays, by the same numbers. */
function compareParentTrees(tree: Tree, before: Value | undefined, after: Value | undefined): undefined {
  const { comparison } = tree;
  const [was, is] = [
    numbersIn(comparison, comparison.old, before),
    numbersIn(comparison, comparison.latest, after),
  ];
  if (!was || !is) return tree.refuse(objectNumberOf(after));
  for (const node of is.nodes) markPlain(comparison, node);
  for (const [key, value] of was.values)
    if (!isSameParents(comparison, value, is.values.get(key))) return tree.refuse(objectNumberOf(after));
  for (const [key, value] of is.values)
    if (!was.values.has(key) && !(value instanceof Ref && tree.added.has(value.number)))
      return tree.refuse(objectNumberOf(after));
}

/** A tag, or the tags of a page's contents in their order, which some writers write anew. */
function isSameParents(comparison: Comparison, before: Value, after: Value | undefined): boolean {
  const { old, latest, spend, isExhausted } = comparison;
  const [was, is] = [old.array(before), latest.array(after)];
  // Many numbers may name the same long list.
  spend(was?.length ?? 1);
  if (isExhausted()) return false;
  if (!was || !is) return !was && !is && isSame(before, after);
  markPlain(comparison, after);
  return was.length === is.length && was.every((tag, index) => isSame(tag, is[index]));
}

function markPlain(comparison: Comparison, value: Value | undefined): undefined {
  const number = objectNumberOf(value);
  const isPlain = !(comparison.latest.resolve(value) instanceof PdfStream);
  if (number !== undefined && comparison.changed.has(number) && isPlain) comparison.explained.add(number);
}

type Numbers = { values: Map<number, Value>; nodes: Value[] };

/** The entries of a tree of numbers (ISO 32000-2, 7.9.7); undefined where a number or a node stands twice, or a node has anything else. */
function numbersIn(
  { spend, isExhausted }: Comparison,
  view: PdfView,
  root: Value | undefined,
): Numbers | undefined {
  const found: Numbers = { values: new Map(), nodes: [] };
  const visited = new Set<number>();
  const isSeen = (value: Value | undefined): boolean => {
    const number = objectNumberOf(value);
    if (number === undefined) return false;
    if (visited.has(number)) return true;
    visited.add(number);
    return false;
  };
  const walk = (node: Value, depth: number): boolean => {
    spend(1);
    if (isExhausted() || isSeen(node)) return false;
    const dict = plainDict(view, node);
    if (!dict || depth > DOCUMENT_LIMITS.formDepth || ![...dict.keys()].every((key) => NODE.has(key)))
      return false;
    // A list of nodes leads to itself as a node does.
    if (isSeen(dict.get('Kids'))) return false;
    found.nodes.push(node, dict.get('Nums') ?? null, dict.get('Kids') ?? null);
    const pairs = view.array(dict.get('Nums')) ?? [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [key, value] = [pairs[at], pairs[at + 1]];
      spend(1);
      if (isExhausted() || typeof key !== 'number' || value === undefined || found.values.has(key))
        return false;
      found.values.set(key, value);
    }
    return (view.array(dict.get('Kids')) ?? []).every((kid) => walk(kid, depth + 1));
  };
  return root === undefined || walk(root, 0) ? found : undefined;
}

const NODE = new Set(['Nums', 'Kids', 'Limits', 'Type']);
