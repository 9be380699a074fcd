import assert from 'node:assert/strict';
import { openAsBlob } from 'node:fs';
import { after, beforeEach, test } from 'node:test';
import { createClient } from '@esign-cli/esign';
import { createSandbox } from '@esign-cli/esign/testing';

const sandbox = await createSandbox();
after(() => sandbox.close());
beforeEach(() => sandbox.reset());

/** Sends a lease to Ada, who has 14 days to sign it. */
async function sendLease() {
  const { origin: baseUrl, fetch, sender } = sandbox;
  const client = createClient({ baseUrl, fetch, token: await sandbox.token() });
  const { token } = await client.files.upload(await openAsBlob('contract.pdf'), { name: 'lease.pdf' });
  const { id } = await client.transactions.create({ name: 'Lease' });
  const { document_id } = await client.transactions.addDocument(id, { token });
  await client.transactions.update(id, {
    name: 'Lease',
    expiration_days: 14,
    documents: [{ id: document_id, index: 0 }],
    recipients: [
      { role: 'sender', index: 0, ...sender },
      { role: 'signer', index: 1, name: 'Ada', email: 'ada@example.com' },
    ],
  });
  const { template } = await client.transactions.get(id);
  const [{ id: recipient_id }] = template.recipients.filter(({ role }) => role === 'signer');
  const place = { page: 0, positionX: 72, positionY: 600, width: 160, height: 40 };
  await client.transactions.setFields(id, {
    fields: [{ type: 'signature', document_id, recipient_id, ...place }],
  });
  await client.transactions.start(id);
  return id;
}

test('a lease that is signed', async () => {
  const id = await sendLease();
  await sandbox.sign(id, { as: 'ada@example.com' });
  const { data } = await sandbox.events.waitFor('transaction_completed');
  assert.equal(data.id, id);
});

test('a lease that Ada rejects', async () => {
  await sandbox.reject(await sendLease(), { reason: 'The rent is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  assert.equal(data.rejected_by.email, 'ada@example.com');
});

test('a lease that is not signed in time', async () => {
  const id = await sendLease();
  const { fired } = await sandbox.clock.advance('15d');
  assert.deepEqual(
    fired.map(({ type, transaction_id }) => [type, transaction_id]),
    [['transaction_expired', id]],
  );
});

test('an answer that is lost after the lease was created', async () => {
  const token = await sandbox.token();
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'idempotency-key': 'lease-7',
  };
  const create = () =>
    sandbox.fetch('/v1/transaction', { method: 'POST', headers, body: '{"name":"Lease"}' });
  await sandbox.faults.add('transaction.create', 'CONNECTION_RESET_BY_PEER', { count: 1 });
  await assert.rejects(create);
  const again = await create();
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
});

test('an event that comes twice', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
  await sandbox.faults.add('*', 'webhook-duplicate', { count: 1 });
  await sendLease();
  await sandbox.events.waitFor('transaction_started');
  const [first, second] = receiver.received;
  assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
  await receiver.close();
});

test('a receiver that fails twice gets the event with the third attempt', async () => {
  const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
  receiver.fail({ status: 503, times: 2 });
  await sendLease();
  await sandbox.clock.advance('1h');
  assert.deepEqual(
    receiver.received.map(({ status }) => status),
    [503, 503, 204],
  );
  await receiver.close();
});
