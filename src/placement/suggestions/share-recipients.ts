// Guesses who fills in each suggested field: the first signature is for the first recipient, and what stands near a signature is for
// the same person.
import type { Suggestion } from './suggestion.ts';

/** Columns stand beside each other: what is as far to the side as below is in another one. */
const SIDEWAYS = 3;

/**
 * @param suggestions of one document, in reading order
 * @param recipients how many there are
 * @returns the position of a recipient for each suggestion, from 0
 */
export function shareRecipients(suggestions: readonly Suggestion[], recipients: number): number[] {
  const last = Math.max(0, recipients - 1);
  const signatures = suggestions.filter(({ type }) => type === 'signature');
  const holders = new Map(signatures.map((one, index) => [one, Math.min(index, last)]));
  return suggestions.map((one) => holders.get(one) ?? holders.get(nearest(one, signatures) ?? one) ?? 0);
}

function nearest(one: Suggestion, signatures: readonly Suggestion[]): Suggestion | undefined {
  const distances = signatures
    .filter(({ page }) => page === one.page)
    .map((signature) => ({ signature, distance: distance(one, signature) }));
  return distances.sort((a, b) => a.distance - b.distance)[0]?.signature;
}

const distance = ({ box: one }: Suggestion, { box: other }: Suggestion): number =>
  SIDEWAYS * Math.abs(one.x - other.x) + Math.abs(one.y + one.height - (other.y + other.height));
