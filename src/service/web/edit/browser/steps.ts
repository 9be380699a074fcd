// Keeps the steps that can be undone and done again.
export type Steps<T> = {
  /** @param series steps of the same series, such as presses of an arrow key, are undone together */
  add(before: T, series?: string): void;
  endSeries(): void;
  undo(now: T): T | undefined;
  redo(now: T): T | undefined;
  canUndo(): boolean;
  canRedo(): boolean;
  /** Changes what every step goes back to. */
  map(change: (state: T) => T): void;
};

const MOST_STEPS = 200;

export function createSteps<T>(): Steps<T> {
  const past: T[] = [];
  const future: T[] = [];
  let lastSeries: string | undefined;

  function go(from: T[], to: T[], now: T): T | undefined {
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(now);
    lastSeries = undefined;
    return next;
  }

  return {
    add(before, series) {
      if (series === undefined || series !== lastSeries) past.push(before);
      if (past.length > MOST_STEPS) past.shift();
      future.length = 0;
      lastSeries = series;
    },
    endSeries() {
      lastSeries = undefined;
    },
    undo: (now) => go(past, future, now),
    redo: (now) => go(future, past, now),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    map(change) {
      for (const states of [past, future]) states.splice(0, states.length, ...states.map(change));
      lastSeries = undefined;
    },
  };
}
