// Pairs each of some things with its counterpart among others. The first rule is applied to all of them before the next one, so
// that a close match is never lost to a loose one that is earlier in the list.

export type Likeness<A, B> = (one: A, other: B) => boolean;

/** @param rules from the closest likeness to the loosest; each element is paired at most once */
export function pairUp<A, B>(ones: readonly A[], others: readonly B[], rules: Likeness<A, B>[]): Map<A, B> {
  const pairs = new Map<A, B>();
  const free = new Set(others);
  for (const isAlike of rules)
    for (const one of ones) {
      const other = pairs.has(one) ? undefined : [...free].find((candidate) => isAlike(one, candidate));
      if (other === undefined) continue;
      pairs.set(one, other);
      free.delete(other);
    }
  return pairs;
}
