// The service beside its model: what was seen of it last, and whether it agrees.
import { expect } from 'vitest';
import type { EventType } from '../../src/api/contract/events.ts';
import type { WireTransaction as Transaction } from '../../src/api/contract/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { currentOf, type Model, type ModelTransaction, type Outcome } from './model.ts';

export type Seen = { id: string; detail: Transaction; pastTokens: string[] };

export type Real = { harness: Harness; folder: string; transactions: Seen[]; fileTokens: string[] };

/** What a call came to: its refusal's code, or that it was done. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return 'done';
  } catch (error) {
    const { code } = error as { code?: Outcome };
    if (code === undefined) throw error;
    return code;
  }
}

export async function reopen(real: Real): Promise<void> {
  const { now } = real.harness.clock;
  expect(real.harness.errors).toEqual([]);
  await real.harness.service.close();
  real.harness = await openHarness('in process', { folder: real.folder });
  real.harness.clock.now = now;
}

/** Does something in another service on the same store. */
export async function elsewhere<T>(
  { harness, folder }: Real,
  act: (other: Harness) => Promise<T>,
): Promise<T> {
  const other = await openHarness('in process', { folder });
  other.clock.now = harness.clock.now;
  try {
    return await act(other);
  } finally {
    expect(other.errors).toEqual([]);
    await other.service.close();
  }
}

export const show = ({ harness }: Real, id: string): Promise<Transaction> =>
  harness.client['transaction.detail']({ params: { transactionId: id } });

/** The signing token of the current recipient at the last look. */
export const tokenSeen = ({ detail }: Seen): string =>
  detail.template.recipients.find((recipient) => recipient.is_current)?.token ?? 'none';

/** Addresses of files lapse, and are made anew for each who asks. */
const withoutAddresses = (detail: Transaction) => ({
  ...detail,
  sealed_documents: detail.sealed_documents.map(({ presigned_url: _, ...sealed }) => sealed),
});

/** Every transaction is as the model has it, and exactly as before where nothing may have changed. */
export async function compare(model: Model, real: Real, changed: Set<ModelTransaction>): Promise<void> {
  for (const [position, transaction] of model.transactions.entries()) {
    const seen = real.transactions[position] as Seen;
    const detail = await show(real, seen.id);
    if (!changed.has(transaction)) expect(withoutAddresses(detail)).toEqual(withoutAddresses(seen.detail));
    if (tokenSeen(seen) !== 'none') seen.pastTokens.push(tokenSeen(seen));
    seen.detail = detail;
    expect(pictureOf(detail)).toEqual(expected(transaction));
    await compareRecords(transaction, real, seen.id);
  }
  expect(real.harness.errors).toEqual([]);
}

async function compareRecords(transaction: ModelTransaction, { harness }: Real, id: string): Promise<void> {
  const query = { transaction_id: id };
  const events = (await harness.client['sandbox.events']({ query })).items.map(({ type }): EventType => type);
  expect(events).toEqual(transaction.events);
  const mail = (await harness.client['sandbox.mail']({ query })).items.filter(
    ({ kind }) => kind === 'invitation',
  );
  expect(mail).toHaveLength(transaction.invitations);
  const current = currentOf(transaction);
  if (current) expect(mail[0]?.to).toBe(`${current.name} <${current.email}>`);
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

function expected(transaction: ModelTransaction) {
  const { status, people, fields, submitted, documents, days, expiresAt } = transaction;
  const current = currentOf(transaction);
  return {
    status: status === 'cancelled' ? 'expired' : status,
    isCancelled: status === 'cancelled',
    expired_at: status === 'expired' ? instant(expiresAt) : null,
    expires_at: instant(expiresAt),
    expiration_days: days,
    ends: { completed: status === 'completed', rejected: status === 'rejected', sent: status !== 'draft' },
    documents: documents.map((_, index) => index),
    recipients: people.map(({ name, email, role }, index) => ({
      name,
      email,
      role,
      index,
      is_current: name === current?.name,
      hasToken: name === current?.name,
      hasSubmitted: submitted.includes(name),
    })),
    fields: fields.map(({ of }) => of),
  };
}

function pictureOf({ template, ...detail }: Transaction) {
  const nameOf = (id: string) => template.recipients.find((recipient) => recipient.id === id)?.name;
  return {
    status: detail.status,
    isCancelled: detail.cancelled_at !== null,
    expired_at: detail.expired_at,
    expires_at: detail.expires_at,
    expiration_days: detail.expiration_days,
    ends: {
      completed: detail.completed_at !== null,
      rejected: detail.rejected_at !== null,
      sent: detail.sent_at !== null,
    },
    documents: template.documents.map(({ index }) => index),
    recipients: template.recipients.map(({ name, email, role, index, is_current, token, submitted_at }) => ({
      name,
      email,
      role,
      index,
      is_current,
      hasToken: token !== null,
      hasSubmitted: submitted_at !== null,
    })),
    fields: template.fields.map((field) => nameOf(field.recipient_id)),
  };
}
