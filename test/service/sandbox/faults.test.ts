// Faults of the sandbox: each kind on requests, served and in process; what the service sends; counts that hold across processes, and
// sequences that a seed repeats.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRemote, type Remote } from '../../../src/api/remote.ts';
import type { Call, ConnectionError, Transport } from '../../../src/api/transport.ts';
import { describeService } from '../../support/describe-service.ts';
import {
  ADA,
  createDraft,
  currentToken,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  signWith,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { startPlainMailServer } from '../../support/servers/mail-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const CREATE = 'transaction.create';

type NewFault = Parameters<Harness['client']['sandbox.add_fault']>[0]['body'];

const addFault = (
  { client }: Harness,
  operation: string,
  kind: NewFault['kind'],
  more: Partial<NewFault> = {},
) => client['sandbox.add_fault']({ body: { operation, kind, count: 1, ...more } });

const countTransactions = async ({ client }: Harness) =>
  (await client['sandbox.status']()).transactions.draft;

const creation = ({ baseUrl, service }: Harness, key: string = randomUUID()): Call => ({
  method: 'POST',
  url: `${baseUrl}/v1/transaction`,
  headers: {
    authorization: `Bearer ${service.ownToken}`,
    'content-type': 'application/json',
    'idempotency-key': key,
  },
  body: JSON.stringify({ name: 'Lease' }),
});

/** As a program on this machine asks: over the connection, or in the process. */
async function createBy(transport: Transport, harness: Harness, key?: string) {
  try {
    const { status, headers, body } = await transport(creation(harness, key));
    return { status, fault: headers['x-esign-fault'], headers, text: Buffer.from(body).toString('utf8') };
  } catch (error) {
    const { reason, kind, delivery } = error as ConnectionError;
    return { reason, kind, delivery };
  }
}

describeService('a fault of the sandbox', { isAboutHttp: true }, (harness, way) => {
  let remote: Remote | undefined;
  const transport = (): Transport => {
    if (way !== 'over HTTP') return harness().service.transport;
    remote ??= openRemote();
    return remote.transport;
  };
  afterEach(async () => {
    await remote?.close();
    remote = undefined;
  });
  const create = (key?: string) => createBy(transport(), harness(), key);

  test.each(
    sampleOf(
      [
        ['rate-limit', 429, 'rate_limited', 0],
        ['expired-token', 401, 'token_expired', 0],
        ['error-before-commit', 500, 'failed_on_purpose', 0],
        ['error-after-commit', 500, 'failed_on_purpose', 1],
      ] as const,
      4,
    ),
  )('%s is answered with %i %s', async (kind, status, code, done) => {
    await addFault(harness(), CREATE, kind);
    const answer = await create();
    expect(answer).toMatchObject({ status, fault: kind });
    expect(JSON.parse(answer.text ?? '').code).toBe(code);
    expect(await countTransactions(harness())).toBe(done);
    expect(await create()).toMatchObject({ status: 201, fault: undefined });
  });

  test.each(
    sampleOf(
      [
        ['EMPTY_RESPONSE', 'UND_ERR_SOCKET', 'connection'],
        ['CONNECTION_RESET_BY_PEER', 'ECONNRESET', 'connection'],
        ['MALFORMED_RESPONSE_CHUNK', 'NOT_HTTP', 'answer_unreadable'],
        ['RANDOM_DATA_THEN_CLOSE', 'NOT_HTTP', 'answer_unreadable'],
        ['limit_data', 'UND_ERR_SOCKET', 'connection'],
      ] as const,
      5,
    ),
  )('%s breaks the answer of what was done: %s', async (kind, reason, failure) => {
    await addFault(harness(), CREATE, kind);
    expect(await create()).toEqual({ reason, kind: failure, delivery: 'unknown' });
    expect(await countTransactions(harness())).toBe(1);
    expect(await create()).toMatchObject({ status: 201 });
  });

  test('is retried with the stored answer after a commit whose answer was lost', async () => {
    await addFault(harness(), CREATE, 'error-after-commit');
    await addFault(harness(), CREATE, 'CONNECTION_RESET_BY_PEER');
    expect(await create('the-key')).toMatchObject({ status: 500 });
    expect(await create('the-key')).toMatchObject({ reason: 'ECONNRESET' });
    expect(await create('the-key')).toMatchObject({
      status: 201,
      headers: { 'idempotency-replayed': 'true' },
    });
    expect(await countTransactions(harness())).toBe(1);
  });

  test('makes answers late, and their bodies slow, and nothing else', async () => {
    await addFault(harness(), CREATE, 'latency', { latency: 20, jitter: 10 });
    await addFault(harness(), CREATE, 'slow-body', { latency: 20 });
    const answer = await create();
    expect(answer).toMatchObject({ status: 201, fault: 'latency, slow-body' });
    expect(JSON.parse(answer.text ?? '').id).toEqual(expect.any(String));
    expect(await countTransactions(harness())).toBe(1);
  });

  test('tells how long to wait', async () => {
    await addFault(harness(), '*', 'rate-limit', { retry_after: 7 });
    expect((await create()).headers?.['retry-after']).toBe('7');
  });

  test('meets the operation it is for, as often as it is to, and no operation of the sandbox', async () => {
    await addFault(harness(), 'user.me', 'error-before-commit', { count: 2 });
    expect(await create()).toMatchObject({ status: 201 });
    const ask = () => refusalOf(harness().client['user.me']());
    expect([(await ask()).status, (await ask()).status]).toEqual([500, 500]);
    expect((await harness().client['user.me']()).email).toBe(harness().service.sender.email);
    await addFault(harness(), '*', 'error-before-commit', { count: 1 });
    expect((await harness().client['sandbox.list_faults']()).items).toMatchObject([
      { operation: 'user.me', count: 2, hits: 2 },
      { operation: '*', count: 1, hits: 0 },
    ]);
    expect(await harness().client['sandbox.clear_faults']()).toEqual({ removed: 2 });
    expect(await create()).toMatchObject({ status: 201 });
  });

  test('meets the same requests for the same seed', async () => {
    const sequence = async (seed: number) => {
      await harness().client['sandbox.clear_faults']();
      await harness().client['sandbox.add_fault']({
        body: { operation: 'user.me', kind: 'rate-limit', probability: 0.5, seed },
      });
      const statuses: string[] = [];
      for (let at = 0; at < 16; at += 1)
        statuses.push(
          await harness()
            .client['user.me']()
            .then(
              () => 'ok',
              () => 'no',
            ),
        );
      return statuses.join(' ');
    };
    const first = await sequence(7);
    expect(first).toMatch(/ok.*no|no.*ok/);
    expect(await sequence(7)).toBe(first);
    expect(await sequence(8)).not.toBe(first);
  });

  test('is removed by a reset of the sandbox', async () => {
    await addFault(harness(), '*', 'error-before-commit', {});
    await harness().client['sandbox.reset']({ body: {} });
    expect((await harness().client['sandbox.list_faults']()).items).toEqual([]);
  });

  test.each(
    sampleOf(
      [
        [{ operation: 'transaction.creat', kind: 'latency' }, 'Did you mean "transaction.create"?'],
        [{ operation: 'sandbox.reset', kind: 'latency' }, 'is not an operation of the API'],
        [{ operation: '*', kind: 'latencyy' }, 'is not a kind of fault'],
        [{ operation: CREATE, kind: 'webhook-drop' }, 'must be "*"'],
        [{ operation: 'oauth.refresh_token', kind: 'expired-token' }, 'needs no access token'],
        [{ operation: '*', kind: 'rate-limit', latency: '1s' }, 'has no effect'],
        [{ operation: '*', kind: 'latency', latency: '11m' }, 'at most 10m'],
        [{ operation: '*', kind: 'latency', count: 1, probability: 0.5 }, 'cannot be combined'],
        [{ operation: '*', kind: 'latency', seed: 1 }, 'needs "probability"'],
        [{ operation: '*', kind: 'latency', probability: 1.5 }, 'at most 1'],
      ],
      10,
    ),
  )('%j is refused', async (body, complaint) => {
    const refused = await refusalOf(harness().client['sandbox.add_fault']({ body: body as never }));
    expect(refused).toMatchObject({ code: 'validation_failed', message: expect.stringContaining(complaint) });
    expect((await harness().client['sandbox.list_faults']()).items).toEqual([]);
  });
});

test('fetch in this process rejects as over a connection', async () => {
  const harness = await openHarness('in process');
  await addFault(harness, CREATE, 'CONNECTION_RESET_BY_PEER');
  const { url, method, headers, body } = creation(harness);
  const asked = harness.service.fetch(new Request(url, { method, headers, body: body as string }));
  await expect(asked).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } });
  await harness.close();
});

test('a request that waits for a latency does not keep the service from closing', async () => {
  const harness = await openHarness('in process');
  await addFault(harness, CREATE, 'latency', { latency: '10m' });
  const waiting = harness.service.transport(creation(harness)).catch((error: Error) => error.name);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await harness.close();
  expect(await waiting).toBe('ServiceClosed');
});

test('counts are shared by processes, and survive them', async () => {
  const folder = await temporaryFolder();
  const [first, second] = [
    await openHarness('in process', { folder }),
    await openHarness('in process', { folder }),
  ];
  await addFault(first, 'user.me', 'rate-limit', { count: 3 });
  const ask = ({ client }: Harness) =>
    client['user.me']().then(
      () => 'ok',
      () => 'no',
    );
  expect([await ask(first), await ask(second)]).toEqual(['no', 'no']);
  await Promise.all([first.close(), second.close()]);
  const third = await openHarness('in process', { folder });
  expect([await ask(third), await ask(third)]).toEqual(['no', 'ok']);
  await third.close();
});

describe('a fault of what the sandbox sends', () => {
  let harness: Harness;
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    harness = await openHarness('in process');
    receiver = await startWebhookReceiver();
  });
  afterEach(async () => {
    await receiver.close();
    await harness.close();
  });

  /** Starts a transaction, and cancels it, which are two events for the receiver. */
  async function causeEvents(): Promise<string> {
    const draft = await createDraft(harness, [ADA], SENDER, undefined, {
      notification_endpoint: receiver.url,
    });
    const params = { transactionId: draft.id };
    await harness.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
    await harness.client['transaction.start']({ params });
    await harness.client['transaction.cancel']({ params, body: { cancelled_reason: 'Changed' } });
    await harness.service.deliver();
    return draft.id;
  }
  const typesReceived = () => receiver.received.map(({ body }) => JSON.parse(body).type);
  const advance = (by: string) => harness.client['sandbox.advance_clock']({ body: { by } });

  test('webhook-drop is undelivered, and can be sent again', async () => {
    await addFault(harness, '*', 'webhook-drop');
    const id = await causeEvents();
    const all = (await harness.client['sandbox.events']({ query: { transaction_id: id } })).items;
    expect(receiver.received).toHaveLength(all.length - 1);
    await advance('10d');
    expect(receiver.received.filter(({ id: one }) => one === all[0]?.id)).toHaveLength(0);
    const [dropped] = (
      await harness.client['event.list']({ query: { transaction_id: id, undelivered: 'true' } as never })
    ).items;
    expect(dropped?.id).toBe(all[0]?.id);
  });

  test('webhook-duplicate comes twice with the same id and bytes', async () => {
    await addFault(harness, '*', 'webhook-duplicate');
    await causeEvents();
    const [first, second] = receiver.received;
    expect(second).toMatchObject({ id: first?.id, body: first?.body });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(receiver.received.length - 1);
  });

  test('webhook-reorder comes after the events that follow it', async () => {
    await causeEvents();
    const inOrder = typesReceived();
    receiver.received.splice(0);
    await addFault(harness, '*', 'webhook-reorder');
    await causeEvents();
    await advance('1h');
    expect(inOrder.length).toBeGreaterThan(1);
    expect(typesReceived()).toEqual([...inOrder.slice(1), inOrder[0]]);
  });

  test('webhook-delay comes later, and once', async () => {
    await harness.client['sandbox.add_fault']({
      body: { operation: '*', kind: 'webhook-delay', latency: '10m' },
    });
    await causeEvents();
    expect(receiver.received).toEqual([]);
    await advance('9m');
    expect(receiver.received).toEqual([]);
    await advance('1h');
    const ids = receiver.received.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.skipIf(!SLOW)('timestamps-unavailable keeps a transaction from being completed, once', async () => {
    await addFault(harness, '*', 'timestamps-unavailable');
    const { id, token } = await startTransaction(harness);
    expect(await refusalOf(signWith(harness, token))).toMatchObject({
      code: 'sealing_unavailable',
      status: 503,
    });
    expect((await readDetail(harness, id)).status).toBe('started');
    await signWith(harness, await currentToken(harness, id));
    expect((await readDetail(harness, id)).status).toBe('completed');
    harness.errors.splice(0);
  });
});

test('smtp-unavailable postpones an email, which is sent with the next attempt', async () => {
  const server = await startPlainMailServer();
  const harness = await openHarness('in process', {
    mail: () => ({ from: 'no-reply@example.com', language: 'en', smtp: server.settings() }),
  });
  await addFault(harness, '*', 'smtp-unavailable');
  await startTransaction(harness);
  await harness.service.deliver();
  expect(server.taken).toEqual([]);
  await harness.client['sandbox.advance_clock']({ body: { by: '1h' } });
  expect(server.taken.map(({ to }) => to)).toEqual([[ADA.email]]);
  await harness.close();
  await server.close();
});
