// Decides for whom each suggested field is. Names, addresses, the company in the domain of an address, and the role that the document gives to
// a party, as in `Nordwind Robotics Ltd ("Buyer")`, near a signature tell it. Where nothing does, signatures are for the recipients in their
// order, which is a guess and said to be one.
import { mostOf } from '../../pdf/geometry.ts';
import { type Phrase, type ReadPage, textOf, type WordReader } from './label-words.ts';
import {
  companyIn,
  companyPartsOf,
  indexOfTokens,
  namesCompany,
  nameTokens,
  type Tokens,
  tokensOf,
  weightOfName,
} from './names.ts';
import { SUGGESTION_LIMITS, type Suggestion } from './suggestion.ts';

export type Person = { name: string; email: string };

/** The role is what the document calls a party, and `people` are the recipients that its introduction names. */
type Party = { role: Tokens; company: Tokens; people: number[] };

type Parties = { people: readonly Reader[]; parties: readonly Party[] };

type Reader = { name: Tokens; email: string; company: readonly string[] };

const WEIGHT = { email: 10, company: 6, role: 6 } as const;
/** Less is no reason to give a field to somebody. */
const ENOUGH = 5;
/** The best has to be this much better than the next. */
const AHEAD = 2;

export function readParties(
  pages: readonly ReadPage[],
  people: readonly Person[],
  read: WordReader,
): Parties {
  const readers = people.map(({ name, email }) => ({
    name: nameTokens(name),
    email: email.toLowerCase(),
    company: companyPartsOf(email),
  }));
  const parties = introductionsIn(pages, read).map(({ role, text }) => {
    const folded = foldedText(text);
    return {
      role,
      company: companyIn(text),
      people: readers.flatMap((reader, index) => (weightOf(folded, reader) >= ENOUGH ? [index] : [])),
    };
  });
  return { people: readers, parties: parties.filter((party) => party.people.length > 0) };
}

/** Names and addresses are looked for in this form of a text. */
type FoldedText = { tokens: Tokens; lower: string };

const foldedText = (text: string): FoldedText => ({ tokens: tokensOf(text), lower: text.toLowerCase() });

function weightOf({ tokens, lower }: FoldedText, { name, email, company }: Reader): number {
  return (
    weightOfName(tokens, name) +
    (lower.includes(email) ? WEIGHT.email : 0) +
    (namesCompany(tokens, company) ? WEIGHT.company : 0)
  );
}

/** `people` are several where texts do not tell them apart. `weight` says how certain it is, from `BY_NAME` on beyond doubt. */
type Named = { people: number[]; weight: number };

const BY_NAME = 10;

/** Returns the recipients that texts are about, counted from 0. */
export function peopleIn(texts: readonly string[], { people, parties }: Parties): Named {
  const folded = texts.map(foldedText);
  const weights = people.map((reader, index) => {
    const best = (weigh: (text: FoldedText) => number) => Math.max(0, mostOf(folded.map(weigh)));
    const ofParties = parties.filter((party) => party.people.includes(index));
    return (
      best(({ tokens }) => weightOfName(tokens, reader.name)) +
      best(({ lower }) => (lower.includes(reader.email) ? WEIGHT.email : 0)) +
      best(({ tokens }) =>
        namesCompany(tokens, reader.company) ||
        ofParties.some(({ company }) => indexOfTokens(tokens, company) !== -1)
          ? WEIGHT.company
          : 0,
      ) +
      best(({ tokens }) =>
        ofParties.some(({ role }) => indexOfTokens(tokens, role) !== -1) ? WEIGHT.role : 0,
      )
    );
  });
  const most = Math.max(0, mostOf(weights));
  if (most < ENOUGH) return { people: [], weight: 0 };
  return { people: weights.flatMap((weight, index) => (weight > most - AHEAD ? [index] : [])), weight: most };
}

// ── introductions ───────────────────────────────────────────────────────────────────────────────────────────────────

type Introduction = { role: Tokens; text: string };

/** This much of the text before a role introduces its party. */
const LONGEST = 300;
const ARTICLE = /^(?:the|each|an?|der|die|das|den|dem|le|la|les|el|los|il|lo|gli|de|het|o|os|as)\s+|^l['’]/i;
const QUOTED = /["“”„«‹‘]\s?([\p{L}][\p{L}\p{M}'’ -]{1,40}?)\s?["“”»›’]/gu;
const BRACKETED = /\(([^()"“”„«»]{2,60})\)/gu;

function introductionsIn(pages: readonly ReadPage[], read: WordReader): Introduction[] {
  const introductions = new Map<string, Introduction>();
  for (const { words, phrases } of pages) {
    if (introductions.size > SUGGESTION_LIMITS.introductions) break;
    const before = introductionsBefore(textOf(words), read);
    for (const introduction of [...before, ...introductionsBeside(phrases, read)]) {
      const role = introduction.role.map((word) => [...word][0]).join(' ');
      introductions.set(`${role} ${introduction.text}`, introduction);
    }
  }
  return [...introductions.values()].slice(0, SUGGESTION_LIMITS.introductions);
}

/**
 * An introduction reads `Nordwind Robotics Ltd, Hamburg (the "Buyer")`. A role in brackets without quotation marks is one that is listed.
 */
function introductionsBefore(text: string, read: WordReader): Introduction[] {
  const marks = [
    ...[...text.matchAll(QUOTED)].map((match) => ({ match, role: match[1] ?? '' })),
    ...[...text.matchAll(BRACKETED)].flatMap((match) => {
      const role = (match[1] ?? '').trim().split(/\s+/).slice(-2).join(' ');
      return isRole(role, read) ? [{ match, role }] : [];
    }),
  ].sort((a, b) => a.match.index - b.match.index);
  let end = 0;
  return marks.flatMap(({ match, role }) => {
    const before = text.slice(Math.max(end, match.index - LONGEST), match.index);
    end = match.index + match[0].length;
    const tokens = tokensOf(role.replace(ARTICLE, ''));
    return tokens.length > 0 && tokens.length <= 4 && before.trim() !== ''
      ? [{ role: tokens, text: before }]
      : [];
  });
}

/** An introduction reads `Buyer: Nordwind Robotics Ltd`, also in two cells of a table. */
function introductionsBeside(phrases: readonly Phrase[], read: WordReader): Introduction[] {
  return phrases.flatMap((phrase, index) => {
    const text = textOf(phrase.words);
    const [, before = '', after = ''] = /^([^:：]{2,40})[:：]\s*(.*)$/u.exec(text) ?? [];
    const role = before === '' ? text : before;
    if (!isRole(role, read)) return [];
    const next = phrases[index + 1];
    const isBeside = next && Math.abs(next.y - phrase.y) < phrase.height / 2 && next.x > phrase.x;
    const introduced = after !== '' ? after : isBeside ? textOf(next.words) : '';
    return introduced === '' ? [] : [{ role: tokensOf(role.replace(ARTICLE, '')), text: introduced }];
  });
}

/** A role may have an article, as in `The Buyer`. */
function isRole(text: string, read: WordReader): boolean {
  const words = text.trim().replace(ARTICLE, '').split(/\s+/);
  return words.length <= 2 && words.every((word) => read(word.replace(/[^\p{L}\p{M}-]/gu, '')) === 'party');
}

/** `person` is the position of a recipient, from 0; undefined where a document asks for more people than there are. */
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
    const { people } = peopleIn(suggestion.context?.field ?? [], parties);
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

/** Fields belong to a signature in the same block; elsewhere, where the same role is in their words, such as "Email of the tenant". */
const isOfSame = ({ block, role }: Suggestion, signature: Suggestion): boolean =>
  block === undefined ? role !== undefined && signature.role === role : signature.block === block;

/** Lines of one column begin at the same place, within this many points. */
const ALIGNED = 4;

/** A table that goes on at the next page has the columns of its signatures. */
const isContinued = (signature: Suggestion, { page, box }: Suggestion): boolean =>
  signature.page === page - 1 && Math.abs(signature.box.x - box.x) < ALIGNED;

/** Its own words come first: "Signature of the tenant" decides, whoever else is named around it. */
function namedFor({ context, isWitness }: Suggestion, parties: Parties): Named {
  const byField = peopleIn(context?.field ?? [], parties);
  return byField.people.length > 0 || isWitness ? byField : peopleIn(context?.block ?? [], parties);
}

/** Gives the other signatures to those who have none yet, in their order. */
function guessOthers(
  signatures: readonly Suggestion[],
  named: ReadonlyMap<Suggestion, Named>,
  holders: Map<Suggestion, Holder>,
  recipients: number | undefined,
): void {
  const open = signatures.filter((signature) => !holders.has(signature));
  const assigned = new Set([...holders.values()].map(({ person }) => person));
  const count = recipients ?? signatures.length;
  const free = Array.from({ length: count }, (_, index) => index).filter((person) => !assigned.has(person));
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
