// The user that an access token belongs to. The specification has no operation for it (decision 0010).
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { neededText, record, someRecord, someText } from './lenient.ts';
import type { Operation } from './operation.ts';
import { id } from './values.ts';

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
