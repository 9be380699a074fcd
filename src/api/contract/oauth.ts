// OAuth 2.0: exchange and refresh, as in spec §5. Both take the client application's secret in the body, no header.

import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { neededId, record, someNumber, someText } from './lenient.ts';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { parseUrl } from './parse-url.ts';
import { line, quoteInMessage, uriOf } from './values.ts';

/** The parameters of the authorization link (spec §5), which is a page of the dashboard and no operation. */
export const AUTHORIZATION_PARAMETERS = {
  client_id: { isRequired: true, description: 'The ID of the OAuth application.' },
  scopes: { isRequired: true, description: 'The requested scopes, separated by spaces.' },
  state: { isRequired: false, description: 'Returned unchanged to the callback URL.' },
  redirect_uri: {
    isRequired: false,
    description: 'The registered callback URL, with any port on loopback addresses.',
  },
} as const;

export const AUTHORIZATION_PATH = '/oauth/authorize';

const secret = lazySchema(() => line(1, LIMITS.tokenLength));

/**
 * Where a browser goes back to with a code. RFC 6749 §3.1.2: absolute and without a fragment. It has no user name and no
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

/** A service that does not tell how long a token is good for is asked anew when it says no. */
const received = record({ access_token: neededId, refresh_token: someText, expires_in: someNumber });

export const oauthOperations = {
  'oauth.exchange_code': {
    method: 'POST',
    path: '/v1/oauth/exchange/code',
    access: 'client',
    body: lazySchema(() => z.object({ client_id: secret, client_secret: secret, code: secret })),
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
    body: lazySchema(() => z.object({ client_id: secret, client_secret: secret, refresh_token: secret })),
    success: {
      status: 200,
      schema: lazySchema(() => z.strictObject({ access_token: z.string(), expires_in: z.number() })),
    },
    received: received,
    problems: ['invalid_client', 'invalid_grant'],
    source: 'spec §5 Refresh access token',
    assumed: ['A21', 'A22'],
    summary: 'Get a new access token',
    example: { client_id: 'CLIENT', client_secret: 'SECRET', refresh_token: 'REFRESH' },
  },
} as const satisfies Record<string, Operation>;
