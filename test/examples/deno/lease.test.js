// Deno: what becomes of a lease. Each test has a sandbox of its own, which closes by itself, and a lease that a seed has sent.
import assert from 'node:assert/strict';
import { createClient } from '@esign-cli/esign';
import { createSandbox } from '@esign-cli/esign/testing';
import { sendLease } from './lease.js';

const ada = { name: 'Ada', email: 'ada@example.com' };
const open = () => createSandbox({ seed: 'lease.yaml' });

Deno.test('is rejected by Ada', async () => {
  await using sandbox = await open();
  await sandbox.reject(sandbox.seeded[0].id, { as: ada.email, reason: 'The rent is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  assert.equal(data.rejected_by.email, ada.email);
});

Deno.test('expires after 14 days', async () => {
  await using sandbox = await open();
  const { fired } = await sandbox.clock.advance('15d');
  assert.deepEqual(
    fired.map(({ type, transaction_id }) => [type, transaction_id]),
    [['transaction_expired', sandbox.seeded[0].id]],
  );
});

Deno.test('is created once, although the first answer is lost', async () => {
  await using sandbox = await createSandbox();
  const { origin: baseUrl, fetch } = sandbox;
  const client = createClient({ baseUrl, fetch, token: await sandbox.token(), idempotencyKeys: true });
  await sandbox.faults.add('transaction.create', 'CONNECTION_RESET_BY_PEER', { count: 1 });
  const id = await sendLease(client, ada);
  const created = await sandbox.events.list({ type: 'transaction_created' });
  assert.deepEqual(
    created.map(({ data }) => data.id),
    [id],
  );
});

Deno.test('is announced to a webhook that fails twice', async () => {
  await using sandbox = await open();
  const receiver = await sandbox.events.receiver({ types: ['transaction_rejected'] });
  receiver.fail({ status: 503, times: 2 });
  await sandbox.reject(sandbox.seeded[0].id);
  await sandbox.clock.advance('1h');
  assert.deepEqual(
    receiver.received.map(({ status }) => status),
    [503, 503, 204],
  );
});

Deno.test('is announced twice, with the same ID', async () => {
  await using sandbox = await open();
  const receiver = await sandbox.events.receiver({ types: ['transaction_rejected'] });
  await sandbox.faults.add('*', 'webhook-duplicate', { count: 1 });
  await sandbox.reject(sandbox.seeded[0].id);
  await sandbox.events.waitFor('transaction_rejected');
  const [first, second] = receiver.received;
  assert.equal(second.headers['webhook-id'], first.headers['webhook-id']);
});
