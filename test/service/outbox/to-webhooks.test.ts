// Events reach webhooks over TLS; what becomes of one that is rotated, disabled, deleted or gone.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EventType } from '../../../src/api/contract/events.ts';
import { refusalOf } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { SLOW } from '../../support/tier.ts';

let harness: Harness;
let receiver: WebhookReceiver;

beforeEach(async () => {
  harness = await openHarness('in process');
  const { certificate: cert, key } = await harness.client['sandbox.issue_certificate']({
    body: { names: ['127.0.0.1'] },
  });
  receiver = await startWebhookReceiver({ tls: { cert, key } });
});

afterEach(async () => {
  await receiver.close();
  await harness.close();
  expect(harness.errors).toEqual([]);
});

const DAY = 24 * 60 * 60 * 1000;

const subscribe = (events: EventType[] = ['transaction_created']) =>
  harness.client['webhook.create']({ body: { name: 'Orders', endpoint: receiver.url, events } });

const create = async () => (await harness.client['transaction.create']({ body: { name: 'A' } })).id;

const show = (webhookId: string) => harness.client['webhook.detail']({ params: { webhookId } });

const answers = (status: number) => {
  receiver.answer = (_, response) => response.writeHead(status).end('as it is');
};

describe('a webhook', () => {
  test('gets the events that it subscribes to, verified by its secret, and no others', async () => {
    const { secret } = await subscribe();
    await subscribe(['transaction_cancelled']);
    const id = await create();
    await harness.service.deliver();
    expect(receiver.verified(secret).map(({ type, data }) => [type, data.id])).toEqual([
      ['transaction_created', id],
    ]);
  });

  test('gets nothing of another company', async () => {
    await subscribe();
    await harness.client['sandbox.add_user']({
      body: { name: 'Eve', email: 'eve@example.com', company: 'Other' },
    });
    const { access_token } = await harness.client['sandbox.token']({ body: { user: 'eve@example.com' } });
    await harness.clientWith(access_token)['transaction.create']({ body: { name: 'Theirs' } });
    await harness.service.deliver();
    expect(receiver.received).toEqual([]);
  });

  test('tells how it is doing', async () => {
    const { id } = await subscribe();
    expect(await show(id)).toMatchObject({ enabled: true, success_rate: null, last_attempts: [] });
    await create();
    await harness.service.deliver();
    answers(500);
    await create();
    await harness.service.deliver();
    expect(await show(id)).toMatchObject({
      deliveries: { delivered: 1, waiting: 1, undelivered: 0 },
      success_rate: 0.5,
      last_attempts: [
        { ok: false, status: 500, answer: 'as it is', event: { type: 'transaction_created' } },
        { ok: true, status: 204, answer: '', why: null, next_at: null },
      ],
    });
  });

  test('is signed for by both secrets for a day after a rotation, then by the new one alone', async () => {
    const { id, secret: before } = await subscribe();
    const { secret: after, previous_valid_until } = await harness.client['webhook.rotate']({
      params: { webhookId: id },
      body: {},
    });
    expect(Date.parse(previous_valid_until)).toBe(harness.clock.now + DAY);
    await create();
    await harness.service.deliver();
    expect(receiver.verified(before)).toHaveLength(1);
    expect(receiver.verified(after)).toHaveLength(1);
    harness.clock.advance(DAY);
    await create();
    await harness.service.deliver();
    expect(receiver.verified(after)).toHaveLength(2);
    expect(() => receiver.verified(before)).toThrow();
  });

  test.skipIf(!SLOW)('is disabled by 410, and gets again what happens after it was enabled', async () => {
    const { id } = await subscribe();
    answers(410);
    await create();
    await create();
    await harness.service.deliver();
    const gone = await show(id);
    expect(gone).toMatchObject({
      enabled: false,
      disabled_reason: 'its receiver responded with 410 Gone',
      deliveries: { waiting: 0, undelivered: 2 },
    });
    const asked = receiver.received.length;
    await create();
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(asked);

    answers(200);
    expect(await harness.client['webhook.enable']({ params: { webhookId: id } })).toMatchObject({
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
    });
    await create();
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(asked + 1);
    const missed = { since: '2020-01-01T00:00:00Z', undelivered: true, webhook_id: id };
    expect(await harness.client['event.replay']({ body: missed })).toEqual({ events: 3, deliveries: 3 });
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(asked + 4);
  });

  test('gets nothing more when it is disabled or deleted; what waited is kept, with the reason', async () => {
    const { id } = await subscribe();
    answers(500);
    await create();
    await harness.service.deliver();
    expect(await harness.client['webhook.disable']({ params: { webhookId: id } })).toMatchObject({
      enabled: false,
      deliveries: { waiting: 0, undelivered: 1 },
    });
    await harness.client['webhook.enable']({ params: { webhookId: id } });
    await create();
    await harness.client['webhook.delete']({ params: { webhookId: id } });
    harness.clock.advance(DAY);
    await harness.service.deliver();
    expect(receiver.received).toHaveLength(1);
    const { items } = await harness.client['event.list']({ query: { undelivered: 'true' } });
    const reasons = [];
    for (const { id: eventId } of items)
      reasons.push((await harness.client['event.detail']({ params: { eventId } })).deliveries[0]);
    expect(reasons).toMatchObject([
      { state: 'undelivered', reason: 'the webhook was deleted', webhook_id: null, endpoint: null },
      { state: 'undelivered', reason: 'the webhook was disabled: a user disabled it' },
    ]);
  });

  test('is pinged with a signed message that is no event', async () => {
    const { id, secret } = await subscribe();
    const params = { webhookId: id };
    answers(202);
    expect(await harness.client['webhook.ping']({ params, body: {} })).toMatchObject({
      ok: true,
      status: 202,
      answer: 'as it is',
    });
    expect(receiver.verified(secret)).toMatchObject([{ type: 'ping', data: { id } }]);
    answers(404);
    expect(await harness.client['webhook.ping']({ params, body: {} })).toMatchObject({
      ok: false,
      status: 404,
      why: 'it responded with HTTP status 404',
    });
    expect((await harness.client['event.list']({ query: {} })).items).toEqual([]);
    expect(
      (await refusalOf(harness.client['webhook.ping']({ params: { webhookId: 'no' }, body: {} }))).code,
    ).toBe('webhook_not_found');
  });
});
