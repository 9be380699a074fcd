// Guesses who fills in each suggested field: signatures are for the recipients in their order, and what stands near a signature is for the
// same person.
import type { Suggestion } from './suggestion.ts';

/** Columns stand beside each other: what is as far to the side as below is in another one. */
const SIDEWAYS = 3;

/**
 * @param suggestions of one document, in reading order
 * @param recipients how many there are; undefined: as many as the document asks for
 * @returns the position of a recipient for each suggestion, from 0; undefined where a document asks for more people than there are
 */
export function shareRecipients(
  suggestions: readonly Suggestion[],
  recipients: number | undefined,
): (number | undefined)[] {
  const signatures = suggestions.filter(({ type }) => type === 'signature');
  const signers = signersOf(signatures);
  const positionOf = (one: Suggestion): number => signers.get(nearestOf(one, signatures) ?? one) ?? 0;
  return suggestions.map((one) => {
    const position = positionOf(one);
    return recipients === undefined || position < recipients ? position : undefined;
  });
}

/** The same words on another page are for the same person, twice on one page for two. */
function signersOf(signatures: readonly Suggestion[]): Map<Suggestion, number> {
  const positions = new Map<string, number>();
  const seen = new Map<string, number>();
  return new Map(
    signatures.map((one) => {
      const text = one.words?.text.toLowerCase() ?? '';
      const onPage = `${one.page} ${text}`;
      const count = (seen.get(onPage) ?? 0) + 1;
      seen.set(onPage, count);
      const key = `${count} ${text}`;
      const position = positions.get(key) ?? positions.size;
      positions.set(key, position);
      return [one, position];
    }),
  );
}

/** A signature itself, otherwise the nearest one of its page. */
function nearestOf(one: Suggestion, signatures: readonly Suggestion[]): Suggestion | undefined {
  if (one.type === 'signature') return one;
  const distances = signatures
    .filter(({ page }) => page === one.page)
    .map((signature) => ({ signature, distance: distance(one, signature) }));
  return distances.sort((a, b) => a.distance - b.distance)[0]?.signature;
}

const distance = ({ box: one }: Suggestion, { box: other }: Suggestion): number =>
  SIDEWAYS * Math.abs(one.x - other.x) + Math.abs(one.y + one.height - (other.y + other.height));
