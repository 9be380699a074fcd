// Events reach the receiver that a transaction names: signed, in order, with the same id and bytes at each attempt.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Envelope, EVENT_TYPES } from '../../../src/api/contract/events.ts';
import { SCHEDULE_MS } from '../../../src/service/outbox/delivery-turns.ts';
import { OWN_CLIENT } from '../../../src/service/store/store.ts';
import { createDraft, currentToken, fieldFor, signWith } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { SLOW } from '../../support/tier.ts';

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

const HOUR = 60 * 60 * 1000;

const types = () => receiver.received.map(({ body }) => JSON.parse(body).type as string);

const create = async (name = 'Agreement') =>
  (await harness.client['transaction.create']({ body: { name, notification_endpoint: receiver.url } })).id;

/** Of the application that the transactions of these tests are made with. */
async function secret(): Promise<string> {
  const answer = await harness.client['sandbox.rotate_notification_secret']({
    params: { clientId: OWN_CLIENT.id },
    body: {},
  });
  return answer.notification_secret;
}

const eventsOf = (id: string) =>
  harness.client['sandbox.events']({ query: { transaction_id: id } }).then(({ items }) => items);

const detailOf = (eventId: string) => harness.client['event.detail']({ params: { eventId } });

/** Sent to the receiver, with one who signs. */
async function started(): Promise<string> {
  const { id, detail } = await createDraft({
    client: {
      ...harness.client,
      'transaction.create': (input) =>
        harness.client['transaction.create']({
          body: { ...input.body, notification_endpoint: receiver.url },
        }),
    },
  });
  const params = { transactionId: id };
  const fields = [fieldFor({ id, detail }, 'ada@example.com')];
  await harness.client['transaction.fields']({ params, body: { fields } });
  await harness.client['transaction.start']({ params });
  return id;
}

describe('a notification endpoint', () => {
  test('gets every event of a transaction in order, as it happened, signed by the application', async () => {
    const signing = await secret();
    const id = await started();
    await signWith(harness, await currentToken(harness, id));
    await harness.service.deliver();
    const events = await eventsOf(id);
    expect(receiver.verified(signing)).toEqual(events);
    expect(types()).toEqual([
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'transaction_completed',
    ]);
    expect(receiver.received.map((one) => one.id)).toEqual(events.map((event) => event.id));
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    expect(Object.keys(JSON.parse(receiver.received[0]?.body ?? ''))).toEqual([
      'created',
      'id',
      'type',
      'data',
    ]);
  });

  test('receives how a transaction ended: rejected, cancelled and expired', async () => {
    const [rejected, cancelled, expired] = [await started(), await started(), await started()] as const;
    await harness.client['sandbox.reject']({ params: { transactionId: rejected }, body: { reason: 'No' } });
    await harness.client['transaction.cancel']({
      params: { transactionId: cancelled },
      body: { cancelled_reason: 'Too late' },
    });
    await harness.client['sandbox.expire']({ params: { transactionId: expired }, body: {} });
    await harness.service.deliver();
    const told = (type: string) =>
      receiver.received.map(({ body }) => JSON.parse(body)).find((event) => event.type === type)?.data;
    expect(told('transaction_rejected')).toMatchObject({ id: rejected, status: 'rejected' });
    expect(told('transaction_cancelled')).toMatchObject({ id: cancelled, cancelled_reason: 'Too late' });
    expect(told('transaction_expired')).toMatchObject({ id: expired, status: 'expired' });
    expect(new Set(types()).size).toBe(EVENT_TYPES.length - 2);
  });

  test('gets an event once when it answered, however often deliveries are made', async () => {
    await create();
    await harness.service.deliver();
    await harness.service.deliver();
    harness.clock.advance(48 * HOUR);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test('is signed by the secret before as well for a day after a rotation', async () => {
    const before = await secret();
    const after = await secret();
    await create();
    await harness.service.deliver();
    expect(receiver.verified(before)).toHaveLength(1);
    expect(receiver.verified(after)).toHaveLength(1);
    harness.clock.advance(24 * HOUR);
    await create();
    await harness.service.deliver();
    expect(() => receiver.verified(before)).toThrow();
    expect(receiver.verified(after)).toHaveLength(2);
  });
});

describe('a receiver that fails', () => {
  const fails = (status: number, headers: Record<string, string> = {}) => {
    receiver.answer = (_, response) => response.writeHead(status, headers).end('no\u001b[2J luck');
  };

  test('is asked again by the schedule, with the same id and bytes, until it is given up after ten attempts', async () => {
    fails(500);
    const id = await create();
    const [event] = await eventsOf(id);
    for (const [made] of SCHEDULE_MS.entries()) {
      await harness.service.deliver();
      expect(receiver.received).toHaveLength(made + 1);
      const { deliveries } = await detailOf(event?.id ?? '');
      const { attempts, state, next_at, reason } = deliveries[0] ?? {};
      const last = attempts?.at(-1);
      expect(last).toMatchObject({ ok: false, status: 500, why: 'it responded with HTTP status 500' });
      expect(last?.answer).toBe('no [2J luck');
      const pauseMs = SCHEDULE_MS[made + 1];
      if (pauseMs === undefined) {
        expect({ state, next_at }).toEqual({ state: 'undelivered', next_at: null });
        expect(reason).toContain('10 attempts failed');
        break;
      }
      const waitsMs = Date.parse(next_at ?? '') - harness.clock.now;
      expect(waitsMs).toBeGreaterThanOrEqual(pauseMs * 0.8);
      expect(waitsMs).toBeLessThanOrEqual(pauseMs * 1.2);
      harness.clock.advance(waitsMs - 1);
      await harness.service.deliver();
      expect(receiver.received).toHaveLength(made + 1);
      harness.clock.advance(1);
    }
    expect(new Set(receiver.received.map(({ body, id }) => `${id} ${body}`)).size).toBe(1);
    harness.clock.advance(1000 * HOUR);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(10);
  });

  test('is sent what it never got when that is replayed', async () => {
    fails(500);
    const id = await create();
    for (const _ of SCHEDULE_MS) {
      await harness.service.deliver();
      harness.clock.advance(30 * HOUR);
    }
    receiver.received.splice(0);
    receiver.answer = (_, response) => response.writeHead(200).end();
    expect(await harness.client['event.replay']({ body: { transaction_id: id, undelivered: true } })).toEqual(
      {
        events: 1,
        deliveries: 1,
      },
    );
    await harness.service.deliver();
    expect(types()).toEqual(['transaction_created']);
    expect(await harness.client['event.replay']({ body: { transaction_id: id, undelivered: true } })).toEqual(
      {
        events: 0,
        deliveries: 0,
      },
    );
  });

  test('is sent at once what still waits when that is replayed, and not twice', async () => {
    fails(500);
    const id = await create();
    await harness.service.deliver();
    receiver.answer = (_, response) => response.writeHead(200).end();
    await harness.client['event.replay']({ body: { transaction_id: id } });
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(2);
    const [event] = await eventsOf(id);
    expect((await detailOf(event?.id ?? '')).deliveries).toMatchObject([
      { state: 'delivered', attempts: [{ status: 500 }, { status: 200 }] },
    ]);
  });

  test('is left in peace as long as it asks for, up to a day', async () => {
    fails(429, { 'retry-after': '3600' });
    await create();
    await harness.service.deliver();
    harness.clock.advance(HOUR - 1);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(1);
    fails(503, { 'retry-after': '99999999' });
    harness.clock.advance(1);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(2);
    harness.clock.advance(24 * HOUR);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(3);
  });

  test('gets the later events all the same, after the earlier ones were attempted', async () => {
    receiver.answer = (_, response, body) =>
      response.writeHead(body.includes('transaction_created') ? 500 : 204).end();
    await started();
    await harness.service.deliver();
    expect(types()).toEqual(['transaction_created', 'transaction_started']);
    harness.clock.advance(SCHEDULE_MS[1] * 1.2);
    await harness.service.deliver();
    expect(types()).toEqual(['transaction_created', 'transaction_started', 'transaction_created']);
  });

  test('is sent an event only after it has answered, or failed, the one before', async () => {
    let isUnderWay = false;
    let together = 0;
    receiver.answer = (_, response) => {
      if (isUnderWay) together += 1;
      isUnderWay = true;
      setTimeout(() => {
        isUnderWay = false;
        response.writeHead(204).end();
      }, 20);
    };
    await started();
    await harness.service.deliver();
    expect({ together, sent: types() }).toEqual({
      together: 0,
      sent: ['transaction_created', 'transaction_started'],
    });
  });

  test.skipIf(!SLOW)(
    'is asked for each of many once, when it begins to fail in the middle of them',
    async () => {
      receiver.answer = (_, response) =>
        response.writeHead(receiver.received.length <= 120 ? 204 : 500).end();
      await Promise.all(Array.from({ length: 300 }, () => create()));
      await harness.service.deliver();
      const rows = await harness.store.database.read((db) =>
        db.selectFrom('delivery').select(['state', 'attempts', 'lease']).execute(),
      );
      expect(rows.every(({ attempts, lease }) => attempts === 1 && lease === null)).toBe(true);
      expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(120);
    },
  );

  test('is not waited for longer because the clock was set back', async () => {
    fails(500);
    await create();
    await harness.service.deliver();
    harness.clock.advance(-2 * HOUR);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(2);
  });

  test('is aborted at the end of the time, and that counts as an attempt', async () => {
    receiver.answer = () => undefined;
    const id = await create();
    await harness.service.deliver({ withinMs: 200 });
    const [event] = await eventsOf(id);
    const { deliveries } = await detailOf(event?.id ?? '');
    expect(deliveries[0]).toMatchObject({ state: 'waiting', attempts: [{ ok: false, status: null }] });
  });
});

describe('a receiver of every event of a transaction', () => {
  /** What a receiver knows of a transaction from the events alone. */
  const known = (envelopes: readonly Envelope[]) => {
    const state = {
      status: '',
      submitted: {} as Record<string, unknown>,
      sealed: [] as unknown[],
      ended: {},
    };
    for (const { type, data } of envelopes) {
      state.status = data.status as string;
      const recipients = (data.recipients ?? (data.recipient ? [data.recipient] : [])) as Told[];
      for (const { id, submitted_at } of recipients) state.submitted[id] = submitted_at;
      state.sealed = (data.sealed_documents as unknown[] | undefined) ?? state.sealed;
      if (type === 'transaction_cancelled') state.ended = { cancelled: data.cancelled_at };
      if (type === 'transaction_expired') state.ended = { expired: data.expired_at };
      if (type === 'transaction_rejected') state.ended = { rejected: (data.rejected_by as Told).id };
    }
    return state;
  };
  type Told = { id: string; submitted_at: string | null };

  test.each([
    ['completed', (id: string) => signWith(harness, tokens[id] ?? '')],
    [
      'rejected',
      (transactionId: string) =>
        harness.client['sandbox.reject']({ params: { transactionId }, body: { reason: 'No' } }),
    ],
    [
      'cancelled',
      (transactionId: string) =>
        harness.client['transaction.cancel']({
          params: { transactionId },
          body: { cancelled_reason: 'Late' },
        }),
    ],
    [
      'expired',
      (transactionId: string) => harness.client['sandbox.expire']({ params: { transactionId }, body: {} }),
    ],
  ])('knows how it stands when it was %s, and knows it again after a replay', async (_, end) => {
    const id = await started();
    tokens[id] = await currentToken(harness, id);
    harness.clock.advance(HOUR);
    await end(id);
    await harness.service.deliver();
    const heard = () => receiver.received.map(({ body }) => JSON.parse(body) as Envelope);
    const detail = await harness.client['transaction.detail']({ params: { transactionId: id } });
    const { status, submitted, sealed, ended } = known(heard());
    expect(status).toBe(detail.status);
    const acted = detail.template.recipients.filter(({ role }) => role !== 'sender');
    for (const { id: recipient, submitted_at } of acted)
      expect(submitted[recipient] ?? null).toBe(submitted_at);
    expect(sealed).toMatchObject(detail.sealed_documents.map(({ presigned_url, ...rest }) => rest));
    expect(ended).toEqual(
      [
        { cancelled: detail.cancelled_at },
        { expired: detail.expired_at },
        { rejected: detail.rejected_by_id },
      ].find((one) => Object.values(one)[0] !== null) ?? {},
    );

    const first = receiver.received.map(({ id: event, body }) => [event, body]);
    await harness.client['event.replay']({ body: { transaction_id: id } });
    await harness.service.deliver();
    const again = receiver.received.slice(first.length);
    expect(again.map(({ id: event, body }) => [event, body])).toEqual(first);
    expect(known(heard())).toEqual({ status, submitted, sealed, ended });
  });
  const tokens: Record<string, string> = {};
});

describe('events that are listed', () => {
  test('tell how they were delivered, and those that were not are found', async () => {
    receiver.answer = (_, response, body) =>
      response.writeHead(body.includes('transaction_created') ? 500 : 204).end();
    const id = await started();
    await harness.client['transaction.create']({ body: { name: 'No receiver' } });
    await harness.service.deliver();
    const { items } = await harness.client['event.list']({ query: {} });
    expect(items.map(({ type, deliveries }) => [type, deliveries])).toEqual([
      ['transaction_created', { delivered: 0, waiting: 0, undelivered: 0 }],
      ['transaction_started', { delivered: 1, waiting: 0, undelivered: 0 }],
      ['transaction_created', { delivered: 0, waiting: 1, undelivered: 0 }],
    ]);
    const { items: open } = await harness.client['event.list']({ query: { undelivered: 'true' } });
    expect(open.map(({ data, type }) => [data.id, type])).toEqual([[id, 'transaction_created']]);
    const after = await harness.client['event.list']({ query: { after: open[0]?.id } });
    expect(after.items.map(({ type }) => type)).toEqual(['transaction_started', 'transaction_created']);
  });
});
