// Creates the tables of the releases before each migration had a file.
import { type Kysely, sql } from 'kysely';
import { type Dialect, HASH, ID, key, numberAfterCommit, numberedRows, required, TIME } from './columns.ts';

/** Of what happened to a transaction. */
const numberedTable = (db: Kysely<unknown>, name: string, dialect: Dialect) =>
  numberedRows(db, name, dialect)
    .addColumn('id', ID, (column) => column.notNull().unique())
    .addColumn('company_id', ID, required)
    .addColumn('transaction_id', ID, required);

export async function createTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const numbered = (name: string) => numberedTable(db, name, dialect);
  const table = (name: string) => db.schema.createTable(name);
  await table('meta').addColumn('key', ID, key).addColumn('value', 'text', required).execute();
  await table('company')
    .addColumn('id', ID, key)
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', TIME, required)
    .execute();
  await table('user')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', TIME, required)
    .execute();
  await table('client')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('secret_hash', HASH, required)
    .addColumn('callback_url', 'text', required)
    .addColumn('created_at', TIME, required)
    .execute();
  await table('authorization_code')
    .addColumn('hash', HASH, key)
    .addColumn('client_id', ID, required)
    .addColumn('user_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME, required)
    .addColumn('used_at', TIME)
    .execute();
  await table('token')
    .addColumn('hash', HASH, key)
    .addColumn('kind', 'varchar(10)', required)
    .addColumn('client_id', ID, required)
    .addColumn('user_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('code_hash', HASH)
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME)
    .addColumn('revoked_at', TIME)
    .execute();
  await db.schema.createIndex('token_by_code').on('token').column('code_hash').execute();
  await table('file')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('token_hash', HASH, (column) => column.notNull().unique())
    .addColumn('original_name', 'text', required)
    .addColumn('media_type', 'text', required)
    .addColumn('size_bytes', 'integer', required)
    .addColumn('original_sha256', HASH, required)
    .addColumn('pdf_sha256', HASH, required)
    .addColumn('pages', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('linked_at', TIME)
    .execute();
  await table('template')
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
  // Lists read the few reusable ones; the content of every transaction stands in the same table.
  await sql`create index template_list on template (company_id, created_at desc, id) where reusable = 1`.execute(
    db,
  );
  await table('document')
    .addColumn('id', ID, key)
    .addColumn('template_id', ID, required)
    .addColumn('index', 'integer', required)
    .addColumn('file_id', ID, required)
    .addColumn('original_name', 'text', required)
    .addColumn('stored_name', 'text', required)
    .execute();
  await db.schema.createIndex('document_by_template').on('document').column('template_id').execute();
  await table('page')
    .addColumn('id', ID, key)
    .addColumn('document_id', ID, required)
    .addColumn('template_id', ID, required)
    .addColumn('index', 'integer', required)
    .addColumn('file_id', ID, (column) => column.notNull().unique())
    .addColumn('width', 'double precision', required)
    .addColumn('height', 'double precision', required)
    .addColumn('picture_sha256', HASH)
    .execute();
  await db.schema.createIndex('page_by_template').on('page').column('template_id').execute();
  await table('recipient')
    .addColumn('id', ID, key)
    .addColumn('template_id', ID, required)
    .addColumn('role', 'varchar(20)', required)
    .addColumn('color', 'varchar(32)', required)
    .addColumn('index', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('email', 'text', required)
    .addColumn('token_hash', HASH, (column) => column.unique())
    .addColumn('token_sealed', 'text')
    .addColumn('submitted_at', TIME)
    .addColumn('is_current', 'integer', required)
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .execute();
  await db.schema.createIndex('recipient_by_template').on('recipient').column('template_id').execute();
  await table('field')
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
  await table('transaction')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('template_id', ID, (column) => column.notNull().unique())
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
    .execute();
  await sql`create index transaction_due on "transaction" (expires_at) where status = 'started'`.execute(db);
  await table('webhook')
    .addColumn('id', ID, key)
    .addColumn('company_id', ID, required)
    .addColumn('created_by_id', ID, required)
    .addColumn('name', 'text', required)
    .addColumn('endpoint', 'text', required)
    .addColumn('events', 'text', required)
    .addColumn('enabled', 'integer', required)
    .addColumn('secret_sealed', 'text', required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createIndex('webhook_list')
    .on('webhook')
    .columns(['company_id', 'created_at', 'id'])
    .execute();
  await createEventTable(db, dialect);
  await numbered('mail')
    .addColumn('recipient_id', ID, required)
    .addColumn('created', TIME, required)
    .addColumn('sender', 'text', required)
    .addColumn('recipient', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('body_sealed', 'text', required)
    .execute();
  await db.schema.createIndex('mail_by_transaction').on('mail').column('transaction_id').execute();
  await table('idempotency')
    .addColumn('holder', 'varchar(200)', required)
    .addColumn('key', 'text', required)
    .addColumn('fingerprint', HASH, required)
    .addColumn('status', 'integer', required)
    .addColumn('answer_sealed', 'text', required)
    .addColumn('created_at', TIME, required)
    .addPrimaryKeyConstraint('idempotency_pk', ['holder', 'key'])
    .execute();
}

/** Who signs in, who is signed in, what they consented to, and the attempts to sign in. */
async function createEventTable(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await numberedTable(db, 'event', dialect)
    .addColumn('type', 'varchar(40)', required)
    .addColumn('created', TIME, required)
    .addColumn('data', 'text', required)
    .execute();
  if (dialect === 'postgres') await numberAfterCommit(db, 'event');
  await db.schema.createIndex('event_by_transaction').on('event').column('transaction_id').execute();
}

export async function createDashboardTables(db: Kysely<unknown>): Promise<void> {
  const table = (name: string) => db.schema.createTable(name);
  await table('password')
    .addColumn('user_id', ID, key)
    .addColumn('hash', 'text', required)
    .addColumn('changed_at', TIME, required)
    .execute();
  await table('session')
    .addColumn('hash', HASH, key)
    .addColumn('user_id', ID, required)
    .addColumn('created_at', TIME, required)
    .addColumn('expires_at', TIME, required)
    .execute();
  await db.schema.createIndex('session_by_user').on('session').column('user_id').execute();
  await table('consent')
    .addColumn('user_id', ID, required)
    .addColumn('client_id', ID, required)
    .addColumn('scopes', 'text', required)
    .addColumn('created_at', TIME, required)
    .addColumn('updated_at', TIME, required)
    .addPrimaryKeyConstraint('consent_pk', ['user_id', 'client_id'])
    .execute();
  await table('sign_in_attempt')
    .addColumn('id', ID, key)
    .addColumn('subject', HASH, required)
    .addColumn('created_at', TIME, required)
    .execute();
  await db.schema
    .createIndex('sign_in_attempt_by_subject')
    .on('sign_in_attempt')
    .columns(['subject', 'created_at'])
    .execute();
  // The dashboard lists the applications of a company, and revokes what a user granted to one.
  await db.schema.createIndex('client_by_company').on('client').column('company_id').execute();
  await db.schema.createIndex('token_by_grant').on('token').columns(['user_id', 'client_id']).execute();
}

/** Pictures belonged to the page of one transaction. Earlier files were not checked for being plain. */
export async function keyPicturesByContent(db: Kysely<unknown>): Promise<void> {
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
  await sql`insert into picture (pdf_sha256, page, dpi, sha256, tried_at)
    select file.pdf_sha256, page."index", 110, min(page.picture_sha256), min(file.created_at)
    from page join document on document.id = page.document_id join file on file.id = document.file_id
    where page.picture_sha256 is not null group by file.pdf_sha256, page."index"`.execute(db);
  await db.schema.alterTable('page').dropColumn('picture_sha256').execute();
  await db.schema
    .alterTable('file')
    .addColumn('is_plain', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

/** Remarks are written when a file is converted or read; those of earlier files are unknown. */
export async function keepRemarks(db: Kysely<unknown>): Promise<void> {
  for (const table of ['file', 'document'])
    await db.schema
      .alterTable(table)
      .addColumn('remarks', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
}

/** Found by the content of the document, as pictures are. */
export async function keepPageText(db: Kysely<unknown>): Promise<void> {
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

/** What recipients do on their signing pages. Links that were sent before stay good. */
export async function createSigningTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema.alterTable('recipient').addColumn('opened_at', TIME).execute();
  await db.schema
    .createTable('signing_link')
    .addColumn('token_hash', HASH, key)
    .addColumn('recipient_id', ID, required)
    .addColumn('created_at', TIME, required)
    .execute();
  await sql`insert into signing_link (token_hash, recipient_id, created_at)
    select token_hash, id, updated_at from recipient where token_hash is not null`.execute(db);
  await db.schema
    .createTable('signing')
    .addColumn('recipient_id', ID, key)
    .addColumn('consented_at', TIME)
    .addColumn('consent_hash', HASH)
    .addColumn('consent_version', 'varchar(20)')
    .addColumn('language', 'varchar(10)')
    .addColumn('time_zone', 'varchar(64)')
    .addColumn('face', 'varchar(20)')
    .addColumn('values_sealed', 'text')
    .addColumn('updated_at', TIME, required)
    .execute();
  await numberedTable(db, 'audit', dialect)
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

/**
 * The dashboard lists the transactions of a company, all or those in one state. Of 100,000 a page takes less than a
 * millisecond with these, wherever it begins; without them 50 ms to 1.4 s.
 */
export async function indexOverviews(db: Kysely<unknown>): Promise<void> {
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

/** Certificates and private keys: of the store's own authority, and of the companies it issued certificates for. */
export async function createAuthorityTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('authority')
    .addColumn('id', ID, key)
    .addColumn('content_sealed', 'text', required)
    .addColumn('created_at', TIME, required)
    .execute();
}

/** The sealed documents of completed transactions. Those that were completed before have none. */
export async function createSealedDocuments(db: Kysely<unknown>): Promise<void> {
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
  await db.schema.alterTable('transaction').addColumn('sealing_failed_at', TIME).execute();
  await db.schema.alterTable('transaction').addColumn('sealing_failed_reason', 'text').execute();
}
