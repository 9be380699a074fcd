// Creates the tables of a store: accounts, documents, transactions, what recipients do, and what is delivered.
import { type Kysely, sql } from 'kysely';
import { type Dialect, HASH, ID, key, numberAfterCommit, numberedRows, required, TIME } from './columns.ts';

export async function createTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('meta')
    .addColumn('key', ID, key)
    .addColumn('value', 'text', required)
    .execute();
  await createAccounts(db);
  await createApplications(db);
  await createSignIn(db);
  await createFiles(db);
  await createTemplates(db);
  await createFields(db);
  await createTransactions(db);
  await createSigning(db, dialect);
  await createSealing(db);
  await createNotifications(db, dialect);
  await createOutbox(db, dialect);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('company')
    .addColumn('id', ID, key)
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('imprint_url', 'text')
    .addColumn('privacy_url', 'text')
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createTable('user')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', TIME, required)
    .execute();
  // The owner of the machine vouches for the address of these users: email in their name may leave the service.
  await db.schema
    .createTable('verified_user')
    .addColumn('user_id', ID, key)
    .addColumn('verified_at', TIME, required)
    .execute();
}

/** Creates the tables of applications, and of what they may do for users. */
async function createApplications(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('client')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('secret_hash', HASH, required)
    .addColumn('callback_url', 'text', required)
    .addColumn('is_public', 'integer', required)
    .addColumn('notification_rotations', 'integer', required)
    .addColumn('notification_rotated_at', TIME)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema.createIndex('client_by_company').on('client').column('company_id').execute();
  await db.schema
    .createTable('authorization_code')
    .addColumn('hash', HASH, key)
    .addColumn('client_id', ID, required)
    .addColumn('user_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('code_challenge', 'varchar(43)')
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME, required)
    .addColumn('used_at', TIME)
    .execute();
  await db.schema
    .createTable('token')
    .addColumn('hash', HASH, key)
    .addColumn('kind', 'varchar(10)', required)
    .addColumn('client_id', ID, required)
    .addColumn('user_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('code_hash', HASH)
    .addColumn('previous_hash', HASH)
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME)
    .addColumn('replaced_at', TIME)
    .addColumn('revoked_at', TIME)
    .execute();
  await db.schema.createIndex('token_by_code').on('token').column('code_hash').execute();
  await db.schema.createIndex('token_by_grant').on('token').columns(['user_id', 'client_id']).execute();
  await db.schema
    .createTable('consent')
    .addColumn('user_id', ID, required)
    .addColumn('client_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .addPrimaryKeyConstraint('consent_pk', ['user_id', 'client_id'])
    .execute();
  await db.schema
    .createTable('idempotency')
    .addColumn('holder', 'varchar(200)', required)
    .addColumn('key', 'text', required)
    .addColumn('fingerprint', HASH, required)
    .addColumn('status', 'integer', required)
    .addColumn('answer_sealed', 'text', required)
    .addColumn('created_at', TIME, required)
    .addPrimaryKeyConstraint('idempotency_pk', ['holder', 'key'])
    .execute();
}

/** Creates the tables of users who may sign in to the dashboard, who are signed in, and of attempts to sign in. */
async function createSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('password')
    .addColumn('user_id', ID, key)
    .addColumn('hash', 'text', required)
    .addColumn('changed_at', TIME, required)
    .execute();
  await db.schema
    .createTable('session')
    .addColumn('hash', HASH, key)
    .addColumn('user_id', ID, required)
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME, required)
    .execute();
  await db.schema.createIndex('session_by_user').on('session').column('user_id').execute();
  await db.schema
    .createTable('sign_in_link')
    .addColumn('hash', HASH, key)
    .addColumn('user_id', ID, required)
    .addColumn('path', 'text', required)
    .addColumn('expires_at', TIME, required)
    .execute();
  await db.schema
    .createTable('sign_in_attempt')
    .addColumn('id', ID, key)
    .addColumn('subject', HASH, required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createIndex('sign_in_attempt_by_subject')
    .on('sign_in_attempt')
    .columns(['subject', 'created_at'])
    .execute();
}

/** Creates the tables of files, and of what was drawn and read of them, keyed by their content. */
async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('file')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('token_hash', HASH, (column) => column.notNull().unique())
    .addColumn('original_name', 'text', required)
    .addColumn('media_type', 'text', required)
    .addColumn('size_bytes', 'integer', required)
    .addColumn('original_sha256', HASH, required)
    .addColumn('pdf_sha256', HASH, required)
    .addColumn('pages', 'text', required)
    .addColumn('is_plain', 'integer', required)
    .addColumn('remarks', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('linked_at', TIME)
    .execute();
  await db.schema
    .createTable('picture')
    .addColumn('pdf_sha256', HASH, required)
    .addColumn('page', 'integer', required)
    .addColumn('dpi', 'integer', required)
    .addColumn('sha256', HASH)
    .addColumn('exceeded', 'varchar(40)')
    .addColumn('tried_at', TIME, required)
    .addPrimaryKeyConstraint('picture_pk', ['pdf_sha256', 'page', 'dpi'])
    .execute();
  await db.schema
    .createTable('page_text')
    .addColumn('pdf_sha256', HASH, required)
    .addColumn('page', 'integer', required)
    .addColumn('runs', 'text')
    .addColumn('is_cut', 'integer', required)
    .addColumn('exceeded', 'varchar(40)')
    .addColumn('tried_at', TIME, required)
    .addPrimaryKeyConstraint('page_text_pk', ['pdf_sha256', 'page'])
    .execute();
}

/** Creates the content of transactions and of templates, which are the same but for `reusable`. */
async function createTemplates(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('template')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('created_by_id', ID, required)
    .addColumn('reusable', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('name_key', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('edit_navigation', 'integer', required)
    .addColumn('email_alias', 'text', required)
    .addColumn('email_subject', 'text', required)
    .addColumn('email_body', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .execute();
  // Lists read the few templates; the content of every transaction stands in the same table.
  await sql`create index template_list on template (company_id, created_at desc, id) where reusable = 1`.execute(
    db,
  );
  await db.schema
    .createTable('document')
    .addColumn('id', ID, key)
    .addColumn('template_id', ID, required)
    .addColumn('index', 'integer', required)
    .addColumn('file_id', ID, required)
    .addColumn('original_name', 'text', required)
    .addColumn('stored_name', 'text', required)
    .addColumn('remarks', 'text', required)
    .addColumn('preparation', 'text')
    .execute();
  await db.schema.createIndex('document_by_template').on('document').column('template_id').execute();
  await db.schema
    .createTable('page')
    .addColumn('id', ID, key)
    .addColumn('document_id', ID, required)
    .addColumn('template_id', ID, required)
    .addColumn('index', 'integer', required)
    .addColumn('file_id', ID, (column) => column.notNull().unique())
    .addColumn('width', 'double precision', required)
    .addColumn('height', 'double precision', required)
    .execute();
  await db.schema.createIndex('page_by_template').on('page').column('template_id').execute();
}

async function createFields(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recipient')
    .addColumn('id', ID, key)
    .addColumn('template_id', ID, required)
    .addColumn('role', 'varchar(20)', required)
    .addColumn('color', 'varchar(32)', required)
    .addColumn('index', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('token_hash', HASH, (column) => column.unique())
    .addColumn('token_sealed', 'text')
    .addColumn('opened_at', TIME)
    .addColumn('submitted_at', TIME)
    .addColumn('is_current', 'integer', required)
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .execute();
  await db.schema.createIndex('recipient_by_template').on('recipient').column('template_id').execute();
  await db.schema
    .createTable('field')
    .addColumn('id', ID, key)
    .addColumn('template_id', ID, required)
    .addColumn('document_id', ID, required)
    .addColumn('recipient_id', ID, required)
    .addColumn('ordinal', 'integer', required)
    .addColumn('type', 'varchar(20)', required)
    .addColumn('page', 'integer', required)
    .addColumn('x', 'double precision', required)
    .addColumn('y', 'double precision', required)
    .addColumn('width', 'double precision', required)
    .addColumn('height', 'double precision', required)
    .addColumn('label', 'text', required)
    .addColumn('is_required', 'integer', required)
    .addColumn('settings', 'text', required)
    .addColumn('value', 'text')
    .execute();
  await db.schema.createIndex('field_by_template').on('field').column('template_id').execute();
}

async function createTransactions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('transaction')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('template_id', ID, (column) => column.notNull().unique())
    .addColumn('client_id', ID)
    .addColumn('created_by_id', ID, required)
    .addColumn('sender_id', ID, required)
    .addColumn('status', 'varchar(20)', required)
    .addColumn('notification_endpoint', 'text')
    .addColumn('expiration_days', 'integer')
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .addColumn('sent_at', TIME)
    .addColumn('expires_at', TIME)
    .addColumn('expired_at', TIME)
    .addColumn('completed_at', TIME)
    .addColumn('rejected_at', TIME)
    .addColumn('rejected_reason', 'text')
    .addColumn('rejected_by_id', ID)
    .addColumn('cancelled_at', TIME)
    .addColumn('cancelled_reason', 'text')
    .addColumn('cancelled_by_id', ID)
    .addColumn('sealing_failed_at', TIME)
    .addColumn('sealing_failed_reason', 'text')
    .execute();
  await sql`create index transaction_due on "transaction" (expires_at) where status = 'started'`.execute(db);
  // The dashboard lists the transactions of a company, all or those with one status. Of 100,000, a page takes less than a millisecond with
  // these indexes, wherever it begins; without them 50 ms to 1.4 s.
  await db.schema
    .createIndex('transaction_by_company')
    .on('transaction')
    .columns(['company_id', 'id'])
    .execute();
  await db.schema
    .createIndex('transaction_by_status')
    .on('transaction')
    .columns(['company_id', 'status', 'id'])
    .execute();
}

/** Creates the tables of what recipients do on their signing pages, and of the record of it. */
async function createSigning(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('signing_link')
    .addColumn('token_hash', HASH, key)
    .addColumn('recipient_id', ID, required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createTable('signing')
    .addColumn('recipient_id', ID, key)
    .addColumn('consented_at', TIME)
    .addColumn('consent_hash', HASH)
    .addColumn('consent_version', 'varchar(20)')
    .addColumn('language', 'varchar(10)')
    .addColumn('time_zone', 'varchar(64)')
    .addColumn('values_sealed', 'text')
    .addColumn('updated_at', TIME, required)
    .execute();
  await numberedRows(db, 'audit', dialect)
    .addColumn('id', ID, (column) => column.notNull().unique())
    .addColumn('company_id', ID, required)
    .addColumn('transaction_id', ID, required)
    .addColumn('recipient_id', ID, required)
    .addColumn('type', 'varchar(20)', required)
    .addColumn('subject', 'varchar(80)', required)
    .addColumn('created', TIME, required)
    .addColumn('details', 'text', required)
    .execute();
  await db.schema.createIndex('audit_by_transaction').on('audit').column('transaction_id').execute();
  await db.schema
    .createIndex('audit_once')
    .on('audit')
    .columns(['recipient_id', 'type', 'subject'])
    .unique()
    .execute();
}

async function createSealing(db: Kysely<unknown>): Promise<void> {
  // The rows are certificates and private keys of the store's own authority, and of the companies for which it issued
  // certificates.
  await db.schema
    .createTable('authority')
    .addColumn('id', ID, key)
    .addColumn('content_sealed', 'text', required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createTable('sealed_document')
    .addColumn('id', ID, key)
    .addColumn('transaction_id', ID, required)
    .addColumn('document_id', ID, required)
    .addColumn('company_id', ID, required)
    .addColumn('index', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('sha256', HASH, required)
    .addColumn('size_bytes', 'integer', required)
    .addColumn('evidence_sha256', HASH, required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createIndex('sealed_document_once')
    .on('sealed_document')
    .columns(['transaction_id', 'document_id'])
    .unique()
    .execute();
}

/** Creates the tables of events and mail of transactions, and of the webhooks that receive events. */
async function createNotifications(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .createTable('webhook')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('created_by_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('endpoint', 'text', required)
    .addColumn('events', 'text', required)
    .addColumn('enabled', 'integer', required)
    .addColumn('secret_sealed', 'text', required)
    .addColumn('previous_secret_sealed', 'text')
    .addColumn('rotated_at', TIME)
    .addColumn('disabled_at', TIME)
    .addColumn('disabled_reason', 'text')
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createIndex('webhook_list')
    .on('webhook')
    .columns(['company_id', 'created_at', 'id'])
    .execute();
  await numberedRows(db, 'event', dialect)
    .addColumn('id', ID, (column) => column.notNull().unique())
    .addColumn('company_id', ID, required)
    .addColumn('transaction_id', ID, required)
    .addColumn('type', 'varchar(40)', required)
    .addColumn('created', TIME, required)
    .addColumn('data', 'text', required)
    .execute();
  if (dialect === 'postgres') await numberAfterCommit(db, 'event');
  await db.schema.createIndex('event_by_transaction').on('event').column('transaction_id').execute();
  await db.schema.createIndex('event_by_company').on('event').columns(['company_id', 'seq']).execute();
  await numberedRows(db, 'mail', dialect)
    .addColumn('id', ID, (column) => column.notNull().unique())
    .addColumn('company_id', ID, required)
    .addColumn('transaction_id', ID, required)
    .addColumn('recipient_id', ID, required)
    .addColumn('kind', 'varchar(20)', required)
    .addColumn('language', 'varchar(10)', required)
    .addColumn('created', TIME, required)
    .addColumn('from_name', 'text', required)
    .addColumn('from_email', 'text', required)
    .addColumn('reply_name', 'text', required)
    .addColumn('reply_email', 'text', required)
    .addColumn('to_name', 'text', required)
    .addColumn('to_email', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('letter_sealed', 'text', required)
    .addColumn('attachments', 'text', required)
    .execute();
  await db.schema.createIndex('mail_by_transaction').on('mail').column('transaction_id').execute();
  await db.schema.createIndex('mail_by_company').on('mail').columns(['company_id', 'seq']).execute();
}

/** Creates the tables of deliveries, and of the result of each attempt (decision 0023). */
async function createOutbox(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
  // The index finds what is due at an endpoint among deliveries that wait, and which is the first of a transaction there.
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
    .addColumn('server', 'text')
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
}
