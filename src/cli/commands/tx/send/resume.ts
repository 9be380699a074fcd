// Reads an interrupted plan, so that it can be resumed with the same service and the same files.
import type { Uses } from '../../../command/context.ts';
import { CliError, cliError } from '../../../command/errors.ts';
import type { Connection } from '../../../connection/connection.ts';
import { createFileReader, readLocalFile } from '../../../input/local-file.ts';
import { readPlan } from '../../../transactions/read-plan.ts';
import { filesNeeded, type Resumable } from './run-plan.ts';

type Found = { resumable: Resumable; connection: Connection; contents: Map<number, Uint8Array<ArrayBuffer>> };

export async function readResumable(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  planId: string,
): Promise<Found> {
  const { journal } = await context.history.open();
  const found = await journal.find(planId);
  if (!found) throw cliError('plan_not_found', { plan: planId });
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
async function readAgain(
  context: Uses<'process' | 'terminal'>,
  resumable: Resumable,
): Promise<Map<number, Uint8Array<ArrayBuffer>>> {
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
