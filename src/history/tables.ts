// The tables of the history, and their migrations.
import type { Kysely } from 'kysely';
import type { Migration } from '../database/database.ts';

/** `pending`: nothing was sent. `sending`: a request was sent, its result is not known. `done`: it was answered. */
export type StepState = 'pending' | 'sending' | 'done';

export type HistoryTables = {
  plan: {
    id: string;
    profile: string;
    /** The service of the plan, so that it is never resumed against another one. */
    service: string;
    /** JSON; the caller defines its shape. */
    content: string;
    created_ms: number;
    /** The process that is executing it, and until when no other may. */
    holder_pid: number | null;
    held_until_ms: number | null;
  };
  step: {
    plan_id: string;
    name: string;
    state: StepState;
    idempotency_key: string;
    /** The answer as JSON. */
    answer: string | null;
  };
};

const first: Migration = {
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

export const MIGRATIONS: readonly Migration[] = [first];
