// The journal of plans: what a step is about to do is written before the request leaves, what it was answered after.
// A plan is carried out by one process at a time.
import type { Database } from '../database/database.ts';
import type { HistoryTables, StepState } from './tables.ts';

/** How long a process that cannot be asked keeps a plan to itself. */
const HOLD_MS = 2 * 60_000;

export type StoredPlan = { id: string; profile: string; service: string; content: unknown };

export type StoredStep = { name: string; state: StepState; idempotencyKey: string; answer: unknown };

export type NewStep = { name: string; idempotencyKey: string };

export type FoundPlan = { plan: StoredPlan; ageMs: number; steps: StoredStep[] };

export type Journal = {
  /** Writes the plan and its steps, all pending, held by this process. */
  begin(plan: StoredPlan, steps: readonly NewStep[], pid: number): Promise<void>;
  find(planId: string): Promise<FoundPlan | undefined>;
  /** False when another living process is carrying the plan out. */
  claim(planId: string, pid: number, isAlive: (pid: number) => boolean): Promise<boolean>;
  /** Lets go of the plan, and writes down the step that was answered last. */
  release(planId: string, answered?: AnsweredStep): Promise<void>;
  /**
   * Durable when it resolves: only then may the request leave. What the step before was answered is written in the
   * same commit.
   */
  markSending(planId: string, step: string, answered?: AnsweredStep): Promise<void>;
  /** The request was certainly not acted upon. */
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
    // Held for longer than anyone holds it: that was before the clock was set back.
    const isHeld =
      holder !== undefined && heldForMs > 0 && heldForMs <= HOLD_MS && holder !== pid && isAlive(holder);
    if (isHeld) return false;
    await db
      .updateTable('plan')
      .set({ holder_pid: pid, held_until_ms: nowMs + HOLD_MS })
      .where('id', '=', planId)
      .execute();
    return true;
  });
}
