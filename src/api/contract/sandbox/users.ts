// The users of the dashboard: adding them, their passwords, and links that sign them in.
import * as z from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededId, neededText, record, someText } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import type { Operation } from '../operation.ts';
import { email, id, instant, line, newPasswordText, quoteInMessage } from '../values.ts';
import { control } from './control.ts';

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
        /** Omitted: the store's own user. */
        email: email.optional(),
        /** Omitted: a password is generated, and shown this once. */
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
        /** Where the editor leads when it is left: an address of this machine. */
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
