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
  return { recipients, others };
}

const describePlace = ({ name, email, fields }: Place): string =>
  `${name} <${email}> (${fields.length === 0 ? 'no field' : describeFields(fields)})`;

/** `fields`: those of the templates. */
export type RecipientOfPlan = RecipientSpec & { fields?: readonly NamedField[] | undefined };

/** Makes all recipients of a plan: those of its templates, or the people in their places, the others, and a sender where there is none. */
export function recipientsOfPlan(plan: Plan, places: readonly Place[]): RecipientOfPlan[] {
  const { recipients, fills, templates, files } = plan;
  if (fills === undefined)
    return mergeRecipients(places, recipients).map((one, index) => ({
      ...one,
      fields: places[index]?.fields,
    }));
  const people = fills.flatMap((position) => recipients[position] ?? []);
  const filled = fillPlaces(places, people, { templates, mayAdd: files.length > 0 });
  const hasSender = places.some(({ role }) => role === 'sender');
  const rest = recipients.filter((one) => filled.others.includes(one) || !people.includes(one));
  return [...filled.recipients, ...rest.filter(({ role }) => !(role === 'sender' && hasSender))];
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
