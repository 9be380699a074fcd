// Suggests the word that a user may have meant by a misspelt one. There is no suggestion for a word that is far from all
// candidates, because that is better than a wrong one.

/** A word that takes more changes is another word. */
const MOST_CHANGES = 2;
/** Two changes of a word of three letters leave nothing of it. */
const SHORT = 3;

/** Finds the candidate that takes the fewest changes of a letter; undefined when each takes more than `most`. */
export function nearest(
  word: string,
  candidates: readonly string[],
  most = word.length <= SHORT ? 1 : MOST_CHANGES,
): string | undefined {
  let best: { candidate: string; changes: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > most) continue;
    const changes = changesBetween(word.toLowerCase(), candidate.toLowerCase());
    if (changes <= most && changes < (best?.changes ?? Number.POSITIVE_INFINITY))
      best = { candidate, changes };
  }
  return best?.candidate;
}

/**
 * Says what was probably meant, before the next sentence.
 * @param meant undefined where there is no suggestion
 * @param mark stands before and after it; empty for what is typed like this, such as an option
 */
export const didYouMean = (meant: string | undefined, next = '', mark = '"'): string =>
  meant === undefined ? next : `Did you mean ${mark}${meant}${mark}? ${next}`.trimEnd();

/** Counts insertions, deletions, substitutions and swaps of neighbours: the Damerau-Levenshtein distance (optimal string alignment). */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let at = 1; at <= from.length; at += 1) {
    const next = [at];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[at - 1] === to[column - 1];
      const isSwapped =
        at > 1 && column > 1 && from[at - 1] === to[column - 2] && from[at - 2] === to[column - 1];
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
