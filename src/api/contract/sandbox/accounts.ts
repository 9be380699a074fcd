// Accounts of the sandbox: the users of the dashboard with their passwords and links that sign them in, and OAuth applications with what is
// issued to them without a browser.
import * as z from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededId, neededNumber, neededText, record, someFlag, someId, someText } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { callbackUrl, codeChallenge, isLoopbackCallback, PUBLIC_CALLBACK } from '../oauth.ts';
import { ALL_SCOPES, control, type Operation, type Scope } from '../operation.ts';
import { email, id, instant, line, newPasswordText, oneOf, quoteInMessage, uri } from '../values.ts';

const user = lazySchema(() =>
  z.strictObject({
    id,
    name: z.string(),
    email: z.string(),
    company: z.string(),
    created_at: instant,
    /** Since when the owner of the machine vouches for the user: email in their name leaves the service only then. */
    verified_at: instant.nullable(),
  }),
);

const receivedUser = record({
  id: neededId,
  name: neededText,
  email: neededText,
  company: neededText,
  created_at: neededText,
  verified_at: someText,
});

/** Pages that a link which signs in can lead to. */
const DASHBOARD_PAGES = ['transactions', 'templates', 'mailbox', 'webhooks', 'applications'] as const;

export const usersOperations = {
  'sandbox.add_user': {
    ...control,
    method: 'POST',
    path: '/_sandbox/user',
    body: lazySchema(() =>
      z.object({
        name: line(1, LIMITS.personNameLength),
        email,
        company: line(1, LIMITS.personNameLength).optional(),
        /** A user without a password cannot sign in to the dashboard. */
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
    success: { status: 200, schema: lazySchema(() => z.strictObject({ items: z.array(user) })) },
    received: record({ items: list(receivedUser) }),
    problems: [],
    summary: 'List the users',
  },
  'sandbox.verify_user': {
    ...control,
    method: 'PUT',
    path: '/_sandbox/user/verify',
    body: lazySchema(() => z.object({ email })),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ id, email: z.string(), verified_at: instant })),
    },
    received: record({ id: neededId, email: neededText, verified_at: neededText }),
    problems: ['user_not_found'],
    summary: 'Verify a user who registered, so that email in their name is sent',
    example: { email: 'grace@example.com' },
  },
  'sandbox.set_password': {
    ...control,
    method: 'PUT',
    path: '/_sandbox/user/password',
    body: lazySchema(() =>
      z.object({
        /** The default is the store's own user. */
        email: email.optional(),
        /** Without it, a password is generated, and shown this once. */
        password: newPasswordText.optional(),
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ email: z.string(), password: z.string().optional() })),
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
    body: lazySchema(() =>
      z.object({
        /** Opens this email, signed in as the user who sent its transaction. */
        mail_id: id.optional(),
        /** Opens this page of the dashboard, signed in as the store's own user; without it, the home page. */
        page: z.enum(DASHBOARD_PAGES, { error: quoteInMessage('is not a page of the dashboard') }).optional(),
        /** Opens the editor of the fields of this draft, signed in as the user who created it. */
        edit_id: id.optional(),
        /** The editor leads to this address of this machine when it is left. */
        return_to: z.url({ protocol: /^http$/ }).optional(),
        /** The draft is sent when the editor is left, which the editor says. */
        sends: z.boolean().optional(),
      }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({ sign_in_url: z.url(), page_url: z.url(), expires_at: instant }),
      ),
    },
    received: record({ sign_in_url: neededText, page_url: neededText, expires_at: someText }),
    problems: ['mail_not_found', 'transaction_not_found', 'transaction_not_draft'],
    assumed: ['A39', 'A40', 'A44'],
    summary: 'Create a link to the dashboard that signs in once, from this machine, within two minutes',
    example: { page: 'mailbox' },
  },
} as const satisfies Record<string, Operation>;

const scope = lazySchema(() =>
  oneOf(ALL_SCOPES as [Scope, ...Scope[]], 'is not a scope. Use one or more of'),
);
const clientShape = () => ({
  id,
  name: z.string(),
  callback_url: uri,
  /** True for a program on the computers of its users, which can keep no secret. */
  is_public: z.boolean(),
  created_at: instant,
});

const receivedClient = {
  id: neededId,
  name: neededText,
  callback_url: neededText,
  is_public: someFlag,
  created_at: neededText,
};

export const applicationsOperations = {
  'sandbox.add_client': {
    ...control,
    method: 'POST',
    path: '/_sandbox/client',
    body: lazySchema(() =>
      z
        .object({
          name: line(1, LIMITS.personNameLength),
          callback_url: callbackUrl,
          /** A public application has no secret and requires PKCE. */
          is_public: z.boolean().default(false),
        })
        .refine(({ is_public, callback_url }) => !is_public || isLoopbackCallback(callback_url), {
          path: ['callback_url'],
          error: PUBLIC_CALLBACK,
        }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({
          ...clientShape(),
          client_id: z.string(),
          /** Not of a public application. */
          client_secret: z.string().optional(),
          /** Notifications about transactions of this application are signed with it (assumed: A31). */
          notification_secret: z.string(),
        }),
      ),
    },
    received: record({
      ...receivedClient,
      client_id: neededId,
      client_secret: someId,
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
      schema: lazySchema(() =>
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
    params: lazySchema(() => z.object({ clientId: id })),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ removed: z.literal(true) })) },
    received: record({ removed: someFlag }),
    problems: ['client_not_found', 'client_is_own'],
    summary: 'Delete an OAuth application and everything issued to it',
  },
  'sandbox.rotate_notification_secret': {
    ...control,
    method: 'POST',
    path: '/_sandbox/client/{clientId}/rotate',
    params: lazySchema(() => z.object({ clientId: id })),
    body: lazySchema(() => z.object({})),
    success: {
      status: 200,
      schema: lazySchema(() =>
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
    body: lazySchema(() =>
      z.object({
        scopes: z.array(scope).min(1, { error: 'must not be empty' }).optional(),
        user: email.optional(),
        client_id: id.optional(),
        /** `code`: an authorization code for the exchange instead of tokens. */
        kind: z.enum(['token', 'code']).default('token'),
        /** The exchange of the code needs the verifier whose SHA-256 this is (RFC 7636). */
        code_challenge: codeChallenge.optional(),
        expires_in: z
          .int()
          .min(1)
          .max(365 * 24 * 3600)
          .optional(),
      }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
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
