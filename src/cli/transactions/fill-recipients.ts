// Puts the people of --to in the places of a template's recipients, who hold its fields. With --to, nobody else is asked.
import { sameEmail } from '../../api/contract/values.ts';
import { cliError } from '../command/errors.ts';
import type { Person } from '../input/person.ts';
import { mergeRecipients } from './bodies.ts';
import { describeFields, type NamedField } from './field-names.ts';
import type { Plan } from './plan.ts';
import { pairRecipients, type RecipientSpec, sameName } from './recipients.ts';

/** A recipient of a template with the fields that they hold. */
export type Place = RecipientSpec & { fields: readonly NamedField[] };

/** `templates`: their IDs. `mayAdd`: people without a place sign a file. */
export type FillOptions = { templates: readonly string[]; mayAdd: boolean };

export type FilledPlaces<P> = {
  recipients: Place[];
  /** Who took each place; undefined where its own recipient stays. */
  holders: (P | undefined)[];
  /** The people without a place, who follow. */
  others: P[];
};

/**
 * Finds the place of each person: by email, then by name, then a proxy's for a proxy, then in the order of the template. A template
 * without recipients has no places, so its documents are for everybody.
 * @throws CliError exit 2 where there are more people than places, or fewer
 */
export function fillPlaces<P extends RecipientSpec>(
  places: readonly Place[],
  people: readonly P[],
  { templates, mayAdd }: FillOptions,
): FilledPlaces<P> {
  const acting = places.filter(({ role, fields }) => role !== 'sender' || fields.length > 0);
  const byEmail = pairRecipients(people, acting);
  const personAt = new Map([...byEmail].map(([person, place]) => [place, person]));
  const open = acting.filter(({ role }) => role !== 'sender');
  const pairRest = (isAlike: (person: P, place: Place) => boolean) => {
    for (const person of people.filter((one) => ![...personAt.values()].includes(one))) {
      const place = open.find((one) => !personAt.has(one) && isAlike(person, one));
      if (place) personAt.set(place, person);
    }
  };
  pairRest(sameName);
  pairRest((person, place) => person.role === 'proxy' && place.role === 'proxy');
  pairRest(() => true);
  const others = people.filter((one) => ![...personAt.values()].includes(one));
  const isMissing = open.some((place) => !personAt.has(place));
  if (isMissing || (others.length > 0 && open.length > 0 && !mayAdd))
    throw cliError('template_recipients_differ', {
      templates,
      given: people.length,
      recipients: open.map(describePlace),
      isMissing,
    });
  const recipients = places.map((place): Place => {
    const { name, email, role } = personAt.get(place) ?? place;
    return { ...place, name, email, role: role === 'proxy' ? role : place.role };
  });
  return { recipients, holders: places.map((place) => personAt.get(place)), others };
}

const describePlace = ({ name, email, fields }: Place): string =>
  `${name} <${email}> (${fields.length === 0 ? 'no field' : describeFields(fields)})`;

/** `fields`: those of the templates. */
export type RecipientOfPlan = RecipientSpec & { fields?: readonly NamedField[] | undefined };

const isSender = ({ role }: RecipientSpec): boolean => role === 'sender';

/** Makes all recipients of a plan: those of its templates, or the people in their places, the others, and a sender where there is none. */
export function recipientsOfPlan(plan: Plan, places: readonly Place[]): RecipientOfPlan[] {
  const { recipients, fills, templates, files } = plan;
  const sender = recipients.find(isSender);
  if (fills === undefined) {
    const merged = mergeRecipients(places, recipients).map((one, index) => ({
      ...one,
      fields: places[index]?.fields,
    }));
    const place = sender && pairRecipients(recipients, places).get(sender);
    return withSenderAt(plan, merged, place ? places.indexOf(place) : -1);
  }
  const people = fills.flatMap((position) => recipients[position] ?? []);
  const filled = fillPlaces(places, people, { templates, mayAdd: files.length > 0 });
  const hasSender = places.some(isSender);
  const rest = recipients.filter((one) => filled.others.includes(one) || !people.includes(one));
  const all = [...filled.recipients, ...rest.filter((one) => !(isSender(one) && hasSender))];
  return withSenderAt(plan, all, sender ? filled.holders.indexOf(sender) : -1);
}

/**
 * Makes the recipient at a position, whose place the sender of the plan has, the sender. A service does not ask a sender without fields,
 * so where the place has none, and the sender signs no file, the sender comes first and the recipient approves.
 */
function withSenderAt(
  { recipients, fields, boxesFor }: Plan,
  all: RecipientOfPlan[],
  at: number,
): RecipientOfPlan[] {
  const of = recipients.findIndex(isSender);
  const [sender, own] = [recipients[of], all[at]];
  if (!sender || !own || isSender(own)) return all;
  const ofTemplates = all.find(isSender);
  const hasFields = (one: RecipientOfPlan) => one.fields !== undefined && one.fields.length > 0;
  const signsFile = boxesFor.includes(of) || fields.some((field) => field.of === of);
  // The sender of the templates stays with fields, and where nobody would be asked twice.
  if (ofTemplates && (hasFields(ofTemplates) || !signsFile)) return all;
  if (!signsFile && !hasFields(own)) return [sender, ...all];
  return all
    .filter((one) => one !== ofTemplates)
    .map((one) => (one === own ? { ...own, role: 'sender' } : one));
}

/** Finds who has the place of an earlier holder of fields. */
export function holderAfter(
  email: string | undefined,
  places: readonly Person[],
  filled: readonly Person[],
): string | undefined {
  const at = places.findIndex((place) => email !== undefined && sameEmail(place.email, email));
  return filled[at]?.email ?? email;
}
