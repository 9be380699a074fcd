// Executes a plan of `tx send`, new or resumed. It writes each step into a journal before its request is sent and the answer
// after it, so that nothing is ever created or started twice.
import { LIMITS } from '../../../../api/contract/limits.ts';
import type { Operation } from '../../../../api/contract/operation.ts';
import { OPERATIONS } from '../../../../api/contract/operations.ts';
import type { ReceivedTransaction } from '../../../../api/contract/received.ts';
import type { ConnectionError } from '../../../../api/transport.ts';
import type { Journal, StoredStep } from '../../../../history/journal.ts';
import type { StepState } from '../../../../history/tables.ts';
import type { Uses } from '../../../command/context.ts';
import { CliError, cliError, PartialFailure } from '../../../command/errors.ts';
import { EXIT } from '../../../command/exit-codes.ts';
import type { Connection } from '../../../connection/connection.ts';
import type { FieldWarning } from '../../../transactions/field-warnings.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { type DocumentRemarks, lossesIn, warnOfRemarks } from '../../../transactions/remarks.ts';
import { isOutcomeUnknown } from '../../../transactions/send-once.ts';
import { isUnderWay } from '../../../transactions/start-when-checked.ts';
import { signingUrlOf } from '../../../transactions/view.ts';
import { fetchTransaction, type PlanProgress, type PlanStep, planSteps, type StepAnswer } from './steps.ts';

export type SentPlan = {
  transaction: ReceivedTransaction;
  url: string | undefined;
  /** Warnings about the places of fields, from the plan and from its execution. */
  warnings: FieldWarning[];
};

/** `acceptsLosses`: documents that were converted without some of their content are sent all the same. */
export type SendPolicy = { acceptsLosses: boolean };

type Contents = Map<number, Uint8Array<ArrayBuffer>>;

export async function sendNew(
  context: Uses<'history' | 'process' | 'settings' | 'terminal'>,
  connection: Connection,
  plan: Plan,
  contents: Contents,
  policy: SendPolicy,
): Promise<SentPlan> {
  const { journal } = await context.history.open();
  const steps = planSteps(plan).map(({ name }) => ({
    name,
    idempotencyKey: `${plan.id}.${name.replace(':', '.')}`,
  }));
  await journal.begin(
    { id: plan.id, profile: connection.profile, service: connection.service, content: plan },
    steps,
    context.process.id,
  );
  announcePlan(context, plan);
  const stored = steps.map((step) => ({ ...step, state: 'pending' as const, answer: undefined }));
  return executePlan(context, {
    connection,
    journal,
    plan,
    contents,
    policy,
    stored,
    idempotencyKeysValid: connection.idempotency,
  });
}

/** Prints the id of the plan before the first request, so that it can be resumed whatever happens. */
function announcePlan(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  plan: Plan,
): void {
  if (settings.quiet) return;
  if (settings.json) streams.err.write(`${JSON.stringify({ plan: plan.id })}\n`);
  else progress.note(`Plan ${plan.id}`);
}

export type Resumable = { plan: Plan; ageMs: number; stored: StoredStep[]; journal: Journal };

/**
 * A service forgets keys after a day (assumed: A37); an hour is left for the run and for clocks that differ. The age of a plan
 * from the future is unknown: the clock was set back.
 */
const CLOCKS_DIFFER_MS = 60 * 60_000;
const KEY_AGE_MS = LIMITS.idempotencyKeyLifetimeMs - CLOCKS_DIFFER_MS;

/**
 * Makes uploads pending again that were not added to a transaction in time: the service has forgotten them (assumed: A29). They
 * are sent without a key, because the key would return the first answer.
 */
function withoutLapsedUploads(stored: readonly StoredStep[], ageMs: number): readonly StoredStep[] {
  if (ageMs >= 0 && ageMs < LIMITS.fileTokenLifetimeMs) return stored;
  return stored.map((step) => {
    const index = /^upload:(\d+)$/.exec(step.name)?.[1];
    const isLapsed = index !== undefined && stateOf(stored, `add_document:${index}`) === 'pending';
    return isLapsed ? { ...step, state: 'pending', answer: undefined, idempotencyKey: '' } : step;
  });
}

/** Lists the files that a step still needs, by their position in the plan. */
export function filesNeeded({ plan, stored: all, ageMs }: Resumable): number[] {
  const stored = withoutLapsedUploads(all, ageMs);
  return plan.files.map((_, index) => index).filter((index) => stateOf(stored, `upload:${index}`) !== 'done');
}

export async function resumePlan(
  context: Uses<'process' | 'settings' | 'terminal'>,
  connection: Connection,
  { plan, ageMs, stored, journal }: Resumable,
  contents: Contents,
  policy: SendPolicy,
): Promise<SentPlan> {
  const isMine = await journal.claim(plan.id, context.process.id, context.process.isAlive);
  if (!isMine) throw cliError('plan_in_use', { plan: plan.id });
  announcePlan(context, plan);
  // Includes the steps that another process has done meanwhile.
  const fresh = withoutLapsedUploads((await journal.find(plan.id))?.steps ?? stored, ageMs);
  const idempotencyKeysValid = connection.idempotency && ageMs < KEY_AGE_MS && ageMs > -CLOCKS_DIFFER_MS;
  return executePlan(context, {
    connection,
    journal,
    plan,
    contents,
    policy,
    stored: fresh,
    idempotencyKeysValid,
  });
}

type PlanExecution = {
  connection: Connection;
  journal: Journal;
  plan: Plan;
  contents: Contents;
  policy: SendPolicy;
  stored: readonly StoredStep[];
  idempotencyKeysValid: boolean;
};

const stateOf = (stored: readonly StoredStep[], name: string): StepState =>
  stored.find((step) => step.name === name)?.state ?? 'pending';

async function executePlan(
  context: Uses<'process' | 'terminal'>,
  { connection, journal, plan, contents, policy, stored, idempotencyKeysValid }: PlanExecution,
): Promise<SentPlan> {
  const progress: PlanProgress = {
    connection,
    plan,
    documents: context.process.documents,
    note: context.terminal.progress.note,
    contents,
    transactionId: '',
    tokens: new Map(),
    templateDocuments: 0,
    signingPage: undefined,
    url: undefined,
    pendingRemarks: [],
    warnings: [...(plan.warnings ?? [])],
    unrecordedAnswer: undefined,
  };
  const reported: DocumentRemarks[] = [];
  try {
    for (const step of planSteps(plan)) {
      const known = stored.find(({ name }) => name === step.name);
      if (known?.state === 'done') step.applyAnswer(progress, known.answer as StepAnswer);
      else {
        // Printed before the transaction is started, so that the sender can still stop it.
        reported.push(...warnOfPendingRemarks(context, progress));
        if (!policy.acceptsLosses) refuseLosses(reported, progress, step);
        await runStep(context, step, { progress, journal, known, idempotencyKeysValid });
      }
    }
    warnOfPendingRemarks(context, progress);
    return await readSentPlan(progress);
  } finally {
    await journal.release(plan.id, progress.unrecordedAnswer);
  }
}

/** Prints the remarks that are new since the last call, and returns them. */
function warnOfPendingRemarks(
  context: Uses<'terminal'>,
  { pendingRemarks }: PlanProgress,
): DocumentRemarks[] {
  const remarks = pendingRemarks.splice(0);
  for (const said of remarks) warnOfRemarks(context, said);
  return remarks;
}

/** Refuses to continue when a conversion has lost content, after all files have been uploaded and before each later step. */
function refuseLosses(said: readonly DocumentRemarks[], progress: PlanProgress, next: PlanStep): void {
  const lossy = said.filter((one) => lossesIn(one).length > 0);
  if (lossy.length === 0 || next.operation === 'file.upload') return;
  const error = contentLost(lossy);
  throw progress.transactionId === '' ? error : partialFailure(error, progress);
}

function contentLost(lossy: readonly DocumentRemarks[]): CliError {
  const losses = lossy.flatMap((one) => lossesIn(one).map(({ message }) => message));
  const documents = lossy.map(({ name }) => `"${name}"`).join(', ');
  return cliError('content_lost', { documents, losses: losses.join(' ') });
}

type StepContext = {
  progress: PlanProgress;
  journal: Journal;
  known: StoredStep | undefined;
  idempotencyKeysValid: boolean;
};

async function runStep(
  context: Uses<'process' | 'terminal'>,
  step: PlanStep,
  { progress, journal, known, idempotencyKeysValid }: StepContext,
): Promise<void> {
  const { plan } = progress;
  const key = (idempotencyKeysValid && known?.idempotencyKey) || undefined;
  try {
    context.process.checkpoint();
    if (known?.state === 'sending' && !(key && isKeyed(step))) {
      const found = await step.findOutcome(progress);
      if (found === 'unknown') throw outcomeUnknown(plan);
      if (found !== 'again') {
        await journal.markDone(plan.id, { step: step.name, answer: found });
        return step.applyAnswer(progress, found);
      }
    }
  } catch (error) {
    throw partialFailure(error, progress);
  }
  await journal.markSending(plan.id, step.name, progress.unrecordedAnswer);
  progress.unrecordedAnswer = undefined;
  try {
    const answer = await context.terminal.progress.step(step.label, (onSent) =>
      step.send(progress, { idempotencyKey: key, onSent }),
    );
    // The journal stores it together with the next step, before its request is sent: one commit for both.
    progress.unrecordedAnswer = { step: step.name, answer };
    step.applyAnswer(progress, answer);
  } catch (error) {
    if (!isOutcomeUnknown(error)) await journal.markPending(plan.id, step.name);
    throw partialFailure(error, progress);
  }
}

/** Whether the service stores the first answer under the idempotency key, so that repeating the request returns it. */
function isKeyed({ operation: id }: PlanStep): boolean {
  const operation: Operation = OPERATIONS[id];
  return operation.idempotent === true;
}

const outcomeUnknown = (plan: Plan): CliError => cliError('outcome_unknown', { name: plan.texts.name ?? '' });

/**
 * Wraps an error with the draft, and with the plan where it can be resumed. A refusal of the service keeps its exit code; a
 * lost answer, and a refusal of this command itself, is "partly done".
 */
function partialFailure(error: unknown, { plan, transactionId }: PlanProgress): PartialFailure {
  const isLost =
    error instanceof Error &&
    error.name === 'ConnectionError' &&
    (error as ConnectionError).delivery === 'unknown';
  const isFinal = isRefusedForGood(error);
  const command = `esign tx send --resume ${plan.id}`;
  return new PartialFailure(error, {
    partial: { ...(transactionId !== '' && { id: transactionId }), ...(!isFinal && { plan: plan.id }) },
    ...(isLost && { exit: EXIT.partly }),
    next: !isFinal
      ? [{ command, when: 'to resume' }]
      : transactionId === ''
        ? []
        : [
            {
              command: `esign tx show ${transactionId}`,
              when: 'to see the draft; correct the error and send again',
            },
          ],
  });
}

/** Whether resuming is useless: the plan does not change, so the same request would be refused again. */
function isRefusedForGood(error: unknown): boolean {
  const { name, status } = error as { name?: string; status?: number };
  if (isUnderWay(error)) return false;
  return isRefusedHere(error) || (name === 'ApiError' && REFUSED_FOR_GOOD.has(status ?? 0));
}

/** Whether this command refused to continue because of something that it learned from the service. */
const isRefusedHere = (error: unknown): boolean =>
  error instanceof CliError && error.facts.exit === EXIT.usage;

const REFUSED_FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);

/** Reads the transaction after the last step. It stays started even where that fails. */
async function readSentPlan(progress: PlanProgress): Promise<SentPlan> {
  try {
    const transaction = await fetchTransaction(progress);
    const base = progress.signingPage?.replace(/\/sign$/, '') ?? progress.connection.appUrl;
    const { url = signingUrlOf(transaction, base), warnings } = progress;
    return { transaction, url, warnings };
  } catch (error) {
    throw partialFailure(error, progress);
  }
}
