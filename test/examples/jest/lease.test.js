// Jest with ES modules: what becomes of a lease. Each test begins with an empty sandbox.

import { createClient } from '@esign-cli/esign';
import { jest } from '@jest/globals';
import { sendLease } from './lease.js';

const ada = { name: 'Ada', email: 'ada@example.com' };

const sandbox = await createSandbox();
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());
afterEach(() => jest.useRealTimers());

/** Calls the program with a client of a sandbox. `fetch` needs no port. */
async function send({ origin: baseUrl, fetch, token } = sandbox) {
  return sendLease(createClient({ baseUrl, fetch, token: await token(), idempotencyKeys: true }), ada);
}

test('is rejected by Ada', async () => {
  await sandbox.reject(await send(), { reason: 'The rent is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  expect(data.rejected_by.email).toBe(ada.email);
});

test('expires after 14 days', async () => {
  const id = await send();
  const { fired } = await sandbox.clock.advance('15d');
  expect(fired).toMatchObject([{ type: 'transaction_expired', transaction_id: id }]);
});

test('expires by the fake timers of Jest', async () => {
  jest.useFakeTimers({ now: new Date('2030-01-01') });
  const timed = await createSandbox({ now: Date.now, seed: 'lease.yaml' });
  jest.setSystemTime(new Date('2030-01-16'));
  const { data } = await timed.events.waitFor('transaction_expired');
  expect(data.id).toBe(timed.seeded[0].id);
  await timed.close();
});

test('is created once, although the first answer is lost', async () => {
  await sandbox.faults.add('transaction.create', 'CONNECTION_RESET_BY_PEER', { count: 1 });
  const id = await send();
  const created = await sandbox.events.list({ type: 'transaction_created' });
  expect(created.map(({ data }) => data.id)).toEqual([id]);
});

test('is announced to a webhook that fails twice', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
  receiver.fail({ status: 503, times: 2 });
  await send();
  await sandbox.clock.advance('1h');
  expect(receiver.received.map(({ status }) => status)).toEqual([503, 503, 204]);
  await receiver.close();
});

test('is announced twice, with the same ID', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
  await sandbox.faults.add('*', 'webhook-duplicate', { count: 1 });
  await send();
  await sandbox.events.waitFor('transaction_started');
  const [first, second] = receiver.received;
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  await receiver.close();
});
