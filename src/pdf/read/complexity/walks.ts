// Counts how many nodes a reader visits in trees of objects: a child that is listed twice is visited twice, and so is
// everything below it. It computes the count without visiting each node that often.
import { DOCUMENT_LIMITS } from '../../limits.ts';
import { type Dict, Ref, type Value } from '../values.ts';
import type { Objects } from './objects.ts';

/** Tells whether walking the page tree meets far more nodes than a document may have pages. */
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

/** Tells whether walking the fields of the form meets more of them than any honest form has. */
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

type Walk = {
  /** Lists for each definition of a node the nodes it names, each as often as it names it. */
  kidsOf: (node: number) => readonly number[][];
  depth: number;
  most: number;
  /** Readers notice that they come to a node that they are just in. */
  stopsAtCircles: boolean;
};

/** Counts the nodes met from `root` on, or Infinity for more than `most`; and whether there was more below `depth`. */
function nodesMet(root: number, { kidsOf, depth, most, stopsAtCircles }: Walk) {
  const counts = new Map<number, number>();
  const above = new Set<number>();
  let visited = 0;
  let isDeeper = false;
  return { nodes: from(root, depth), isDeeper };

  function from(node: number, levels: number): number {
    if (stopsAtCircles && above.has(node)) return 0;
    if (levels === 0) {
      isDeeper = true;
      return 0;
    }
    const key = node * (depth + 1) + levels;
    const before = counts.get(key);
    if (before !== undefined) return before;
    visited += 1;
    if (visited > most) return Number.POSITIVE_INFINITY;
    above.add(node);
    let met = 1;
    for (const kids of kidsOf(node)) met = Math.max(met, 1 + sumOf(kids, levels - 1));
    above.delete(node);
    counts.set(key, met);
    return met;
  }

  function sumOf(kids: readonly number[], levels: number): number {
    let sum = 0;
    for (const kid of kids) {
      sum += from(kid, levels);
      if (sum > most) return Number.POSITIVE_INFINITY;
    }
    return sum;
  }
}

/** Lists the page tree nodes that `/key` refers to: the root of the tree, wherever the catalog lies. */
function rootsBehind(objects: Objects, key: string): number[] {
  const roots = objects.valuesOf(key).filter((value) => value instanceof Ref);
  return [...new Set(roots.map(({ number }) => number))];
}

function kidsOf(objects: Objects): (node: number) => number[][] {
  const cache = new Map<number, number[][]>();
  return (node) => {
    let kids = cache.get(node);
    kids ??= objects
      .definitions(node)
      .map((value) => (value instanceof Map ? namedBy(objects, value.get('Kids')) : []));
    cache.set(node, kids);
    return kids;
  };
}

/** Lists the objects that an array of kids names; for kids that stand in it in full, those that these name. */
function namedBy(objects: Objects, kids: Value | undefined): number[] {
  const items = objects.resolved(kids);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    if (item instanceof Ref) return [item.number];
    return item instanceof Map ? namedBy(objects, item.get('Kids')) : [];
  });
}

type PageObject = { dict: Dict; box: number[]; resources: Dict | undefined };

// ISO 32000-1 leaves it to the reader; PDFium takes Letter.
const LETTER = [0, 0, 612, 792];

/** Lists pages in reading order, each once. */
export function pageObjectsOf(objects: Objects): PageObject[] {
  const pages: PageObject[] = [];
  const visited = new Set<number>();
  // In a file that was edited the last tree is the valid one.
  const root = rootsBehind(objects, 'Pages').at(-1);
  const ways: { node: number; box: Value | undefined; resources: Value | undefined }[] = [];
  if (root !== undefined) ways.push({ node: root, box: undefined, resources: undefined });
  for (let way = ways.pop(); way && pages.length < DOCUMENT_LIMITS.pageTreeNodes; way = ways.pop()) {
    if (visited.has(way.node)) continue;
    visited.add(way.node);
    const dict = objects.dictOf(new Ref(way.node, 0));
    if (!dict) continue;
    const [box, resources] = [dict.get('MediaBox') ?? way.box, dict.get('Resources') ?? way.resources];
    const kids = objects.resolved(dict.get('Kids'));
    if (Array.isArray(kids)) {
      for (const kid of kids.toReversed()) {
        if (kid instanceof Ref) ways.push({ node: kid.number, box, resources });
      }
    } else pages.push({ dict, box: boxOf(objects, box), resources: objects.dictOf(resources) });
  }
  return pages;
}

/** Returns the number, from 1, of the first page from which the object can be reached. */
export function pageReaching(objects: Objects, pages: PageObject[], wanted: number): number | undefined {
  const visited = new Set<number>();
  for (const [index, page] of pages.entries()) {
    const values = [...page.dict].filter(([key]) => key !== 'Parent').map(([, value]) => value);
    const ways: (Value | undefined)[] = [page.resources, ...values];
    while (ways.length > 0) {
      let way = ways.pop();
      if (way instanceof Ref) {
        if (way.number === wanted) return index + 1;
        if (visited.has(way.number)) continue;
        visited.add(way.number);
        way = objects.resolved(way);
      }
      if (Array.isArray(way)) for (const item of way) ways.push(item);
      if (way instanceof Map) for (const [key, value] of way) if (key !== 'Parent') ways.push(value);
    }
  }
  return undefined;
}

/** Finds the first page that one of its patterns would cover with more cells than can be drawn. */
export function pageOfEndlessTiles(objects: Objects, pages: PageObject[]): number | undefined {
  const index = pages.findIndex(({ box, resources }) => {
    const patterns = [...(objects.dictOf(resources?.get('Pattern'))?.values() ?? [])];
    return patterns.some((pattern) => tilesOn(objects, box, pattern) > DOCUMENT_LIMITS.tilesOfPage);
  });
  return index === -1 ? undefined : index + 1;
}

/** Counts the cells of the pattern on the whole page: its steps, in the matrix that leads to the page (ISO 32000-1, 8.7.3). */
function tilesOn(objects: Objects, [left, bottom, right, top]: number[], pattern: Value): number {
  const dict = objects.dictOf(pattern);
  const [stepX, stepY] = [objects.resolved(dict?.get('XStep')), objects.resolved(dict?.get('YStep'))];
  if (typeof stepX !== 'number' || typeof stepY !== 'number') return 0;
  const [a, b, c, d] = numbersOf(objects, dict?.get('Matrix'), [1, 0, 0, 1, 0, 0]);
  const cell = Math.abs(stepX * stepY * (a! * d! - b! * c!));
  return cell === 0 ? 0 : Math.abs((right! - left!) * (top! - bottom!)) / cell;
}

function boxOf(objects: Objects, box: Value | undefined): number[] {
  return numbersOf(objects, box, LETTER);
}

function numbersOf(objects: Objects, array: Value | undefined, otherwise: number[]): number[] {
  const items = objects.resolved(array);
  const numbers = Array.isArray(items) ? items.map((item) => objects.resolved(item)) : [];
  const isWhole = numbers.length >= otherwise.length;
  return isWhole && numbers.every((item) => typeof item === 'number') ? numbers : otherwise;
}

/** Each name is drawn so often in the content of a drawing. */
export type Calls = Map<string, number>;

const NAME_BEFORE_DO = /\/([^\s()<>[\]{}/%]{1,127})\s+Do(?![^\s()<>[\]{}/%])/g;

/** Reads `/Name Do`, the operator that draws, from the content of a drawing. */
export function callsIn(content: Buffer): Calls {
  const calls: Calls = new Map();
  if (!content.includes('Do')) return calls;
  for (const [, name] of content.toString('latin1').matchAll(NAME_BEFORE_DO))
    calls.set(name!, (calls.get(name!) ?? 0) + 1);
  return calls;
}

/** Finds the first drawing that draws more than any honest one does, by its object number. */
export function findEndlessDrawing(objects: Objects, calls: ReadonlyMap<number, Calls>): number | undefined {
  const cache = new Map<number, number[][]>();
  const walk = {
    kidsOf: (drawing: number) => {
      const kids = cache.get(drawing) ?? [drawnBy(objects, drawing, calls)];
      cache.set(drawing, kids);
      return kids;
    },
    depth: DOCUMENT_LIMITS.drawingDepth,
    most: DOCUMENT_LIMITS.drawings,
    stopsAtCircles: true,
  };
  for (const [drawing, names] of calls) {
    if (names.size > 0 && nodesMet(drawing, walk).nodes > walk.most) return drawing;
  }
  return undefined;
}

/** Only drawings count, and only by names of the drawing's own resources: those of the page are the process's business. */
function drawnBy(objects: Objects, drawing: number, calls: ReadonlyMap<number, Calls>): number[] {
  const resources = objects.dictOf(objects.dictOf(new Ref(drawing, 0))?.get('Resources'));
  const named = objects.dictOf(resources?.get('XObject'));
  const drawn: number[] = [];
  for (const [name, times] of calls.get(drawing) ?? []) {
    const target = named?.get(name);
    if (!(target instanceof Ref) || !calls.has(target.number)) continue;
    for (let time = 0; time < times && drawn.length <= DOCUMENT_LIMITS.drawings; time += 1)
      drawn.push(target.number);
  }
  return drawn;
}
