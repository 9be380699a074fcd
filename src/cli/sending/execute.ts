// Executes a plan of `tx send`, new or resumed. It writes each step into a journal before its request is sent and the answer
// after it, so that nothing is ever created or started twice. An error on the way names what exists by then, and the command that continues.

import type { Operation } from '../../api/contract/operation.ts';
import { OPERATIONS } from '../../api/contract/operations.ts';
import type { ReceivedTransaction } from '../../api/contract/transactions.ts';
import type { ConnectionError } from '../../api/transport.ts';
import type { AnsweredStep, Journal, StoredStep } from '../../history/history.ts';
import type { Uses } from '../command/context.ts';
import { CliError, cliError, PartialFailure } from '../command/errors.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { Connection } from '../connection/connection.ts';
import type { Plan } from './plan.ts';
import { type FieldWarning, lossesIn, warnOfRemarks } from './remarks.ts';
import { isOutcomeUnknown, isUnderWay } from './start.ts';
import {
  fetchTransaction,
  type PlanContext,
  type PlanResults,
  type PlanStep,
  planSteps,
  resultsOfNoStep,
  type StepAnswer,
} from './steps.ts';
import { signingUrlOf, withSigningPages } from './view.ts';

export type SentPlan = {
  transaction: ReceivedTransaction;
  url: string | undefined;
  /** Warnings about the places of fields, from the plan and from its execution. */
  warnings: readonly FieldWarning[];
};

/** `acceptsLosses`: documents that were converted without some of their content are sent all the same. */
export type SendPolicy = { acceptsLosses: boolean };

export type Contents = ReadonlyMap<number, Uint8Array<ArrayBuffer>>;

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
  announcePlan(context, connection, plan);
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

/**
 * Prints the id of the plan before the first request, so that it can be resumed whatever happens. A program learns the service as well, because
 * standard output says it only at the end of the command, which with --wait may be hours later.
 */
export function announcePlan(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  { profile, service }: Pick<Connection, 'profile' | 'service'>,
  { id }: Plan,
): void {
  if (settings.quiet) return;
  if (settings.json) streams.err.write(`${JSON.stringify({ plan: id, profile, service })}\n`);
  else progress.note(`Plan ${id}`);
}

type PlanExecution = {
  connection: Connection;
  journal: Journal;
  plan: Plan;
  contents: Contents;
  policy: SendPolicy;
  /** The steps as the journal has them. */
  stored: readonly StoredStep[];
  idempotencyKeysValid: boolean;
};

/** Executes the steps that are not done. The journal must be held for the plan, and is released at the end. */
export async function executePlan(
  context: Uses<'process' | 'terminal'>,
  execution: PlanExecution,
): Promise<SentPlan> {
  const { connection, plan, contents, policy, stored } = execution;
  const { documents } = context.process;
  const planContext = { connection, plan, documents, note: context.terminal.progress.note, contents };
  const record = createStepRecord(execution.journal, plan);
  let results = resultsOfNoStep(plan);
  let printed = 0;
  const printRemarks = () => {
    for (const remarks of results.remarks.slice(printed)) warnOfRemarks(context, remarks);
    printed = results.remarks.length;
  };
  try {
    for (const step of planSteps(plan)) {
      const storedStep = stored.find(({ name }) => name === step.name);
      if (storedStep?.state === 'done') {
        results = step.withAnswer(results, storedStep.answer as StepAnswer);
        continue;
      }
      // Printed before the transaction is started, so that the sender can still stop it.
      printRemarks();
      if (!policy.acceptsLosses) refuseLosses(plan, results, step);
      results = await executeStep(context, step, {
        execution,
        planContext,
        results,
        record,
        storedStep,
      });
    }
    printRemarks();
    return await readSentPlan(planContext, connection, results);
  } finally {
    await record.release();
  }
}

/** Records the steps of a plan in the journal. An answer is stored with the next step, before its request is sent: one commit for both. */
function createStepRecord(journal: Journal, { id }: Plan) {
  let unrecorded: AnsweredStep | undefined;
  return {
    async markSending(step: string): Promise<void> {
      await journal.markSending(id, step, unrecorded);
      unrecorded = undefined;
    },
    markPending: (step: string): Promise<void> => journal.markPending(id, step),
    markDone: (answered: AnsweredStep): Promise<void> => journal.markDone(id, answered),
    keepAnswer(answered: AnsweredStep): void {
      unrecorded = answered;
    },
    release: (): Promise<void> => journal.release(id, unrecorded),
  };
}

/** Refuses to continue when a conversion has lost content, after all files have been uploaded and before each later step. */
function refuseLosses(plan: Plan, results: PlanResults, next: PlanStep): void {
  const lossy = results.remarks.filter((document) => lossesIn(document).length > 0);
  if (lossy.length === 0 || next.operation === 'file.upload') return;
  const losses = lossy.flatMap((document) => lossesIn(document).map(({ message }) => message));
  const documents = lossy.map(({ name }) => `"${name}"`).join(', ');
  const error = cliError('content_lost', {
    sentence: `The conversion of ${documents} lost content: ${losses.join(' ')}`,
    hint: 'Nothing was sent. Send a PDF, or add --accept-losses to send what was converted.',
  });
  throw results.transactionId === undefined ? error : partialFailure(error, plan, results);
}

type StepExecution = {
  execution: PlanExecution;
  planContext: PlanContext;
  /** Of the steps before. */
  results: PlanResults;
  record: ReturnType<typeof createStepRecord>;
  /** The step as the journal has it. */
  storedStep: StoredStep | undefined;
};

async function executeStep(
  context: Uses<'process' | 'terminal'>,
  step: PlanStep,
  { execution: { plan, idempotencyKeysValid }, planContext, results, record, storedStep }: StepExecution,
): Promise<PlanResults> {
  const key = (idempotencyKeysValid && storedStep?.idempotencyKey) || undefined;
  try {
    context.process.checkpoint();
    if (storedStep?.state === 'sending' && !(key && isKeyed(step))) {
      const outcome = await step.findOutcome(planContext, results);
      if (outcome === 'unknown')
        throw cliError('outcome_unknown', {
          sentence:
            'The service did not respond, and esign cannot check what happened. The transaction may or may not have been created.',
          hint: `Look for a draft named "${plan.texts.name ?? ''}" in the dashboard of the service. If there is none, send again without --resume.`,
        });
      if (outcome !== 'again') {
        await record.markDone({ step: step.name, answer: outcome });
        return step.withAnswer(results, outcome);
      }
    }
  } catch (error) {
    throw partialFailure(error, plan, results);
  }
  await record.markSending(step.name);
  try {
    const answer = await context.terminal.progress.step(step.label, (onSent) =>
      step.send(planContext, results, { idempotencyKey: key, onSent }),
    );
    record.keepAnswer({ step: step.name, answer });
    return step.withAnswer(results, answer);
  } catch (error) {
    if (!isOutcomeUnknown(error)) await record.markPending(step.name);
    throw partialFailure(error, plan, results);
  }
}

/** Whether the service stores the first answer under the idempotency key, so that repeating the request returns it. */
function isKeyed({ operation: id }: PlanStep): boolean {
  const operation: Operation = OPERATIONS[id];
  return operation.idempotent === true;
}

/** Reads the transaction after the last step. It stays started even where that fails. */
async function readSentPlan(
  context: PlanContext,
  connection: Connection,
  results: PlanResults,
): Promise<SentPlan> {
  try {
    const transaction = await fetchTransaction(context, results);
    const base =
      results.signingPage?.replace(/\/sign$/, '') ?? (await withSigningPages(connection, transaction)).appUrl;
    return { transaction, url: signingUrlOf(transaction, base), warnings: results.warnings };
  } catch (error) {
    throw partialFailure(error, context.plan, results);
  }
}

/**
 * Wraps an error with the draft, and with the plan where it can be resumed. A refusal of the service keeps its exit code; a
 * lost answer, and a refusal of this command itself, is "partly done".
 */
function partialFailure(error: unknown, plan: Plan, { transactionId }: PlanResults): PartialFailure {
  const isLost =
    error instanceof Error &&
    error.name === 'ConnectionError' &&
    (error as ConnectionError).delivery === 'unknown';
  const isFinal = isRefusedForGood(error);
  const command = `esign tx send --resume ${plan.id}`;
  return new PartialFailure(error, {
    partial: {
      ...(transactionId !== undefined && { id: transactionId }),
      ...(!isFinal && { plan: plan.id }),
    },
    ...(isLost && { exit: EXIT.partly }),
    next: !isFinal
      ? [{ command, when: 'to resume' }]
      : transactionId === undefined
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
  error instanceof CliError && (error.facts.exit === EXIT.usage || error.facts.code === 'recipients_changed');

const REFUSED_FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);
