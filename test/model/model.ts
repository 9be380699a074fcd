// The service in the small: what a few transactions are, and what each command makes of them. Where a command leads
// from a state is read from the one table of the domain; order, turns, fields and time are told here a second time.
import type { EventType } from '../../src/api/contract/events.ts';
import { LIMITS } from '../../src/api/contract/limits.ts';
import type { ProblemCode } from '../../src/api/contract/problems.ts';
import { NEXT_STATE, type StateCommand } from '../../src/service/domain/states.ts';
import type { Status } from '../../src/service/domain/transaction.ts';

export type Outcome = 'done' | ProblemCode;

/** Names tell apart, for two share a mailbox. */
export type Somebody = { name: string; email: string; role: 'sender' | 'signer' | 'proxy' };

export type Deal = {
  status: Status;
  documents: number[];
  people: Somebody[];
  /** `of`: the name of the recipient. */
  fields: { of: string; document: number }[];
  submitted: string[];
  days: number | null;
  expiresAt: number | null;
  events: EventType[];
  invitations: number;
};

export type Model = {
  now: number;
  deals: Deal[];
  files: { uploadedAt: number; isLinked: boolean }[];
  documentsMade: number;
};

export const emptyModel = (now: number): Model => ({ now, deals: [], files: [], documentsMade: 0 });

export const newDeal = (): Deal => ({
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
const actors = ({ people, fields }: Deal) =>
  people.filter(({ role, name }) => role !== 'sender' || fields.some((field) => field.of === name));

const waiting = (deal: Deal) => actors(deal).filter(({ name }) => !deal.submitted.includes(name));

export const currentOf = (deal: Deal): Somebody | undefined =>
  deal.status === 'started' ? waiting(deal)[0] : undefined;

/** Goes where the table says, or says no. */
export function follow(deal: Deal, command: StateCommand): boolean {
  const next = NEXT_STATE[command][deal.status];
  if (next) deal.status = next;
  return next !== undefined;
}

/** What time does by itself. @returns those it ended */
export function settle({ now, deals }: Model): Deal[] {
  const due = deals.filter(
    (deal) => deal.status === 'started' && deal.expiresAt !== null && deal.expiresAt <= now,
  );
  for (const deal of due) if (follow(deal, 'expire')) deal.events.push('transaction_expired');
  return due;
}

export type Update = {
  people: Somebody[];
  /** Ids as they are, left out, or made by the client for everybody. */
  ids: 'given' | 'left out' | 'new';
  /** One recipient is named a second time. */
  isTwice: boolean;
  dropsFirst: boolean;
  days: number | null | undefined;
  isStranger: boolean;
};

export function update(deal: Deal, { people, ids, isTwice, dropsFirst, days, isStranger }: Update): Outcome {
  if (deal.documents.length === 0) return 'validation_failed';
  if (!follow(deal, 'edit')) return 'transaction_not_draft';
  if (isTwice) return 'validation_failed';
  if (isStranger && people.some(({ role }) => role === 'sender')) return 'sender_email_mismatch';
  const documents = dropsFirst && deal.documents.length > 1 ? deal.documents.slice(1) : deal.documents;
  const kept = ids === 'new' ? new Map<string, string>() : keptBy(people, deal.people);
  const fields = deal.fields.flatMap(({ of, document }) => {
    const name = kept.get(of);
    return name !== undefined && documents.includes(document) ? [{ of: name, document }] : [];
  });
  Object.assign(deal, { documents, people, fields, days: days === undefined ? deal.days : days });
  return 'done';
}

/** Old name → new name of whoever stays: by name first, then whoever else has the same e-mail and role. */
function keptBy(people: Somebody[], before: Somebody[]): Map<string, string> {
  const kept = new Map<string, string>();
  for (const { name } of people) if (before.some((one) => one.name === name)) kept.set(name, name);
  for (const { name, email, role } of people) {
    if (before.some((one) => one.name === name)) continue;
    const left = before.find((one) => one.email === email && one.role === role && !kept.has(one.name));
    if (left) kept.set(left.name, name);
  }
  return kept;
}

export function attach(model: Model, deal: Deal, position: number): Outcome {
  if (!follow(deal, 'edit')) return 'transaction_not_draft';
  const file = model.files[position];
  const isStale = file && !file.isLinked && file.uploadedAt + LIMITS.fileTokenLifetimeMs <= model.now;
  if (!file || isStale) return 'file_token_unknown';
  file.isLinked = true;
  deal.documents.push(model.documentsMade++);
  return 'done';
}

export function setFields(deal: Deal, names: string[], isOffPage: boolean): Outcome {
  if (!follow(deal, 'edit')) return 'transaction_not_draft';
  const [document] = deal.documents;
  const isWrong = names.some((name) => !deal.people.some((person) => person.name === name));
  if (names.length > 0 && (document === undefined || isWrong || isOffPage)) return 'validation_failed';
  deal.fields = names.map((of) => ({ of, document: document ?? 0 }));
  return 'done';
}

export function start(deal: Deal, now: number): Outcome {
  if (deal.status !== 'draft') return 'transaction_not_draft';
  const senders = deal.people.filter(({ role }) => role === 'sender').length;
  if (deal.documents.length === 0 || senders !== 1 || actors(deal).length === 0)
    return 'transaction_incomplete';
  follow(deal, 'start');
  deal.expiresAt = deal.days === null ? null : now + deal.days * LIMITS.dayMs;
  deal.events.push('transaction_started');
  deal.invitations += 1;
  return 'done';
}

/** @param closed what whoever cannot act is told */
export function submit(deal: Deal, closed: ProblemCode): Outcome {
  const [current, next] = waiting(deal);
  if (!follow(deal, next ? 'submit' : 'submit_last')) return closed;
  deal.submitted.push(current?.name ?? '');
  deal.events.push('recipient_submitted');
  if (next) deal.invitations += 1;
  else deal.events.push('transaction_completed');
  return 'done';
}

export function end(deal: Deal, command: 'reject' | 'cancel', closed: ProblemCode): Outcome {
  if (!follow(deal, command)) return closed;
  deal.events.push(command === 'reject' ? 'transaction_rejected' : 'transaction_cancelled');
  return 'done';
}
