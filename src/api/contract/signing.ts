// Operations of a recipient, by the signing token of their address: view, submit, reject (extension; the specification shows the
// address only). These operations are under the signing application's address, as JSON.
import * as z from 'zod';
import { FIELD_TYPES, fieldValue } from './fields.ts';
import { DATE_FORMATS, DATE_LANGUAGES } from './languages.ts';
import { lazySchema } from './lazy-schema.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { ROLES } from './recipients.ts';
import { STATUSES } from './transactions.ts';
import { id, instant, line, receivedAnything, text } from './values.ts';

/** Why the last signature may not be taken: the documents are sealed with it (assumed: A14). */
export const NOT_SEALED = [
  'transaction_changed',
  'submission_under_way',
  'document_not_sealable',
  'document_not_as_shown',
  'document_too_complex',
  'documents_busy',
  'sealing_unavailable',
  'sealing_failed',
] as const;

const token = lazySchema(() => z.object({ token: line(1, LIMITS.tokenLength) }));

const page = lazySchema(() =>
  z.strictObject({ id, width: z.number(), height: z.number(), picture: z.string() }),
);

/** A transaction as the recipient who is asked sees it: their own fields only, and no other recipient's email. */
const view = lazySchema(() =>
  z.strictObject({
    transaction: z.strictObject({
      id,
      name: z.string(),
      description: z.string(),
      expires_at: instant.nullable(),
    }),
    sender: z.strictObject({ name: z.string() }),
    recipient: z.strictObject({ id, name: z.string(), email: z.string(), role: z.enum(ROLES) }),
    documents: z.array(z.strictObject({ id, name: z.string(), pages: z.array(page) })),
    fields: z.array(
      z.strictObject({
        id,
        document_id: id,
        page: z.int(),
        width: z.number(),
        height: z.number(),
        positionX: z.number(),
        positionY: z.number(),
        type: z.enum(FIELD_TYPES),
        label: z.string(),
        helper_text: z.string(),
        is_required: z.boolean(),
        min_length: z.int().nullable(),
        max_length: z.int().nullable(),
        min_value: z.number().nullable(),
        max_value: z.number().nullable(),
        regex: z.string().nullable(),
        options: z.array(z.string()),
        value: z.string().optional().meta({
          description:
            'What the sender has filled in. A date of signing has the current day: show it and submit it with this value. It is refused when the day has changed meanwhile.',
        }),
        readonly: z.boolean().optional(),
        date_format: z.enum(DATE_FORMATS).optional(),
        date_language: z.enum(DATE_LANGUAGES).optional(),
      }),
    ),
  }),
);

export const signingOperations = {
  'signing.view': {
    method: 'GET',
    path: '/sign',
    access: 'signing',
    query: token,
    success: { status: 200, schema: view },
    received: receivedAnything,
    problems: ['signing_link_invalid'],
    source: 'spec §4 Start transaction (url)',
    extension: true,
    summary: 'Get what the current recipient sees',
  },
  'signing.page': {
    method: 'GET',
    path: '/sign/page/{pageId}',
    access: 'signing',
    params: lazySchema(() => z.object({ pageId: id })),
    query: token,
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['signing_link_invalid', 'file_not_found', 'document_too_complex', 'documents_busy'],
    source: 'spec §2 Document (pages[].file)',
    extension: true,
    summary: 'Get the image of a page (PNG)',
  },
  'signing.submit': {
    method: 'POST',
    path: '/sign/submit',
    access: 'signing',
    query: token,
    body: lazySchema(() =>
      z.object({ values: z.array(fieldValue).max(LIMITS.fieldsPerTransaction).default([]) }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ status: z.enum(STATUSES), submitted_at: instant })),
    },
    received: receivedAnything,
    problems: ['signing_link_invalid', ...NOT_SEALED],
    source: 'spec §6 recipient_submitted',
    assumed: ['A12', 'A14'],
    extension: true,
    summary: 'Submit the values and sign',
    example: { values: [{ field_id: 'FIELD', value: 'Ada Lovelace' }] },
  },
  'signing.reject': {
    method: 'POST',
    path: '/sign/reject',
    access: 'signing',
    query: token,
    body: lazySchema(() => z.object({ reason: text(LIMITS.reasonLength, 1) })),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ status: z.enum(STATUSES), rejected_at: instant })),
    },
    received: receivedAnything,
    problems: ['signing_link_invalid'],
    source: 'spec §6 transaction_rejected',
    assumed: ['A15'],
    extension: true,
    summary: 'Reject the transaction with a reason',
    example: { reason: 'The amount is wrong' },
  },
} as const satisfies Record<string, Operation>;
