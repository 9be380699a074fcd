// Prepares fields that the sender fills in: checks their values in the sandbox, and draws them into the files for a service that
// does not take values of fields.
import { inWords } from '../../api/contract/field-error.ts';
import { cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import type { GivenField } from '../input/field-spec.ts';
import type { LocalFile } from '../input/local-file.ts';
import type { DrawnValue } from './drawn-values.ts';
import type { FieldWarning } from './field-warnings.ts';

export type FieldsToSend = { fields: GivenField[]; drawn?: DrawnValue[]; warnings?: FieldWarning[] };

/** Returns true if it has a property that only some services take. */
const hasExtensions = ({
  properties: { value, readonly, date_format, date_language },
}: GivenField): boolean =>
  [value, readonly, date_format, date_language].some((property) => property !== undefined);

/** Makes the fields that the service takes. @returns the others as values that are drawn into the files */
export async function fieldsToSend(
  { takesFieldValues, profile }: Connection,
  fields: GivenField[],
  files: readonly LocalFile[],
): Promise<FieldsToSend> {
  if (takesFieldValues || !fields.some(hasExtensions)) return { fields };
  const { withoutFormValues } = await import('./form-fields.ts');
  const left = withoutFormValues(fields, files);
  const { splitByValue } = await import('./drawn-values.ts');
  const split = splitByValue(left.fields, files, profile);
  return { ...split, warnings: [...left.warnings, ...split.warnings] };
}

/** What of a field can be checked before there is a document. */
export type CheckedField = Pick<GivenField, 'type' | 'properties' | 'source'>;

/**
 * Checks the properties of fields in the sandbox. Another service checks them itself.
 * @throws CliError exit 2 with the first field that has a property with a wrong value, or lacks one
 */
export async function checkProperties(
  fields: readonly CheckedField[],
  { fieldErrors }: Pick<Connection, 'fieldErrors'>,
): Promise<void> {
  if (!fieldErrors || fields.length === 0) return;
  const [first] = await fieldErrors(fields.map(({ type, properties }) => ({ ...properties, type })));
  if (!first) return;
  const [, position = '', ...property] = first.path.split('.');
  throw cliError('field_invalid', {
    field: fields[Number(position)]?.source ?? '',
    problem: `cannot be used: ${inWords({ ...first, path: property.join('.') })}`,
    hint: 'See `esign help fields` for the properties of a field.',
  });
}
