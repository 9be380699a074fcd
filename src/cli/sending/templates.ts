// Reads what templates bring before anything is sent: their names, people, and the fields that --data fills in. The people of --to take the places of
// a template's recipients, who hold its fields; with --to, nobody else is asked. What cannot be read stays unknown.
import type { ReceivedOf } from '../../api/contract/operations.ts';
import { sameEmail } from '../../api/contract/values.ts';
import { reportOf } from '../command/error-report.ts';
import { CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { type DataEntry, type FillableField, fillable, isMeant } from '../input/field-file.ts';
import type { GivenField } from '../input/field-spec.ts';
import type { Addressee, Person } from '../input/person.ts';
import type { Plan } from './plan.ts';
import type { CheckedField } from './preparations.ts';
import { mergeRecipients, pairRecipients, type RecipientSpec, sameName } from './recipients.ts';
import { describeFields, type NamedField, person } from './view.ts';

type ShownTemplate = ReceivedOf<'template.detail'>;

type TemplateField = FillableField & { type: string };

/** What is unknown is absent: another service may have its templates at another address. */
type KnownTemplates = {
  templateName?: string | undefined;
  bringsSender?: boolean | undefined;
  /** The emails of those who hold fields, or can. */
  people?: readonly string[];
  fields?: readonly TemplateField[] | undefined;
  /** All recipients with their fields, in their order; undefined where the service shows only those who have fields. */
  places?: readonly Place[] | undefined;
};

/** `people`: those of --to, who take the places of the templates' recipients. `hasFiles`: whether others can sign a file. */
type TemplateUse = { isFilled: boolean; people: readonly Addressee[]; hasFiles: boolean };

/**
 * Reads the templates. Of another service, it uses only the fields, where these are to be filled in.
 * @throws CliError for a template that does not exist, and for people who do not fit its recipients
 */
export async function readKnownTemplates(
  connection: Connection,
  templates: readonly string[],
  use: TemplateUse,
): Promise<KnownTemplates> {
  const { isSandbox, client } = connection;
  const read: (ShownTemplate | undefined)[] = [];
  for (const templateId of templates)
    read.push(
      isSandbox
        ? await client['template.detail']({ params: { templateId } })
        : await fetchTemplate(templateId, connection),
    );
  const shown = read.filter((template) => template !== undefined);
  if (shown.length < read.length) return use.isFilled ? {} : { fields: [] };
  const places = placesOfTemplates(shown);
  const filled =
    places && use.people.length > 0
      ? fillPlaces(places, use.people, { templates, mayAdd: use.hasFiles }).recipients
      : undefined;
  const holder = (email: string | undefined) =>
    places && filled ? holderAfter(email, places, filled) : email;
  const fields = shown.flatMap(fieldsOfTemplate).map((field) => ({ ...field, holder: holder(field.holder) }));
  const isComplete = shown.every(({ recipients }) => recipients !== undefined && recipients !== null);
  const complete = { places: isComplete ? places : undefined };
  if (!isSandbox) return { fields: use.isFilled ? fields : [], ...complete };
  return {
    ...complete,
    templateName: shown[0]?.name,
    bringsSender: places?.some(({ role }) => role === 'sender'),
    people: (filled ?? places ?? []).map(({ email }) => email),
    fields,
  };
}

/** Lists the recipients of templates as a service merges them (assumed: A42), with their fields. Undefined where one is not shown. */
function placesOfTemplates(templates: readonly ShownTemplate[]): Place[] | undefined {
  const merged: Place[] = [];
  for (const template of templates) {
    const shown = recipientsOfTemplate(template);
    const theirs = shown.flatMap(({ id, name, email, role }) =>
      name && email && role
        ? [
            {
              name,
              email,
              role,
              fields: (template.fields ?? []).filter(({ recipient }) => recipient?.id === id),
            },
          ]
        : [],
    );
    if (theirs.length < shown.length) return undefined;
    const earlierPlaces = pairRecipients(theirs, merged);
    for (const place of theirs) {
      const earlier = earlierPlaces.get(place);
      if (earlier) earlier.fields = [...earlier.fields, ...place.fields];
      else merged.push(place);
    }
  }
  return merged;
}

/** Lists the recipients in their order. The specification shows recipients beside their fields only; the list is an extension. */
function recipientsOfTemplate({ recipients, fields }: ShownTemplate) {
  if (recipients)
    return recipients
      .map((recipient, at) => ({ ...recipient, index: recipient.index ?? at }))
      .sort((a, b) => a.index - b.index);
  const beside = (fields ?? []).flatMap(({ recipient }) => (recipient ? [recipient] : []));
  return [...new Map(beside.map((recipient) => [recipient.id, recipient])).values()];
}

/** What a service says of a template that it does not have. Any other 404 may be about the address of templates, which is assumed. */
const MISSING: ReadonlySet<string> = new Set(['template_not_found', 'malformed_path']);

/** Reads a template. Undefined when it cannot be read; a missing one is an error. */
async function fetchTemplate(templateId: string, { client }: Connection): Promise<ShownTemplate | undefined> {
  try {
    return await client['template.detail']({ params: { templateId } });
  } catch (error) {
    if (error instanceof CliError || MISSING.has(reportOf(error).code)) throw error;
    return undefined;
  }
}

const fieldsOfTemplate = ({ fields = [] }: ShownTemplate): TemplateField[] =>
  fields.map(({ label, type, recipient }) => ({
    type: type ?? '',
    label: label || (type ?? ''),
    holder: recipient?.email ?? undefined,
  }));

/** Types whose values depend on properties of the field, which a template does not show. */
const CHOICES: ReadonlySet<string> = new Set(['select', 'radio']);

/** Makes the fields of templates as they will be filled in, so that values are checked before anything is sent. */
export const valuesOfTemplates = (
  data: readonly DataEntry[],
  { fields = [] }: KnownTemplates,
): CheckedField[] =>
  data.flatMap((entry) =>
    fields
      .filter((field) => isMeant(field, entry) && !CHOICES.has(field.type))
      .map(({ type, label }) => ({
        type,
        properties: { label, value: entry.value },
        source: `${label} of the template`,
      })),
  );

/**
 * Finds the values for fields of templates. The service brings these fields, so nothing can be drawn into their documents.
 * @throws CliError exit 2 for a value that the service does not take
 */
export function dataForTemplates(
  { takesFieldValues, profile }: Connection,
  data: readonly DataEntry[],
  {
    fields,
    to,
    templates,
  }: { fields: readonly GivenField[]; to: readonly Addressee[]; templates: KnownTemplates },
): readonly DataEntry[] {
  if (takesFieldValues) return data;
  const typed = fields.map((field) => fillable(field, to));
  const other = data.find(
    (entry) =>
      templates.fields?.some((field) => isMeant(field, entry)) ||
      !typed.some((field) => isMeant(field, entry)),
  );
  if (other)
    throw cliError('field_value_unknown', {
      sentence: `The field "${other.label}" of a template cannot be filled in: the service of the profile "${profile}" does not take values of fields.`,
      hint: 'If the service takes values, run `esign config set field_values true`.',
    });
  return [];
}

/** Adds to a plan who will be asked, so that a template which changes meanwhile asks nobody else. */
export function withAsked(plan: Plan, { places }: KnownTemplates): Plan {
  if (plan.draft || plan.templates.length === 0 || places === undefined) return plan;
  return { ...plan, asked: peopleToAsk(recipientsOfPlan(plan, withSenderOfPlan(plan, places))) };
}

const peopleToAsk = (recipients: readonly RecipientSpec[]): Person[] =>
  recipients.filter((recipient) => !isSender(recipient)).map(({ name, email }) => ({ name, email }));

/** @throws CliError where the draft would ask others than the plan says */
export function mustAskAsPlanned({ asked }: Plan, recipients: readonly RecipientSpec[]): void {
  if (asked === undefined) return;
  const people = peopleToAsk(recipients);
  const isSame = (person: Person, index: number) => {
    const planned = asked[index];
    return planned !== undefined && sameEmail(planned.email, person.email) && sameName(planned, person);
  };
  if (people.length === asked.length && people.every(isSame)) return;
  throw cliError('recipients_changed', {
    sentence: `The template has changed since it was read: it asks ${listPeople(people)} instead of ${listPeople(asked)}.`,
    hint: 'Nobody was asked. Send again to ask these people.',
  });
}

const listPeople = (people: readonly Person[]): string => people.map(person).join(', ') || 'nobody';

/** The sender of a template is replaced by that of the plan. */
const withSenderOfPlan = ({ sender }: Plan, places: readonly Place[]): Place[] =>
  places.map((place) => (isSender(place) && sender ? { ...place, ...sender } : place));

/** All recipients in their order, and notes about templates whose recipients are unknown. */
export type ResolvedRecipients = { recipients: RecipientOfPlan[]; unknown: string[] };

/** Resolves the recipients as the steps of the plan do once the service has added the templates. */
export async function resolveRecipients(plan: Plan, connection: Connection): Promise<ResolvedRecipients> {
  const shown = [];
  const unknown: string[] = [];
  for (const id of plan.templates) {
    const template = await fetchTemplate(id, connection);
    if (template && placesOfTemplates([template])) shown.push(template);
    else unknown.push(`Template ${id}: the service does not return its recipients.`);
  }
  const places = withSenderOfPlan(plan, placesOfTemplates(shown) ?? []);
  const isKnown = unknown.length === 0 && plan.templates.length > 0;
  return { recipients: isKnown ? recipientsOfPlan(plan, places) : [...plan.recipients], unknown };
}

/** A recipient of a template with the fields that they hold. */
type Place = RecipientSpec & { fields: readonly NamedField[] };

/** `templates`: their IDs. `mayAdd`: people without a place sign a file. */
type FillOptions = { templates: readonly string[]; mayAdd: boolean };

type FilledPlaces<P> = {
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
function fillPlaces<P extends RecipientSpec>(
  places: readonly Place[],
  people: readonly P[],
  { templates, mayAdd }: FillOptions,
): FilledPlaces<P> {
  const acting = places.filter(({ role, fields }) => role !== 'sender' || fields.length > 0);
  const byEmail = pairRecipients(people, acting);
  const personAt = new Map([...byEmail].map(([person, place]) => [place, person]));
  const open = acting.filter(({ role }) => role !== 'sender');
  const pairRest = (isAlike: (person: P, place: Place) => boolean) => {
    for (const person of people.filter((candidate) => ![...personAt.values()].includes(candidate))) {
      const place = open.find((candidate) => !personAt.has(candidate) && isAlike(person, candidate));
      if (place) personAt.set(place, person);
    }
  };
  pairRest(sameName);
  pairRest((person, place) => person.role === 'proxy' && place.role === 'proxy');
  pairRest(() => true);
  const others = people.filter((person) => ![...personAt.values()].includes(person));
  const isMissing = open.some((place) => !personAt.has(place));
  if (isMissing || (others.length > 0 && open.length > 0 && !mayAdd))
    throw cliError('template_recipients_differ', {
      sentence: `--to names ${people.length} ${people.length === 1 ? 'recipient' : 'recipients'}, but ${templates.length === 1 ? `the template ${templates[0]} has` : `the templates ${templates.join(', ')} have`} ${open.length}: ${open.map(describePlace).join('; ')}.`,
      hint: `Nothing was sent. ${isMissing ? 'Add a --to for each of them, in this order; an email or name of the template finds its own place.' : 'Leave out the others, or add a FILE that they sign.'} Without --to, these people are asked.`,
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
type RecipientOfPlan = RecipientSpec & { fields?: readonly NamedField[] | undefined };

const isSender = ({ role }: RecipientSpec): boolean => role === 'sender';

/** Makes all recipients of a plan: those of its templates, or the people in their places, the others, and a sender where there is none. */
export function recipientsOfPlan(plan: Plan, places: readonly Place[]): RecipientOfPlan[] {
  const { recipients, fills, templates, files } = plan;
  const sender = recipients.find(isSender);
  if (fills === undefined) {
    const merged = mergeRecipients(places, recipients).map((person, index) => ({
      ...person,
      fields: places[index]?.fields,
    }));
    const place = sender && pairRecipients(recipients, places).get(sender);
    return withSenderAt(plan, merged, place ? places.indexOf(place) : -1);
  }
  const people = fills.flatMap((position) => recipients[position] ?? []);
  const filled = fillPlaces(places, people, { templates, mayAdd: files.length > 0 });
  const hasSender = places.some(isSender);
  const rest = recipients.filter((person) => filled.others.includes(person) || !people.includes(person));
  const all = [...filled.recipients, ...rest.filter((person) => !(isSender(person) && hasSender))];
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
  const hasFields = (person: RecipientOfPlan) => person.fields !== undefined && person.fields.length > 0;
  const signsFile = boxesFor.includes(of) || fields.some((field) => field.of === of);
  // The sender of the templates stays with fields, and where nobody would be asked twice.
  if (ofTemplates && (hasFields(ofTemplates) || !signsFile)) return all;
  if (!signsFile && !hasFields(own)) return [sender, ...all];
  return all
    .filter((person) => person !== ofTemplates)
    .map((person) => (person === own ? { ...own, role: 'sender' } : person));
}

/** Finds who has the place of an earlier holder of fields. */
function holderAfter(
  email: string | undefined,
  places: readonly Person[],
  filled: readonly Person[],
): string | undefined {
  const at = places.findIndex((place) => email !== undefined && sameEmail(place.email, email));
  return filled[at]?.email ?? email;
}
