// What only the embedded service can do: act as somebody, make users, applications and tokens, read what was
// recorded. Extensions under /_sandbox/, behind the control secret of the store.
import * as z from 'zod';
import { EVENT_TYPES, envelope } from './events.ts';
import { LIMITS } from './limits.ts';
import { callbackUrl } from './oauth.ts';
import type { Operation } from './operation.ts';
import { ALL_SCOPES, type Scope } from './scopes.ts';
import { NOT_SEALED } from './signing.ts';
import { STATUSES } from './transactions.ts';
import { email, id, instant, line, newPasswordText, queryInteger, text } from './values.ts';

const scope = z.lazy(() =>
  z.enum(ALL_SCOPES as [Scope, ...Scope[]], {
    error: (issue) => `"${String(issue.input)}" is not a scope; use ${ALL_SCOPES.join(', ')}`,
  }),
);

const user = z.lazy(() =>
  z.strictObject({ id, name: z.string(), email: z.string(), company: z.string(), created_at: instant }),
);
const clientShape = { id, name: z.string(), callback_url: z.string(), created_at: instant };
const byTransaction = z.lazy(() => z.object({ transactionId: id }));
const acted = z.lazy(() =>
  z.strictObject({
    id,
    status: z.enum(STATUSES),
    recipient: z.strictObject({ id, name: z.string(), email: z.string() }),
  }),
);

const control = { access: 'control', source: 'none', extension: true } as const;

export const sandboxOperations = {
  'sandbox.status': {
    ...control,
    method: 'GET',
    path: '/_sandbox/status',
    success: {
      status: 200,
      schema: z.lazy(() =>
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
        }),
      ),
    },
    problems: [],
    summary: 'Count what is in the store',
  },
  'sandbox.authority': {
    ...control,
    method: 'GET',
    path: '/_sandbox/authority',
    success: {
      status: 200,
      schema: z.lazy(() =>
        z.strictObject({
          name: z.string(),
          pem: z.string(),
          sha256: z.string(),
          valid_from: instant,
          valid_to: instant,
        }),
      ),
    },
    problems: [],
    summary: 'Get the root certificate of the authority that documents are sealed with',
  },
  'sandbox.reset': {
    ...control,
    method: 'POST',
    path: '/_sandbox/reset',
    body: z.lazy(() => z.object({})),
    success: { status: 200, schema: z.lazy(() => z.strictObject({ reset: z.literal(true) })) },
    problems: [],
    summary: 'Empty the store; its address, keys and own user stay',
    example: {},
  },
  'sandbox.events': {
    ...control,
    method: 'GET',
    path: '/_sandbox/events',
    query: z.lazy(() =>
      z.object({
        transaction_id: id.optional(),
        type: z.enum(EVENT_TYPES).optional(),
        after: id.optional(),
        limit: queryInteger(1, 1000).optional(),
      }),
    ),
    success: { status: 200, schema: z.lazy(() => z.strictObject({ items: z.array(envelope) })) },
    problems: [],
    summary: 'The events in the order in which they happened',
  },
  'sandbox.mail': {
    ...control,
    method: 'GET',
    path: '/_sandbox/mail',
    query: z.lazy(() => z.object({ transaction_id: id.optional(), limit: queryInteger(1, 1000).optional() })),
    success: {
      status: 200,
      schema: z.lazy(() =>
        z.strictObject({
          items: z.array(
            z.strictObject({
              id,
              transaction_id: id,
              created: instant,
              from: z.string(),
              to: z.string(),
              subject: z.string(),
              body: z.string(),
            }),
          ),
        }),
      ),
    },
    problems: [],
    assumed: ['A32'],
    summary: 'The e-mails that recipients were sent, newest first',
  },
  'sandbox.sign': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/sign',
    params: byTransaction,
    body: z.lazy(() =>
      z.object({
        as: email.optional(),
        /** Values by label or field id; what is left out gets a plausible value. */
        values: z.record(z.string(), text()).default({}),
      }),
    ),
    success: { status: 200, schema: acted },
    problems: ['transaction_not_found', 'transaction_not_started', 'not_your_turn', ...NOT_SEALED],
    summary: 'Sign as the recipient whose turn it is',
    example: { as: 'ada@example.com' },
  },
  'sandbox.reject': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/reject',
    params: byTransaction,
    body: z.lazy(() => z.object({ as: email.optional(), reason: text(LIMITS.reasonLength, 1) })),
    success: { status: 200, schema: acted },
    problems: ['transaction_not_found', 'transaction_not_started', 'not_your_turn'],
    summary: 'Reject as the recipient whose turn it is',
    example: { reason: 'The amount is wrong' },
  },
  'sandbox.save_template': {
    ...control,
    method: 'POST',
    path: '/_sandbox/transaction/{transactionId}/template',
    params: byTransaction,
    body: z.lazy(() =>
      z.object({ name: line(1, LIMITS.transactionNameLength), description: text().optional() }),
    ),
    success: { status: 201, schema: z.lazy(() => z.strictObject({ id })) },
    needs: ['id'],
    problems: ['transaction_not_found'],
    assumed: ['A34'],
    summary: 'Save the content of a transaction as a reusable template',
    example: { name: 'Maintenance agreement' },
  },
  'sandbox.add_user': {
    ...control,
    method: 'POST',
    path: '/_sandbox/user',
    body: z.lazy(() =>
      z.object({
        name: line(1, LIMITS.personNameLength),
        email,
        company: line(1, LIMITS.personNameLength).optional(),
        /** For the dashboard; without one the user cannot sign in there. */
        password: newPasswordText.optional(),
      }),
    ),
    success: { status: 201, schema: user },
    needs: ['id'],
    problems: ['user_exists'],
    assumed: ['A40'],
    summary: 'Add a user, in the company of that name',
    example: { name: 'Grace', email: 'grace@example.com' },
  },
  'sandbox.list_users': {
    ...control,
    method: 'GET',
    path: '/_sandbox/user',
    success: { status: 200, schema: z.lazy(() => z.strictObject({ items: z.array(user) })) },
    needs: ['items'],
    problems: [],
    summary: 'List the users',
  },
  'sandbox.set_password': {
    ...control,
    method: 'PUT',
    path: '/_sandbox/user/password',
    body: z.lazy(() =>
      z.object({
        /** Left out: the store's own user. */
        email: email.optional(),
        /** Left out: one is made, and shown this once. */
        password: newPasswordText.optional(),
      }),
    ),
    success: {
      status: 200,
      schema: z.lazy(() => z.strictObject({ email: z.string(), password: z.string().optional() })),
    },
    needs: ['email'],
    problems: ['user_not_found'],
    assumed: ['A40'],
    summary: 'Give a user a password for the dashboard; whoever is signed in as them is signed out',
    example: { email: 'grace@example.com' },
  },
  'sandbox.add_client': {
    ...control,
    method: 'POST',
    path: '/_sandbox/client',
    body: z.lazy(() =>
      z.object({
        name: line(1, LIMITS.personNameLength),
        callback_url: callbackUrl,
      }),
    ),
    success: {
      status: 201,
      schema: z.lazy(() =>
        z.strictObject({ ...clientShape, client_id: z.string(), client_secret: z.string() }),
      ),
    },
    needs: ['client_id', 'client_secret'],
    problems: [],
    summary: 'Register a client application; its secret is shown this once',
    example: { name: 'Orders', callback_url: 'http://127.0.0.1:8976/callback' },
  },
  'sandbox.list_clients': {
    ...control,
    method: 'GET',
    path: '/_sandbox/client',
    success: {
      status: 200,
      schema: z.lazy(() =>
        z.strictObject({ items: z.array(z.strictObject({ ...clientShape, client_id: z.string() })) }),
      ),
    },
    needs: ['items'],
    problems: [],
    summary: 'List the client applications',
  },
  'sandbox.delete_client': {
    ...control,
    method: 'DELETE',
    path: '/_sandbox/client/{clientId}',
    params: z.lazy(() => z.object({ clientId: id })),
    success: { status: 200, schema: z.lazy(() => z.strictObject({ removed: z.literal(true) })) },
    problems: ['client_not_found', 'client_is_own'],
    summary: 'Delete a client application and everything issued to it',
  },
  'sandbox.token': {
    ...control,
    method: 'POST',
    path: '/_sandbox/token',
    body: z.lazy(() =>
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
      schema: z.lazy(() =>
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
    problems: ['user_not_found', 'client_not_found'],
    summary: 'Issue an access token, or a code, without a browser',
    example: { scopes: ['transaction:read'] },
  },
} as const satisfies Record<string, Operation>;
