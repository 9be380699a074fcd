// Jest with CommonJS: what becomes of a lease. It is sent once, by a seed, and each test begins with it.
const ada = 'ada@example.com';

let sandbox;
let lease;
let sent;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: 'lease.yaml' });
  lease = sandbox.seeded[0].id;
  sent = await sandbox.snapshot();
});
beforeEach(() => sandbox.reset(sent));
afterAll(() => sandbox.close());

test('is rejected by Ada', async () => {
  await sandbox.reject(lease, { as: ada, reason: 'The rent is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  expect(data.rejected_by.email).toBe(ada);
});

test('expires after 14 days', async () => {
  const { fired } = await sandbox.clock.advance('15d');
  expect(fired).toMatchObject([{ type: 'transaction_expired', transaction_id: lease }]);
});

test('is created once, although the first answer is lost', async () => {
  const authorization = `Bearer ${await sandbox.token()}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'lease-7' };
  const create = () => sandbox.fetch('/v1/transaction', { method: 'POST', headers, body: '{}' });
  await sandbox.faults.add('transaction.create', 'CONNECTION_RESET_BY_PEER', { count: 1 });
  await expect(create()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  const again = await create();
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(await sandbox.events.list({ type: 'transaction_created' })).toHaveLength(2);
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
