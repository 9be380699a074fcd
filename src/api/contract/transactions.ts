// Transactions: the schemas of spec §2 and the operations of spec §4 that create, fill, start and end them.
import * as z from 'zod';
import { receivedRemarks, remark } from './documents.ts';
import { field, fieldsInput, receivedField } from './fields.ts';
import { preparation, recordedPreparation } from './files.ts';
import { lazySchema } from './lazy-schema.ts';
import {
  neededId,
  neededText,
  type ReadBy,
  record,
  someFlag,
  someId,
  someList,
  someNumber,
  someRecord,
  someText,
} from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { receivedRecipient, recipient, recipientInput } from './recipients.ts';
import {
  endpoint,
  extension,
  id,
  instant,
  integer,
  line,
  receivedAnything,
  receivedId,
  text,
} from './values.ts';

/** Status values on the wire (spec §3). A cancelled transaction shows `expired`, as in the sample event (assumed: A10). */
export const STATUSES = ['draft', 'started', 'completed', 'expired', 'rejected'] as const;
export type WireStatus = (typeof STATUSES)[number];

const file = lazySchema(() => z.strictObject({ id, original_name: z.string(), stored_name: z.string() }));

/** spec §2, Document. Pages carry their size as a reader displays them (assumed: A18). */
export const document = lazySchema(() =>
  z.strictObject({
    id,
    index: z.int().min(0),
    status: z.literal('processed'),
    file,
    pages: z.array(
      z.strictObject({
        document_id: id,
        id,
        file,
        width: extension(z.number(), 'Width of the page as displayed, in points (1/72 inch).'),
        height: extension(z.number(), 'Height of the page as displayed, in points (1/72 inch).'),
      }),
    ),
    // assumed: A27
    remarks: extension(z.array(remark), 'What could not be kept or displayed.'),
    preparation: extension(
      recordedPreparation.optional(),
      'What the sender stated about the original of the file. Absent where nothing was stated.',
    ),
  }),
);

/** spec §2, Template: the content of a transaction, or a reusable one. */
export const template = lazySchema(() =>
  z.strictObject({
    id,
    name: z.string(),
    description: z.string(),
    created_by_id: id,
    edit_navigation: z.boolean(),
    reusable: z.boolean(),
    email_alias: z.string(),
    email_subject: z.string(),
    email_body: z.string(),
    created_at: instant,
    updated_at: instant,
    company_id: id,
    fields: z.array(field),
    recipients: z.array(recipient),
    documents: z.array(document),
  }),
);

/** A document of a completed transaction, sealed (spec §6 transaction_completed; assumed: A35). */
export const sealedDocument = lazySchema(() =>
  z.strictObject({
    id,
    name: z.string(),
    /** The hash is written in hexadecimal. */
    sha256: z.string(),
    created_at: instant,
    document: z.strictObject({ id, name: z.string() }),
    presigned_url: z.url().meta({ description: 'URL of the sealed PDF, valid for one hour.' }),
  }),
);

/** spec §2, Transaction (full detail). */
export const transaction = lazySchema(() =>
  z.strictObject({
    id,
    template_id: id,
    created_at: instant,
    updated_at: instant,
    created_by_id: id,
    sender_id: id,
    provider_type: z.string(),
    provider_id: z.string().nullable(),
    is_provider_ready: z.boolean(),
    expiration_days: z.int().nullable(),
    rejected_reason: z.string().nullable(),
    rejected_at: instant.nullable(),
    rejected_by_id: id.nullable(),
    completed_at: instant.nullable(),
    sent_at: instant.nullable(),
    expires_at: instant.nullable(),
    expired_at: instant.nullable(),
    status: z.enum(STATUSES),
    company_id: id,
    is_sealed: z.boolean(),
    is_archived: z.boolean(),
    // assumed: A10
    cancelled_at: extension(
      instant.nullable(),
      'When the transaction was cancelled. The status of a cancelled transaction is `expired`.',
    ),
    cancelled_reason: extension(z.string().nullable(), 'Why the transaction was cancelled.'),
    sealing_failed_at: extension(
      instant.nullable(),
      'When the last signature was refused because the documents could not be sealed. Null once they are sealed.',
    ),
    sealing_failed_reason: extension(z.string().nullable(), 'Why the documents could not be sealed.'),
    // assumed: A35
    sealed_documents: extension(
      z.array(sealedDocument),
      'The sealed documents. Empty until the transaction is completed.',
    ),
    template,
  }),
);

/** The embedded service writes these; `receivedTransaction` is what a client reads. */
export type WireTransaction = z.output<typeof transaction>;
export type WireTemplate = z.output<typeof template>;
export type WireDocument = z.output<typeof document>;

/** spec §2: a document in an update is {index, id, isLoading}. */
export const documentInput = lazySchema(() =>
  z.object({
    id,
    index: integer(0, LIMITS.documentsPerTransaction - 1),
    isLoading: z.boolean().optional(),
  }),
);

const nonEmpty = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(item)
    .min(1, { error: 'must not be empty' })
    .max(max, { error: `must have at most ${max} entries` });

const transactionId = lazySchema(() => z.object({ transactionId: id }));
const idAnswer = lazySchema(() => z.strictObject({ id }));

const NOT_DRAFT = ['transaction_not_found', 'transaction_not_draft'] as const;

const receivedDocument = record({
  id: neededId,
  index: someNumber,
  file: someRecord({ id: someId, original_name: someText }),
  pages: someList(
    record({
      id: someText,
      file: someRecord({ id: someId }),
      width: someNumber,
      height: someNumber,
    }),
  ),
  remarks: receivedRemarks,
});

export const receivedTransaction = record({
  id: neededId,
  created_at: someText,
  updated_at: someText,
  expiration_days: someNumber,
  rejected_reason: someText,
  rejected_by_id: someText,
  rejected_at: someText,
  completed_at: someText,
  sent_at: someText,
  expires_at: someText,
  expired_at: someText,
  status: neededId,
  cancelled_at: someText,
  cancelled_reason: someText,
  sealing_failed_at: someText,
  sealing_failed_reason: someText,
  sealed_documents: someList(
    record({
      id: neededId,
      name: neededText,
      sha256: someText,
      document: someRecord({ id: someText, name: someText }),
    }),
  ),
  template: someRecord({
    name: someText,
    description: someText,
    edit_navigation: someFlag,
    email_alias: someText,
    email_subject: someText,
    email_body: someText,
    fields: someList(receivedField),
    recipients: someList(receivedRecipient),
    documents: someList(receivedDocument),
  }),
});

export type ReceivedTransaction = ReadBy<typeof receivedTransaction>;
export type ReceivedDocument = ReadBy<typeof receivedDocument>;

export const transactionOperations = {
  'transaction.create': {
    method: 'POST',
    path: '/v1/transaction',
    access: { scope: 'transaction:create' },
    body: lazySchema(() =>
      z.object({
        name: line(1, LIMITS.transactionNameLength).optional(),
        notification_endpoint: endpoint('notification', LIMITS.notificationEndpointLength)
          .nullable()
          .optional(),
      }),
    ),
    success: { status: 201, schema: idAnswer },
    received: receivedId,
    problems: [],
    source: 'spec §4 Create transaction',
    assumed: ['A7', 'A43'],
    idempotent: true,
    summary: 'Create a transaction as a draft',
    example: { name: 'Maintenance agreement' },
  },
  'transaction.update': {
    method: 'PUT',
    path: '/v1/transaction/{transactionId}',
    access: { scope: 'transaction:update' },
    params: transactionId,
    body: lazySchema(() =>
      z.object({
        edit_navigation: z.boolean().nullable().optional(),
        documents: nonEmpty(documentInput, LIMITS.documentsPerTransaction),
        email_alias: line(0, LIMITS.personNameLength).nullable().optional(),
        name: line(1, LIMITS.transactionNameLength),
        description: text().optional(),
        email_body: text().nullable().optional(),
        email_subject: line(0, LIMITS.textLength).nullable().optional(),
        expiration_days: integer(LIMITS.expirationDaysMin, LIMITS.expirationDaysMax).nullable().optional(),
        recipients: nonEmpty(recipientInput, LIMITS.recipientsPerTransaction),
        fields: fieldsInput.optional(),
      }),
    ),
    success: { status: 200, schema: idAnswer },
    received: receivedAnything,
    problems: [...NOT_DRAFT, 'sender_email_mismatch'],
    source: 'spec §4 Update transaction metadata',
    assumed: ['A7', 'A8', 'A20', 'A41', 'A43', 'A45'],
    summary: 'Set name, texts, documents and recipients of a draft',
    example: {
      name: 'Maintenance agreement',
      documents: [{ id: 'DOCUMENT', index: 0, isLoading: false }],
      recipients: [{ role: 'signer', index: 0, name: 'Ada', email: 'ada@example.com' }],
    },
  },
  'transaction.add_document': {
    method: 'POST',
    path: '/v1/transaction/{transactionId}/document',
    access: { scope: 'transaction:update' },
    params: transactionId,
    body: lazySchema(() =>
      z.object({
        token: line(1, LIMITS.tokenLength),
        preparation: extension(
          preparation.optional(),
          'What the program of the sender did to the file before the upload. It is recorded in the evidence as a statement of the sender.',
        ),
      }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({
          id,
          document_id: extension(id, 'The ID of the new document. `id` is that of the transaction.'),
        }),
      ),
    },
    received: record({ id: neededId, document_id: someText }),
    problems: [...NOT_DRAFT, 'file_token_unknown'],
    source: 'spec §4 Add document to transaction',
    assumed: ['A7', 'A9', 'A29'],
    idempotent: true,
    summary: 'Attach an uploaded file to a draft as a document',
    example: { token: 'FILE_TOKEN' },
  },
  'transaction.fields': {
    method: 'PUT',
    path: '/v1/transaction/{transactionId}/fields',
    access: { scope: 'transaction:update' },
    params: transactionId,
    body: lazySchema(() => z.object({ fields: fieldsInput })),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ updated: z.boolean() })) },
    received: receivedAnything,
    problems: NOT_DRAFT,
    source: 'spec §4 Define fields',
    assumed: ['A7', 'A8', 'A18', 'A19', 'A20', 'A41'],
    summary: 'Set the fields that the recipients of a draft fill in',
    example: {
      fields: [
        {
          document_id: 'DOCUMENT',
          recipient_id: 'RECIPIENT',
          page: 0,
          width: 200,
          height: 50,
          positionX: 72,
          positionY: 650,
          type: 'signature',
        },
      ],
    },
  },
  'transaction.start': {
    method: 'PUT',
    path: '/v1/transaction/{transactionId}/start',
    access: { scope: 'transaction:update' },
    params: transactionId,
    success: { status: 200, schema: lazySchema(() => z.strictObject({ url: z.url() })) },
    received: record({ url: neededId }),
    problems: [
      ...NOT_DRAFT,
      'transaction_incomplete',
      'document_not_drawable',
      'document_not_sealable',
      'document_not_as_shown',
      'documents_not_checked',
      'documents_busy',
    ],
    source: 'spec §4 Start transaction',
    assumed: ['A7', 'A8', 'A11', 'A12'],
    idempotent: true,
    once: true,
    isLong: true,
    summary: 'Start a draft and ask the first recipient to sign',
  },
  'transaction.detail': {
    method: 'GET',
    path: '/v1/transaction/{transactionId}',
    access: { scope: 'transaction:read' },
    params: transactionId,
    success: { status: 200, schema: transaction },
    received: receivedTransaction,
    problems: ['transaction_not_found'],
    source: 'spec §4 Transaction detail',
    assumed: ['A1', 'A7', 'A10', 'A36', 'A38'],
    summary: 'Get a transaction',
  },
  'transaction.use_templates': {
    method: 'POST',
    path: '/v1/transaction/{transactionId}/templates',
    access: { scope: 'transaction:update' },
    params: transactionId,
    body: lazySchema(() => z.object({ templates: nonEmpty(z.object({ id }), LIMITS.templatesPerUse) })),
    success: { status: 201, schema: transaction },
    received: receivedTransaction,
    problems: [...NOT_DRAFT, 'template_not_found'],
    source: 'spec §4 Use templates',
    assumed: ['A2', 'A7', 'A42'],
    idempotent: true,
    summary: 'Add the documents, recipients and fields of templates to a draft',
    example: { templates: [{ id: 'TEMPLATE' }] },
  },
  'transaction.cancel': {
    method: 'PUT',
    path: '/v1/transaction/{transactionId}/cancel',
    access: { scope: 'transaction:update' },
    params: transactionId,
    body: lazySchema(() => z.object({ cancelled_reason: text(LIMITS.reasonLength, 1) })),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ cancelled: z.boolean() })) },
    received: receivedAnything,
    problems: ['transaction_not_found', 'transaction_not_started'],
    source: 'spec §4 Cancel transaction',
    assumed: ['A3', 'A7', 'A10'],
    once: true,
    summary: 'Cancel a started transaction',
    example: { cancelled_reason: 'Wrong contract' },
  },
  'transaction.remind': {
    method: 'POST',
    path: '/v1/transaction/{transactionId}/remind',
    access: { scope: 'transaction:update' },
    params: transactionId,
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          reminded: z.boolean(),
          recipient: z.strictObject({ id, name: z.string(), email: z.string() }),
        }),
      ),
    },
    received: record({
      reminded: someFlag,
      recipient: someRecord({ id: someText, name: someText, email: someText }),
    }),
    problems: ['transaction_not_found', 'transaction_not_started', 'reminded_recently'],
    source: 'none',
    assumed: ['A32'],
    extension: true,
    idempotent: true,
    once: true,
    summary: 'Remind the current recipient by email',
  },
} as const satisfies Record<string, Operation>;
