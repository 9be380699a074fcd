// Counts drawings in drawings: a form XObject may draw others, each of them several times, and so on.
// It must never draw, and knows a drawing only by the names in its content.
import { DOCUMENT_LIMITS } from '../limits.ts';
import { Ref } from '../syntax/values.ts';
import type { Objects } from './objects.ts';
import { nodesMet } from './walks.ts';

/** How often each name is drawn in the content of a drawing. */
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

/** The first drawing that draws more than any honest one does, by its object number. */
export function findEndlessDrawing(objects: Objects, calls: ReadonlyMap<number, Calls>): number | undefined {
  const known = new Map<number, number[][]>();
  const walk = {
    kidsOf: (drawing: number) => {
      const kids = known.get(drawing) ?? [drawnBy(objects, drawing, calls)];
      known.set(drawing, kids);
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
