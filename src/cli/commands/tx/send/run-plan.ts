// Carries out a plan of `tx send`, new or resumed. A journal says what was sent before it leaves and what was
// answered after, so that nothing is ever created or started twice.
import { LIMITS } from '../../../../api/contract/limits.ts';
import type { Transaction } from '../../../../api/contract/transactions.ts';
import type { ConnectionError } from '../../../../api/transport.ts';
import type { Journal, StoredStep } from '../../../../history/journal.ts';
import type { StepState } from '../../../../history/tables.ts';
import type { Uses } from '../../../command/context.ts';
import { CliError, EXIT, StoppedOnTheWay } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { warnOf } from '../../../transactions/remarks.ts';
import { isOutcomeUnknown } from '../../../transactions/unknown-outcome.ts';
import { signingUrlOf } from '../../../transactions/view.ts';
import { type Answer, detailOf, type Progress, type Step, stepsOf } from './steps.ts';

export type Sent = { transaction: Transaction; url: string | undefined };

type Contents = Map<number, Uint8Array<ArrayBuffer>>;

export async function sendNew(
  context: Uses<'history' | 'process' | 'settings' | 'terminal'>,
  connection: Connection,
  plan: Plan,
  contents: Contents,
): Promise<Sent> {
  const { journal } = await context.history.open();
  const steps = stepsOf(plan).map(({ name }) => ({
    name,
    idempotencyKey: `${plan.id}.${name.replace(':', '.')}`,
  }));
  await journal.begin(
    { id: plan.id, profile: connection.profile, service: connection.service, content: plan },
    steps,
    context.process.id,
  );
  announce(context, plan);
  const stored = steps.map((step) => ({ ...step, state: 'pending' as const, answer: undefined }));
  return carryOut(context, { connection, journal, plan, contents, stored, keysHold: connection.idempotency });
}

/** Named before the first request: whatever happens now can be resumed by this id. */
function announce(
  { settings, terminal: { streams, progress } }: Uses<'settings' | 'terminal'>,
  plan: Plan,
): void {
  if (settings.quiet) return;
  if (settings.json) streams.err.write(`${JSON.stringify({ plan: plan.id })}\n`);
  else progress.note(`plan ${plan.id}`);
}

export type Resumable = { plan: Plan; ageMs: number; stored: StoredStep[]; journal: Journal };

/** A service forgets keys after a day (assumed: A37); an hour is left for the run and for clocks that differ. */
const KEY_AGE_MS = LIMITS.idempotencyKeyLifetimeMs - 60 * 60_000;

/** Files that a step still needs, by their position in the plan. */
export function filesNeeded({ plan, stored }: Resumable): number[] {
  return plan.files.map((_, index) => index).filter((index) => stateOf(stored, `upload:${index}`) !== 'done');
}

export async function resume(
  context: Uses<'process' | 'settings' | 'terminal'>,
  connection: Connection,
  { plan, ageMs, stored, journal }: Resumable,
  contents: Contents,
): Promise<Sent> {
  const isMine = await journal.claim(plan.id, context.process.id, context.process.isAlive);
  if (!isMine)
    throw new CliError(`Another process is carrying out plan ${plan.id}.`, {
      code: 'plan_in_use',
      exit: EXIT.conflict,
      hint: 'Wait until it has ended.',
      retryable: true,
    });
  announce(context, plan);
  // What another process did until it let go.
  const fresh = (await journal.find(plan.id))?.steps ?? stored;
  const keysHold = connection.idempotency && ageMs < KEY_AGE_MS;
  return carryOut(context, { connection, journal, plan, contents, stored: fresh, keysHold });
}

type Work = {
  connection: Connection;
  journal: Journal;
  plan: Plan;
  contents: Contents;
  stored: readonly StoredStep[];
  keysHold: boolean;
};

const stateOf = (stored: readonly StoredStep[], name: string): StepState =>
  stored.find((step) => step.name === name)?.state ?? 'pending';

async function carryOut(
  context: Uses<'process' | 'terminal'>,
  { connection, journal, plan, contents, stored, keysHold }: Work,
): Promise<Sent> {
  const progress: Progress = {
    connection,
    plan,
    contents,
    transactionId: '',
    tokens: new Map(),
    templateDocuments: 0,
    signingPage: undefined,
    url: undefined,
    untold: [],
    answered: undefined,
  };
  try {
    for (const step of stepsOf(plan)) {
      const known = stored.find(({ name }) => name === step.name);
      if (known?.state === 'done') step.absorb(progress, known.answer as Answer);
      else {
        // Before it starts at the latest: who sends can still stop it.
        for (const said of progress.untold.splice(0)) warnOf(context, said);
        await take(context, step, { progress, journal, known, keysHold });
      }
    }
    return await ending(progress);
  } finally {
    await journal.release(plan.id, progress.answered);
  }
}

type Taking = { progress: Progress; journal: Journal; known: StoredStep | undefined; keysHold: boolean };

async function take(
  context: Uses<'process' | 'terminal'>,
  step: Step,
  { progress, journal, known, keysHold }: Taking,
): Promise<void> {
  const { plan } = progress;
  const key = keysHold ? known?.idempotencyKey : undefined;
  try {
    context.process.checkpoint();
    if (known?.state === 'sending' && !(key && isKeyed(step))) {
      const found = await step.settle(progress);
      if (found === 'unknown') throw cannotTell(plan);
      if (found !== 'again') {
        await journal.done(plan.id, { step: step.name, answer: found });
        return step.absorb(progress, found);
      }
    }
  } catch (error) {
    throw stopped(error, progress);
  }
  await journal.sending(plan.id, step.name, progress.answered);
  progress.answered = undefined;
  try {
    const answer = await context.terminal.progress.step(step.label, (onSent) =>
      step.send(progress, { idempotencyKey: key, onSent }),
    );
    // Written down with the next step, before its request leaves: one commit for both.
    progress.answered = { step: step.name, answer };
    step.absorb(progress, answer);
  } catch (error) {
    if (!isOutcomeUnknown(error)) await journal.pending(plan.id, step.name);
    throw stopped(error, progress);
  }
}

/** Where the service keeps the first answer under a key, asking again under that key is the way to find out. */
const isKeyed = ({ operation }: Step): boolean => KEYED.has(operation);

const KEYED = new Set([
  'file.upload',
  'transaction.create',
  'transaction.use_templates',
  'transaction.add_document',
  'transaction.start',
]);

const cannotTell = (plan: Plan): CliError =>
  new CliError(
    'Whether the transaction was created is not known: the service did not answer, and it cannot be asked.',
    {
      code: 'outcome_unknown',
      exit: EXIT.partly,
      hint: `Look in the dashboard of the service for a draft named "${plan.texts.name ?? ''}". If there is none, send again as a new transaction.`,
    },
  );

/** A refusal keeps its exit code; a lost answer is "partly done". Draft and plan are named either way. */
function stopped(error: unknown, { plan, transactionId }: Progress): StoppedOnTheWay {
  const isLost =
    error instanceof Error &&
    error.name === 'ConnectionError' &&
    (error as ConnectionError).delivery === 'unknown';
  const command = `esign tx send --resume ${plan.id}`;
  return new StoppedOnTheWay(error, {
    partial: { ...(transactionId !== '' && { id: transactionId }), plan: plan.id },
    ...(isLost && { exit: EXIT.partly }),
    next: isRefusedForGood(error)
      ? transactionId === ''
        ? []
        : [
            {
              command: `esign tx show ${transactionId}`,
              when: 'the draft that is left; send anew once it is corrected',
            },
          ]
      : [{ command, when: 'to go on where it stopped' }],
  });
}

/** The plan stays as it is, so the same request would be refused again. */
function isRefusedForGood(error: unknown): boolean {
  const { name, status } = error as { name?: string; status?: number };
  return name === 'ApiError' && REFUSED_FOR_GOOD.has(status ?? 0);
}

const REFUSED_FOR_GOOD = new Set([400, 404, 409, 413, 415, 422]);

/** Where it stands now. What was started stays started, whether or not it can be read. */
async function ending(progress: Progress): Promise<Sent> {
  try {
    const transaction = await detailOf(progress);
    const base = progress.signingPage?.replace(/\/sign$/, '') ?? progress.connection.appUrl;
    return { transaction, url: progress.url ?? signingUrlOf(transaction, base) };
  } catch (error) {
    throw stopped(error, progress);
  }
}
