// Makes every change of a transaction: loads it, expires it if it is due, decides, and records the decision, in one commit.
import type { EventOf } from '../../api/contract/events.ts';
import type { FieldError } from '../../api/contract/problems.ts';
import { invalid } from '../../api/service-codec.ts';
import { findPatternErrors } from '../checks/deferred-checks.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { expire, isDue } from '../domain/end.ts';
import type { ValidFieldInput } from '../domain/fields.ts';
import { type EditContext, newIds } from '../domain/ids.ts';
import type { Accepted, Decision, DecisionContext, Transaction } from '../domain/transaction.ts';
import { writeMailsOf } from '../mail/write.ts';
import { findSubscribers, queueDelivery, receiversOf } from '../store/delivery/deliveries.ts';
import { insertEvents, type RecordedEvent } from '../store/delivery/records.ts';
import type { Db } from '../store/schema.ts';
import { saveTransaction } from '../store/transactions/save-transaction.ts';
import { findTakenIds, loadTransaction } from '../store/transactions/transactions.ts';

type TransactionKey = { id: string; company_id?: string };

/** @param decide the domain's decision on the transaction as it is now */
export function change<T>(
  context: RequestContext,
  where: TransactionKey,
  decide: (transaction: Transaction, db: Db) => Decision | Promise<Decision>,
  output: (next: Transaction) => T,
): Promise<Result<T>> {
  return context.commit(
    async (db) => {
      await context.store.database.lockRow(db, 'transaction', where.id);
      const loaded = await loadTransaction(db, context.store.keys, where);
      if (!loaded) return refuse('transaction_not_found', { id: where.id });
      const before = await expireIfDue(context, db, loaded);
      const decision = await decide(before, db);
      if (!decision.ok) return decision;
      return ok(output(await recordDecision(context, db, before, decision)));
    },
    [where.id],
    'locked',
  );
}

/** A decision is recorded with these parts of a request. */
export type Recording = Pick<RequestContext, 'store' | keyof DecisionContext | 'origin' | 'mail'>;

/** A transaction whose time has come is expired before anything else happens to it (assumed: A16). */
export async function expireIfDue(
  context: Recording,
  db: Db,
  transaction: Transaction,
): Promise<Transaction> {
  if (!isDue(transaction, context.now)) return transaction;
  const decision = expire(transaction, context);
  if (!decision.ok) return transaction;
  return recordDecision(context, db, transaction, decision);
}

/**
 * Writes state, events and email of one decision. A clock that was set back, or another process whose clock is ahead, never
 * takes a transaction back in time (assumed: A47).
 * @returns the transaction as it was written
 */
export async function recordDecision(
  context: Recording,
  db: Db,
  before: Transaction | undefined,
  decision: Accepted,
): Promise<Transaction> {
  const { keys, database } = context.store;
  const now = before && before.updated_at > context.now ? before.updated_at : context.now;
  const next = { ...decision.next, updated_at: now };
  const origin = {
    company_id: next.company_id,
    transaction_id: next.id,
    isNew: before === undefined,
    now,
    newId: context.newId,
  };
  await saveTransaction(db, keys, before, next);
  const recorded = await insertEvents(db, decision.events satisfies EventOf[], origin, database.dialect);
  await queueDeliveries(context, db, recorded, next);
  await writeMailsOf(db, context, before, { ...decision, next }, origin);
  return next;
}

/** Writes a row for each receiver of each event, so that no delivery is lost whatever happens to this process. */
async function queueDeliveries(
  { store, now, newId }: Recording,
  db: Db,
  events: readonly RecordedEvent[],
  transaction: Transaction,
): Promise<void> {
  if (events.length === 0) return;
  const subscribers = await findSubscribers(db, transaction.company_id);
  for (const event of events)
    for (const receiver of receiversOf(event.type, subscribers, transaction))
      await queueDelivery(store, db, event, receiver, { now, newId });
}

type Body = Parameters<typeof newIds>[0] & { fields?: readonly ValidFieldInput[] | undefined };

/**
 * Makes an edit of a draft that may bring fields: patterns are checked outside of the commit, ids are looked up in it.
 * @param decide the domain's decision, with the ids of the request that are taken already (assumed: A20)
 */
export async function edit<T>(
  context: RequestContext,
  where: TransactionKey,
  body: Body,
  decide: (transaction: Transaction, context: EditContext) => Decision,
  output: (next: Transaction) => T,
): Promise<Result<T>> {
  const errors = await findErrors(body.fields ?? []);
  if (errors.length > 0) return { ok: false, refusal: invalid(errors) };
  return change(
    context,
    where,
    async (transaction, db) => {
      const takenIds = await findTakenIds(db, newIds(body, transaction.content));
      const { now, newId, newToken } = context;
      return decide(transaction, { now, newId, newToken, takenIds });
    },
    output,
  );
}

/** Finds what is wrong with patterns and values of the sender, which takes more time than a commit has. */
export async function findErrors(fields: readonly ValidFieldInput[]): Promise<FieldError[]> {
  const patternErrors = await findPatternErrors(fields);
  if (patternErrors.length > 0 || fields.every(({ value }) => value === null)) return patternErrors;
  const { findKnownValueErrors } = await import('../checks/field-errors.ts');
  return findKnownValueErrors(fields);
}
