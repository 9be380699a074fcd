// Operations that stand in for recipients and time: signing and rejecting without the signing page, a transaction that expires early, or becomes a
// template.
import * as z from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededId, neededText, record, someText } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { control, type Operation } from '../operation.ts';
import { ROLES } from '../recipients.ts';
import { NOT_SEALED } from '../signing.ts';
import { STATUSES } from '../transactions.ts';
import { email, id, instant, line, receivedId, text } from '../values.ts';

const byTransaction = lazySchema(() => z.object({ transactionId: id }));
const acted = lazySchema(() =>
  z.strictObject({
    id,
    status: z.enum(STATUSES),
    recipient: z.strictObject({ id, name: z.string(), email: z.string() }),
  }),
);
const receivedAct = record({
  id: neededId,
  status: neededText,
  recipient: record({ id: neededId, name: neededText, email: neededText }),
});

/** The states of a transaction; unlike {@link STATUSES}, they distinguish one that was cancelled. */
const STATES = [...STATUSES, 'cancelled'] as const;

export const transactionsOperations = {
  'sandbox.list_transactions': {
    ...control,
    method: 'GET',
    path: '/_sandbox/transaction',
    query: lazySchema(() =>
      z.object({
        /** Who sent them; without it, the transactions of all users. */
        user: email.optional(),
        /** The whole name, as it was given. */
        name: line(1, LIMITS.transactionNameLength).optional(),
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          items: z.array(
            z.strictObject({
              id,
              name: z.string(),
              status: z.enum(STATES),
              created_at: instant,
              sender: z.string(),
              recipients: z.array(
                z.strictObject({
                  name: z.string(),
                  email: z.string(),
                  role: z.enum(ROLES),
                  submitted_at: instant.nullable(),
                }),
              ),
            }),
          ),
        }),
      ),
    },
    received: record({
      items: list(
        record({
          id: neededId,
          name: neededText,
          status: neededText,
          created_at: neededText,
          sender: neededText,
          recipients: list(
            record({ name: neededText, email: neededText, role: neededText, submitted_at: someText }),
          ),
        }),
      ),
    }),
    problems: [],
    summary: 'List transactions, newest first, at most 1000',
  },
  'sandbox.sign': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/sign',
    params: byTransaction,
    body: lazySchema(() =>
      z.object({
        as: email.optional(),
        /** Values by label or field id; an omitted field gets a plausible value. */
        values: z.record(z.string(), text()).default({}),
      }),
    ),
    success: { status: 200, schema: acted },
    received: receivedAct,
    problems: ['transaction_not_found', 'transaction_not_started', 'not_your_turn', ...NOT_SEALED],
    summary: 'Sign as the current recipient',
    example: { as: 'ada@example.com' },
  },
  'sandbox.reject': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/reject',
    params: byTransaction,
    body: lazySchema(() => z.object({ as: email.optional(), reason: text(LIMITS.reasonLength, 1) })),
    success: { status: 200, schema: acted },
    received: receivedAct,
    problems: ['transaction_not_found', 'transaction_not_started', 'not_your_turn'],
    summary: 'Reject as the current recipient',
    example: { reason: 'The amount is wrong' },
  },
  'sandbox.expire': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/expire',
    params: byTransaction,
    body: lazySchema(() => z.object({})),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ id, status: z.enum(STATUSES) })) },
    received: record({ id: neededId, status: neededText }),
    problems: ['transaction_not_found', 'transaction_not_started'],
    summary: 'Make a started transaction expire now',
    example: {},
  },
  'sandbox.save_template': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/template',
    params: byTransaction,
    body: lazySchema(() =>
      z.object({ name: line(1, LIMITS.transactionNameLength), description: text().optional() }),
    ),
    success: { status: 201, schema: lazySchema(() => z.strictObject({ id })) },
    received: receivedId,
    problems: ['transaction_not_found'],
    assumed: ['A34'],
    summary: 'Save the content of a transaction as a reusable template',
    example: { name: 'Maintenance agreement' },
  },
} as const satisfies Record<string, Operation>;
