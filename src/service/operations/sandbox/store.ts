// The store as a whole: what is in it, and emptying it.

import { type Handler, ok } from '../../context.ts';
import type { Status } from '../../domain/transaction.ts';
import type { Db, Tables } from '../../store/schema.ts';
import { resetStore } from '../../store/store.ts';
import { removeUnnamedBlobs } from '../../store/sweep.ts';

const NONE: Record<Status, number> = {
  draft: 0,
  started: 0,
  completed: 0,
  rejected: 0,
  expired: 0,
  cancelled: 0,
};

export const status: Handler<'sandbox.status'> = async (context) =>
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
  );

async function countByStatus(db: Db): Promise<Record<Status, number>> {
  const rows = await db
    .selectFrom('transaction')
    .select((eb) => ['status', eb.fn.countAll().as('count')])
    .groupBy('status')
    .execute();
  return { ...NONE, ...Object.fromEntries(rows.map((row) => [row.status, Number(row.count)])) };
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

export const reset: Handler<'sandbox.reset'> = async (context) => {
  const done = await context.commit(async (db) => {
    await resetStore(db, context.store.keys, context.storeFacts);
    return ok({ reset: true as const });
  });
  await context.clock.refresh();
  await removeUnnamedBlobs(context.store);
  return done;
};
