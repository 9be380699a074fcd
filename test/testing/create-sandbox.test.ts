// `@esign-cli/esign/testing`: sandboxes for the tests of other programs, as those programs use them.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { verifySignature } from '../../src/api/standard-webhooks.ts';
import { transportOver, withBearer } from '../../src/api/transport.ts';
import { createSandbox } from '../../src/testing/published.ts';
import type { Sandbox, SandboxOptions, SandboxSeed, SandboxSeeded } from '../../src/testing/sandbox.ts';
import { ADA, createDraft, fieldFor, readDetail, updateBodyOf } from '../support/fixtures/transactions.ts';
import { createStrictClient, type StrictClient } from '../support/strict-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const opened: Sandbox[] = [];
const failures: unknown[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((sandbox) => sandbox.close()));
  expect(failures.splice(0)).toEqual([]);
});

async function open(options?: SandboxOptions): Promise<Sandbox> {
  const sandbox = await createSandbox({ onError: (error) => failures.push(error), ...options });
  opened.push(sandbox);
  return sandbox;
}

async function clientOf(sandbox: Sandbox): Promise<{ client: StrictClient }> {
  const token = await sandbox.token();
  const transport = withBearer(transportOver(sandbox.fetch), { token: () => token });
  return { client: createStrictClient({ baseUrl: 'http://127.0.0.1', transport }) };
}

/** Starts a transaction with a signature of Ada, which expires after ten days. @returns its ID */
async function send(sandbox: Sandbox): Promise<string> {
  const caller = await clientOf(sandbox);
  const draft = await createDraft(caller, [ADA], sandbox.sender);
  const params = { transactionId: draft.id };
  await caller.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
  const body = updateBodyOf(await readDetail(caller, draft.id), { expiration_days: 10 });
  await caller.client['transaction.update']({ params, body });
  await caller.client['transaction.start']({ params });
  return draft.id;
}

const statusOf = async (sandbox: Sandbox, id: string) =>
  (await readDetail(await clientOf(sandbox), id)).status;

test.skipIf(!SLOW)('a transaction is signed, and its events are waited for', async () => {
  const sandbox = await open();
  const id = await send(sandbox);
  await sandbox.sign(id, { as: ADA.email });
  const completed = await sandbox.events.waitFor('transaction_completed', { transactionId: id });
  expect(completed.data.id).toBe(id);
  const [newest] = await sandbox.mailbox.list({ to: ADA.email });
  expect(await sandbox.mailbox.message(newest!.id)).toContain('MIME-Version: 1.0');
});

test.skipIf(!SLOW)('a transaction is rejected, and the event names the recipient', async () => {
  const sandbox = await open();
  const id = await send(sandbox);
  await sandbox.reject(id, { reason: 'The amount is wrong' });
  const { data } = await sandbox.events.waitFor('transaction_rejected');
  expect(data).toMatchObject({ id, rejected_by: { email: ADA.email } });
});

test.skipIf(!SLOW)('a transaction expires when the clock is advanced', async () => {
  const sandbox = await open();
  const id = await send(sandbox);
  const before = await sandbox.clock.now();
  const { now, fired } = await sandbox.clock.advance('30d');
  expect(now.getTime() - before.getTime()).toBeGreaterThanOrEqual(30 * 86_400_000);
  expect(fired).toMatchObject([{ type: 'transaction_expired', transaction_id: id }]);
  expect(await statusOf(sandbox, id)).toBe('expired');
});

test.skipIf(!SLOW)('the clock follows fake timers', async () => {
  vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] });
  const sandbox = await open({ now: Date.now });
  const id = await send(sandbox);
  vi.setSystemTime('2030-01-12T00:00:00Z');
  expect((await sandbox.clock.now()).toISOString()).toBe('2030-01-12T00:00:00.000Z');
  await sandbox.events.waitFor('transaction_expired', { transactionId: id });
});

test('a receiver gets signed events, again after it has failed, and again after a reset', async () => {
  const sandbox = await open();
  const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
  receiver.fail({ status: 503, times: 2 });
  await send(sandbox);
  await sandbox.events.waitFor('transaction_started');
  expect(receiver.received.map(({ status }) => status)).toEqual([503]);
  await sandbox.clock.advance('1h');
  expect(receiver.received.map(({ status }) => status)).toEqual([503, 503, 204]);
  const { headers, body } = receiver.received[2]!;
  expect(verifySignature(receiver.secret, headers, Buffer.from(body), Date.now() / 1000)).toBe(true);
  await sandbox.reset();
  await send(sandbox);
  await sandbox.events.waitFor('transaction_started');
  expect(receiver.received).toHaveLength(4);
});

test.skipIf(!SLOW)(
  'a receiver gets each event once after a return to a snapshot, with the secret that it says',
  async () => {
    const sandbox = await open();
    const empty = await sandbox.snapshot();
    const receiver = await sandbox.events.receiver({ types: ['transaction_started'] });
    await send(sandbox);
    const registered = await sandbox.snapshot();
    const { secret } = receiver;
    const count = async () => {
      await send(sandbox);
      await sandbox.events.waitFor('transaction_started');
      const last = receiver.received.at(-1)!;
      expect(verifySignature(receiver.secret, last.headers, Buffer.from(last.body), Date.now() / 1000)).toBe(
        true,
      );
      return receiver.received.length;
    };
    expect(await count()).toBe(2);
    await sandbox.reset(registered);
    expect([await count(), receiver.secret]).toEqual([3, secret]);
    await sandbox.reset(empty);
    expect(await count()).toBe(4);
    await sandbox.reset(registered);
    expect([await count(), receiver.secret]).toEqual([5, secret]);
    await sandbox.reset();
    expect(await count()).toBe(6);
  },
);

test.skipIf(!SLOW)('events reach a receiver whatever the date is that a test has set', async () => {
  for (const now of ['2031-05-01T00:00:00Z', '2019-05-01T00:00:00Z']) {
    vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] });
    const sandbox = await open();
    const receiver = await sandbox.events.receiver();
    await send(sandbox);
    await sandbox.events.waitFor('transaction_started');
    expect([now, receiver.received.length > 0]).toEqual([now, true]);
  }
});

test('events are handed to a function or a URL of this machine, which can refuse them', async () => {
  const unreachable: unknown[] = [];
  const sandbox = await open({ onError: (error) => unreachable.push(error) });
  const seen: string[] = [];
  const statuses = [500, 200];
  const handled = await sandbox.events.forwardTo(
    ({ headers, body, event }) => {
      expect(verifySignature(handled.secret, headers, Buffer.from(body), Date.now() / 1000)).toBe(true);
      seen.push(event.type);
      return new Response(null, { status: statuses.shift() ?? 200 });
    },
    { types: ['transaction_started'] },
  );
  const bodies: string[] = [];
  const server = createHttpServer(async (request, response) => {
    for await (const chunk of request) bodies.push(String(chunk));
    response.writeHead(request.headers['webhook-signature'] ? 202 : 400).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const forwarded = await sandbox.events.forwardTo(`http://127.0.0.1:${port}/hooks`, {
    types: ['transaction_started'],
  });
  await send(sandbox);
  await sandbox.events.waitFor('transaction_started');
  expect([seen, handled.received.map(({ status }) => status)]).toEqual([['transaction_started'], [500]]);
  await sandbox.clock.advance('1h');
  expect(handled.received.map(({ status }) => status)).toEqual([500, 200]);
  expect([bodies.length, forwarded.received.map(({ status }) => status)]).toEqual([1, [202]]);
  server.close();
  server.closeAllConnections();
  await send(sandbox);
  await sandbox.events.waitFor('transaction_started');
  await expect.poll(() => forwarded.received.length).toBe(2);
  expect(forwarded.received[1]?.status).toBe(502);
  expect(unreachable).toHaveLength(1);
});

test.skipIf(!SLOW)('an event that does not come is reported with those that came', async () => {
  const sandbox = await open();
  await send(sandbox);
  await expect(sandbox.events.waitFor('transaction_completed', { timeoutMs: 0 })).rejects.toThrow(
    /No event "transaction_completed" within 0 ms. The events were: transaction_created, .*transaction_started/,
  );
});

test.skipIf(!SLOW)('a reset empties it, or puts it back into a snapshot', async () => {
  const sandbox = await open();
  const id = await send(sandbox);
  const started = await sandbox.snapshot();
  await sandbox.sign(id);
  await sandbox.reset(started);
  expect(await statusOf(sandbox, id)).toBe('started');
  await sandbox.sign(id);
  expect(await statusOf(sandbox, id)).toBe('completed');
  await sandbox.reset();
  expect(await sandbox.events.list()).toEqual([]);
});

test.skipIf(!SLOW)('users and applications are added', async () => {
  const sandbox = await open();
  await sandbox.users.add({ name: 'Grace', email: 'grace@example.com' });
  const token = await sandbox.token({ user: 'grace@example.com', scopes: ['transaction:read'] });
  const me = await sandbox.fetch('/v1/user/me', { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ email: 'grace@example.com' });
  expect((await sandbox.users.list()).map(({ email }) => email)).toContain('grace@example.com');
  const { client_id } = await sandbox.applications.add({
    name: 'Orders',
    callbackUrl: 'http://127.0.0.1:8976/callback',
  });
  expect(client_id).not.toBe('');
});

test.skipIf(!SLOW)('it is served when its URL is asked for, and on no port before and after', async () => {
  const port = await freePort();
  const sandbox = await open({ port });
  await send(sandbox);
  expect(await isFree(port)).toBe(true);
  const url = await sandbox.url;
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
  await sandbox.close();
  expect(await isFree(port)).toBe(true);
});

test.skipIf(!SLOW)('a served sandbox delivers by itself', async () => {
  const sandbox = await open();
  await sandbox.url;
  const receiver = await sandbox.events.receiver();
  await send(sandbox);
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBeGreaterThan(0);
});

test.skipIf(!SLOW)('closing leaves nothing behind, and a folder of the caller is kept', async () => {
  const dataDir = await temporaryFolder();
  const first = await open({ dataDir });
  const id = await send(first);
  await first.close();
  const again = await open({ dataDir });
  expect(await statusOf(again, id)).toBe('started');
  await again.close();
  await again.close();
  expect(readdirSync(dataDir)).toContain('store.db');
});

test.skipIf(!SLOW)('sandboxes side by side know nothing of each other', async () => {
  const many = await Promise.all(Array.from({ length: 4 }, () => open()));
  const ids = await Promise.all(many.map((sandbox) => send(sandbox)));
  await many[0]?.clock.advance('30d');
  expect(await Promise.all(many.map((sandbox, index) => statusOf(sandbox, ids[index]!)))).toEqual([
    'expired',
    'started',
    'started',
    'started',
  ]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });

test.skipIf(!SLOW)('a long test with many events is given no warning by Node', async () => {
  const warnings: string[] = [];
  const note = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
  process.on('warning', note);
  const sandbox = await open();
  const receiver = await sandbox.events.receiver();
  const { client } = await clientOf(sandbox);
  for (let count = 1; count <= 12; count += 1) {
    await client['transaction.create']({ body: {} });
    await expect.poll(() => receiver.received.length).toBe(count);
  }
  // Node gives a warning in a later turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test.skipIf(!SLOW)('an idempotency key is forgotten after 24 hours by the clock of the sandbox', async () => {
  const sandbox = await open();
  const create = async () => {
    // An access token is valid for an hour.
    const headers = {
      authorization: `Bearer ${await sandbox.token()}`,
      'content-type': 'application/json',
      'idempotency-key': 'lease-7',
    };
    const response = await sandbox.fetch('/v1/transaction', { method: 'POST', headers, body: '{}' });
    return ((await response.json()) as { id: string }).id;
  };
  const first = await create();
  await sandbox.clock.advance('23h');
  expect(await create()).toBe(first);
  await sandbox.clock.advance('1h');
  expect(await create()).not.toBe(first);
});

const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

/** One transaction in each state, a template, and everything else that a seed can have. */
const WORLD: SandboxSeed = {
  users: [{ name: 'Grace', email: 'grace@example.com', company: 'Navy' }],
  applications: [{ name: 'Orders', callback_url: 'http://127.0.0.1:8976/callback' }],
  templates: [{ name: 'NDA', files: [CONTRACT], to: ['Visitor <visitor@example.com>'] }],
  webhooks: [{ name: 'Orders', endpoint: 'https://127.0.0.1:8443/hooks', user: 'grace@example.com' }],
  transactions: [
    {
      name: 'Half',
      files: [CONTRACT],
      to: ['Ada <ada@example.com>', 'Bob <bob@example.com>'],
      fields: ['text@1:72pt,100pt,200x20=ada@example.com,label=City,regex=^Berlin$'],
      signed: 1,
      values: { 'ada@example.com': { City: 'Berlin' } },
    },
    ...(['completed', 'rejected', 'cancelled', 'expired', 'draft'] as const).map((state) => ({
      name: state,
      files: [CONTRACT],
      to: ['Ada <ada@example.com>'],
      user: 'grace@example.com',
      state,
    })),
    { name: 'From template', templates: ['NDA'], state: 'started' as const },
  ],
};

const withoutIds = (things: readonly SandboxSeeded[]) =>
  things.map(({ kind, name, status }) => [kind, name, status]);

const WORLD_MADE = [
  ['user', 'grace@example.com', undefined],
  ['application', 'Orders', undefined],
  ['template', 'NDA', undefined],
  ['webhook', 'Orders', undefined],
  ['transaction', 'Half', 'started'],
  ['transaction', 'completed', 'completed'],
  ['transaction', 'rejected', 'rejected'],
  ['transaction', 'cancelled', 'cancelled'],
  ['transaction', 'expired', 'expired'],
  ['transaction', 'draft', 'draft'],
  ['transaction', 'From template', 'started'],
];

test.skipIf(!SLOW)(
  'a seed makes users, templates and transactions in every state, by real operations',
  async () => {
    const sandbox = await open({ seed: WORLD });
    expect(withoutIds(sandbox.seeded)).toEqual(WORLD_MADE);
    expect(sandbox.seeded.every(({ result, id }) => result === 'created' && id.length > 0)).toBe(true);
    const half = await readDetail(await clientOf(sandbox), idIn(sandbox.seeded, 'Half'));
    expect(half.template.recipients.map(({ submitted_at }) => submitted_at !== null)).toEqual([
      false,
      true,
      false,
    ]);
    const completed = await sandbox.events.list({ transactionId: idIn(sandbox.seeded, 'completed') });
    expect(completed.map(({ type }) => type)).toEqual([
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'transaction_completed',
    ]);
  },
);

const idIn = (things: readonly SandboxSeeded[], name: string): string =>
  things.find((thing) => thing.kind === 'transaction' && thing.name === name)!.id;

test.skipIf(!SLOW)('a seed that is applied again changes nothing', async () => {
  const sandbox = await open({ seed: WORLD });
  const events = await sandbox.events.list();
  const again = await sandbox.seed(WORLD);
  expect(again.map(({ kind, name, id }) => [kind, name, id])).toEqual(
    sandbox.seeded.map(({ kind, name, id }) => [kind, name, id]),
  );
  expect(new Set(again.map(({ result }) => result))).toEqual(new Set(['unchanged']));
  expect(await sandbox.events.list()).toEqual(events);
});

const WRITES = [
  'file.upload',
  'transaction.create',
  'transaction.add_document',
  'transaction.update',
  'transaction.start',
  'transaction.cancel',
  'transaction.use_templates',
  'webhook.create',
] as const;

test
  .skipIf(!SLOW)
  .each(
    WRITES.flatMap((operation) => [
      [operation, 'error-before-commit'] as const,
      [operation, 'error-after-commit'] as const,
    ]),
  )('a seed that stopped at %s with %s is completed when it is applied again', async (operation, kind) => {
  const sandbox = await open();
  await sandbox.faults.add(operation, kind, { count: 1 });
  await expect(sandbox.seed(WORLD)).rejects.toThrow();
  const finished = await sandbox.seed(WORLD);
  expect(withoutIds(finished)).toEqual(WORLD_MADE);
  const created = await sandbox.events.list({ type: 'transaction_created' });
  // Of each transaction, and of the draft that the template was saved from.
  expect(created).toHaveLength(WORLD.transactions!.length + 1);
});

test.skipIf(!SLOW)('a wrong seed makes nothing', async () => {
  const sandbox = await open();
  const transactions = [
    ...WORLD.transactions!,
    { name: 'Wrong', files: ['nowhere.pdf'], to: ['x@example.com'] },
  ];
  await expect(sandbox.seed({ ...WORLD, transactions })).rejects.toThrow(
    'seed.transactions.7.files.0: File not found: "nowhere.pdf".',
  );
  const webhooks = [{ name: 'A', endpoint: 'https://hooks.example.com', user: 'nobody@example.com' }];
  await expect(sandbox.seed({ ...WORLD, webhooks })).rejects.toThrow(
    'seed.webhooks.0.user: user is "nobody@example.com", which is not the email address of a user.',
  );
  expect(await sandbox.users.list()).toHaveLength(1);
  expect(await sandbox.events.list()).toEqual([]);
});

test.skipIf(!SLOW)('a template of another company is not used', async () => {
  const sandbox = await open();
  const transactions = [{ name: 'A', templates: ['NDA'], user: 'grace@example.com' }];
  await expect(sandbox.seed({ ...WORLD, transactions })).rejects.toMatchObject({
    cause: {
      message: 'seed.transactions.0: There is no template with the name "NDA" in the company of the user.',
    },
  });
});
