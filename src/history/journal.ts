// Keeps the journal of plans: records each step before its request is sent, and the answer after it.
// One process at a time executes a plan.
import type { Database } from '../database/database.ts';
import type { HistoryTables, StepState } from './tables.ts';

/** How long a plan stays claimed by a process that cannot be checked. */
const HOLD_MS = 2 * 60_000;

/** Someone who misspells the ID of a plan has seen it lately. */
const MOST_LISTED = 100;

export type StoredPlan = { id: string; profile: string; service: string; content: unknown };

export type StoredStep = { name: string; state: StepState; idempotencyKey: string; answer: unknown };

export type NewStep = { name: string; idempotencyKey: string };

export type FoundPlan = { plan: StoredPlan; ageMs: number; steps: StoredStep[] };

export type Journal = {
  /** Stores the plan with its steps, all pending, and claims it for this process. */
  begin(plan: StoredPlan, steps: readonly NewStep[], pid: number): Promise<void>;
  find(planId: string): Promise<FoundPlan | undefined>;
  /** Lists the IDs of the newest plans. */
  listIds(): Promise<string[]>;
  /** Claims a plan. False when another living process is executing it. */
  claim(planId: string, pid: number, isAlive: (pid: number) => boolean): Promise<boolean>;
  /** Releases the plan, and stores the step that was answered last. */
  release(planId: string, answered?: AnsweredStep): Promise<void>;
  /**
   * Marks a step as sending. It is durable when the promise resolves, and only then may the request be sent. The answer of the
   * previous step is stored in the same commit.
   */
  markSending(planId: string, step: string, answered?: AnsweredStep): Promise<void>;
  /** Marks a step as pending again, when the service has certainly not acted on its request. */
  markPending(planId: string, step: string): Promise<void>;
  markDone(planId: string, answered: AnsweredStep): Promise<void>;
};

export type AnsweredStep = { step: string; answer: unknown };

export function createJournal(database: Database<HistoryTables>, nowMs: () => number): Journal {
  type Tables = Parameters<Parameters<typeof database.write>[0]>[0];
  const mark = (db: Tables, planId: string, name: string, change: { state: StepState; answer?: string }) =>
    db.updateTable('step').set(change).where('plan_id', '=', planId).where('name', '=', name).execute();
  const storeAnswer = async (db: Tables, planId: string, answered: AnsweredStep | undefined) => {
    if (answered)
      await mark(db, planId, answered.step, {
        state: 'done',
        answer: JSON.stringify(answered.answer ?? null),
      });
  };
  const hold = (db: Tables, planId: string, held: { holder_pid?: null; held_until_ms: number | null }) =>
    db.updateTable('plan').set(held).where('id', '=', planId).execute();
  return {
    begin: (plan, steps, pid) =>
      database.write(async (db) => {
        await db
          .insertInto('plan')
          .values({
            ...plan,
            content: JSON.stringify(plan.content),
            created_ms: nowMs(),
            holder_pid: pid,
            held_until_ms: nowMs() + HOLD_MS,
          })
          .execute();
        const rows = steps.map(({ name, idempotencyKey }) => ({
          plan_id: plan.id,
          name,
          state: 'pending' as const,
          idempotency_key: idempotencyKey,
          answer: null,
        }));
        await db.insertInto('step').values(rows).execute();
      }),
    find: (planId) => find(database, planId, nowMs()),
    listIds: () =>
      database.read(async (db) => {
        const newest = db.selectFrom('plan').select('id').orderBy('created_ms', 'desc').limit(MOST_LISTED);
        return (await newest.execute()).map(({ id }) => id);
      }),
    claim: (planId, pid, isAlive) => claim(database, planId, { pid, nowMs: nowMs(), isAlive }),
    release: (planId, answered) =>
      database.write(async (db) => {
        await storeAnswer(db, planId, answered);
        await hold(db, planId, { holder_pid: null, held_until_ms: null });
      }),
    markSending: (planId, step, answered) =>
      database.write(async (db) => {
        await storeAnswer(db, planId, answered);
        await mark(db, planId, step, { state: 'sending' });
        await hold(db, planId, { held_until_ms: nowMs() + HOLD_MS });
      }),
    markPending: (planId, step) =>
      database.write(async (db) => void (await mark(db, planId, step, { state: 'pending' }))),
    markDone: (planId, answered) => database.write((db) => storeAnswer(db, planId, answered)),
  };
}

function find(
  database: Database<HistoryTables>,
  planId: string,
  now: number,
): Promise<FoundPlan | undefined> {
  return database.read(async (db) => {
    const plan = await db.selectFrom('plan').selectAll().where('id', '=', planId).executeTakeFirst();
    if (!plan) return undefined;
    const rows = await db.selectFrom('step').selectAll().where('plan_id', '=', planId).execute();
    const steps = rows.map((row) => ({
      name: row.name,
      state: row.state,
      idempotencyKey: row.idempotency_key,
      answer: row.answer === null ? undefined : (JSON.parse(row.answer) as unknown),
    }));
    const { id, profile, service, content } = plan;
    return {
      plan: { id, profile, service, content: JSON.parse(content) as unknown },
      ageMs: now - plan.created_ms,
      steps,
    };
  });
}

type Claim = { pid: number; nowMs: number; isAlive: (pid: number) => boolean };

function claim(
  database: Database<HistoryTables>,
  planId: string,
  { pid, nowMs, isAlive }: Claim,
): Promise<boolean> {
  return database.write(async (db) => {
    const plan = await db.selectFrom('plan').selectAll().where('id', '=', planId).executeTakeFirst();
    const holder = plan?.holder_pid ?? undefined;
    const heldForMs = (plan?.held_until_ms ?? 0) - nowMs;
    // A claim that ends much later than any that is made now was made before the clock was set back. One that ends a little later
    // was made by a process that read the clock after this one did.
    const isPossible = heldForMs > 0 && heldForMs <= 2 * HOLD_MS;
    const isHeld = holder !== undefined && isPossible && holder !== pid && isAlive(holder);
    if (isHeld) return false;
    await db
      .updateTable('plan')
      .set({ holder_pid: pid, held_until_ms: nowMs + HOLD_MS })
      .where('id', '=', planId)
      .execute();
    return true;
  });
}
