// Checks the invariants of a store, which must be true at every moment, even after a process was killed while it wrote.
// Each violation is a sentence; a consistent store has none.
import { createHash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Recipient, Transaction } from '../../src/service/domain/transaction.ts';
import type { Mail, MailMessage } from '../../src/service/mail/letter.ts';
import { listMails } from '../../src/service/store/delivery/mails.ts';
import { hashSecret } from '../../src/service/store/keys.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import type { Store } from '../../src/service/store/store.ts';
import { loadTransaction } from '../../src/service/store/transactions/transactions.ts';

type Event = Selectable<Tables['event']>;

type Contents = {
  transactions: Transaction[];
  events: Event[];
  mail: Mail[];
  files: Tables['file'][];
  pictures: string[];
  kept: Tables['idempotency'][];
  codes: Tables['authorization_code'][];
  tokens: Tables['token'][];
  meta: Tables['meta'][];
  deliveries: Selectable<Tables['delivery']>[];
  attempts: Selectable<Tables['attempt']>[];
  strays: string[];
};

export async function findInconsistencies(store: Store): Promise<string[]> {
  const contents = await readAll(store);
  const { transactions, events, mail } = contents;
  const ids = new Set(transactions.map(({ id }) => id));
  return [
    ...contents.strays,
    ...events
      .filter((event) => !ids.has(event.transaction_id))
      .map(({ id }) => `event ${id} has no transaction`),
    ...mail.filter((one) => !ids.has(one.transaction_id)).map(({ id }) => `mail ${id} has no transaction`),
    ...transactions.flatMap((one) => eventViolations(one, events)),
    ...transactions.flatMap((one) => turnViolations(one, mail)),
    ...transactions.flatMap((one) => mailViolations(one, mail)),
    ...transactions.flatMap((one) => referenceViolations(one, contents.files)),
    ...transactions.flatMap(sealViolations),
    ...(await blobViolations(store, contents)),
    ...storedAnswerViolations(store, contents),
    ...codeViolations(contents),
    ...deliveryViolations(contents),
    ...(contents.meta.filter(({ key }) => key === 'port').length === 1
      ? []
      : ['the store has no IP address']),
  ];
}

async function readAll({ database, keys }: Store): Promise<Contents> {
  return database.read(async (db) => {
    const rows = await db.selectFrom('transaction').select(['id', 'template_id']).execute();
    const transactions: Transaction[] = [];
    for (const { id } of rows) {
      const transaction = await loadTransaction(db, keys, { id });
      if (transaction) transactions.push(transaction);
    }
    const templates = (await db.selectFrom('template').select(['id', 'reusable']).execute()) as {
      id: string;
      reusable: number;
    }[];
    const owned = new Set(rows.map((row) => row.template_id));
    const known = new Set(templates.map(({ id }) => id));
    const strays = templates
      .filter(({ id, reusable }) => reusable === 0 && !owned.has(id))
      .map(({ id }) => `content ${id} has no transaction`);
    for (const table of ['document', 'page', 'recipient', 'field'] as const)
      for (const row of await db.selectFrom(table).select(['id', 'template_id']).execute())
        if (!known.has(row.template_id)) strays.push(`${table} ${row.id} belongs to nothing`);
    return {
      transactions,
      strays,
      events: await db.selectFrom('event').selectAll().orderBy('seq').execute(),
      mail: await listMails<MailMessage>(db, keys, { limit: 100_000 }),
      files: await db.selectFrom('file').selectAll().execute(),
      pictures: (await db.selectFrom('picture').select('sha256').execute()).flatMap(
        (row) => row.sha256 ?? [],
      ),
      kept: await db.selectFrom('idempotency').selectAll().execute(),
      codes: await db.selectFrom('authorization_code').selectAll().execute(),
      tokens: await db.selectFrom('token').selectAll().execute(),
      meta: await db.selectFrom('meta').selectAll().execute(),
      deliveries: await db.selectFrom('delivery').selectAll().orderBy('seq').execute(),
      attempts: await db.selectFrom('attempt').selectAll().orderBy('seq').execute(),
    };
  });
}

/** Each event has a delivery to the address that its transaction names; a delivered one has a successful attempt. */
function deliveryViolations({ deliveries, attempts, events, transactions, mail }: Contents): string[] {
  const subjects = new Set([...events.map(({ id }) => id), ...mail.map(({ id }) => id)]);
  const endpoints = new Map(transactions.map((one) => [one.id, one.notification_endpoint]));
  const notified = new Set(
    deliveries.filter(({ kind }) => kind === 'notification').map((one) => one.subject_id),
  );
  const known = new Set(deliveries.map(({ id }) => id));
  const succeeded = new Set(attempts.filter(({ ok }) => ok === 1).map((one) => one.delivery_id));
  return [
    ...deliveries
      .filter(({ subject_id }) => !subjects.has(subject_id))
      .map(({ id }) => `delivery ${id} tells nothing`),
    ...events
      .filter(({ id, transaction_id }) => endpoints.get(transaction_id) && !notified.has(id))
      .map(({ id }) => `event ${id} is not delivered to the address of its transaction`),
    ...deliveries
      .filter(({ id, state }) => state === 'delivered' && !succeeded.has(id))
      .map(({ id }) => `delivery ${id} is delivered, and no attempt says so`),
    ...deliveries
      .filter(
        ({ state, done_at, lease }) => (state === 'waiting') !== (done_at === null) || (lease && done_at),
      )
      .map(({ id }) => `delivery ${id} is neither done nor waiting`),
    ...attempts
      .filter((one) => !known.has(one.delivery_id))
      .map((one) => `attempt ${one.seq} has no delivery`),
  ];
}

/** The last event of a transaction in this state; a draft has only been created. */
const LAST_EVENT: Record<Transaction['status'], string | undefined> = {
  draft: undefined,
  started: undefined,
  completed: 'transaction_completed',
  rejected: 'transaction_rejected',
  expired: 'transaction_expired',
  cancelled: 'transaction_cancelled',
};

/** Exactly the events that lead to this state, in their order. */
function eventViolations({ id, status, content }: Transaction, events: Event[]): string[] {
  const found = events.filter((event) => event.transaction_id === id);
  const submitted = content.recipients.filter((recipient) => recipient.submitted_at !== null);
  const last = LAST_EVENT[status];
  const expected = [
    'transaction_created',
    ...(status === 'draft' ? [] : ['transaction_started']),
    ...submitted.map(() => 'recipient_submitted'),
    ...(last ? [last] : []),
  ];
  const types = found.map(({ type }) => type);
  const violations =
    JSON.stringify(types) === JSON.stringify(expected)
      ? []
      : [`${id} is ${status} with the events ${types.join(', ')}`];
  const told = found
    .filter(({ type }) => type === 'recipient_submitted')
    .map(({ data }) => JSON.parse(data).recipient.id as string);
  if (new Set(told).size !== told.length) violations.push(`${id} tells of one submission twice`);
  return violations;
}

/** A started transaction has exactly one current recipient, who has been notified; any other has none. */
function turnViolations({ id, status, content }: Transaction, mail: Mail[]): string[] {
  const current = content.recipients.filter((recipient) => recipient.is_current);
  const holders = content.recipients.filter((recipient) => recipient.token !== null);
  const violations: string[] = [];
  const expected = status === 'started' ? 1 : 0;
  if (current.length !== expected)
    violations.push(`${id} is ${status} and asks ${current.length} recipients`);
  if (holders.length !== expected || holders[0]?.id !== current[0]?.id)
    violations.push(`${id} is ${status} and has ${holders.length} tokens`);
  const written = mail.filter((one) => one.transaction_id === id && one.kind === 'invitation');
  const isWrittenTo = (recipient: Recipient) =>
    written.some(
      ({ to, letter }) =>
        to.email === recipient.email &&
        typeof letter === 'object' &&
        letter.url?.includes(`token=${recipient.token}`),
    );
  for (const recipient of current)
    if (!isWrittenTo(recipient)) violations.push(`${id} asks ${recipient.email} without a mail`);
  const submitted = content.recipients.filter((recipient) => recipient.submitted_at !== null).length;
  const isInvited = status !== 'draft' && status !== 'completed';
  if (written.length !== submitted + (isInvited ? 1 : 0))
    violations.push(`${id} is ${status} with ${written.length} mails`);
  return violations;
}

/** The end has a mail for all recipients, or for the invited ones and the sender; none for a sender who cancelled. */
function mailViolations({ id, status, content }: Transaction, mail: Mail[]): string[] {
  const written = mail.filter((one) => one.transaction_id === id);
  const invited = written.filter(({ kind }) => kind === 'invitation').map(({ to }) => to.email);
  const sender = content.recipients.filter(({ role }) => role === 'sender').map(({ email }) => email);
  const expected: Partial<Record<string, string[]>> = {
    completed: content.recipients.map(({ email }) => email),
    rejected: [...invited, ...sender],
    expired: [...invited, ...sender],
    cancelled: invited,
  };
  const told = written.filter(({ kind }) => kind !== 'invitation' && kind !== 'reminder');
  const violations = told
    .filter(({ kind }) => kind !== status)
    .map(({ kind }) => `${id} is ${status} and tells of ${kind}`);
  const people = new Set((expected[status] ?? []).map((email) => email.toLowerCase()));
  const reached = new Set(told.map(({ to }) => to.email.toLowerCase()));
  if ([...people].sort().join() !== [...reached].sort().join())
    violations.push(`${id} is ${status} and told ${[...reached].join(', ') || 'nobody'}`);
  if (new Set(told.map(({ recipient_id }) => recipient_id)).size !== told.length)
    violations.push(`${id} tells somebody twice`);
  return violations;
}

/** Documents have files, which are marked as used; fields have a document and a recipient. */
function referenceViolations({ id, content }: Transaction, files: Tables['file'][]): string[] {
  const documents = new Set(content.documents.map((document) => document.id));
  const recipients = new Set(content.recipients.map((recipient) => recipient.id));
  const violations: string[] = [];
  for (const [position, { index, file, pages }] of content.documents.entries()) {
    if (index !== position) violations.push(`${id} has its document ${position} at ${index}`);
    if (!files.find((row) => row.id === file.id)?.linked_at)
      violations.push(`${id} has a document of the unlinked file ${file.id}`);
    if (pages.length === 0) violations.push(`${id} has a document without pages`);
  }
  for (const field of content.fields)
    if (!documents.has(field.document_id) || !recipients.has(field.recipient_id))
      violations.push(`${id} has the stray field ${field.id}`);
  return violations;
}

/** A completed transaction has a sealed document for each of its documents, and no other has any. */
function sealViolations({ id, status, content, sealed_documents }: Transaction): string[] {
  const expected = status === 'completed' ? content.documents.map((document) => document.id) : [];
  const found = sealed_documents.map(({ document_id }) => document_id);
  return JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${id} is ${status} with ${found.length} sealed documents`];
}

async function blobViolations(
  { blobs }: Store,
  { files, pictures, transactions }: Contents,
): Promise<string[]> {
  const sealed = transactions.flatMap((one) => one.sealed_documents);
  const named = new Set([
    ...files.flatMap((file) => [file.original_sha256, file.pdf_sha256]),
    ...sealed.flatMap((one) => [one.sha256, one.evidence_sha256]),
    ...pictures,
  ]);
  const violations: string[] = [];
  for (const sha256 of named) {
    const bytes = await blobs.get(sha256).catch(() => undefined);
    if (!bytes) violations.push(`blob ${sha256} is missing`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      violations.push(`blob ${sha256} has other bytes`);
  }
  return violations;
}

/** The object that was answered under an idempotency key exists. */
function storedAnswerViolations({ keys }: Store, { kept, transactions, files }: Contents): string[] {
  const tokens = new Set(files.map((file) => file.token_hash));
  return kept.flatMap(({ key, answer_sealed }) => {
    const answer = JSON.parse(keys.decrypt(answer_sealed)) as { id?: string; url?: string; token?: string };
    if (answer.id !== undefined && !transactions.some(({ id }) => id === answer.id))
      return [`key ${key} names no transaction`];
    if (answer.token !== undefined && !tokens.has(hashSecret(answer.token)))
      return [`key ${key} names no file`];
    return [];
  });
}

/** A code that was used has been exchanged for one access and one refresh token; another for nothing. */
const codeViolations = ({ codes, tokens }: Contents): string[] =>
  codes.flatMap(({ hash, used_at }) => {
    const issued = tokens.filter((token) => token.code_hash === hash);
    const expected = used_at === null ? 0 : 1;
    const kinds = (['access', 'refresh'] as const).map(
      (kind) => issued.filter((token) => token.kind === kind).length,
    );
    return kinds.every((count) => count === expected) ? [] : [`a code led to ${kinds.join(' and ')} tokens`];
  });
