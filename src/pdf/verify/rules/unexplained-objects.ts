// Every object that differs has to be reached by a rule that allows it. A new object that nothing refers to shows nothing, and what holds other objects
// needs no permission of its own.
import { type DiffContext, reachable } from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const unexplainedObjects = defineRule({
  name: 'unexplained-objects',
  allows:
    'An object may be new if nothing refers to it. Any other that differs is allowed by a rule above, or by none.',
  source: 'ISO 32000-2, 12.8.2.2',
  codes: ['changed_structure'],
  *judge(context, { explained, objections }) {
    if (objections > 0) return;
    const { changed, containers } = context;
    const isInUse = createUseSearch(context);
    for (const number of changed)
      if (!explained.has(number) && !containers.has(number) && isInUse(number)) {
        yield objection('changed_structure', number);
        return;
      }
  },
});

/** Tells whether an object was there before, or the later version leads to it. */
function createUseSearch({ old, latest, steps }: DiffContext): (number: number) => boolean {
  let used: Set<number> | undefined;
  return (number) => {
    if (old.place(number) !== undefined) return true;
    used ??= reachable(latest, latest.trailer, () => false, steps);
    return used.has(number);
  };
}
