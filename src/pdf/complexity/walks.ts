// Counts how many nodes a reader visits in trees of objects: a child that is listed twice is visited twice, and so is
// everything below it. It computes the count without visiting each node that often.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { Ref, type Value } from '../syntax/values.ts';
import type { Objects } from './objects.ts';

export type Walk = {
  /** For each definition of a node: the nodes it names, each as often as it names it. */
  kidsOf: (node: number) => readonly number[][];
  depth: number;
  most: number;
  /** Whether readers notice that they come to a node that they are just in. */
  stopsAtCircles: boolean;
};

/** Nodes met from `root` on, or Infinity for more than `most`; and whether there was more below `depth`. */
export function nodesMet(root: number, { kidsOf, depth, most, stopsAtCircles }: Walk) {
  const known = new Map<number, number>();
  const above = new Set<number>();
  let looked = 0;
  let isDeeper = false;
  return { nodes: from(root, depth), isDeeper };

  function from(node: number, left: number): number {
    if (stopsAtCircles && above.has(node)) return 0;
    if (left === 0) {
      isDeeper = true;
      return 0;
    }
    const key = node * (depth + 1) + left;
    const before = known.get(key);
    if (before !== undefined) return before;
    looked += 1;
    if (looked > most) return Number.POSITIVE_INFINITY;
    above.add(node);
    let met = 1;
    for (const kids of kidsOf(node)) met = Math.max(met, 1 + sumOf(kids, left - 1));
    above.delete(node);
    known.set(key, met);
    return met;
  }

  function sumOf(kids: readonly number[], left: number): number {
    let sum = 0;
    for (const kid of kids) {
      sum += from(kid, left);
      if (sum > most) return Number.POSITIVE_INFINITY;
    }
    return sum;
  }
}

/** Whether walking the page tree meets far more nodes than a document may have pages. */
export function hasEndlessPageTree(objects: Objects): boolean {
  const walk = {
    kidsOf: kidsOf(objects),
    depth: DOCUMENT_LIMITS.pageTreeDepth,
    most: DOCUMENT_LIMITS.pageTreeNodes,
    stopsAtCircles: true,
  };
  return rootsBehind(objects, 'Pages').some((root) => {
    const { nodes, isDeeper } = nodesMet(root, walk);
    return isDeeper || nodes > walk.most;
  });
}

/** Whether walking the fields of the form meets more of them than any honest form has. */
export function hasEndlessForm(objects: Objects): boolean {
  const walk = {
    kidsOf: kidsOf(objects),
    depth: DOCUMENT_LIMITS.formDepth,
    most: DOCUMENT_LIMITS.formFields,
    stopsAtCircles: false,
  };
  const roots = objects.valuesOf('Fields').map((fields) => namedBy(objects, fields));
  return roots.some((fields) => {
    let sum = 0;
    return fields.some((field) => {
      sum += nodesMet(field, walk).nodes;
      return sum > walk.most;
    });
  });
}

/** The page tree nodes that `/key` refers to: the root of the tree, wherever the catalog lies. */
export function rootsBehind(objects: Objects, key: string): number[] {
  const roots = objects.valuesOf(key).filter((value) => value instanceof Ref);
  return [...new Set(roots.map(({ number }) => number))];
}

function kidsOf(objects: Objects): (node: number) => number[][] {
  const known = new Map<number, number[][]>();
  return (node) => {
    let kids = known.get(node);
    kids ??= objects
      .definitions(node)
      .map((value) => (value instanceof Map ? namedBy(objects, value.get('Kids')) : []));
    known.set(node, kids);
    return kids;
  };
}

/** The objects that an array of kids names; for kids that stand in it in full, those that these name. */
function namedBy(objects: Objects, kids: Value | undefined): number[] {
  const items = objects.resolved(kids);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    if (item instanceof Ref) return [item.number];
    return item instanceof Map ? namedBy(objects, item.get('Kids')) : [];
  });
}
