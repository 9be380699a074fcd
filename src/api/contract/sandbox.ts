// What only the embedded service can do: act as somebody, make users, applications and tokens, read what was
// recorded. Extensions under /_sandbox/, behind the control secret of the store.
import * as z from 'zod';
import { isLoopbackHost } from './egress.ts';
import { attempt, DELIVERY_STATES, receivedAttempt, receivedEvent } from './event-log.ts';
import { envelope, eventType } from './events.ts';
import { later } from './later.ts';
import {
  list,
  neededId,
  neededNumber,
  neededText,
  record,
  someFlag,
  someList,
  someRecord,
  someText,
} from './lenient.ts';
import { LIMITS } from './limits.ts';
import { callbackUrl } from './oauth.ts';
import type { Operation } from './operation.ts';
import { receivedAnything, receivedId } from './received.ts';
import { ALL_SCOPES, type Scope } from './scopes.ts';
import { NOT_SEALED } from './signing.ts';
import { STATUSES } from './transactions.ts';
import {
  email,
  id,
  instant,
  line,
  naming,
  newPasswordText,
  oneOf,
  queryInteger,
  text,
  uri,
} from './values.ts';

const scope = later(() => oneOf(ALL_SCOPES as [Scope, ...Scope[]], 'is not a scope. Use one or more of'));

const user = later(() =>
  z.strictObject({ id, name: z.string(), email: z.string(), company: z.string(), created_at: instant }),
);
const clientShape = () => ({ id, name: z.string(), callback_url: uri, created_at: instant });
const byMail = later(() => z.object({ mailId: id }));
const mailShape = () => ({
  id,
  transaction_id: id,
  recipient_id: id,
  kind: z.enum(['invitation', 'reminder', 'completed', 'rejected', 'cancelled', 'expired']),
  language: z.string(),
  created: instant,
  /** `Name <address>` */
  from: z.string(),
  reply_to: z.string().nullable(),
  to: z.string(),
  subject: z.string(),
  /** As plain text. */
  body: z.string(),
});
const byTransaction = later(() => z.object({ transactionId: id }));
const acted = later(() =>
  z.strictObject({
    id,
    status: z.enum(STATUSES),
    recipient: z.strictObject({ id, name: z.string(), email: z.string() }),
  }),
);

// A sandbox on this machine may be of another version, but it is one: what is shown of it is needed.
const receivedUser = record({
  id: neededId,
  name: neededText,
  email: neededText,
  company: neededText,
  created_at: neededText,
});
const receivedClient = {
  id: neededId,
  name: neededText,
  callback_url: neededText,
  created_at: neededText,
};
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
    state: neededText,
    reason: someText,
    next_at: someText,
    attempts: someList(record(receivedAttempt)),
  }),
});
const receivedAct = record({
  id: neededId,
  status: neededText,
  recipient: record({ id: neededId, name: neededText, email: neededText }),
});

/** Pages that a link which signs in can lead to. */
const DASHBOARD_PAGES = ['transactions', 'templates', 'mailbox', 'webhooks', 'applications'] as const;

const control = { access: 'control', source: 'none', extension: true } as const;

export const sandboxOperations = {
  'sandbox.status': {
    ...control,
    method: 'GET',
    path: '/_sandbox/status',
    success: {
      status: 200,
      schema: later(() =>
        z.strictObject({
          origin: z.url(),
          now: instant,
          transactions: z.strictObject({
            draft: z.int(),
            started: z.int(),
            completed: z.int(),
            rejected: z.int(),
            expired: z.int(),
            cancelled: z.int(),
          }),
          templates: z.int(),
          users: z.int(),
          clients: z.int(),
          events: z.int(),
          mails: z.int(),
        }),
      ),
    },
    received: record({
      origin: neededText,
      now: neededText,
      transactions: record({
        draft: neededNumber,
        started: neededNumber,
        completed: neededNumber,
        rejected: neededNumber,
        expired: neededNumber,
        cancelled: neededNumber,
      }),
      templates: neededNumber,
      users: neededNumber,
      clients: neededNumber,
      events: neededNumber,
      mails: neededNumber,
    }),
    problems: [],
    summary: 'Count what the sandbox contains',
  },
  'sandbox.authority': {
    ...control,
    method: 'GET',
    path: '/_sandbox/authority',
    success: {
      status: 200,
      schema: later(() =>
        z.strictObject({
          name: z.string(),
          pem: z.string(),
          sha256: z.string(),
          valid_from: instant,
          valid_to: instant,
        }),
      ),
    },
    received: record({
      name: neededText,
      pem: neededText,
      sha256: neededText,
      valid_from: neededText,
      valid_to: neededText,
    }),
    problems: [],
    summary: 'Get the root certificate of the certificate authority that documents are sealed with',
  },
  'sandbox.issue_certificate': {
    ...control,
    method: 'POST',
    path: '/_sandbox/certificate',
    body: later(() =>
      z.object({
        names: z
          .array(
            z.string().refine(isLoopbackHost, {
              error: naming(
                'is not a name of this machine. Use localhost, a name such as orders.localhost, 127.0.0.1 or ::1',
              ),
            }),
          )
          .min(1, { error: 'must not be empty' })
          .max(LIMITS.namesPerCertificate, {
            error: `must have at most ${LIMITS.namesPerCertificate} names`,
          }),
      }),
    ),
    success: {
      status: 201,
      schema: later(() =>
        z.strictObject({ certificate: z.string(), key: z.string(), root: z.string(), valid_to: instant }),
      ),
    },
    received: record({ certificate: neededId, key: neededId, root: neededText, valid_to: neededText }),
    problems: [],
    summary: 'Issue a certificate for a server on this machine; its key is shown only once',
    example: { names: ['localhost', '127.0.0.1'] },
  },
  'sandbox.reset': {
    ...control,
    method: 'POST',
    path: '/_sandbox/reset',
    body: later(() => z.object({})),
    success: { status: 200, schema: later(() => z.strictObject({ reset: z.literal(true) })) },
    received: receivedAnything,
    problems: [],
    summary: 'Delete all data; the URL, keys and default user are kept',
    example: {},
  },
  'sandbox.events': {
    ...control,
    method: 'GET',
    path: '/_sandbox/events',
    query: later(() =>
      z.object({
        transaction_id: id.optional(),
        type: eventType.optional(),
        after: id.optional(),
        limit: queryInteger(1, 1000).optional(),
      }),
    ),
    success: { status: 200, schema: later(() => z.strictObject({ items: z.array(envelope) })) },
    received: record({ items: list(record(receivedEvent)) }),
    problems: [],
    summary: 'List the events in the order in which they happened',
  },
  'sandbox.mail': {
    ...control,
    method: 'GET',
    path: '/_sandbox/mail',
    query: later(() =>
      z.object({
        transaction_id: id.optional(),
        /** Address of a recipient. */
        to: email.optional(),
        limit: queryInteger(1, 1000).optional(),
      }),
    ),
    success: {
      status: 200,
      schema: later(() => z.strictObject({ items: z.array(z.strictObject(mailShape())) })),
    },
    received: record({ items: list(record(receivedMail)) }),
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
      schema: later(() =>
        z.strictObject({
          ...mailShape(),
          html: z.string(),
          attachments: z.array(z.strictObject({ id, name: z.string(), size_bytes: z.int() })),
          /** By a mail server; null where the mail stays in the mailbox. */
          delivery: z
            .strictObject({
              state: z.enum(DELIVERY_STATES),
              reason: z.string().nullable(),
              next_at: instant.nullable(),
              attempts: z.array(attempt),
            })
            .nullable(),
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
    success: { status: 200, schema: later(() => z.any()), binary: true },
    problems: ['mail_not_found'],
    assumed: ['A32'],
    summary: 'Get an email in the format that is sent (RFC 5322)',
  },
  'sandbox.sign': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/sign',
    params: byTransaction,
    body: later(() =>
      z.object({
        as: email.optional(),
        /** Values by label or field id; what is left out gets a plausible value. */
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
    body: later(() => z.object({ as: email.optional(), reason: text(LIMITS.reasonLength, 1) })),
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
    body: later(() => z.object({})),
    success: { status: 200, schema: later(() => z.strictObject({ id, status: z.enum(STATUSES) })) },
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
    body: later(() =>
      z.object({ name: line(1, LIMITS.transactionNameLength), description: text().optional() }),
    ),
    success: { status: 201, schema: later(() => z.strictObject({ id })) },
    received: receivedId,
    problems: ['transaction_not_found'],
    assumed: ['A34'],
    summary: 'Save the content of a transaction as a reusable template',
    example: { name: 'Maintenance agreement' },
  },
  'sandbox.add_user': {
    ...control,
    method: 'POST',
    path: '/_sandbox/user',
    body: later(() =>
      z.object({
        name: line(1, LIMITS.personNameLength),
        email,
        company: line(1, LIMITS.personNameLength).optional(),
        /** For the dashboard; without one the user cannot sign in there. */
        password: newPasswordText.optional(),
      }),
    ),
    success: { status: 201, schema: user },
    received: receivedUser,
    problems: ['user_exists'],
    assumed: ['A40'],
    summary: 'Add a user to the company with the given name',
    example: { name: 'Grace', email: 'grace@example.com' },
  },
  'sandbox.list_users': {
    ...control,
    method: 'GET',
    path: '/_sandbox/user',
    success: { status: 200, schema: later(() => z.strictObject({ items: z.array(user) })) },
    received: record({ items: list(receivedUser) }),
    problems: [],
    summary: 'List the users',
  },
  'sandbox.set_password': {
    ...control,
    method: 'PUT',
    path: '/_sandbox/user/password',
    body: later(() =>
      z.object({
        /** Left out: the store's own user. */
        email: email.optional(),
        /** Left out: one is made, and shown this once. */
        password: newPasswordText.optional(),
      }),
    ),
    success: {
      status: 200,
      schema: later(() => z.strictObject({ email: z.string(), password: z.string().optional() })),
    },
    received: record({ email: neededText, password: someText }),
    problems: ['user_not_found'],
    assumed: ['A40'],
    summary: 'Set the dashboard password of a user; existing sessions are ended',
    example: { email: 'grace@example.com' },
  },
  'sandbox.sign_in_link': {
    ...control,
    method: 'POST',
    path: '/_sandbox/user/link',
    body: later(() =>
      z.object({
        /** Opens this email, signed in as the user who sent its transaction. */
        mail_id: id.optional(),
        /** Opens this page of the dashboard, signed in as the store's own user; left out, the home page. */
        page: z.enum(DASHBOARD_PAGES, { error: naming('is not a page of the dashboard') }).optional(),
      }),
    ),
    success: {
      status: 201,
      schema: later(() => z.strictObject({ sign_in_url: z.url(), page_url: z.url(), expires_at: instant })),
    },
    received: record({ sign_in_url: neededText, page_url: neededText, expires_at: someText }),
    problems: ['mail_not_found'],
    assumed: ['A39', 'A40'],
    summary: 'Create a link to the dashboard that signs in once, from this machine, within two minutes',
    example: { page: 'mailbox' },
  },
  'sandbox.add_client': {
    ...control,
    method: 'POST',
    path: '/_sandbox/client',
    body: later(() =>
      z.object({
        name: line(1, LIMITS.personNameLength),
        callback_url: callbackUrl,
      }),
    ),
    success: {
      status: 201,
      schema: later(() =>
        z.strictObject({
          ...clientShape(),
          client_id: z.string(),
          client_secret: z.string(),
          /** What notifications about transactions of this application are signed with (assumed: A31). */
          notification_secret: z.string(),
        }),
      ),
    },
    received: record({
      ...receivedClient,
      client_id: neededId,
      client_secret: neededId,
      notification_secret: neededText,
    }),
    problems: [],
    summary: 'Register an OAuth application; its secret is shown only once',
    example: { name: 'Orders', callback_url: 'http://127.0.0.1:8976/callback' },
  },
  'sandbox.list_clients': {
    ...control,
    method: 'GET',
    path: '/_sandbox/client',
    success: {
      status: 200,
      schema: later(() =>
        z.strictObject({ items: z.array(z.strictObject({ ...clientShape(), client_id: z.string() })) }),
      ),
    },
    received: record({ items: list(record({ ...receivedClient, client_id: neededId })) }),
    problems: [],
    summary: 'List the OAuth applications',
  },
  'sandbox.delete_client': {
    ...control,
    method: 'DELETE',
    path: '/_sandbox/client/{clientId}',
    params: later(() => z.object({ clientId: id })),
    success: { status: 200, schema: later(() => z.strictObject({ removed: z.literal(true) })) },
    received: record({ removed: someFlag }),
    problems: ['client_not_found', 'client_is_own'],
    summary: 'Delete an OAuth application and everything issued to it',
  },
  'sandbox.rotate_notification_secret': {
    ...control,
    method: 'POST',
    path: '/_sandbox/client/{clientId}/rotate',
    params: later(() => z.object({ clientId: id })),
    body: later(() => z.object({})),
    success: {
      status: 200,
      schema: later(() =>
        z.strictObject({
          client_id: z.string(),
          notification_secret: z.string(),
          previous_valid_until: instant,
        }),
      ),
    },
    received: record({
      client_id: neededText,
      notification_secret: neededId,
      previous_valid_until: neededText,
    }),
    problems: ['client_not_found'],
    assumed: ['A31'],
    summary: 'Replace the secret that notifications are signed with; for one day both secrets sign',
    example: {},
  },
  'sandbox.token': {
    ...control,
    method: 'POST',
    path: '/_sandbox/token',
    body: later(() =>
      z.object({
        scopes: z.array(scope).min(1, { error: 'must not be empty' }).optional(),
        user: email.optional(),
        client_id: id.optional(),
        /** `code`: an authorization code for the exchange instead of tokens. */
        kind: z.enum(['token', 'code']).default('token'),
        expires_in: z
          .int()
          .min(1)
          .max(365 * 24 * 3600)
          .optional(),
      }),
    ),
    success: {
      status: 201,
      schema: later(() =>
        z.strictObject({
          client_id: z.string(),
          scopes: z.array(z.string()),
          access_token: z.string().optional(),
          refresh_token: z.string().optional(),
          expires_in: z.number(),
          code: z.string().optional(),
        }),
      ),
    },
    received: record({
      client_id: someText,
      scopes: list(neededText),
      access_token: someText,
      refresh_token: someText,
      expires_in: neededNumber,
      code: someText,
    }),
    problems: ['user_not_found', 'client_not_found'],
    summary: 'Issue an access token or a code without a browser',
    example: { scopes: ['transaction:read'] },
  },
} as const satisfies Record<string, Operation>;
