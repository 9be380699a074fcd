// Finds the errors of field properties that an edit of a draft would refuse. The command line asks before it creates a draft.
import * as z from 'zod';
import { fieldProperties } from '../../api/contract/fields.ts';
import { TODAY } from '../../api/contract/languages.ts';
import { lazySchema } from '../../api/contract/lazy-schema.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { readPart } from '../../api/service-codec.ts';
import { isSignatureField } from '../domain/draft.ts';
import { knownValueOf, senseErrors, type ValidFieldProperties } from '../domain/fields.ts';
import { isDateOfSigning } from '../domain/known-value.ts';
import type { Field } from '../domain/transaction.ts';
import { findValueError, valueErrorMessage } from '../domain/values.ts';
import { findPatternErrors, withDeferredChecks } from './deferred-checks.ts';

const body = lazySchema(() => z.object({ fields: z.array(fieldProperties) }));

/**
 * @param fields properties by their names in the contract
 * @returns errors with paths as in a request: `fields.0.font_color`
 */
export async function fieldErrors(fields: readonly unknown[]): Promise<readonly FieldError[]> {
  const read = readPart(body, { fields });
  if (!read.ok) return read.refusal.errors;
  const valid = read.value.fields;
  return [
    ...valid.flatMap((field, position) => senseErrors(field, `fields.${position}`)),
    ...(await findPatternErrors(valid)),
    ...(await findKnownValueErrors(valid)),
  ];
}

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
      const checked = { ...judged, id: String(position) } as unknown as Field;
      const error = findValueError(checked, isOfSigning ? SOME_DAY : value, checks);
      if (!error || error === 'untried') return [];
      const message = valueErrorMessage(error, field);
      const orToday = error.rule === 'date' ? `, or "${TODAY}" for the date of signing` : '';
      return [{ path: `fields.${position}.value`, message: `${message}${orToday}` }];
    }),
  );
}
