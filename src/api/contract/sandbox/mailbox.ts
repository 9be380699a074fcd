// The mailbox of the sandbox: operations that list and show the emails that recipients were sent.
import * as z from 'zod';
import { attempt, DELIVERY_STATES, MAIL_KINDS, receivedAttempt } from '../events.ts';
import { lazySchema } from '../lazy-schema.ts';
import {
  list,
  neededId,
  neededNumber,
  neededText,
  record,
  someList,
  someRecord,
  someText,
} from '../lenient.ts';
import { control, type Operation } from '../operation.ts';
import { email, id, instant, queryInteger } from '../values.ts';

const byMail = lazySchema(() => z.object({ mailId: id }));
const mailShape = () => ({
  id,
  transaction_id: id,
  recipient_id: id,
  kind: z.enum(MAIL_KINDS),
  language: z.string(),
  created: instant,
  /** `Name <address>` */
  from: z.string(),
  reply_to: z.string().nullable(),
  to: z.string(),
  subject: z.string(),
  /** The body is the plain text of the mail. */
  body: z.string(),
});

/** A mail server has it; it is null where the mail stays in the mailbox. */
const delivery = lazySchema(() =>
  z.strictObject({ state: z.enum(DELIVERY_STATES), reason: z.string().nullable() }),
);

const receivedDelivery = { state: neededText, reason: someText };

const receivedMail = {
  id: neededId,
  transaction_id: neededText,
  recipient_id: neededText,
  kind: neededText,
  language: neededText,
  created: neededText,
  from: neededText,
  reply_to: someText,
  to: neededText,
  subject: neededText,
  body: neededText,
};
const receivedMailDetail = record({
  ...receivedMail,
  html: neededText,
  attachments: list(record({ id: neededId, name: neededText, size_bytes: neededNumber })),
  delivery: someRecord({
    ...receivedDelivery,
    next_at: someText,
    attempts: someList(record(receivedAttempt)),
  }),
});

export const mailboxOperations = {
  'sandbox.mail': {
    ...control,
    method: 'GET',
    path: '/_sandbox/mail',
    query: lazySchema(() =>
      z.object({
        transaction_id: id.optional(),
        /** Address of a recipient. */
        to: email.optional(),
        limit: queryInteger(1, 1000).optional(),
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({ items: z.array(z.strictObject({ ...mailShape(), delivery: delivery.nullable() })) }),
      ),
    },
    received: record({ items: list(record({ ...receivedMail, delivery: someRecord(receivedDelivery) })) }),
    problems: [],
    assumed: ['A32'],
    summary: 'List the emails to recipients, newest first',
  },
  'sandbox.mail_detail': {
    ...control,
    method: 'GET',
    path: '/_sandbox/mail/{mailId}',
    params: byMail,
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          ...mailShape(),
          html: z.string(),
          attachments: z.array(z.strictObject({ id, name: z.string(), size_bytes: z.int() })),
          delivery: delivery.extend({ next_at: instant.nullable(), attempts: z.array(attempt) }).nullable(),
        }),
      ),
    },
    received: receivedMailDetail,
    problems: ['mail_not_found'],
    assumed: ['A32'],
    summary: 'Show an email with its HTML and its attachments',
  },
  'sandbox.mail_message': {
    ...control,
    method: 'GET',
    path: '/_sandbox/mail/{mailId}/message',
    params: byMail,
    success: { status: 200, schema: lazySchema(() => z.any()), binary: true },
    problems: ['mail_not_found'],
    assumed: ['A32'],
    summary: 'Get an email in the format that is sent (RFC 5322)',
  },
} as const satisfies Record<string, Operation>;
