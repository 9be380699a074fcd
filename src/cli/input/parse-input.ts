// Checks values against the contract before anything is sent.

import type { z } from 'zod';
import { readPart } from '../../api/service-codec.ts';
import { cliError } from '../command/errors.ts';

/** Parses a value with a schema. @param names the flag a property came from: `{ cancelled_reason: '--reason' }` */
export function parseWith<S extends z.ZodType>(
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
  if (errors.length > 1) throw cliError('value_invalid', { count: errors.length }, { errors });
  throw cliError('value_invalid', {
    name: first?.path ?? 'The input',
    problem: first?.message ?? 'is not accepted',
  });
}

/**
 * @param name the flag or argument, for the error
 * @param what is counted, for the error
 */
export function wholeNumber(
  name: string,
  text: string,
  min: number,
  max: number,
  what = 'a whole number',
): number {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw cliError('value_invalid', { name, value: text, use: `${what} from ${min} to ${max}` });
  return value;
}
