// OAuth 2.0: exchange and refresh, as in spec §5. Both take the client application's secret in the body, no header. The user that an access
// token belongs to has an operation too, which the specification does not have (decision 0010).
import * as z from 'zod';
import { parseUrl } from '../../common/parse-url.ts';
import { lazySchema } from './lazy-schema.ts';
import { neededId, neededText, record, someNumber, someRecord, someText } from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { extension, id, line, quoteInMessage, uriOf } from './values.ts';

/** The parameters of the authorization link (spec §5), which is a page of the dashboard and no operation. */
export const AUTHORIZATION_PARAMETERS = {
  client_id: { isRequired: true, description: 'The ID of the OAuth application.' },
  scopes: { isRequired: true, description: 'The requested scopes, separated by spaces.' },
  state: { isRequired: false, description: 'Returned unchanged to the callback URL.' },
  redirect_uri: {
    isRequired: false,
    description: 'The registered callback URL, with any port on loopback addresses.',
  },
  code_challenge: {
    isRequired: false,
    description:
      'The SHA-256 of the code_verifier, as base64url (RFC 7636); a public application requires it.',
  },
  code_challenge_method: {
    isRequired: false,
    description: 'S256, the only method; required with code_challenge.',
  },
} as const;

export const AUTHORIZATION_PATH = '/oauth/authorize';

/**
 * `rules=oauth-2.1` stands in a link that came by OAuth 2.1 (src/service/http/mcp.ts): it needs a code_challenge, and what is wrong with it is an
 * error for the application.
 */
export const STRICT_RULES = { name: 'rules', value: 'oauth-2.1' } as const;

/** The resource that such a link asks for (RFC 8707). @param origin of the service */
export const mcpResourceOf = (origin: string): string => `${origin}/mcp`;

/** Compares scheme and host without regard to case. A slash at the end does not count, and a fragment is not allowed (RFC 8707 §2). */
export function isMcpResource(value: string, origin: string): boolean {
  const url = parseUrl(value);
  return url !== undefined && !value.includes('#') && url.href.replace(/\/$/, '') === mcpResourceOf(origin);
}

/** Makes the description of an error for an application, in the characters that RFC 6749 §4.1.2.1 allows. */
export const describeError = (sentence: string): string =>
  sentence.replace(/[“”"]/g, "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');

const secret = lazySchema(() => line(1, LIMITS.tokenLength));

/** RFC 7636 §4.2: 256 bits in base64url have 43 characters, the last of which has only 4 bits. */
const CODE_CHALLENGE = /^[\w-]{42}[AEIMQUYcgkosw048]$/;

export const isCodeChallenge = (value: string): boolean => CODE_CHALLENGE.test(value);

export const codeChallenge = lazySchema(() =>
  z
    .string({ error: 'must be a string' })
    .regex(CODE_CHALLENGE, { error: 'must be a SHA-256 in base64url, which has 43 characters' }),
);

/** RFC 7636 §4.1. */
const verifier = lazySchema(() =>
  z
    .string({ error: 'must be a string' })
    .regex(/^[\w.~-]{43,128}$/, { error: 'must have 43 to 128 characters: letters, digits and - . _ ~' }),
);

/**
 * The URL to which a browser goes back with a code. RFC 6749 §3.1.2: it is absolute and without a fragment. It has no user name and no
 * password either, because browsers do not show them.
 */
export const callbackUrl = lazySchema(() =>
  uriOf(LIMITS.urlLength, (text) =>
    text.refine(isCallback, {
      error: quoteInMessage('must be an http or https URL without a user name, a password or #'),
    }),
  ),
);

function isCallback(value: string): boolean {
  const url = /^https?:\/\/[^\s#]+$/.test(value) ? parseUrl(value) : undefined;
  if (!url) return false;
  const { username, password, hostname } = url;
  return username === '' && password === '' && HOST.test(hostname);
}

/** The standard of addresses allows signs in a host that no host has, and that mean something in a header: `;` `,` `*`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

/** RFC 8252 §7.3: an address of this machine, as a number. The name `localhost` may be resolved to another address. */
export const isLoopbackCallback = (value: string): boolean => {
  const url = parseUrl(value);
  return url?.protocol === 'http:' && (url.hostname === '127.0.0.1' || url.hostname === '[::1]');
};

export const PUBLIC_CALLBACK = 'must begin with http://127.0.0.1 or http://[::1] for a public application';

/** `expires_in` is optional: without it, a client gets another token when the service refuses the one that it has. */
const received = record({ access_token: neededId, refresh_token: someText, expires_in: someNumber });

const WITHOUT_SECRET = 'Required, except for a public application, which has none.';

export const oauthOperations = {
  'oauth.exchange_code': {
    method: 'POST',
    path: '/v1/oauth/exchange/code',
    access: 'client',
    body: lazySchema(() =>
      z.object({
        client_id: secret,
        client_secret: secret.optional().meta({ description: WITHOUT_SECRET }),
        code: secret,
        code_verifier: extension(
          verifier.optional(),
          'The text whose SHA-256 the authorization link had as code_challenge.',
        ),
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() }),
      ),
    },
    received: received,
    problems: ['invalid_client', 'invalid_grant'],
    source: 'spec §5 Exchange code for access token',
    assumed: ['A21', 'A22'],
    summary: 'Exchange an authorization code for tokens',
    example: { client_id: 'CLIENT', client_secret: 'SECRET', code: 'CODE' },
  },
  'oauth.refresh_token': {
    method: 'POST',
    path: '/v1/oauth/refresh/token',
    access: 'client',
    body: lazySchema(() =>
      z.object({
        client_id: secret,
        client_secret: secret.optional().meta({ description: WITHOUT_SECRET }),
        refresh_token: secret,
      }),
    ),
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          access_token: z.string(),
          expires_in: z.number(),
          refresh_token: extension(
            z.string().optional(),
            'Of a public application: replaces the refresh token of the request.',
          ),
        }),
      ),
    },
    received: received,
    problems: ['invalid_client', 'invalid_grant'],
    source: 'spec §5 Refresh access token',
    assumed: ['A21', 'A22'],
    summary: 'Get a new access token',
    example: { client_id: 'CLIENT', client_secret: 'SECRET', refresh_token: 'REFRESH' },
  },
} as const satisfies Record<string, Operation>;

export const userOperations = {
  'user.me': {
    method: 'GET',
    path: '/v1/user/me',
    access: 'user',
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          id,
          name: z.string(),
          email: z.string(),
          company: z.strictObject({ id, name: z.string() }),
        }),
      ),
    },
    received: record({
      id: someText,
      name: someText,
      email: neededText,
      company: someRecord({ id: someText, name: someText }),
    }),
    problems: [],
    source: 'none',
    extension: true,
    summary: 'Get the user that the access token belongs to; any scope will do',
  },
} as const satisfies Record<string, Operation>;
