// Checks the values of options with schemas of the contract. A command that has none of these, such as verify, loads no schema.

import type { z } from 'zod';
import { readPart } from '../../api/service-codec.ts';
import { cliError } from '../command/errors.ts';
import { invalidValue } from '../command/wrong-input.ts';

/** Refuses a value that its schema does not allow. @param names the flag a property came from: `{ cancelled_reason: '--reason' }` */
export function checkValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
  names: Record<string, string> = {},
): void {
  const read = readPart(schema, value);
  if (read.ok) return;
  const errors = read.refusal.errors.map(({ path, message }) => ({
    path: names[path] ?? names[path.split('.')[0] ?? ''] ?? path,
    message,
  }));
  const [first] = errors;
  if (errors.length > 1)
    throw cliError('value_invalid', {
      sentence: `${errors.length} values are not valid.`,
      hint: 'Correct these values and try again.',
      errors,
    });
  throw invalidValue({
    name: first?.path ?? 'The input',
    problem: first?.message ?? 'is not accepted',
  });
}
