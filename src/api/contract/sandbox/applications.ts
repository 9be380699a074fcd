// OAuth applications and what is issued to them without a browser.
import * as z from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededId, neededNumber, neededText, record, someFlag, someId, someText } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { callbackUrl, codeChallenge, isLoopbackCallback, PUBLIC_CALLBACK } from '../oauth.ts';
import type { Operation } from '../operation.ts';
import { ALL_SCOPES, type Scope } from '../scopes.ts';
import { email, id, instant, line, oneOf, uri } from '../values.ts';
import { control } from './control.ts';

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
          /** What notifications about transactions of this application are signed with (assumed: A31). */
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
