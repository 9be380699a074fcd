// Transactions whose time has come, expired without anybody asking (spec §3, §6 transaction_expired; assumed: A16).
import { instantOf, later } from '../api/contract/instant.ts';
import { LIMITS } from '../api/contract/limits.ts';
import { record } from './changes/change.ts';
import type { RequestContext } from './context.ts';
import { expire, isDue } from './domain/end.ts';
import type { PipelineOptions } from './pipeline.ts';
import { forgetAnswers } from './store/records.ts';
import { dueTransactions, loadTransaction } from './store/transactions.ts';

/** Transactions looked for at a time; each is expired in a commit of its own. */
const BATCH = 100;

/** @returns one round of work: everything that is due now */
export function createExpiry({
  store,
  documents,
  clock,
  ids,
  random,
  passwords,
  origin,
}: PipelineOptions): () => Promise<void> {
  return async () => {
    const now = instantOf(clock());
    const context: RequestContext = {
      now,
      facts: { now, newId: ids, newToken: () => ids() },
      storeFacts: { now: () => now, newId: ids, random },
      store,
      documents: documents(),
      passwords,
      origin: origin(),
      read: (fn) => store.database.read(fn),
      cached: (_, fn) => store.database.read(fn),
      commit: (fn) => store.database.write(fn),
    };
    for (;;) {
      const due = await context.read((db) => dueTransactions(db, now, BATCH));
      for (const id of due) await expireOne(context, id);
      if (due.length < BATCH) break;
    }
    await store.database.write((db) => forgetAnswers(db, later(now, -LIMITS.idempotencyKeyLifetimeMs)));
  };
}

/** Another process may have been faster, or somebody may have signed at the last moment: looked at again inside. */
const expireOne = (context: RequestContext, id: string): Promise<void> =>
  context.store.database.write(async (db) => {
    const transaction = await loadTransaction(db, context.store.keys, { id });
    if (!transaction || !isDue(transaction, context.now)) return;
    const decision = expire(transaction, context.facts);
    if (decision.ok) await record(context, db, transaction, decision);
  });
