// Named states of the sandbox, which it can be put back into.
import * as z from 'zod';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededText, record } from '../lenient.ts';
import type { Operation } from '../operation.ts';
import { receivedAnything } from '../received.ts';
import { instant, quoteInMessage } from '../values.ts';
import { control } from './control.ts';

/** What a snapshot may be called: it is the name of a folder, too. */
export const SNAPSHOT_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

const byName = lazySchema(() =>
  z.object({
    name: z.string().regex(SNAPSHOT_NAME, {
      error: quoteInMessage(
        'is not a name for a snapshot. Use 1 to 64 lowercase letters, digits, dots, hyphens and underscores, beginning with a letter or digit',
      ),
    }),
  }),
);

export const snapshotsOperations = {
  'sandbox.list_snapshots': {
    ...control,
    method: 'GET',
    path: '/_sandbox/snapshot',
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({ items: z.array(z.strictObject({ name: z.string(), saved_at: instant })) }),
      ),
    },
    received: record({ items: list(record({ name: neededText, saved_at: neededText })) }),
    problems: [],
    summary: 'List the snapshots of the sandbox',
  },
  'sandbox.save_snapshot': {
    ...control,
    method: 'PUT',
    path: '/_sandbox/snapshot/{name}',
    params: byName,
    body: lazySchema(() => z.object({})),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ name: z.string() })) },
    received: receivedAnything,
    problems: [],
    summary: 'Save the state of the sandbox; a snapshot with this name is replaced',
    example: {},
  },
  'sandbox.restore_snapshot': {
    ...control,
    method: 'POST',
    path: '/_sandbox/snapshot/{name}/restore',
    params: byName,
    body: lazySchema(() => z.object({})),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ name: z.string() })) },
    received: receivedAnything,
    problems: ['snapshot_not_found'],
    summary: 'Put the sandbox back into a saved state, with its clock',
    example: {},
  },
  'sandbox.delete_snapshot': {
    ...control,
    method: 'DELETE',
    path: '/_sandbox/snapshot/{name}',
    params: byName,
    success: { status: 200, schema: lazySchema(() => z.strictObject({ name: z.string() })) },
    received: receivedAnything,
    problems: ['snapshot_not_found'],
    summary: 'Delete a snapshot',
  },
} as const satisfies Record<string, Operation>;
