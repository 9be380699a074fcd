// Checks the values that the sender of a draft fills in. It is loaded with the first field that has one.
import { TODAY } from '../../api/contract/date-format.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { isSignatureField } from '../domain/draft.ts';
import { knownValueOf, type ValidFieldProperties } from '../domain/fields.ts';
import { isDateOfSigning } from '../domain/known-value.ts';
import type { Field } from '../domain/transaction.ts';
import { valueErrorMessage } from '../domain/value-errors.ts';
import { findValueError } from '../domain/values.ts';
import { withDeferredChecks } from './deferred-checks.ts';

/** Stands for the date of signing, which is not known yet. */
const SOME_DAY = '2026-11-30';

/** Finds what is wrong with the values that the sender fills in, by the rules for those of recipients. */
export async function findKnownValueErrors(fields: readonly ValidFieldProperties[]): Promise<FieldError[]> {
  const filled = fields.flatMap((field, position) => {
    const value = knownValueOf(field.value);
    return value === null || isSignatureField(field) ? [] : [{ field, value, position }];
  });
  if (filled.length === 0) return [];
  return withDeferredChecks(async (checks) =>
    filled.flatMap(({ field, value, position }) => {
      const isOfSigning = isDateOfSigning({ type: field.type, known_value: value });
      const judged = isOfSigning ? { ...field, regex: null } : field;
      const asked = { ...judged, id: String(position) } as unknown as Field;
      const error = findValueError(asked, isOfSigning ? SOME_DAY : value, checks);
      if (!error || error === 'untried') return [];
      const message = valueErrorMessage(error, field);
      const orToday = error.rule === 'date' ? `, or "${TODAY}" for the date of signing` : '';
      return [{ path: `fields.${position}.value`, message: `${message}${orToday}` }];
    }),
  );
}
