// The clock of the sandbox: set, advanced and stopped, seen by everything that follows it, and what becomes due on the way.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeService } from '../../support/describe-service.ts';
import {
  ADA,
  createDraft,
  eventTypesOf,
  fieldFor,
  readDetail,
  refusalOf,
  SENDER,
  startTransaction,
  updateBodyOf,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness, START } from '../../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { SLOW } from '../../support/tier.ts';

const DAY_MS = 86_400_000;
const instant = (ms: number) => new Date(ms).toISOString();

/** Starts a transaction that expires after some days. */
async function startExpiring(
  harness: Harness,
  days: number,
  more?: { notification_endpoint: string },
): Promise<string> {
  const draft = await createDraft(harness, [ADA], SENDER, undefined, more);
  const params = { transactionId: draft.id };
  await harness.client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
  const detail = await readDetail(harness, draft.id);
  await harness.client['transaction.update']({
    params,
    body: updateBodyOf(detail, { expiration_days: days }),
  });
  await harness.client['transaction.start']({ params });
  return draft.id;
}

describeService('the clock of the sandbox', (harness) => {
  const clockNow = async () => (await harness().client['sandbox.clock']()).now;

  test('shows the time of the machine until it is moved', async () => {
    expect(await harness().client['sandbox.clock']()).toEqual({
      now: instant(START),
      real_time: instant(START),
      is_paused: false,
    });
  });

  test('is set forward and back, and runs on from there', async () => {
    await harness().client['sandbox.set_clock']({ body: { to: '2030-01-01T00:00:00.000Z' } });
    harness().clock.advance(1500);
    expect(await clockNow()).toBe('2030-01-01T00:00:01.500Z');
    await harness().client['sandbox.set_clock']({ body: { to: '2020-01-01T00:00:00.000Z' } });
    expect(await clockNow()).toBe('2020-01-01T00:00:00.000Z');
  });

  test('stands still while it is stopped, and runs on from there', async () => {
    await harness().client['sandbox.pause_clock']({ body: { at: '2030-01-01T00:00:00.000Z' } });
    harness().clock.advance(DAY_MS);
    expect(await harness().client['sandbox.clock']()).toMatchObject({
      now: '2030-01-01T00:00:00.000Z',
      is_paused: true,
    });
    await harness().client['sandbox.advance_clock']({ body: { by: '2h' } });
    expect(await clockNow()).toBe('2030-01-01T02:00:00.000Z');
    await harness().client['sandbox.resume_clock']({ body: {} });
    harness().clock.advance(1000);
    expect(await clockNow()).toBe('2030-01-01T02:00:01.000Z');
  });

  test('returns to real time when it is reset, and with everything else in a reset of the sandbox', async () => {
    const move = () => harness().client['sandbox.set_clock']({ body: { to: '2030-01-01T00:00:00.000Z' } });
    await move();
    await harness().client['sandbox.reset_clock']({ body: {} });
    expect(await clockNow()).toBe(instant(START));
    await move();
    await harness().client['sandbox.reset']({ body: {} });
    expect(await clockNow()).toBe(instant(START));
  });

  test('dates what happens, and says in each answer that it was moved', async () => {
    const { client, baseUrl, transport, service } = harness();
    const ask = () =>
      transport(
        new Request(`${baseUrl}/user/me`, { headers: { authorization: `Bearer ${service.ownToken}` } }),
      );
    expect((await ask()).headers.get('x-esign-clock')).toBeNull();
    await client['sandbox.pause_clock']({ body: { at: '2030-01-01T00:00:00.000Z' } });
    expect((await ask()).headers.get('x-esign-clock')).toBe('2030-01-01T00:00:00.000Z');
    const { id } = await startTransaction(harness());
    expect((await readDetail(harness(), id)).created_at).toBe('2030-01-01T00:00:00.000Z');
  });

  test('lets a transaction expire at its time when it is advanced, and lists it', async () => {
    const [late, early] = [await startExpiring(harness(), 20), await startExpiring(harness(), 10)];
    const advanced = await harness().client['sandbox.advance_clock']({ body: { by: '30d' } });
    expect(advanced).toMatchObject({
      now: instant(START + 30 * DAY_MS),
      status: 'ready',
      fired_total: 2,
      fired: [
        { type: 'transaction_expired', transaction_id: early, at: instant(START + 10 * DAY_MS) },
        { type: 'transaction_expired', transaction_id: late, at: instant(START + 20 * DAY_MS) },
      ],
    });
    const { status, expired_at, updated_at } = await readDetail(harness(), early);
    expect({ status, expired_at, updated_at }).toEqual({
      status: 'expired',
      expired_at: instant(START + 10 * DAY_MS),
      updated_at: instant(START + 10 * DAY_MS),
    });
    expect(await eventTypesOf(harness(), late)).toContain('transaction_expired');
  });

  test('is advanced to an instant, and not past what is due later', async () => {
    const id = await startExpiring(harness(), 10);
    const to = instant(START + 10 * DAY_MS - 1);
    const advanced = await harness().client['sandbox.advance_clock']({ body: { to } });
    expect(advanced).toMatchObject({ now: to, fired: [], fired_total: 0 });
    expect((await readDetail(harness(), id)).status).toBe('started');
    expect((await harness().client['sandbox.advance_clock']({ body: { by: 1 } })).fired_total).toBe(1);
  });

  test('is advanced twice by two calls at the same moment', async () => {
    const advance = () => harness().client['sandbox.advance_clock']({ body: { by: '1d' } });
    await Promise.all([advance(), advance()]);
    expect(await clockNow()).toBe(instant(START + 2 * DAY_MS));
  });

  test.each([
    [{ to: '2020-01-01T00:00:00.000Z' }, 'is before'],
    [{ by: '30' }, 'is not a duration'],
    [{ by: '-1d' }, 'is not a duration'],
    [{ by: '9999999d' }, 'the year 8999'],
    [{ by: '1d', to: '2030-01-01T00:00:00.000Z' }, 'must have either'],
    [{}, 'must have either'],
  ])('is not advanced by %j', async (body, complaint) => {
    const refused = await refusalOf(harness().client['sandbox.advance_clock']({ body: body as never }));
    expect(refused).toMatchObject({
      code: 'validation_failed',
      message: expect.stringContaining(complaint),
    });
    expect(await clockNow()).toBe(instant(START));
  });

  test.each(['9000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '2030-01-01', 'tomorrow'])(
    'is not set to %s',
    async (to) => {
      const refused = await refusalOf(harness().client['sandbox.set_clock']({ body: { to } }));
      expect(refused.code).toBe('validation_failed');
    },
  );
});

describe('an advanced clock and receivers of events', () => {
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

  const startTold = (days: number) => startExpiring(harness, days, { notification_endpoint: receiver.url });

  test('delivers an event at its time, and repeats failed attempts in order until one succeeds', async () => {
    const [id, later] = [await startTold(10), await startTold(11)];
    await harness.service.deliver();
    receiver.received.splice(0);
    let attempts = 0;
    receiver.answer = (_, response) => {
      attempts += 1;
      response.writeHead(attempts < 3 ? 503 : 204).end();
    };
    const { fired } = await harness.client['sandbox.advance_clock']({ body: { by: '30d' } });
    expect(fired.map(({ type, transaction_id, attempt }) => [type, transaction_id, attempt?.ok])).toEqual([
      ['transaction_expired', id, undefined],
      ['delivery_attempted', id, false],
      ['delivery_attempted', id, false],
      ['delivery_attempted', id, true],
      ['transaction_expired', later, undefined],
      ['delivery_attempted', later, true],
    ]);
    expect(fired[1]?.at).toBe(instant(START + 10 * DAY_MS));
    expect(fired[2]?.at).toBe(fired[1]?.attempt?.next_at);
    expect(receiver.received).toHaveLength(4);
  });

  test('delivers by itself after the background work was stopped', async () => {
    await (await harness.service.startDelivering()).stop();
    await startTold(1);
    await harness.client['sandbox.advance_clock']({ body: { by: '2d' } });
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toContain('transaction_expired');
  });

  test.skipIf(!SLOW)('makes every attempt that the schedule has, and gives up after the last', async () => {
    await startTold(1);
    await harness.service.deliver();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { fired_total } = await harness.client['sandbox.advance_clock']({ body: { by: '10d' } });
    expect(fired_total).toBe(1 + 10);
    expect((await harness.client['sandbox.advance_clock']({ body: { by: '10d' } })).fired_total).toBe(0);
  });
});

describe('the clock of one sandbox in two processes', () => {
  test('is the same for both, at once', async () => {
    const folder = await temporaryFolder();
    const first = await openHarness('in process', { folder });
    const second = await openHarness('in process', { folder });
    try {
      const id = await startExpiring(first, 10);
      await second.client['sandbox.set_clock']({ body: { to: '2030-01-01T00:00:00.000Z' } });
      expect((await first.client['sandbox.clock']()).now).toBe('2030-01-01T00:00:00.000Z');
      await first.service.work();
      expect((await readDetail(second, id)).status).toBe('expired');
    } finally {
      await first.close();
      await second.close();
    }
  });
});
