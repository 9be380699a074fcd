// Decides for whom each suggested field is: names, companies and roles near a signature tell it. Where nothing does, signatures are for the
// recipients in their order, which is a guess and said to be one.
import { BY_NAME, type Named, type Parties, peopleIn } from './parties.ts';
import type { Suggestion } from './suggestion.ts';

/** `person`: the position of a recipient, from 0; undefined where a document asks for more people than there are. */
export type Holder = { person: number | undefined; isGuessed: boolean };

/**
 * @param suggestions of one document, in reading order
 * @param recipients how many there are; undefined: as many as the document asks for
 */
export function shareRecipients(
  suggestions: readonly Suggestion[],
  parties: Parties,
  recipients: number | undefined,
): Holder[] {
  const signatures = suggestions.filter(({ type }) => type === 'signature');
  const named = new Map(signatures.map((signature) => [signature, namedFor(signature, parties)]));
  const holders = holdersByName(named);
  guessOthers(signatures, named, holders, recipients);
  const isOnly = recipients === 1 && [...holders.values()].every(({ person }) => person === 0);
  return suggestions.map((suggestion) => {
    const holder = holders.get(suggestion);
    if (holder) return holder;
    const { people } = peopleIn(suggestion.context?.own ?? [], parties);
    if (people.length === 1) return { person: people[0], isGuessed: false };
    const signature = signatures.find((other) => isOfSame(suggestion, other));
    if (signature) return holders.get(signature)!;
    const before = signatures.findLast((other) => isContinued(other, suggestion));
    return { person: (before && holders.get(before)?.person) ?? 0, isGuessed: !isOnly };
  });
}

/** Decides by names, the most certain first. */
function holdersByName(named: ReadonlyMap<Suggestion, Named>): Map<Suggestion, Holder> {
  const holders = new Map<Suggestion, Holder>();
  const byWeight = [...named].sort(([, { weight }], [, { weight: other }]) => other - weight);
  for (const [signature, { people, weight }] of byWeight) {
    const [person] = people;
    if (person === undefined || people.length > 1) continue;
    const isBeside = (other: Suggestion) => other !== signature && other.page === signature.page;
    // Two people sign for a company with two lines on a page: one recipient does not sign both, and may sign either.
    const isSecond = [...holders].some(([other, holder]) => isBeside(other) && holder.person === person);
    if (weight < BY_NAME && isSecond) continue;
    const isEither = [...named].some(
      ([other, { people: same }]) => isBeside(other) && same.length === 1 && same[0] === person,
    );
    holders.set(signature, { person, isGuessed: weight < BY_NAME && isEither });
  }
  return holders;
}

/** In the same block; elsewhere, with the same role in its words, such as "Email of the tenant". */
const isOfSame = ({ block, role }: Suggestion, signature: Suggestion): boolean =>
  block === undefined ? role !== undefined && signature.role === role : signature.block === block;

/** In points: lines of one column begin at the same place. */
const ALIGNED = 4;

/** A table that goes on at the next page has the columns of its signatures. */
const isContinued = (signature: Suggestion, { page, box }: Suggestion): boolean =>
  signature.page === page - 1 && Math.abs(signature.box.x - box.x) < ALIGNED;

/** Its own words come first: "Signature of the tenant" decides, whoever else is named around it. */
function namedFor({ context, isWitness }: Suggestion, parties: Parties): Named {
  const own = peopleIn(context?.own ?? [], parties);
  return own.people.length > 0 || isWitness ? own : peopleIn(context?.block ?? [], parties);
}

/** Gives the other signatures to those who have none yet, in their order. */
function guessOthers(
  signatures: readonly Suggestion[],
  named: ReadonlyMap<Suggestion, Named>,
  holders: Map<Suggestion, Holder>,
  recipients: number | undefined,
): void {
  const open = signatures.filter((signature) => !holders.has(signature));
  const taken = new Set([...holders.values()].map(({ person }) => person));
  const count = recipients ?? signatures.length;
  const free = Array.from({ length: count }, (_, index) => index).filter((person) => !taken.has(person));
  const isCertain = recipients === 1 && signatures.length === 1;
  const positions = new Map<string, number | undefined>();
  for (const [signature, key] of keysOf(open)) {
    if (!positions.has(key)) {
      const { people = [] } = named.get(signature) ?? {};
      const person = free.find((position) => people.length === 0 || people.includes(position));
      if (person !== undefined) free.splice(free.indexOf(person), 1);
      positions.set(key, person);
    }
    holders.set(signature, { person: positions.get(key), isGuessed: !isCertain });
  }
}

/** The same words on another page are for the same person, twice on one page for two. */
function keysOf(signatures: readonly Suggestion[]): Map<Suggestion, string> {
  const counts = new Map<string, number>();
  return new Map(
    signatures.map((signature) => {
      const text = signature.words?.text.toLowerCase() ?? '';
      const onPage = `${signature.page} ${text}`;
      const count = (counts.get(onPage) ?? 0) + 1;
      counts.set(onPage, count);
      return [signature, `${count} ${text}`];
    }),
  );
}
