// Leads a submitted signature to its commit: prepare, seal, commit, and again if anything changed meanwhile (decision
// 0022). The last signature of a transaction completes it. Its documents are sealed before the commit and outside of any,
// because that is slow, so `prepare` decides what will be committed, twice: for the seal without a lock, and in the commit,
// which has the last word.
import { type ProblemCode, type Refusal, sentenceOf } from '../../api/contract/problems.ts';
import { sha256Of } from '../../common/sha256.ts';
import { recordDecision } from '../changes/change.ts';
import { failureRefusalOf } from '../changes/failure-refusal.ts';
import { withDeferredChecks } from '../checks/deferred-checks.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import { reject, submit, withSealed } from '../domain/act.ts';
import type { SubmittedValue } from '../domain/adoption.ts';
import { type Draft, EMPTY_DRAFT, submittedValuesOf } from '../domain/draft.ts';
import { dayOfSigning } from '../domain/known-value.ts';
import type { Accepted, SealedDocument, Transaction } from '../domain/transaction.ts';
import type { DeferredChecks } from '../domain/values.ts';
import { filesWith } from '../store/documents/files.ts';
import { discardSealed } from '../store/documents/sealing.ts';
import type { Db } from '../store/schema.ts';
import { recordSealingFailure } from '../store/transactions/save-transaction.ts';
import {
  type AuditEntry,
  auditFingerprint,
  findSigning,
  insertAudit,
  type Signing,
  saveSigning,
} from '../store/transactions/signing.ts';
import { auditEntry, writeAudit } from './record.ts';
import {
  fieldsOfRecipient,
  findActiveSession,
  findCurrentSession,
  findSession,
  type SigningSession,
  withCurrentDay,
} from './signing-session.ts';

/** `reviewed` is the fingerprint of what the recipient has filled in and was shown: exactly that is signed. */
export type SubmittedValues = { values: readonly SubmittedValue[] } | { reviewed: string };

type Submission = {
  token: string;
  submitted: SubmittedValues;
  /** These say more in the record: how the recipient got the link, and what they have confirmed. */
  details: Readonly<Record<string, string>>;
};

/** The documents are sealed again when something happened meanwhile, such as a page that was viewed: it belongs to the evidence. */
const ATTEMPTS = 3;

/** Submits what a recipient has filled in (spec §6 recipient_submitted). */
export async function submitSignature(
  context: RequestContext,
  submission: Submission,
): Promise<Result<Transaction>> {
  await verifyUnchanged(context, submission.token);
  return withDeferredChecks(async (checks) => {
    for (let attempt = 1; ; attempt += 1) {
      const prepared = await prepareCompletion(context, submission, checks);
      const sealed = prepared && (await sealInTurn(context, prepared.before, submission, checks));
      if (sealed?.ok === false) return sealed;
      const committed = await commit(context, submission, checks, sealed?.output);
      if (committed.ok) return committed;
      if (sealed?.output) await discardSealed(context.store, sealed.output.id, sealed.output.documents);
      if (committed.refusal.code !== 'transaction_changed' || attempt === ATTEMPTS) return committed;
    }
  });
}

/**
 * Makes sure that documents still have the bytes that the transaction was started with. Files are read outside of the commit, because that
 * is slow, and the documents of a started transaction never change.
 * @throws DamagedStoreError for the first document whose bytes are missing or others
 */
async function verifyUnchanged(context: RequestContext, token: string): Promise<void> {
  const files = await context.read(async (db) => {
    const session = await findSession(context, db, token);
    const ids = (session?.transaction.content.documents ?? []).map(({ file }) => file.id);
    return ids.length > 0 ? filesWith(db, ids) : [];
  });
  for (const { pdf_sha256, original_name } of files)
    await context.store.blobs.check(pdf_sha256, `"${original_name}"`);
}

// --- Prepare ---

/** A submission will be committed in this form. */
type Prepared = {
  before: Transaction;
  decision: Accepted;
  /** This entry of the record is written in the same commit. */
  signed: AuditEntry;
  signing: Signing;
};

/** Decides on a submission, and writes nothing. The clock of a request stands still: the same state leads to the same decision. */
async function prepare(
  context: RequestContext,
  db: Db,
  session: SigningSession | undefined,
  { submitted, details }: Submission,
  checks: DeferredChecks,
): Promise<Result<Prepared>> {
  if (!session) return refuse('signing_link_invalid');
  const { transaction, recipient } = session;
  const signing = await findSigning(db, context.store.keys, recipient.id, context.now);
  const values =
    'values' in submitted ? submitted.values : reviewedValues(context, session, signing, submitted.reviewed);
  if (!values) return refuse('values_changed');
  const { time_zone } = signing;
  const { now, newId, newToken } = context;
  const decisionContext = { now, newId, newToken, day: dayOfSigning(now, time_zone) };
  const decision = submit(transaction, recipient.id, values, decisionContext, checks);
  if (!decision.ok) return decision;
  const signed = auditEntry(context, session, { type: 'signed', details: { time_zone, ...details } });
  return ok({ before: transaction, decision, signed, signing });
}

/** @returns undefined where the recipient has not agreed to sign, or was shown other values than there are now */
function reviewedValues(
  context: RequestContext,
  session: SigningSession,
  signing: Signing,
  reviewed: string,
): readonly SubmittedValue[] | undefined {
  const { consented_at, draft } = withCurrentDay(context, session, signing);
  return consented_at === null || reviewed !== fingerprintOf(draft)
    ? undefined
    : submittedValuesOf(draft, fieldsOfRecipient(session));
}

/** Recognizes what was shown for review: values, and in which face a typed signature was shown. */
export const fingerprintOf = ({ values, signature, initials }: Draft): string =>
  sha256Of(JSON.stringify([Object.entries(values).sort(), signature, initials]));

// --- Seal ---

/** The `state` describes what the documents were sealed from. */
type Sealed = { id: string; state: string; documents: SealedDocument[] };

/** @returns undefined where nothing is to be sealed: others sign later, or the submission is refused, which the commit says */
const prepareCompletion = (
  context: RequestContext,
  submission: Submission,
  checks: DeferredChecks,
): Promise<(Prepared & { state: string }) | undefined> =>
  context.read(async (db) => {
    const session = await findCurrentSession(context, db, submission.token);
    const prepared = await prepare(context, db, session, submission, checks);
    return prepared.ok && isLast(prepared.output)
      ? { ...prepared.output, state: await stateOf(db, prepared.output) }
      : undefined;
  });

const isLast = ({ decision }: Prepared): boolean => decision.next.status === 'completed';

/** Describes all that the sealed documents contain: the transaction, and what was recorded. */
const stateOf = async (db: Db, { decision: { next } }: Prepared): Promise<string> =>
  JSON.stringify([next, await auditFingerprint(db, next.id)]);

/** Seals when it is the company's turn, and records a failure for the sender. The code that seals is loaded with the first completion. */
async function sealInTurn(
  context: RequestContext,
  { id, company_id }: Transaction,
  submission: Submission,
  checks: DeferredChecks,
): Promise<Result<Sealed | undefined>> {
  const { queue, onError } = context.sealing;
  let sealed: Result<Sealed | undefined>;
  try {
    sealed = await queue.run(company_id, async (inTurn) => {
      // The turn may come much later, when the transaction has been cancelled or another process has completed it.
      const prepared = await prepareCompletion(context, submission, checks);
      if (!prepared) return ok(undefined);
      const { sealDocuments } = await import('../sealing/seal-documents.ts');
      const documents = await sealDocuments(context, prepared.decision.next, prepared.signed, inTurn);
      return documents.ok ? ok({ id, state: prepared.state, documents: documents.output }) : documents;
    });
  } catch (error) {
    onError(error, `transaction ${id}`);
    const refusal = failureRefusalOf(error);
    sealed = refusal ? { ok: false, refusal } : refuse('sealing_failed', { why: firstLineOf(error) });
  }
  if (!sealed.ok) await recordFailure(context, id, sealed.refusal);
  return sealed;
}

/** Shortens the message of an error, for the sender. */
function firstLineOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.slice(0, MOST_CHARACTERS);
}

const MOST_CHARACTERS = 300;

/** These refusals are no failure of sealing: the documents can be sealed in a minute, or by a service that was restarted. */
const UNRECORDED: readonly ProblemCode[] = ['documents_busy', 'program_replaced'];

/** Records why the documents were not sealed, for the sender. */
async function recordFailure({ store, now }: RequestContext, id: string, refusal: Refusal): Promise<void> {
  if (UNRECORDED.includes(refusal.code)) return;
  // Recipients do not get this detail.
  const reason =
    refusal.code === 'sealing_failed'
      ? `The documents could not be sealed because of an error in the service: ${refusal.facts.why}`
      : sentenceOf(refusal);
  try {
    await store.database.write((db) => recordSealingFailure(db, id, reason, now), [id], 'locked');
  } catch {
    // A storage that is full or damaged may be what failed: the refusal says so to the recipient all the same.
  }
}

// --- Commit ---

const commit = (
  context: RequestContext,
  submission: Submission,
  checks: DeferredChecks,
  sealed: Sealed | undefined,
): Promise<Result<Transaction>> => {
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const session = await findActiveSession(context, db, submission.token, changes);
      const prepared = await prepare(context, db, session, submission, checks);
      if (!prepared.ok) return prepared;
      const { before, decision, signed, signing } = prepared.output;
      if (isLast(prepared.output) && sealed?.state !== (await stateOf(db, prepared.output)))
        return refuse('transaction_changed', { id: before.id });
      await emptyDraft(context, db, signing);
      await insertAudit(db, [signed]);
      const final = isLast(prepared.output) && sealed ? withSealed(decision, sealed.documents) : decision;
      return ok(await recordDecision(context, db, before, final));
    },
    changes,
    'locked',
  );
};

/** Empties the draft of a recipient: its values are in the transaction now, or are not needed any more. */
const emptyDraft = ({ store, now }: RequestContext, db: Db, signing: Signing): Promise<void> =>
  saveSigning(db, store.keys, { ...signing, draft: EMPTY_DRAFT }, now);

/** Rejects a transaction for a recipient (spec §6 transaction_rejected). */
export const rejectTransaction = (
  context: RequestContext,
  token: string,
  reason: string,
  details: Readonly<Record<string, string>> = {},
): Promise<Result<Transaction>> => {
  const changes: string[] = [];
  return context.commit(
    async (db) => {
      const session = await findActiveSession(context, db, token, changes);
      if (!session) return refuse('signing_link_invalid');
      const { transaction, recipient } = session;
      const decision = reject(transaction, recipient.id, reason, context);
      if (!decision.ok) return decision;
      const signing = await findSigning(db, context.store.keys, recipient.id, context.now);
      await emptyDraft(context, db, signing);
      const { time_zone } = signing;
      await writeAudit(context, db, session, [{ type: 'rejected', details: { time_zone, ...details } }]);
      return ok(await recordDecision(context, db, transaction, decision));
    },
    changes,
    'locked',
  );
};
