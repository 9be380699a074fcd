// Finds the errors of field properties that an edit of a draft would refuse. The command line asks before it creates a draft.
import * as z from 'zod';
import { fieldProperties } from '../../api/contract/fields.ts';
import { lazySchema } from '../../api/contract/lazy-schema.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { readPart } from '../../api/service-codec.ts';
import { senseErrors } from '../domain/fields.ts';
import { findPatternErrors } from './deferred-checks.ts';
import { findKnownValueErrors } from './known-values.ts';

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
