// Files: the upload of spec §4, reading a stored file back (extension), names that differ on any disk, and what the program of a sender states about a
// file that it changed before the upload.
import * as z from 'zod';
import { receivedRemarks, remark } from './documents.ts';
import { lazySchema } from './lazy-schema.ts';
import { neededId, record } from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { extension, id, integer, line, queryInteger } from './values.ts';

export const fileOperations = {
  'file.upload': {
    method: 'POST',
    path: '/v1/file/upload',
    access: { scope: 'file:create' },
    multipart: lazySchema(() => z.object({ name: line(1, LIMITS.fileNameLength).optional() })),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({
          token: z.string().min(1),
          presigned_url: z.url().optional().meta({
            description:
              'URL of the stored file, valid for one hour. It returns a PDF: an image or a Word document was converted when it was uploaded.',
          }),
          remarks: extension(z.array(remark).optional(), 'What could not be kept or displayed.'),
        }),
      ),
    },
    received: record({ token: neededId, remarks: receivedRemarks }),
    problems: [
      'file_missing',
      'file_empty',
      'file_too_large',
      'file_type_not_accepted',
      'document_encrypted',
      'document_unreadable',
      'document_too_long',
      'document_too_complex',
      'documents_busy',
    ],
    source: 'spec §4 Upload file',
    assumed: ['A26', 'A27', 'A28', 'A29'],
    idempotent: true,
    isLong: true,
    summary: 'Upload a file and get a token for it',
  },
  'file.content': {
    method: 'GET',
    path: '/v1/file/{fileId}',
    access: { scope: 'transaction:read' },
    params: lazySchema(() => z.object({ fileId: id })),
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['file_not_found', 'document_too_complex', 'documents_busy'],
    source: 'spec §2 Document (file, pages[].file)',
    extension: true,
    summary: 'Read a stored file: a document (always as PDF), or the image of a page (PNG)',
  },
  'file.presigned': {
    method: 'GET',
    path: '/files/{fileId}',
    access: 'public',
    params: lazySchema(() => z.object({ fileId: id })),
    query: lazySchema(() =>
      z.object({
        expires: queryInteger(0, Number.MAX_SAFE_INTEGER),
        signature: line(1, LIMITS.tokenLength),
      }),
    ),
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['link_invalid', 'file_not_found', 'document_too_complex', 'documents_busy'],
    source: 'spec §2 File token (presigned_url)',
    assumed: ['A28'],
    extension: true,
    summary: 'Read a stored file (a document always as PDF) by its signed URL, which is valid for an hour',
  },
} as const satisfies Record<string, Operation>;

type AddNumber = (name: string, number: number) => string;

/**
 * Gives files names of which no two are the same on any disk: sealed documents are named by this rule, in events, details and downloads alike. A name
 * stays as it is where it can. A name that comes again gets the next number, from 2, which gives it a name
 * that no other has: beside `agreement` and `agreement-2`, a second `agreement` is `agreement-3`.
 */
export function distinctNames(names: readonly string[], addNumber: AddNumber = withNumber): string[] {
  const originals = new Set(names.map(keyOf));
  const used = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; used.has(keyOf(free)) || (free !== name && originals.has(keyOf(free))); number += 1)
      free = addNumber(name, number);
    used.add(keyOf(free));
    return free;
  });
}

const withNumber: AddNumber = (name, number) => `${name}-${number}`;

/** Some disks tell neither a from A, nor ä from a with two dots after it. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

const count = (most: number) => integer(0, most).default(0);

/** The service records it as a statement, because it has never seen the original (extension). Pages count from 0. */
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

export const recordedPreparation = lazySchema(() =>
  z.strictObject({
    original: z.strictObject({ sha256: z.string(), bytes: z.int() }),
    removed_tags: z.array(z.strictObject({ page: z.int(), text: z.string() })),
    emptied_form_boxes: z.int(),
    drawn_values: z.int(),
  }),
);

export type PreparationInput = z.input<typeof preparation>;
