// Checks the types of fields for the sandbox. Another service may know other types, so it checks them itself.
import { FIELD_TYPES, isFieldType } from '../../api/contract/fields.ts';
import { cliError } from '../command/errors.ts';
import type { GivenField } from '../input/field-spec.ts';

/** Checks field types. @throws CliError exit 2 with the first field that the sandbox would refuse after the draft is made */
export function checkFieldTypes(fields: readonly GivenField[]): void {
  const unknown = fields.find(({ type }) => !isFieldType(type));
  if (unknown)
    throw cliError('field_type_unknown', { field: unknown.source, type: unknown.type, known: FIELD_TYPES });
}
