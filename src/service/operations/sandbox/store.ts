// Counts what is in the store of a sandbox, empties it, saves and restores its named states, and gives out its certificates.
import { instantOf } from '../../../common/instant.ts';
import { realClockOf } from '../../clock.ts';
import { type Handlers, ok, type RequestContext, refuse } from '../../context.ts';
import type { Status } from '../../domain/transaction.ts';
import { removeUnnamedBlobs } from '../../store/blobs/sweep.ts';
import type { Db, Tables } from '../../store/schema.ts';
import { deleteSnapshot, listSnapshots, restoreSnapshot, saveSnapshot } from '../../store/state/snapshots.ts';
import { resetStore } from '../../store/store.ts';

export const storeHandlers = {
  'sandbox.status': async (context) =>
    ok(
      await context.read(async (db) => ({
        origin: context.origin,
        now: context.now,
        transactions: await countByStatus(db),
        templates: await countTemplates(db),
        users: await count(db, 'user'),
        clients: await count(db, 'client'),
        events: await count(db, 'event'),
        mails: await count(db, 'mail'),
      })),
    ),

  'sandbox.reset': async (context) => {
    const result = await context.commit(async (db) => {
      await resetStore(db, context.store.keys, context.storeDeps);
      return ok({ reset: true as const });
    });
    await context.clock.refresh();
    await removeUnnamedBlobs(context.store);
    return result;
  },

  'sandbox.list_snapshots': async ({ store }) => {
    const snapshots = await listSnapshots(store);
    return ok({ items: snapshots.map(({ name, savedMs }) => ({ name, saved_at: instantOf(savedMs) })) });
  },

  'sandbox.save_snapshot': async ({ store, newId }, { params: { name } }) => {
    await saveSnapshot(store, name, newId());
    return ok({ name });
  },

  'sandbox.restore_snapshot': async ({ store, clock }, { params: { name } }) => {
    if (!(await restoreSnapshot(store, name))) return refuse('snapshot_not_found', { id: name });
    await clock.refresh();
    store.deliveries.wake();
    return ok({ name });
  },

  'sandbox.delete_snapshot': async ({ store }, { params: { name } }) =>
    (await deleteSnapshot(store, name)) ? ok({ name }) : refuse('snapshot_not_found', { id: name }),

  // Code that makes certificates is loaded when one is made, because every operation of a sandbox loads this file. The
  // first call creates the authority.
  'sandbox.authority': async (context) => {
    const { ensureRoot } = await import('../../sealing/embedded-sealing.ts');
    return ok(await ensureRoot(authorityDeps(context)));
  },

  'sandbox.issue_certificate': async (context, { body }) => {
    const { issueServerCertificate } = await import('../../sealing/loopback.ts');
    return ok(await issueServerCertificate(body.names, authorityDeps(context)));
  },
} satisfies Partial<Handlers<'sandbox'>>;

const authorityDeps = ({ store, storeDeps }: RequestContext) => ({
  store,
  isSandbox: true,
  clock: () => instantOf(realClockOf(store)()),
  random: storeDeps.random,
});

const NO_TRANSACTIONS: Record<Status, number> = {
  draft: 0,
  started: 0,
  completed: 0,
  rejected: 0,
  expired: 0,
  cancelled: 0,
};

async function countByStatus(db: Db): Promise<Record<Status, number>> {
  const rows = await db
    .selectFrom('transaction')
    .select((eb) => ['status', eb.fn.countAll().as('count')])
    .groupBy('status')
    .execute();
  return { ...NO_TRANSACTIONS, ...Object.fromEntries(rows.map((row) => [row.status, Number(row.count)])) };
}

async function countTemplates(db: Db): Promise<number> {
  const row = await db
    .selectFrom('template')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('reusable', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

async function count(db: Db, table: keyof Tables): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
