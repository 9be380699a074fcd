// OAuth 2.0: exchange and refresh, as in spec §5. Both take the client application's secret in the body, no header.
import * as z from 'zod';
import { LIMITS } from './limits.ts';
import type { Operation } from './operation.ts';
import { line } from './values.ts';

const secret = z.lazy(() => line(1, LIMITS.tokenLength));

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
