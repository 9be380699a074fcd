// Resumes an interrupted plan, with the same service and the same files.
import { LIMITS } from '../../../../api/contract/limits.ts';
import { nearest } from '../../../../common/nearest.ts';
import type { Journal, StepState, StoredStep } from '../../../../history/history.ts';
import type { Uses } from '../../../command/context.ts';
import { CliError, cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { createFileReader, readLocalFile } from '../../../input/local-file.ts';
import type { Plan } from '../../../transactions/plan.ts';
import { readPlan } from '../../../transactions/read-plan.ts';
import { announcePlan, type Contents, executePlan, type SendPolicy, type SentPlan } from './execute-plan.ts';

type Found = { resumable: Resumable; connection: Connection; contents: Contents };

export async function readResumable(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  planId: string,
): Promise<Found> {
  const { journal } = await context.history.open();
  const found = await journal.find(planId);
  if (!found)
    throw cliError('plan_not_found', { plan: planId, meant: nearest(planId, await journal.listIds()) });
  const connection = await context.connections.connect();
  if (found.plan.service !== connection.service)
    throw cliError('plan_of_another_service', {
      plan: planId,
      service: found.plan.service,
      current: connection.service,
    });
  const plan = readPlan(found.plan.content, planId);
  const resumable = { plan, ageMs: found.ageMs, stored: found.steps, journal };
  return { resumable, connection, contents: await readAgain(context, resumable) };
}

/** Reads the files again that are still needed, and refuses one that has changed. One that was uploaded already may be gone. */
async function readAgain(context: Uses<'process' | 'terminal'>, resumable: Resumable): Promise<Contents> {
  const reader = createFileReader(context);
  const needed = filesNeeded(resumable);
  const contents = new Map<number, Uint8Array<ArrayBuffer>>();
  for (const [index, { path, sha256 }] of resumable.plan.files.entries()) {
    const isNeeded = needed.includes(index);
    if (!isNeeded && path === '-') continue;
    const file = await readLocalFile(path, reader).catch((error: unknown) => {
      const isGone = error instanceof CliError && error.facts.code === 'file_not_found';
      if (isNeeded || !isGone) throw error;
      return undefined;
    });
    if (!file) continue;
    if (file.sha256 !== sha256) throw cliError('file_changed', { path, plan: resumable.plan.id });
    contents.set(index, file.bytes);
  }
  return contents;
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
  announcePlan(context, connection, plan);
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

const stateOf = (stored: readonly StoredStep[], name: string): StepState =>
  stored.find((step) => step.name === name)?.state ?? 'pending';
