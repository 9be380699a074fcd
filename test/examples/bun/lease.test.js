// Bun: what becomes of a lease. It is sent once by the program, and each test begins with it.
import { afterAll, beforeEach, expect, test } from 'bun:test';
import { createClient } from '@esign-cli/esign';
import { createSandbox } from '@esign-cli/esign/testing';
import { sendLease } from './lease.js';

const ada = { name: 'Ada', email: 'ada@example.com' };

const sandbox = await createSandbox();
const { origin: baseUrl, fetch } = sandbox;
const client = createClient({ baseUrl, fetch, token: await sandbox.token(), idempotencyKeys: true });
const lease = await sendLease(client, ada);
const sent = await sandbox.snapshot();
beforeEach(() => sandbox.reset(sent));
afterAll(() => sandbox.close());

test('is rejected by Ada', async () => {
  await sandbox.reject(lease, { as: ada.email, reason: 'The rent is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  expect(data.rejected_by.email).toBe(ada.email);
});

test('expires after 14 days', async () => {
  const { fired } = await sandbox.clock.advance('15d');
  expect(fired).toMatchObject([{ type: 'transaction_expired', transaction_id: lease }]);
});

test('is created once, although the first answer is lost', async () => {
  await sandbox.faults.add('transaction.create', 'CONNECTION_RESET_BY_PEER', { count: 1 });
  const another = await sendLease(client, ada);
  const created = await sandbox.events.list({ type: 'transaction_created' });
  expect(created.map(({ data }) => data.id)).toEqual([lease, another]);
});

test('is announced to a webhook that fails twice', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_rejected'] });
  receiver.fail({ status: 503, times: 2 });
  await sandbox.reject(lease);
  await sandbox.clock.advance('1h');
  expect(receiver.received.map(({ status }) => status)).toEqual([503, 503, 204]);
  await receiver.close();
});

test('is announced twice, with the same ID', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_rejected'] });
  await sandbox.faults.add('*', 'webhook-duplicate', { count: 1 });
  await sandbox.reject(lease);
  await sandbox.events.waitFor('transaction_rejected');
  const [first, second] = receiver.received;
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  await receiver.close();
});
