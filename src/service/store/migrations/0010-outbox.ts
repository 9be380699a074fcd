// What is to be delivered to receivers, and what came of each attempt (decision 0023).
import { type Kysely, sql } from 'kysely';
import { type Dialect, ID, key, numberedRows, required, TIME } from './columns.ts';

export async function createOutboxTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await numberedRows(db, 'delivery', dialect)
    .addColumn('id', ID, (column) => column.notNull().unique())
    .addColumn('company_id', ID, required)
    .addColumn('transaction_id', ID, required)
    .addColumn('kind', 'varchar(20)', required)
    .addColumn('endpoint', 'varchar(255)', required)
    .addColumn('client_id', ID)
    .addColumn('subject_id', ID, required)
    .addColumn('state', 'varchar(20)', required)
    .addColumn('reason', 'text')
    .addColumn('attempts', 'integer', required)
    .addColumn('due_at', TIME, required)
    .addColumn('scheduled_at', TIME, required)
    .addColumn('lease', ID)
    .addColumn('leased_until', TIME)
    .addColumn('created', TIME, required)
    .addColumn('done_at', TIME)
    .execute();
  // Of those that wait: what is due at an endpoint, and which is the first of a transaction there.
  await sql`create index delivery_due on delivery (endpoint, due_at, seq) where state = 'waiting'`.execute(
    db,
  );
  await sql`create index delivery_first on delivery (transaction_id, endpoint, seq)
    where state = 'waiting' and attempts = 0`.execute(db);
  await sql`create index delivery_open on delivery (company_id, subject_id) where state <> 'delivered'`.execute(
    db,
  );
  await db.schema.createIndex('delivery_by_subject').on('delivery').column('subject_id').execute();
  await db.schema.createIndex('delivery_by_endpoint').on('delivery').columns(['endpoint', 'seq']).execute();
  await numberedRows(db, 'attempt', dialect)
    .addColumn('delivery_id', ID, required)
    .addColumn('endpoint', 'varchar(255)', required)
    .addColumn('at', TIME, required)
    .addColumn('ok', 'integer', required)
    .addColumn('status', 'integer')
    .addColumn('why', 'text')
    .addColumn('answer', 'text', required)
    .addColumn('duration_ms', 'integer', required)
    .addColumn('next_at', TIME)
    .execute();
  await db.schema.createIndex('attempt_by_delivery').on('attempt').column('delivery_id').execute();
  await db.schema.createIndex('attempt_by_endpoint').on('attempt').columns(['endpoint', 'seq']).execute();
  await db.schema
    .createTable('worker')
    .addColumn('id', ID, key)
    .addColumn('leased_until', TIME, required)
    .execute();
  await addColumns(db, 'webhook', {
    previous_secret_sealed: 'text',
    rotated_at: TIME,
    disabled_at: TIME,
    disabled_reason: 'text',
  });
  await db.schema
    .alterTable('client')
    .addColumn('notification_rotations', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await addColumns(db, 'client', { notification_rotated_at: TIME });
  // Transactions that were made before are signed for as those of the store's own application.
  await addColumns(db, 'transaction', { client_id: ID });
  // The events of a company are listed newest first.
  await db.schema.createIndex('event_by_company').on('event').columns(['company_id', 'seq']).execute();
}

async function addColumns(
  db: Kysely<unknown>,
  table: string,
  columns: Record<string, 'text' | typeof ID | typeof TIME>,
): Promise<void> {
  for (const [name, type] of Object.entries(columns))
    await db.schema.alterTable(table).addColumn(name, type).execute();
}
