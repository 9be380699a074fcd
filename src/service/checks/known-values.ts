// Checks the values that the sender of a draft fills in. It is loaded with the first field that has one.
import type { FieldError } from '../../api/contract/problems.ts';
import { isSignatureField } from '../domain/draft.ts';
import { knownValueOf, type ValidFieldProperties } from '../domain/fields.ts';
import type { Field } from '../domain/transaction.ts';
import { valueErrorMessage } from '../domain/value-errors.ts';
import { findValueError } from '../domain/values.ts';
import { withDeferredChecks } from './deferred-checks.ts';

/** Finds what is wrong with the values that the sender fills in, by the rules for those of recipients. */
export async function findKnownValueErrors(fields: readonly ValidFieldProperties[]): Promise<FieldError[]> {
  const filled = fields.flatMap((field, position) => {
    const value = knownValueOf(field.value);
    return value === null || isSignatureField(field) ? [] : [{ field, value, position }];
  });
  if (filled.length === 0) return [];
  return withDeferredChecks(async (checks) =>
    filled.flatMap(({ field, value, position }) => {
      const asked = { ...field, id: String(position) } as unknown as Field;
      const found = findValueError(asked, value, checks);
      if (!found || found === 'untried') return [];
      return [{ path: `fields.${position}.value`, message: valueErrorMessage(found, field) }];
    }),
  );
}
