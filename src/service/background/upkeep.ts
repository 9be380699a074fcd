// Does the work of a service without requests: what is due, each second, and what is left over, each hour. A command that ends
// after one answer does not sweep. However many transactions expire at once, requests come first (spec §3, §6 transaction_expired; assumed: A16):
// a few share each commit, and between two commits all other requests are answered.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LIMITS } from '../../api/contract/limits.ts';
import { addMs, type Instant, instantOf } from '../../common/instant.ts';
import { DamagedStoreError } from '../../database/database.ts';
import { storageFailureOf } from '../../database/failure.ts';
import { type Recording, recordDecision } from '../changes/change.ts';
import type { ServiceDeps } from '../context.ts';
import { expire, isDue } from '../domain/end.ts';
import type { Transaction } from '../domain/transaction.ts';
import { forgetOldAttempts } from '../store/accounts/sessions.ts';
import { sweepStore } from '../store/blobs/sweep.ts';
import { forgetAnswers } from '../store/delivery/records.ts';
import type { Db } from '../store/schema.ts';
import { findDueTransactions, loadTransactions } from '../store/transactions/transactions.ts';

export type Upkeep = {
  /** Expires transactions, and removes answers that were kept for repeated requests. */
  work(signal?: AbortSignal): Promise<void>;
  /** Expires transactions with the time at which each was due, for a clock that is moved. */
  expire(): Promise<void>;
  /** Removes uploads that were not linked in time, and bytes that nothing names. */
  sweep(signal?: AbortSignal): Promise<void>;
};

/** A failing store fails each time: the same failure is reported once in that time. */
const REPORT_EVERY_MS = 60_000;

/**
 * All end early, between two commits, when they are aborted. None rejects: what fails is reported and tried again.
 * Another process may have changed the setting of the clock, so it is read before each round.
 */
export function createUpkeep(deps: ServiceDeps): Upkeep {
  const { store, clock } = deps;
  const expireWhatIsDue = createExpiry(deps);
  const reported = reporting(deps.onError);
  return {
    work: reported('work on what is due', async (signal) => {
      await clock.refresh();
      await expireWhatIsDue({ signal });
      if (signal?.aborted) return;
      const before = addMs(instantOf(clock.now()), -LIMITS.idempotencyKeyLifetimeMs);
      await store.database.write((db) => forgetAnswers(db, before), [], 'locked');
    }),
    expire: reported('expiring at the times that were due', () => expireWhatIsDue({ isBackdated: true })),
    sweep: reported('sweep', async (signal) => {
      await clock.refresh();
      await store.database.write((db) => forgetOldAttempts(db, instantOf(clock.now())), [], 'locked');
      if (!signal?.aborted) await sweepStore(store, instantOf(clock.now()), signal);
    }),
  };

  function reporting(onError: ServiceDeps['onError']) {
    let last: { message: string; atMs: number } | undefined;
    return (name: string, task: (signal?: AbortSignal) => Promise<void>) =>
      async (signal?: AbortSignal): Promise<void> => {
        try {
          await task(signal);
        } catch (error) {
          const message = String(error);
          const nowMs = performance.now();
          if (last?.message === message && nowMs - last.atMs < REPORT_EVERY_MS) return;
          last = { message, atMs: nowMs };
          onError(error, name);
        }
      };
  }
}

// --- Expiry ---

/** So many transactions are looked for at a time. */
const LOOKED_FOR = 1000;

/**
 * The work of one commit takes so long at most, because concurrent requests wait for it. A slow disk makes them wait longer
 * anyway, so there it may take as long as the disk.
 */
const WORK_MS = { least: 1, most: 5 };

/** So many transactions share a commit, at first and at the most. */
const TOGETHER = { first: 8, most: 256 };

/** A transaction that cannot be expired is tried again after a minute, then after twice as long, and so on. */
const AGAIN_MS = { first: 60_000, most: 60 * 60_000 };

type Took = { workMs: number; diskMs: number };

type Failed = { times: number; atMs: number };

type ExpiryRound = {
  signal?: AbortSignal | undefined;
  /** Each event is dated at the time that its transaction was due, and not when that is noticed. */
  isBackdated?: boolean;
};

/** @returns one round of work: everything that is due now. It ends early, between two commits, when it is aborted. */
function createExpiry(deps: ServiceDeps): (round?: ExpiryRound) => Promise<void> {
  const { store, clock, onError } = deps;
  const failed = new Map<string, Failed>();
  let together = TOGETHER.first;

  const isPutOff = (id: string, nowMs: number): boolean => {
    const before = failed.get(id);
    if (!before) return false;
    const waitMs = Math.min(AGAIN_MS.first * 2 ** (before.times - 1), AGAIN_MS.most);
    // A clock that was set back does not make it later.
    return nowMs >= before.atMs && nowMs < before.atMs + waitMs;
  };

  async function expireSome(
    contextAt: (due: Instant | null) => Recording,
    ids: readonly string[],
  ): Promise<Took> {
    const askedMs = performance.now();
    let workMs = 0;
    try {
      await store.database.write(
        async (db) => {
          const startedMs = performance.now();
          for (const id of ids.toSorted()) await store.database.lockRow(db, 'transaction', id);
          // It is checked again inside of the commit: another process may have been faster, or a recipient may have signed
          // at the last moment.
          const loaded = await loadTransactions(db, store.keys, ids);
          loaded.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
          for (const transaction of loaded) {
            const context = contextAt(transaction.expires_at);
            if (isDue(transaction, context.now)) await expireOne(context, db, transaction);
          }
          workMs = performance.now() - startedMs;
        },
        ids,
        'locked',
      );
      for (const id of ids) failed.delete(id);
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      if (ids.length > 1) for (const id of ids) await expireSome(contextAt, [id]);
      else putOff(ids[0] as string, error);
    }
    return { workMs, diskMs: performance.now() - askedMs - workMs };
  }

  function putOff(id: string, error: unknown): void {
    failed.set(id, { times: (failed.get(id)?.times ?? 0) + 1, atMs: clock.now() });
    onError(error, `transaction ${id}`);
  }

  return async ({ signal, isBackdated = false } = {}) => {
    const now = instantOf(clock.now());
    const contextAt = (due: Instant | null) =>
      contextOf(deps, isBackdated && due !== null && due < now ? due : now);
    for (;;) {
      const due = await store.database.read((db) => findDueTransactions(db, now, LOOKED_FOR + failed.size));
      const ids = due.filter((id) => !isPutOff(id, clock.now()));
      if (ids.length === 0) return forgetAllBut(failed, due);
      while (ids.length > 0) {
        await yieldToEventLoop();
        if (signal?.aborted) return;
        const some = ids.splice(0, together);
        together = fitting(some.length, await expireSome(contextAt, some));
      }
    }
  };
}

/** Says how many fit into the time of a commit, going by the last one. */
function fitting(count: number, { workMs, diskMs }: Took): number {
  const allowedMs = Math.min(Math.max(WORK_MS.least, diskMs), WORK_MS.most);
  const factor = Math.min(2, Math.max(0.5, allowedMs / workMs));
  return Math.min(TOGETHER.most, Math.max(1, Math.round(count * factor)));
}

/** Forgets the delay of transactions that have ended in another way. */
function forgetAllBut(failed: Map<string, Failed>, due: readonly string[]): void {
  const still = new Set(due);
  for (const id of failed.keys()) if (!still.has(id)) failed.delete(id);
}

/** An error of the storage as a whole, such as a full disk, would fail the next transaction as well. */
const isStorageFailure = (error: unknown): boolean =>
  error instanceof DamagedStoreError || ['full', 'unusable'].includes(storageFailureOf(error)?.kind ?? '');

async function expireOne(context: Recording, db: Db, transaction: Transaction): Promise<void> {
  const decision = expire(transaction, context);
  if (decision.ok) await recordDecision(context, db, transaction, decision);
}

const contextOf = ({ store, ids, origin, mail }: ServiceDeps, now: Instant): Recording => ({
  now,
  newId: ids,
  newToken: ids,
  ...{ store, origin, mail },
});
