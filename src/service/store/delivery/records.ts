// Writes events, and the answers kept under an idempotency key, in the commit of the change of state. Mail is in `mails.ts`.
import type { Envelope, EventOf, EventType } from '../../../api/contract/events.ts';
import type { Instant } from '../../../common/instant.ts';
import type { Database } from '../../../database/database.ts';
import type { Keys } from '../keys.ts';
import { idAfter, insertRow, lastValue } from '../rows.ts';
import type { Db, Tables } from '../schema.ts';
import { envelopeOf } from './events.ts';

export type EventOrigin = {
  company_id: string;
  transaction_id: string;
  /** A transaction that is made in this commit has no events yet. */
  isNew?: boolean;
  now: Instant;
  newId: () => string;
};

export type RecordedEvent = { id: string; company_id: string; transaction_id: string; type: EventType };

/**
 * Writes an envelope for each event, in the order in which they happened (spec §6). Their ids follow the order of commits,
 * whichever process commits (assumed: A47). PostgreSQL runs commits beside each other: there this is so for the events of
 * each transaction.
 */
export async function insertEvents(
  db: Db,
  events: EventOf[],
  { company_id, transaction_id, isNew, now, newId }: EventOrigin,
  dialect: Database<Tables>['dialect'],
): Promise<RecordedEvent[]> {
  if (events.length === 0) return [];
  const recorded: RecordedEvent[] = [];
  let last: string | undefined;
  if (dialect === 'sqlite') last = await lastValue(db, 'event', 'id', 'seq');
  else if (!isNew) last = await lastIdOf(db, transaction_id);
  for (const { type, data } of events) {
    last = idAfter(last, newId());
    await insertRow(db, 'event', {
      id: last,
      company_id,
      transaction_id,
      type,
      created: now,
      data: JSON.stringify(data),
    });
    recorded.push({ id: last, company_id, transaction_id, type });
  }
  return recorded;
}

async function lastIdOf(db: Db, transaction_id: string): Promise<string | undefined> {
  const { last } = await db
    .selectFrom('event')
    .select((eb) => eb.fn.max('id').as('last'))
    .where('transaction_id', '=', transaction_id)
    .executeTakeFirstOrThrow();
  return last ?? undefined;
}

export type EventQuery = {
  transaction_id?: string | undefined;
  type?: EventType | undefined;
  after?: string | undefined;
  limit: number;
};

export async function listRecordedEvents(db: Db, query: EventQuery): Promise<Envelope[]> {
  let rows = db
    .selectFrom('event')
    .select(['id', 'type', 'created', 'data'])
    .where('seq', 'is not', null)
    .orderBy('seq')
    .limit(query.limit);
  if (query.transaction_id !== undefined) rows = rows.where('transaction_id', '=', query.transaction_id);
  if (query.type !== undefined) rows = rows.where('type', '=', query.type);
  if (query.after !== undefined)
    rows = rows.where('seq', '>', (row) =>
      row
        .selectFrom('event')
        .select('seq')
        .where('id', '=', query.after as string),
    );
  return (await rows.execute()).map(envelopeOf);
}

// ── idempotency (assumed: A37) ──────────────────────────────────────────────────────────────────────────────────

export type StoredAnswer = { fingerprint: string; output: unknown };

export async function findAnswer(
  db: Db,
  keys: Keys,
  holder: string,
  key: string,
  since: Instant,
): Promise<StoredAnswer | undefined> {
  const row = await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'answer_sealed'])
    .where('holder', '=', holder)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst();
  return row && { fingerprint: row.fingerprint, output: JSON.parse(keys.decrypt(row.answer_sealed)) };
}

export type NewAnswer = {
  holder: string;
  key: string;
  fingerprint: string;
  status: number;
  output: unknown;
};

/** Stores an answer encrypted, because it can contain a signing address or a secret. */
export async function storeAnswer(
  db: Db,
  keys: Keys,
  { output, ...answer }: NewAnswer,
  now: Instant,
): Promise<void> {
  const { holder, key } = answer;
  await db.deleteFrom('idempotency').where('holder', '=', holder).where('key', '=', key).execute();
  await db
    .insertInto('idempotency')
    .values({ ...answer, answer_sealed: keys.encrypt(JSON.stringify(output)), created_at: now })
    .execute();
}

export async function forgetAnswers(db: Db, before: Instant): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<=', before).execute();
}
