// The service in the small: what a few transactions are, and what each command makes of them. Where a command leads from a
// state is read from the one table of the domain; order, turns, fields and time are implemented here a second time.
import type { EventType } from '../../src/api/contract/events.ts';
import { LIMITS } from '../../src/api/contract/limits.ts';
import type { ProblemCode } from '../../src/api/contract/problems.ts';
import { NEXT_STATE, type StateCommand } from '../../src/service/domain/states.ts';
import type { Status } from '../../src/service/domain/transaction.ts';

export type Outcome = 'done' | ProblemCode;

/** Names tell apart, for two share a mailbox. */
export type Person = { name: string; email: string; role: 'sender' | 'signer' | 'proxy' };

export type ModelTransaction = {
  status: Status;
  documents: number[];
  people: Person[];
  /** `of`: the name of the recipient. */
  fields: { of: string; document: number }[];
  submitted: string[];
  days: number | null;
  expiresAt: number | null;
  events: EventType[];
  invitations: number;
};

export type Model = {
  /** By the clock of the sandbox. */
  now: number;
  isPaused: boolean;
  transactions: ModelTransaction[];
  files: { uploadedAt: number; isLinked: boolean }[];
  documentsMade: number;
};

export const emptyModel = (now: number): Model => ({
  now,
  isPaused: false,
  transactions: [],
  files: [],
  documentsMade: 0,
});

export const newTransaction = (): ModelTransaction => ({
  status: 'draft',
  documents: [],
  people: [],
  fields: [],
  submitted: [],
  days: null,
  expiresAt: null,
  events: ['transaction_created'],
  invitations: 0,
});

/** Who has to act, in order: a sender without a field is passed over. */
const actors = ({ people, fields }: ModelTransaction) =>
  people.filter(({ role, name }) => role !== 'sender' || fields.some((field) => field.of === name));

const waiting = (transaction: ModelTransaction) =>
  actors(transaction).filter(({ name }) => !transaction.submitted.includes(name));

export const currentOf = (transaction: ModelTransaction): Person | undefined =>
  transaction.status === 'started' ? waiting(transaction)[0] : undefined;

/** The clock of the sandbox is moved forward, which also sweeps: an upload that is stale then is gone, whatever the clock says later. */
export function advance(model: Model, ms: number): void {
  model.now += ms;
  for (const file of model.files) if (isStale(file, model.now)) file.uploadedAt = Number.NEGATIVE_INFINITY;
}

const isStale = ({ isLinked, uploadedAt }: Model['files'][number], now: number): boolean =>
  !isLinked && uploadedAt + LIMITS.fileTokenLifetimeMs <= now;

/** Goes where the table says, or says no. */
export function follow(transaction: ModelTransaction, command: StateCommand): boolean {
  const next = NEXT_STATE[command][transaction.status];
  if (next) transaction.status = next;
  return next !== undefined;
}

/** What time does by itself. @returns those it ended */
export function settle({ now, transactions }: Model): ModelTransaction[] {
  const due = transactions.filter(
    (transaction) =>
      transaction.status === 'started' && transaction.expiresAt !== null && transaction.expiresAt <= now,
  );
  for (const transaction of due)
    if (follow(transaction, 'expire')) transaction.events.push('transaction_expired');
  return due;
}

export type Update = {
  people: Person[];
  /** Ids as they are, omitted, or made by the client for every recipient. */
  ids: 'given' | 'left out' | 'new';
  /** One recipient is named a second time. */
  isTwice: boolean;
  dropsFirst: boolean;
  days: number | null | undefined;
  isStranger: boolean;
};

export function update(
  transaction: ModelTransaction,
  { people, ids, isTwice, dropsFirst, days, isStranger }: Update,
): Outcome {
  if (transaction.documents.length === 0) return 'validation_failed';
  if (!follow(transaction, 'edit')) return 'transaction_not_draft';
  if (isTwice) return 'validation_failed';
  if (isStranger && people.some(({ role }) => role === 'sender')) return 'sender_email_mismatch';
  const documents =
    dropsFirst && transaction.documents.length > 1 ? transaction.documents.slice(1) : transaction.documents;
  const kept = ids === 'new' ? new Map<string, string>() : keptBy(people, transaction.people);
  const fields = transaction.fields.flatMap(({ of, document }) => {
    const name = kept.get(of);
    return name !== undefined && documents.includes(document) ? [{ of: name, document }] : [];
  });
  Object.assign(transaction, {
    documents,
    people,
    fields,
    days: days === undefined ? transaction.days : days,
  });
  return 'done';
}

/** Old name → new name of recipients that stay: by name first, then others with the same email and role. */
function keptBy(people: Person[], before: Person[]): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { name } of people) if (before.some((one) => one.name === name)) kept.set(name, name);
  for (const { name, email, role } of people) {
    if (before.some((one) => one.name === name)) continue;
    const left = before.find((one) => one.email === email && one.role === role && !kept.has(one.name));
    if (left) kept.set(left.name, name);
  }
  return kept;
}

export function attach(model: Model, transaction: ModelTransaction, position: number): Outcome {
  if (!follow(transaction, 'edit')) return 'transaction_not_draft';
  const file = model.files[position];
  if (!file || isStale(file, model.now)) return 'file_token_unknown';
  file.isLinked = true;
  transaction.documents.push(model.documentsMade++);
  return 'done';
}

export function setFields(transaction: ModelTransaction, names: string[], isOffPage: boolean): Outcome {
  if (!follow(transaction, 'edit')) return 'transaction_not_draft';
  const [document] = transaction.documents;
  const isWrong = names.some((name) => !transaction.people.some((person) => person.name === name));
  if (names.length > 0 && (document === undefined || isWrong || isOffPage)) return 'validation_failed';
  transaction.fields = names.map((of) => ({ of, document: document ?? 0 }));
  return 'done';
}

export function start(transaction: ModelTransaction, now: number): Outcome {
  if (transaction.status !== 'draft') return 'transaction_not_draft';
  const senders = transaction.people.filter(({ role }) => role === 'sender').length;
  if (transaction.documents.length === 0 || senders !== 1 || actors(transaction).length === 0)
    return 'transaction_incomplete';
  follow(transaction, 'start');
  transaction.expiresAt = transaction.days === null ? null : now + transaction.days * LIMITS.dayMs;
  transaction.events.push('transaction_started');
  transaction.invitations += 1;
  return 'done';
}

/** @param closed the refusal for a recipient who cannot act */
export function submit(transaction: ModelTransaction, closed: ProblemCode): Outcome {
  const [current, next] = waiting(transaction);
  if (!follow(transaction, next ? 'submit' : 'submit_last')) return closed;
  transaction.submitted.push(current?.name ?? '');
  transaction.events.push('recipient_submitted');
  if (next) transaction.invitations += 1;
  else transaction.events.push('transaction_completed');
  return 'done';
}

export function end(
  transaction: ModelTransaction,
  command: 'reject' | 'cancel',
  closed: ProblemCode,
): Outcome {
  if (!follow(transaction, command)) return closed;
  transaction.events.push(command === 'reject' ? 'transaction_rejected' : 'transaction_cancelled');
  return 'done';
}
