// Stores what this machine did in a database: plans of `tx send` and how far each one came. The journal records each step before its
// request is sent, and the answer after it; one process at a time executes a plan. It must never contain an access token or a signing token.
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Kysely } from 'kysely';
import type { Database, Migration } from '../database/database.ts';
import { openSqlite } from '../database/sqlite.ts';
import { makeTrustedFolder } from '../files/trust.ts';

const PLANS: Migration = {
  name: '0001_plans',
  async up(database) {
    const db = database as unknown as Kysely<HistoryTables>;
    await db.schema
      .createTable('plan')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('profile', 'text', (column) => column.notNull())
      .addColumn('service', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'integer', (column) => column.notNull())
      .addColumn('holder_pid', 'integer')
      .addColumn('held_until_ms', 'integer')
      .execute();
    await db.schema
      .createTable('step')
      .addColumn('plan_id', 'text', (column) => column.notNull().references('plan.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('idempotency_key', 'text', (column) => column.notNull())
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('step_key', ['plan_id', 'name'])
      .execute();
  },
};

export type History = {
  journal: Journal;
  /** Runs `work` while no other process of this machine holds the lock; it must not wait for anything. */
  withLock<R>(work: () => R): Promise<R>;
  close(): Promise<void>;
};

/** Opens the history. @param nowMs the time, in milliseconds since 1970 */
export async function openHistory(file: string, nowMs: () => number): Promise<History> {
  makeTrustedFolder(dirname(file));
  const database: Database<HistoryTables> = await openSqlite<HistoryTables>({ file, migrations: [PLANS] });
  await chmod(file, 0o600);
  return {
    journal: createJournal(database, nowMs),
    // The system releases the lock of the writer when a process dies, which no lock file guarantees.
    withLock: (work) => database.write(async () => work()),
    close: () => database.close(),
  };
}

/**
 * `pending` means that nothing was sent, `sending` that a request was sent whose result is not known, and `done` that it
 * was answered.
 */
export type StepState = 'pending' | 'sending' | 'done';

export type HistoryTables = {
  plan: {
    id: string;
    profile: string;
    /** The plan is for this service, and is never resumed against another one. */
    service: string;
    /** The caller defines the shape of this JSON. */
    content: string;
    created_ms: number;
    /** This process executes the plan, and no other may until `held_until_ms`. */
    holder_pid: number | null;
    held_until_ms: number | null;
  };
  step: {
    plan_id: string;
    name: string;
    state: StepState;
    idempotency_key: string;
    answer: string | null;
  };
};

/** A plan stays claimed so long by a process that cannot be checked. */
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
