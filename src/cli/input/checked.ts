// Values checked against the contract before anything is sent.

import type { z } from 'zod';
import { readPart } from '../../api/codec.ts';
import { CliError, EXIT, usageError } from '../command/errors.ts';

/** @param names the flag a property came from: `{ cancelled_reason: '--reason' }` */
export function checked<S extends z.ZodType>(
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
  throw new CliError(`${first?.path ?? 'The input'} ${first?.message ?? 'is not accepted'}.`, {
    code: 'value_invalid',
    exit: EXIT.usage,
    hint: 'Correct the value; `--help` says what is accepted.',
    errors: errors.length > 1 ? errors : [],
  });
}

/** @param name the flag or argument, for the error */
export function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value))
    throw usageError(
      'value_invalid',
      `${name} "${text}" is not a whole number.`,
      `Give a number from ${min} to ${max}.`,
    );
  if (value < min || value > max)
    throw usageError(
      'value_invalid',
      `${name} ${text} is not between ${min} and ${max}.`,
      `Give a number from ${min} to ${max}.`,
    );
  return value;
}
