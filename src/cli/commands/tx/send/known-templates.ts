// Reads what is known of templates before anything is sent: their names, people, and the fields that --data fills in.
import type { ReceivedOf } from '../../../../api/contract/operations.ts';
import { reportOf } from '../../../command/error-report.ts';
import { CliError, cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { type DataEntry, type FillableField, fillable, isMeant } from '../../../input/data-file.ts';
import type { GivenField } from '../../../input/field-spec.ts';
import type { Addressee } from '../../../input/person.ts';
import type { CheckedField } from '../../../transactions/known-values.ts';

type ShownTemplate = ReceivedOf<'template.detail'>;

type TemplateField = FillableField & { type: string };

/** What is unknown is absent: another service may have its templates at another address. */
export type KnownTemplates = {
  templateName?: string | undefined;
  bringsSender?: boolean | undefined;
  people?: readonly string[];
  fields?: readonly TemplateField[] | undefined;
};

/**
 * Reads the templates. Of another service, it uses only the fields, where these are to be filled in.
 * @throws CliError for a template that does not exist
 */
export async function readKnownTemplates(
  connection: Connection,
  templates: readonly string[],
  { isFilled }: { isFilled: boolean },
): Promise<KnownTemplates> {
  if (connection.isSandbox) {
    const found = [];
    for (const templateId of templates)
      found.push(await connection.client['template.detail']({ params: { templateId } }));
    return {
      templateName: found[0]?.name,
      bringsSender: found.some(({ recipients }) => recipients?.some(({ role }) => role === 'sender')),
      people: found.flatMap(({ recipients }) => recipients?.flatMap(({ email }) => email ?? []) ?? []),
      fields: found.flatMap(fieldsOfTemplate),
    };
  }
  const found = [];
  for (const id of templates) found.push(await fetchTemplate(id, connection));
  if (!isFilled) return { fields: [] };
  return found.every((one): one is ShownTemplate => one !== undefined)
    ? { fields: found.flatMap(fieldsOfTemplate) }
    : {};
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
  { fields, to, known }: { fields: readonly GivenField[]; to: readonly Addressee[]; known: KnownTemplates },
): readonly DataEntry[] {
  if (takesFieldValues) return data;
  const own = fields.map((field) => fillable(field, to));
  const other = data.find(
    (entry) =>
      known.fields?.some((field) => isMeant(field, entry)) || !own.some((field) => isMeant(field, entry)),
  );
  if (other) throw cliError('field_value_unknown', { field: other.label, profile, isOfTemplate: true });
  return [];
}
