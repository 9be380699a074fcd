// What somebody may have meant.

/** The candidate that takes the fewest changes of a letter. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const rated = candidates.map((candidate) => ({ candidate, changes: changesBetween(word, candidate) }));
  return rated.sort((a, b) => a.changes - b.changes)[0]?.candidate;
}

/** Levenshtein: letters put in, left out or exchanged. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (let column = 1; column <= to.length; column += 1)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
