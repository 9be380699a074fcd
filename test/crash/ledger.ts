// What a child said it had done, and what a store must therefore hold: exactly what was answered, and of what was
// only attempted all or nothing.
import type { Status, Transaction } from '../../src/service/domain/transaction.ts';

export type Op =
  | 'create'
  | 'attach'
  | 'update'
  | 'fields'
  | 'start'
  | 'submit'
  | 'cancel'
  | 'reject'
  | 'exchange';

export type Attempt = {
  lane: number;
  op: Op;
  id?: string;
  key?: string;
  method: string;
  path: string;
  body?: { name?: string };
};

export type Answer = { id?: string; url?: string; access_token?: string };

export type Line = {
  opening?: true;
  open?: true;
  finished?: true;
  failed?: string;
  attempt?: Attempt;
  answered?: { lane: number; body: Answer };
};

export type Told = { done: { attempt: Attempt; answer: Answer }[]; open: Attempt[]; failures: string[] };

/** Pairs answers with attempts. Each lane does one thing at a time, so what is left over was under way. */
export function readLines(lines: Line[]): Told {
  const underWay = new Map<number, Attempt>();
  const told: Told = { done: [], open: [], failures: [] };
  for (const { attempt, answered, failed } of lines) {
    if (failed) told.failures.push(failed);
    if (attempt) underWay.set(attempt.lane, attempt);
    const asked = answered && underWay.get(answered.lane);
    if (!asked) continue;
    underWay.delete(asked.lane);
    told.done.push({ attempt: asked, answer: answered.body });
  }
  return { ...told, open: [...underWay.values()] };
}

export type View = {
  status: Status;
  documents: number;
  recipients: number;
  fields: number;
  submitted: number;
};

export const viewOf = ({ status, content }: Transaction): View => ({
  status,
  documents: content.documents.length,
  recipients: content.recipients.length,
  fields: content.fields.length,
  submitted: content.recipients.filter((recipient) => recipient.submitted_at !== null).length,
});

const CREATED: View = { status: 'draft', documents: 0, recipients: 0, fields: 0, submitted: 0 };

const SIGNERS = 2;

const EFFECT: Record<Exclude<Op, 'exchange'>, (view: View) => View> = {
  create: () => CREATED,
  attach: (view) => ({ ...view, documents: view.documents + 1 }),
  update: (view) => ({ ...view, recipients: SIGNERS + 1 }),
  fields: (view) => ({ ...view, fields: SIGNERS }),
  start: (view) => ({ ...view, status: 'started' }),
  submit: (view) => ({
    ...view,
    submitted: view.submitted + 1,
    status: view.submitted + 1 === SIGNERS ? 'completed' : 'started',
  }),
  cancel: (view) => ({ ...view, status: 'cancelled' }),
  reject: (view) => ({ ...view, status: 'rejected' }),
};

/** By id. */
export type Ledger = Map<string, View>;

export function enter(ledger: Ledger, { op, id }: Attempt, answer: Answer = {}): void {
  const about = op === 'create' ? answer.id : id;
  if (op !== 'exchange' && about !== undefined) ledger.set(about, EFFECT[op](ledger.get(about) ?? CREATED));
}

/**
 * Holds the ledger against the store. An attempt that was under way and turns out to be done is entered.
 * @returns what does not fit, as sentences
 */
export function settle(ledger: Ledger, open: Attempt[], stored: Transaction[]): string[] {
  const violations: string[] = [];
  const found = new Map(stored.map((transaction) => [transaction.id, viewOf(transaction)]));
  for (const [id, expected] of ledger) {
    const view = found.get(id);
    if (!view) {
      violations.push(`${id} was acknowledged and is gone`);
      continue;
    }
    if (isSame(view, expected)) continue;
    const attempt = open.find((one) => one.id === id);
    if (attempt) enter(ledger, attempt);
    if (!attempt || !isSame(view, ledger.get(id) as View))
      violations.push(
        `${id} should be ${JSON.stringify(expected)} (${attempt?.op ?? 'nothing'} under way) and is ${JSON.stringify(view)}`,
      );
  }
  for (const { id, content } of stored.filter((transaction) => !ledger.has(transaction.id))) {
    const isOnly = stored.filter((other) => other.content.name === content.name).length === 1;
    const isAttempted = open.some(({ op, body }) => op === 'create' && body?.name === content.name);
    if (isOnly && isAttempted && isSame(found.get(id) as View, CREATED)) ledger.set(id, CREATED);
    else violations.push(`${id} (${content.name}) is there and nobody made it`);
  }
  return violations;
}

const isSame = (a: View, b: View): boolean => JSON.stringify(a) === JSON.stringify(b);
