// OAuth 2.0: exchange and refresh, as in spec §5. Both take the client application's secret in the body, no header.
import * as z from 'zod';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { line } from './values.ts';

const secret = z.lazy(() => line(1, LIMITS.tokenLength));

/**
 * Where a browser goes back to with a code. RFC 6749 §3.1.2: absolute and without a fragment; and nobody's name and
 * password in it, which browsers show to nobody.
 */
export const callbackUrl = z.lazy(() =>
  line(1, LIMITS.urlLength).refine(isCallback, {
    error: (issue) =>
      `"${String(issue.input)}" must be an http or https address, without a name, password or # in it`,
  }),
);

function isCallback(value: string): boolean {
  if (!/^https?:\/\/[^\s#]+$/.test(value) || !URL.canParse(value)) return false;
  const { username, password, hostname } = new URL(value);
  return username === '' && password === '' && HOST.test(hostname);
}

/** The standard of addresses allows signs in a host that no host has, and that mean something in a header: `;` `,` `*`. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/;

export const oauthOperations = {
  'oauth.exchange_code': {
    method: 'POST',
    path: '/v1/oauth/exchange/code',
    access: 'client',
    body: z.lazy(() => z.object({ client_id: secret, client_secret: secret, code: secret })),
    success: {
      status: 200,
      schema: z.lazy(() =>
        z.strictObject({ access_token: z.string(), refresh_token: z.string(), expires_in: z.number() }),
      ),
    },
    needs: ['access_token'],
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
    body: z.lazy(() => z.object({ client_id: secret, client_secret: secret, refresh_token: secret })),
    success: {
      status: 200,
      schema: z.lazy(() => z.strictObject({ access_token: z.string(), expires_in: z.number() })),
    },
    needs: ['access_token'],
    problems: ['invalid_client', 'invalid_grant'],
    source: 'spec §5 Refresh access token',
    assumed: ['A21', 'A22'],
    summary: 'Get a new access token',
    example: { client_id: 'CLIENT', client_secret: 'SECRET', refresh_token: 'REFRESH' },
  },
} as const satisfies Record<string, Operation>;
