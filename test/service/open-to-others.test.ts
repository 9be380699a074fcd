// What a request from another machine may not do and see, and what the owner of the machine may: registering, receivers on this
// machine, and what receivers respond (decision 0038).
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Call, Reply } from '../../src/api/transport.ts';
import { isFromOwner, isFromThisMachine, isOpenToOthers } from '../../src/service/http/client-address.ts';
import { createDraft, fieldFor } from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { sampleOf } from '../support/tier.ts';

let harness: Harness;
let receiver: WebhookReceiver;

beforeEach(async () => {
  harness = await openHarness('in process');
  receiver = await startWebhookReceiver();
});

afterEach(async () => {
  await receiver.close();
  await harness.close();
  expect(harness.errors).toEqual([]);
});

type From = Pick<Call, 'from' | 'headers'>;

const HERE: From = { from: '127.0.0.1', headers: {} };
const STRANGERS: [who: string, from: From][] = [
  ['another machine', { from: '192.0.2.7', headers: {} }],
  ['another machine over IPv6', { from: '2001:db8::1', headers: {} }],
  ['a proxy on this machine', { from: '127.0.0.1', headers: { 'x-forwarded-for': '192.0.2.7' } }],
  ['a tunnel on this machine', { from: '::1', headers: { forwarded: 'for=192.0.2.7' } }],
];

const ask = (path: string, { from, headers }: From, more: Partial<Call> = {}): Promise<Reply> =>
  harness.service.transport({
    method: 'GET',
    url: `${harness.service.origin}${path}`,
    headers: { ...headers, ...more.headers },
    ...(from !== undefined && { from }),
    ...(more.method !== undefined && { method: more.method }),
    ...(more.body !== undefined && { body: more.body }),
  });

const call = async (path: string, from: From, method: string, body?: object) => {
  const reply = await ask(path, from, {
    method,
    headers: {
      authorization: `Bearer ${harness.service.ownToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, body: JSON.parse(String(Buffer.from(reply.body))) };
};

const text = ({ body }: Reply): string => String(typeof body === 'string' ? body : Buffer.from(body));

describe('a service on an address that other machines reach', () => {
  test.each([
    ['http://127.0.0.1:4455', false],
    ['http://[::1]:4455', false],
    ['http://localhost:4455', false],
    ['http://0.0.0.0:4455', true],
    ['http://[::]:4455', true],
    ['http://192.168.1.5:4455', true],
    ['https://sign.example.com', true],
    ['http://:4455', true],
  ])('is recognised by its URL: %s', (origin, isOpen) => {
    expect(isOpenToOthers(origin)).toBe(isOpen);
    expect(
      isFromOwner(
        { url: 'http://127.0.0.1:4455/', headers: {} },
        { isOpenToOthers: isOpenToOthers(origin), isProxied: false },
      ),
    ).toBe(!isOpen);
  });

  test('takes a request for the owner only from loopback, under a loopback name, that no proxy handed on', () => {
    const here = { from: '127.0.0.1', url: 'http://localhost:4455/', headers: {} };
    expect(isFromThisMachine(here)).toBe(true);
    expect(isFromThisMachine({ ...here, from: '::ffff:127.0.0.1', url: 'http://[::1]:1/' })).toBe(true);
    expect(isFromThisMachine({ ...here, from: '::ffff:192.0.2.7' })).toBe(false);
    expect(isFromThisMachine({ ...here, url: 'http://sign.example.com/' })).toBe(false);
    for (const name of ['via', 'x-real-ip', 'x-forwarded-host', 'cf-connecting-ip'])
      expect(isFromThisMachine({ ...here, headers: { [name]: 'x' } })).toBe(false);
  });
});

describe('registering', () => {
  test.each(sampleOf(STRANGERS, 2))('is closed to %s', async (_, from) => {
    for (const method of ['GET', 'POST']) {
      const page = await ask('/register', from, { method });
      expect(page.status).toBe(403);
      expect(text(page)).toContain('Registration is closed');
    }
    for (const path of ['/', '/sign-in'])
      expect(text(await ask(path, from))).not.toMatch(/href="\/register|sender@esign\.test/);
    expect((await harness.client['sandbox.list_users']()).items).toHaveLength(1);
  });

  test('is closed to programs that hand on requests of others, and open on this machine', async () => {
    const { origin } = harness.service;
    expect((await ask('/register', { headers: {} })).status).toBe(200);
    expect((await ask('/register', HERE)).status).toBe(200);
    expect(text(await ask('/sign-in', HERE))).toContain('href="/register"');
    harness.service.relocate(origin.replace('127.0.0.1', '0.0.0.0'));
    expect((await ask('/register', { headers: {} })).status).toBe(403);
  });

  test('is closed to everybody behind a proxy that adds no header, because its connections are from this machine', async () => {
    const { origin } = harness.service;
    harness.service.relocate('https://sign.example.com', origin);
    const handedOn = { ...HERE, method: 'GET', url: `${origin}/register` };
    expect((await harness.service.transport(handedOn)).status).toBe(403);
    harness.service.relocate(origin);
    expect((await ask('/register', HERE)).status).toBe(200);
  });

  test('is closed to them while the service listens on every address, although its URL is on loopback', async () => {
    const { origin } = harness.service;
    harness.service.relocate(origin, origin.replace('127.0.0.1', '0.0.0.0'));
    expect((await ask('/register', { headers: {} })).status).toBe(403);
    expect((await notification(HERE)).status).toBe(422);
    harness.service.relocate(origin);
    expect((await ask('/register', { headers: {} })).status).toBe(200);
  });
});

const notification = (from: From) =>
  call('/v1/transaction', from, 'POST', { notification_endpoint: receiver.url });

/** A started transaction that tells the receiver on this machine. */
async function startNotifying(): Promise<string> {
  const { client } = harness;
  const { id, detail } = await createDraft({
    client: {
      ...client,
      'transaction.create': ({ body }) =>
        client['transaction.create']({ body: { ...body, notification_endpoint: receiver.url } }),
    },
  });
  const params = { transactionId: id };
  await client['transaction.fields']({
    params,
    body: { fields: [fieldFor({ id, detail }, 'ada@example.com')] },
  });
  await client['transaction.start']({ params });
  return id;
}

describe('receivers on this machine', () => {
  const webhook = (from: From) =>
    call('/v1/webhook', from, 'POST', {
      name: 'Local',
      endpoint: 'https://localhost:3000/',
      events: ['transaction_completed'],
    });
  test.each(sampleOf(STRANGERS, 2))('are refused to %s', async (_, from) => {
    for (const answer of [await webhook(from), await notification(from)]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      expect(answer.body.detail).toContain('this service does not deliver to its own machine');
    }
    expect((await webhook(HERE)).status).toBe(201);
    expect((await notification(HERE)).status).toBe(201);
  });

  test('are sent nothing while other machines reach the service, wherever they were named', async () => {
    const { origin } = harness.service;
    await startNotifying();
    harness.service.relocate(origin.replace('127.0.0.1', '192.0.2.1'));
    expect((await notification(HERE)).status).toBe(422);
    await harness.service.deliver();
    expect(receiver.received).toEqual([]);
    harness.service.relocate(origin);
    harness.clock.advance(60_000);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(2);
  });
});

describe('what a receiver responds', () => {
  const attemptsSeen = async (from: From): Promise<{ why: string; answer: string }[]> => {
    const { items } = await harness.client['sandbox.events']({ query: {} });
    const { body } = await call(`/v1/event/${items[0]?.id}`, from, 'GET');
    return body.deliveries.flatMap((one: { reason: string | null; attempts: object[] }) => one.attempts);
  };

  test.each(sampleOf(STRANGERS, 2))('is not shown to %s', async (_, from) => {
    receiver.answer = (_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/inside' }).end('inside');
    await startNotifying();
    await harness.service.deliver();
    const own = await attemptsSeen(HERE);
    expect(own[0]).toMatchObject({ status: 302, answer: 'inside', why: expect.stringContaining('10.0.0.1') });
    const foreign = await attemptsSeen(from);
    expect(foreign[0]).toMatchObject({
      status: 302,
      answer: '',
      why: 'it responded with HTTP status 302, a redirect. Redirects are not followed',
    });
    expect(JSON.stringify(foreign)).not.toMatch(/10\.0\.0\.1|inside/);
  });
});
