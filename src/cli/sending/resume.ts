// Resumes an interrupted plan of `tx send`, with the same service and the same files. A stored plan that cannot be read is refused before anything
// is done.
import * as z from 'zod';
import { LIMITS } from '../../api/contract/limits.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import type { Journal, StepState, StoredStep } from '../../history/history.ts';
import { ANCHOR_POSITIONS } from '../../placement/anchors.ts';
import type { Uses } from '../command/context.ts';
import { CliError, cliError } from '../command/errors.ts';
import type { Connection } from '../connection/connection.ts';
import { readLocalFile } from '../input/documents.ts';
import { createFileReader } from '../input/files.ts';
import { announcePlan, type Contents, executePlan, type SendPolicy, type SentPlan } from './execute.ts';
import { PLAN_VERSION, type Plan } from './plan.ts';

type Found = { resumable: Resumable; connection: Connection; contents: Contents };

export async function readResumable(
  context: Uses<'connections' | 'history' | 'process' | 'terminal'>,
  planId: string,
): Promise<Found> {
  const { journal } = await context.history.open();
  const interrupted = await journal.find(planId);
  if (!interrupted)
    throw cliError('plan_not_found', {
      sentence: `Plan "${planId}" not found on this machine.`,
      hint: didYouMean(
        nearest(planId, await journal.listIds()),
        'A plan can be resumed only on the machine where `esign tx send` was run, with the same ESIGN_HOME.',
      ),
    });
  const connection = await context.connections.connect();
  if (interrupted.plan.service !== connection.service)
    throw cliError('plan_of_another_service', {
      sentence: `The plan ${planId} was made for ${interrupted.plan.service}. This command uses ${connection.service}.`,
      hint:
        interrupted.plan.service === 'sandbox'
          ? 'Add --sandbox.'
          : 'Use the same profile, or set the same ESIGN_BASE_URL.',
    });
  const plan = readPlan(interrupted.plan.content, planId);
  const resumable = { plan, ageMs: interrupted.ageMs, stored: interrupted.steps, journal };
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
    if (file.sha256 !== sha256)
      throw cliError('file_changed', {
        sentence: `"${path}" has changed since the plan ${resumable.plan.id} was made.`,
        hint: 'Restore the file, or send it again without --resume.',
      });
    contents.set(index, file.bytes);
  }
  return contents;
}

type Resumable = { plan: Plan; ageMs: number; stored: StoredStep[]; journal: Journal };

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
function filesNeeded({ plan, stored: all, ageMs }: Resumable): number[] {
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
  if (!isMine)
    throw cliError('plan_in_use', {
      sentence: `Another process is running the plan ${plan.id}.`,
      hint: 'Wait until that process has ended.',
    });
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

const versioned = z.looseObject({ version: z.int().min(1) });

const person = z.looseObject({ name: z.string(), email: z.string() });
const position = z.int().min(0);
const pageNumber = z.union([position, z.literal('last')]);
const box = z.looseObject({
  page: position,
  positionX: z.number(),
  positionY: z.number(),
  width: z.number(),
  height: z.number(),
});

/** The properties that the execution of a plan needs. All others are text for people, or are sent unchanged. */
const shape = versioned.extend({
  id: z.string(),
  files: z.array(
    z.looseObject({
      path: z.string(),
      name: z.string(),
      sha256: z.string(),
      pages: z.array(z.looseObject({ width: z.number(), height: z.number() })).nullable(),
    }),
  ),
  templates: z.array(z.string()),
  sender: person.nullable(),
  recipients: z.array(
    person.extend({ role: z.enum(['sender', 'signer', 'proxy']), id: z.string().optional() }),
  ),
  asked: z.array(person).optional(),
  fills: z.array(position).optional(),
  fields: z.array(
    z
      .looseObject({
        type: z.string(),
        page: pageNumber.optional(),
        anchor: z.looseObject({ text: z.string(), at: z.enum(ANCHOR_POSITIONS) }).optional(),
        document: position,
        recipient: z.string(),
        of: position.optional(),
        properties: z.looseObject({}),
        source: z.string(),
      })
      .refine(({ page, anchor }) => (page === undefined) !== (anchor === undefined)),
  ),
  boxesFor: z.array(position),
  places: z.array(box).optional(),
  drawn: z
    .array(z.looseObject({ document: position, field: z.looseObject({ value: z.string() }) }))
    .optional(),
  emptied: z
    .array(
      z.looseObject({
        document: position,
        places: z.array(z.looseObject({ page: position, annotation: position })),
      }),
    )
    .optional(),
  removed: z
    .array(
      z.looseObject({
        document: position,
        texts: z.array(z.looseObject({ page: position, index: position, text: z.string() })),
      }),
    )
    .optional(),
  data: z
    .array(
      z.looseObject({
        label: z.string(),
        recipient: z.string().optional(),
        value: z.union([z.string(), z.number(), z.boolean()]),
      }),
    )
    .optional(),
  warnings: z.array(z.looseObject({ document: z.string() })).optional(),
  texts: z.looseObject({ name: z.string().optional() }),
  notify: z.string().nullable(),
  draft: z.boolean(),
});

type Stored = z.infer<typeof shape>;

/** Reads a plan. @throws CliError when a newer version wrote it, or when it is damaged */
export function readPlan(content: unknown, id: string): Plan {
  const { version = 0 } = versioned.safeParse(content).data ?? {};
  if (version > PLAN_VERSION)
    throw cliError('plan_newer', {
      sentence: `The plan ${id} was written by a newer version of esign.`,
      hint: 'Nothing was done. Update esign, then resume the plan.',
    });
  const { data } = shape.safeParse(content);
  if (!data || data.id !== id || !isWhole(data))
    throw cliError('plan_unreadable', {
      sentence: `The plan ${id} cannot be read: it is damaged, or another program wrote it.`,
      hint: 'Nothing was done. Look for a draft in the dashboard of the service, delete it, and send again without --resume.',
    });
  return data as unknown as Plan;
}

/** Whether every position exists. */
function isWhole({ files, fields, recipients, boxesFor, fills = [] }: Stored): boolean {
  return (
    [...boxesFor, ...fills].every((at) => at < recipients.length) &&
    fields.every(({ document, of = 0 }) => document < files.length && (of === 0 || of < recipients.length))
  );
}
