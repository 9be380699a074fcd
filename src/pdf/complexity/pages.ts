// The pages of a PDF as far as its objects tell them: which page something belongs to, and which patterns a page has.
// Callers must have checked before that the page tree is finite.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { type Dict, Ref, type Value } from '../syntax/values.ts';
import type { Objects } from './objects.ts';
import { rootsBehind } from './walks.ts';

export type PageObject = { dict: Dict; box: number[]; resources: Dict | undefined };

// ISO 32000-1 leaves it to the reader; PDFium takes Letter.
const LETTER = [0, 0, 612, 792];

/** Pages in reading order, each once. */
export function pageObjectsOf(objects: Objects): PageObject[] {
  const pages: PageObject[] = [];
  const seen = new Set<number>();
  // In a file that was edited the last tree is the valid one.
  const root = rootsBehind(objects, 'Pages').at(-1);
  const ways: { node: number; box: Value | undefined; resources: Value | undefined }[] = [];
  if (root !== undefined) ways.push({ node: root, box: undefined, resources: undefined });
  for (let way = ways.pop(); way && pages.length < DOCUMENT_LIMITS.pageTreeNodes; way = ways.pop()) {
    if (seen.has(way.node)) continue;
    seen.add(way.node);
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

/** The number, from 1, of the first page from which the object can be reached. */
export function pageReaching(objects: Objects, pages: PageObject[], wanted: number): number | undefined {
  const seen = new Set<number>();
  for (const [index, page] of pages.entries()) {
    const own = [...page.dict].filter(([key]) => key !== 'Parent').map(([, value]) => value);
    const ways: (Value | undefined)[] = [page.resources, ...own];
    while (ways.length > 0) {
      let way = ways.pop();
      if (way instanceof Ref) {
        if (way.number === wanted) return index + 1;
        if (seen.has(way.number)) continue;
        seen.add(way.number);
        way = objects.resolved(way);
      }
      if (Array.isArray(way)) for (const item of way) ways.push(item);
      if (way instanceof Map) for (const [key, value] of way) if (key !== 'Parent') ways.push(value);
    }
  }
  return undefined;
}

/** The first page that one of its patterns would cover with more cells than can be drawn. */
export function pageOfEndlessTiles(objects: Objects, pages: PageObject[]): number | undefined {
  const index = pages.findIndex(({ box, resources }) => {
    const patterns = [...(objects.dictOf(resources?.get('Pattern'))?.values() ?? [])];
    return patterns.some((pattern) => tilesOn(objects, box, pattern) > DOCUMENT_LIMITS.tilesOfPage);
  });
  return index === -1 ? undefined : index + 1;
}

/** Cells of the pattern on the whole page: its steps, in the matrix that leads to the page (ISO 32000-1, 8.7.3). */
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
