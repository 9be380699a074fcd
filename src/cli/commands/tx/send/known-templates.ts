// Reads what is known of templates before anything is sent: their names, people, and the fields that --data fills in.
import type { ReceivedOf } from '../../../../api/contract/operations.ts';
import { reportOf } from '../../../command/error-report.ts';
import { CliError, cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type DataEntry, type FillableField, fillable, isMeant } from '../../../input/data-file.ts';
import type { GivenField } from '../../../input/field-spec.ts';
import type { Addressee } from '../../../input/person.ts';
import { fillPlaces, holderAfter, type Place } from '../../../transactions/fill-recipients.ts';
import type { CheckedField } from '../../../transactions/known-values.ts';
import { pairRecipients } from '../../../transactions/recipients.ts';

type ShownTemplate = ReceivedOf<'template.detail'>;

type TemplateField = FillableField & { type: string };

/** What is unknown is absent: another service may have its templates at another address. */
export type KnownTemplates = {
  templateName?: string | undefined;
  bringsSender?: boolean | undefined;
  /** The emails of those who hold fields, or can. */
  people?: readonly string[];
  fields?: readonly TemplateField[] | undefined;
};

/** `people`: those of --to, who take the places of the templates' recipients. `hasFiles`: whether others can sign a file. */
export type TemplateUse = { isFilled: boolean; people: readonly Addressee[]; hasFiles: boolean };

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
  const shown = read.filter((one) => one !== undefined);
  if (shown.length < read.length) return use.isFilled ? {} : { fields: [] };
  const places = placesOfTemplates(shown);
  const filled =
    places && use.people.length > 0
      ? fillPlaces(places, use.people, { templates, mayAdd: use.hasFiles }).recipients
      : undefined;
  const holder = (email: string | undefined) =>
    places && filled ? holderAfter(email, places, filled) : email;
  const fields = shown.flatMap(fieldsOfTemplate).map((field) => ({ ...field, holder: holder(field.holder) }));
  if (!isSandbox) return { fields: use.isFilled ? fields : [] };
  return {
    templateName: shown[0]?.name,
    bringsSender: places?.some(({ role }) => role === 'sender'),
    people: (filled ?? places ?? []).map(({ email }) => email),
    fields,
  };
}

/** Lists the recipients of templates as a service merges them (assumed: A42), with their fields. Undefined where one is not shown. */
export function placesOfTemplates(templates: readonly ShownTemplate[]): Place[] | undefined {
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
export async function fetchTemplate(
  templateId: string,
  { client }: Connection,
): Promise<ShownTemplate | undefined> {
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
  const own = fields.map((field) => fillable(field, to));
  const other = data.find(
    (entry) =>
      templates.fields?.some((field) => isMeant(field, entry)) || !own.some((field) => isMeant(field, entry)),
  );
  if (other) throw cliError('field_value_unknown', { field: other.label, profile, isOfTemplate: true });
  return [];
}
