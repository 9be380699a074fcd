// Counts what a stamped file does not have any more, with some names.
import { STAMP_LIMITS } from '../limits.ts';
import type { Removed, RemovedCode } from './plan.ts';

export type Tally = { count(code: RemovedCode, name?: string): void; all(): Removed[] };

export function newTally(): Tally {
  const counts = new Map<RemovedCode, { count: number; names: Set<string> }>();
  return {
    count(code, name) {
      const one = counts.get(code) ?? { count: 0, names: new Set() };
      one.count += 1;
      if (name && one.names.size < STAMP_LIMITS.named) one.names.add(name.slice(0, STAMP_LIMITS.nameLength));
      counts.set(code, one);
    },
    all: () =>
      [...counts].map(([code, { count, names }]) => ({
        code,
        count,
        ...(names.size > 0 && { names: [...names] }),
      })),
  };
}
