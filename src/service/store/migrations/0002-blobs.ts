// Creates the tables of blobs, on PostgreSQL alone: on SQLite, blobs are files beside the database. Every node forgets old answers each
// second, so they have an index there.
import { type Kysely, sql } from 'kysely';

export async function createBlobTables(db: Kysely<unknown>): Promise<void> {
  await sql`create table blob (
    sha256 varchar(64) primary key, size_bytes bigint not null, written_at timestamptz not null
  )`.execute(db);
  await sql`create table blob_chunk (
    sha256 varchar(64) not null references blob on delete cascade, index integer not null, bytes bytea not null,
    primary key (sha256, index)
  )`.execute(db);
  await db.schema.createIndex('idempotency_by_time').on('idempotency').column('created_at').execute();
  // PDFs and pictures are compressed already.
  await sql`alter table blob_chunk alter column bytes set storage external`.execute(db);
}
