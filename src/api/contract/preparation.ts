// What the program of the sender did to a file before it uploaded it (extension). The service records it as a statement; it has never
// seen the original.
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { LIMITS } from './limits.ts';
import { integer, line } from './values.ts';

const count = (most: number) => integer(0, most).default(0);

/** Pages count from 0. */
export const preparation = lazySchema(() =>
  z.object({
    original: z
      .object({
        sha256: z
          .string()
          .regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256 in lowercase hexadecimal' })
          .meta({ description: 'SHA-256 of the original, in lowercase hexadecimal.' }),
        bytes: integer(1, Number.MAX_SAFE_INTEGER).meta({ description: 'Size of the original.' }),
      })
      .meta({ description: 'The file that the uploaded file was made from.' }),
    removed_tags: z
      .array(z.object({ page: integer(0, LIMITS.pagesPerDocument - 1), text: line(1, LIMITS.tagLength) }))
      .max(LIMITS.fieldsPerTransaction, { error: `must have at most ${LIMITS.fieldsPerTransaction} entries` })
      .default([])
      .meta({ description: 'Tags that were removed from the pages, with their text.' }),
    emptied_form_boxes: count(LIMITS.formBoxes).meta({
      description: 'Number of boxes of form fields that were emptied. The form became part of the pages.',
    }),
    drawn_values: count(LIMITS.fieldsPerTransaction).meta({
      description: 'Number of values that were drawn into the pages.',
    }),
  }),
);

/** As the service returns it. */
export const recordedPreparation = lazySchema(() =>
  z.strictObject({
    original: z.strictObject({ sha256: z.string(), bytes: z.int() }),
    removed_tags: z.array(z.strictObject({ page: z.int(), text: z.string() })),
    emptied_form_boxes: z.int(),
    drawn_values: z.int(),
  }),
);

/** In a request; what was not done can be absent. */
export type PreparationInput = z.input<typeof preparation>;
