// Submits what a recipient has filled in. The last submission completes the transaction: the documents are sealed first,
// outside of any commit, and then committed with it, if the result is still the same.
import { type Refusal, sentenceOf } from '../../api/contract/problems.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { withSealed } from '../domain/act.ts';
import type { Accepted, SealedDocument, Transaction } from '../domain/transaction.ts';
import { recordSealingFailure } from '../store/save-transaction.ts';
import type { Db } from '../store/schema.ts';
import { discardSealed } from '../store/sealed-documents.ts';
import { type AuditEntry, auditFingerprint, insertAudit } from '../store/signing.ts';
import { recordDecision } from './change.ts';

/** The result of a submission, before anything is written. */
export type Submission = {
  before: Transaction;
  decision: Accepted;
  /** Audit entries to write in the same commit. */
  done: AuditEntry[];
};

export type SubmissionAttempt = {
  /** Decides without writing. A refusal is decided again in the commit, which has the last word. */
  look(db: Db): Promise<Result<Submission>>;
  /**
   * Decides inside the commit, on the transaction that it has locked.
   * @param changes is given what the commit changes
   */
  decide(db: Db, changes: string[]): Promise<Result<Submission>>;
  /** Writes in the commit, after the decision. */
  also?(db: Db, submission: Submission): Promise<void>;
};

/** The documents are sealed again when something happened meanwhile, such as a page that was viewed: it belongs to the evidence. */
const ATTEMPTS = 3;

export async function submitSealed(
  context: RequestContext,
  attempt: SubmissionAttempt,
): Promise<Result<Transaction>> {
  for (let left = ATTEMPTS; ; left -= 1) {
    const sealed = await sealIfLast(context, attempt);
    if (!sealed.ok) return sealed;
    const committed = await commit(context, attempt, sealed.output);
    if (committed.ok) return committed;
    if (sealed.output) await discardSealed(context.store, sealed.output.id, sealed.output.sealed);
    if (committed.refusal.code !== 'transaction_changed' || left === 1) return committed;
  }
}

/** Undefined where nothing is to be sealed: other recipients sign later, or there is nothing to submit. */
async function sealIfLast(
  context: RequestContext,
  attempt: SubmissionAttempt,
): Promise<Result<Prepared | undefined>> {
  const look = () =>
    context.read(async (db) => {
      const submission = await attempt.look(db);
      return submission.ok && completes(submission.output)
        ? { ...submission.output, fingerprint: await fingerprintOf(db, submission.output) }
        : undefined;
    });
  const first = await look();
  if (!first) return ok(undefined);
  // Its turn may come much later, when the transaction has been cancelled or another process has completed it.
  let last = first;
  const sealed = await context.seal(first.before, async () => {
    const looked = await look();
    last = looked ?? last;
    return looked && { next: looked.decision.next, done: looked.done };
  });
  if (sealed?.ok === false) {
    await recordFailure(context, first.before, sealed.refusal);
    return sealed;
  }
  return ok(sealed && { id: first.before.id, fingerprint: last.fingerprint, sealed: sealed.output });
}

/** Records why the documents were not sealed, for the sender. A service that is busy passes by itself. */
async function recordFailure(
  { store, now }: RequestContext,
  { id }: Transaction,
  refusal: Refusal,
): Promise<void> {
  if (refusal.code === 'documents_busy') return;
  const reason = reasonFor(refusal);
  try {
    await store.database.write((db) => recordSealingFailure(db, id, reason, now), [id], 'locked');
  } catch {
    // A storage that is full or damaged may be what failed: the refusal says so to the recipient all the same.
  }
}

/** Gives the reason for the sender, with details that recipients do not get. */
function reasonFor(refusal: Refusal): string {
  if (refusal.code !== 'sealing_failed') return sentenceOf(refusal);
  return `The documents could not be sealed because of an error in the service: ${refusal.facts.why}`;
}

const completes = ({ decision }: Submission): boolean => decision.next.status === 'completed';

type Prepared = { id: string; fingerprint: string; sealed: SealedDocument[] };

const commit = (
  context: RequestContext,
  attempt: SubmissionAttempt,
  prepared: Prepared | undefined,
): Promise<Result<Transaction>> => {
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const decided = await attempt.decide(db, changes);
      if (!decided.ok) return decided;
      const { before, decision, done } = decided.output;
      const isLast = completes(decided.output);
      if (isLast && prepared?.fingerprint !== (await fingerprintOf(db, decided.output)))
        return refuse('transaction_changed', { id: before.id });
      await attempt.also?.(db, decided.output);
      await insertAudit(db, done);
      const final = isLast && prepared ? withSealed(decision, prepared.sealed) : decision;
      return ok(await recordDecision(context, db, before, final));
    },
    changes,
    'locked',
  );
};

/** Changes when anything changes that the sealed documents contain: the transaction, or its audit trail. */
async function fingerprintOf(db: Db, { decision: { next } }: Submission): Promise<string> {
  return JSON.stringify([next, await auditFingerprint(db, next.id)]);
}
