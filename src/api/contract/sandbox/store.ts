// The store as a whole: its content, its certificate authority, its events, its reset, and snapshots, which are named states that it can be
// put back into.
import * as z from 'zod';
import { isLoopbackHost } from '../egress.ts';
import { envelope, eventType, receivedEvent } from '../events.ts';
import { lazySchema } from '../lazy-schema.ts';
import { list, neededId, neededNumber, neededText, record } from '../lenient.ts';
import { LIMITS } from '../limits.ts';
import { control, type Operation } from '../operation.ts';
import { id, instant, queryInteger, quoteInMessage, receivedAnything } from '../values.ts';

export const storeOperations = {
  'sandbox.status': {
    ...control,
    method: 'GET',
    path: '/_sandbox/status',
    success: {
      status: 200,
      schema: lazySchema(() =>
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
          mails: z.int(),
        }),
      ),
    },
    received: record({
      origin: neededText,
      now: neededText,
      transactions: record({
        draft: neededNumber,
        started: neededNumber,
        completed: neededNumber,
        rejected: neededNumber,
        expired: neededNumber,
        cancelled: neededNumber,
      }),
      templates: neededNumber,
      users: neededNumber,
      clients: neededNumber,
      events: neededNumber,
      mails: neededNumber,
    }),
    problems: [],
    summary: 'Count what the sandbox contains',
  },
  'sandbox.authority': {
    ...control,
    method: 'GET',
    path: '/_sandbox/authority',
    success: {
      status: 200,
      schema: lazySchema(() =>
        z.strictObject({
          name: z.string(),
          pem: z.string(),
          sha256: z.string(),
          valid_from: instant,
          valid_to: instant,
        }),
      ),
    },
    received: record({
      name: neededText,
      pem: neededText,
      sha256: neededText,
      valid_from: neededText,
      valid_to: neededText,
    }),
    problems: [],
    summary: 'Get the root certificate of the certificate authority that documents are sealed with',
  },
  'sandbox.issue_certificate': {
    ...control,
    method: 'POST',
    path: '/_sandbox/certificate',
    body: lazySchema(() =>
      z.object({
        names: z
          .array(
            z.string().refine(isLoopbackHost, {
              error: quoteInMessage(
                'is not a name of this machine. Use localhost, a name such as orders.localhost, 127.0.0.1 or ::1',
              ),
            }),
          )
          .min(1, { error: 'must not be empty' })
          .max(LIMITS.namesPerCertificate, {
            error: `must have at most ${LIMITS.namesPerCertificate} names`,
          }),
      }),
    ),
    success: {
      status: 201,
      schema: lazySchema(() =>
        z.strictObject({ certificate: z.string(), key: z.string(), root: z.string(), valid_to: instant }),
      ),
    },
    received: record({ certificate: neededId, key: neededId, root: neededText, valid_to: neededText }),
    problems: [],
    summary: 'Issue a certificate for a server on this machine; its key is shown only once',
    example: { names: ['localhost', '127.0.0.1'] },
  },
  'sandbox.reset': {
    ...control,
    method: 'POST',
    path: '/_sandbox/reset',
    body: lazySchema(() => z.object({})),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ reset: z.literal(true) })) },
    received: receivedAnything,
    problems: [],
    summary: 'Delete all data; the URL, keys and default user are kept',
    example: {},
  },
  'sandbox.events': {
    ...control,
    method: 'GET',
    path: '/_sandbox/events',
    query: lazySchema(() =>
      z.object({
        transaction_id: id.optional(),
        type: eventType.optional(),
        after: id.optional(),
        limit: queryInteger(1, 1000).optional(),
      }),
    ),
    success: { status: 200, schema: lazySchema(() => z.strictObject({ items: z.array(envelope) })) },
    received: record({ items: list(record(receivedEvent)) }),
    problems: [],
    summary: 'List the events in the order in which they happened',
  },
} as const satisfies Record<string, Operation>;

/** The name of a snapshot is the name of its folder, too. */
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
