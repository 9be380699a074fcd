// The dashboard's pages about webhooks: creating one, what came of its deliveries, and what is done with it.
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { EVENT_TYPES } from '../../../src/api/contract/events.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { type HtmlPage, registerUser } from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { SLOW } from '../../support/tier.ts';

const URL_OF_RECEIVER = 'https://hooks.example.com/esign';

describeDashboard('webhooks in the dashboard', (harness) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  let receiver: WebhookReceiver;
  let certificate: { cert: string; key: string };
  beforeAll(async () => {
    ada = await registerUser(harness());
    eve = await registerUser(harness());
    const body = { names: ['127.0.0.1'] };
    const issued = await harness().client['sandbox.issue_certificate']({ body });
    certificate = { cert: issued.certificate, key: issued.key };
  });
  beforeEach(async () => {
    receiver = await startWebhookReceiver({ tls: certificate });
  });
  afterEach(() => receiver.close());

  const secretIn = (page: HtmlPage): string =>
    /id="webhook-secret">(whsec_[^<]+)</.exec(page.html)?.[1] ?? '';

  /** Through the form. @returns the path of its page, and its secret */
  async function create(visitor = ada, name = 'Orders', endpoint = receiver.url) {
    const events = 'transaction_created';
    const made = await visitor.send(await visitor.get('/webhooks/new'), '/webhooks/new', {
      name,
      endpoint,
      events,
    });
    const path = /href="(\/webhooks\/[0-9a-f-]{36})"/.exec(made.html)?.[1];
    if (path === undefined) throw new Error(`No webhook was created: ${made.text}`);
    return { path, secret: secretIn(made) };
  }

  /** By an application of the user's company, so that its webhooks receive the events. */
  async function createTransaction(email = ada.email): Promise<void> {
    const { access_token } = await harness().client['sandbox.token']({ body: { user: email } });
    const client = harness().clientWith(access_token);
    await client['transaction.create']({ body: { name: 'Agreement' } });
  }

  test('are created with a form, and sign with the secret that is shown once', async () => {
    const grace = await registerUser(harness());
    expect((await grace.get('/webhooks')).text).toContain('Your company has no webhooks yet.');
    const { path, secret } = await create(grace, 'Orders of Grace');
    await createTransaction(grace.email);
    await harness().service.deliver();
    expect(receiver.verified(secret)).toMatchObject([{ type: 'transaction_created' }]);
    for (const at of ['/webhooks', path]) {
      const page = await grace.get(at);
      for (const words of ['Orders of Grace', receiver.url, 'transaction_created', 'Enabled'])
        expect(page.text).toContain(words);
      expect(page.html).not.toContain('whsec_');
    }
  });

  test('offer every event, and keep what was typed when something is missing', async () => {
    const form = await ada.get('/webhooks/new');
    const offered = [...form.html.matchAll(/type="checkbox"[^>]*value="(\w+)"/g)].map(([, type]) => type);
    expect(offered).toEqual([...EVENT_TYPES]);
    for (const [entry, words] of [
      [
        { name: '', endpoint: URL_OF_RECEIVER, events: 'transaction_created' },
        'Enter a name for the webhook',
      ],
      [
        { name: 'x'.repeat(256), endpoint: URL_OF_RECEIVER, events: 'transaction_created' },
        'The name must have',
      ],
      [{ name: 'Kept', endpoint: '', events: 'transaction_created' }, 'Enter the URL that receives events'],
      [
        { name: 'Kept', endpoint: 'http://hooks.example.com', events: 'transaction_created' },
        'The URL "http://',
      ],
      [
        { name: 'Kept', endpoint: 'https://10.0.0.1/', events: 'transaction_created' },
        'The URL "https://10.0.0.1',
      ],
      [{ name: 'Kept', endpoint: URL_OF_RECEIVER }, 'Select at least one event'],
      [
        { name: 'Kept', endpoint: URL_OF_RECEIVER, events: 'transaction_deleted' },
        'Select at least one event',
      ],
    ] as const) {
      const refused = await assertUnchanged(harness(), () => ada.send(form, '/webhooks/new', entry));
      expect([refused.status, refused.text.includes(words), words]).toEqual([422, true, words]);
      if (entry.name === 'Kept') expect(refused.html).toContain('value="Kept"');
      if (entry.events === 'transaction_created')
        expect(refused.html).toMatch(/value="transaction_created" checked/);
    }
  });

  test('show the last deliveries with their state, status and reason, and nothing of what was answered', async () => {
    const { path } = await create();
    await createTransaction();
    await harness().service.deliver();
    expect((await ada.get(path)).text).toContain('transaction_created Delivered');
    receiver.answer = (_, response) => response.writeHead(500).end('INTERNAL ANSWER');
    await createTransaction();
    await harness().service.deliver();
    const waiting = (await ada.get(path)).text;
    expect(waiting).toContain('1 delivered, 1 waiting, 0 undelivered.');
    expect(waiting).toContain(
      'It responded with HTTP status 500 · 1 attempt, the last at 2026-03-01 09:00 UTC · next attempt at 2026-03-01 09:',
    );
    expect(waiting).toContain('HTTP status 204 · 1 attempt, the last at');
    expect(waiting).not.toContain('INTERNAL');
    receiver.answer = (_, response) => response.writeHead(410).end('INTERNAL ANSWER');
    await createTransaction();
    await harness().service.deliver();
    const ended = (await ada.get(path)).text;
    expect(ended).toContain('transaction_created Undelivered');
    expect(ended).toContain('HTTP status 410');
    expect(ended).not.toContain('INTERNAL');
  });

  /** Of an event that the webhook was not given: it waited when the webhook was disabled. */
  async function leaveUndelivered(path: string): Promise<void> {
    receiver.answer = (_, response) => response.writeHead(500).end();
    await createTransaction();
    await harness().service.deliver();
    expect((await ada.get(path)).html).not.toContain(`${path}/resend`);
    await ada.send(await ada.get(path), `${path}/disable`, {});
    const disabled = await ada.get(path);
    expect(disabled.text).toContain('transaction_created Undelivered');
    expect(disabled.html).not.toContain(`${path}/resend`);
    await ada.send(disabled, `${path}/enable`, {});
    receiver.answer = (_, response) => response.writeHead(204).end();
  }

  test('send an event again that could not be delivered, and never one that has arrived', async () => {
    const { path, secret } = await create();
    const elsewhere = await startWebhookReceiver({ tls: certificate });
    elsewhere.answer = (_, response) => response.writeHead(500).end();
    const other = await create(ada, 'Another', elsewhere.url);
    await leaveUndelivered(path);
    const page = await ada.get(path);
    expect(page.html.match(/>Send again</g)).toHaveLength(1);
    const sent = await ada.send(page, `${path}/resend`, {});
    expect([sent.status, sent.location]).toEqual([303, `${path}?resent`]);
    expect((await ada.get(`${path}?resent`)).text).toContain('The event is being sent again.');
    // A second click finds it waiting.
    expect((await ada.send(page, `${path}/resend`, {})).status).toBe(303);
    await harness().service.deliver();
    const [refused, arrived, ...more] = receiver.verified(secret);
    expect([arrived, more]).toEqual([refused, []]);
    expect((await ada.get(other.path)).text).toContain('0 delivered, 1 waiting, 0 undelivered.');
    expect(elsewhere.received).toHaveLength(1);
    await elsewhere.close();
    const delivered = await ada.get(path);
    expect(delivered.text).toContain('1 delivered, 0 waiting, 1 undelivered.');
    expect(delivered.html).not.toContain(`${path}/resend`);
    const late = await assertUnchanged(harness(), () => ada.send(page, `${path}/resend`, {}));
    expect([late.status, late.text.includes('The event was not sent again')]).toEqual([409, true]);
  });

  test.skipIf(!SLOW)('send no event of another company again, nor one that does not exist', async () => {
    const { path } = await create();
    await leaveUndelivered(path);
    const page = await ada.get(path);
    const event_id = /name="event_id" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const own = await create(eve);
    const { form_token = '' } =
      /name="form_token" value="(?<form_token>[^"]+)"/.exec((await eve.get(own.path)).html)?.groups ?? {};
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
    for (const [to, id] of [
      [path, event_id],
      [own.path, event_id],
      [own.path, ''],
      [own.path, 'a\u0000b'],
      [own.path, '0199f1a2-0000-7000-8000-000000000000'],
    ] as const) {
      const body = `${new URLSearchParams({ form_token, event_id: id })}`;
      const refused = await assertUnchanged(harness(), () => eve.post(`${to}/resend`, body, headers));
      expect([id, refused.status]).toEqual([id, 404]);
    }
    expect((await ada.get(path)).text).toContain('0 delivered, 0 waiting, 1 undelivered.');
  });

  test('are disabled and enabled', async () => {
    const { path } = await create();
    const off = await ada.send(await ada.get(path), `${path}/disable`, {});
    expect([off.status, off.location]).toEqual([303, path]);
    const page = await ada.get(path);
    expect(page.text).toContain(
      'Disabled Since 2026-03-01 09:00 UTC: a user disabled it. Events are not sent.',
    );
    await createTransaction();
    await harness().service.deliver();
    expect(receiver.received).toEqual([]);
    await ada.send(page, `${path}/enable`, {});
    await createTransaction();
    await harness().service.deliver();
    expect(receiver.received).toHaveLength(1);
  });

  test('are pinged, and tell the status or the reason, and nothing of the answer', async () => {
    const { path, secret } = await create();
    receiver.answer = (_, response) => response.writeHead(200).end('INTERNAL ANSWER');
    const pinged = await ada.send(await ada.get(path), `${path}/ping`, {});
    expect(pinged.text).toContain('The receiver answered with HTTP status 200');
    expect(receiver.verified(secret)).toMatchObject([{ type: 'ping' }]);
    receiver.answer = (_, response) => response.writeHead(403).end('INTERNAL ANSWER');
    const failed = await ada.send(await ada.get(path), `${path}/ping`, {});
    expect(failed.text).toContain('The ping was not deliveredReason: it responded with HTTP status 403.');
    for (const { html } of [pinged, failed]) expect(html).not.toContain('INTERNAL');
  });

  test.skipIf(!SLOW)('have their secret replaced once for each time it is confirmed', async () => {
    const { path, secret } = await create();
    const form = await ada.get(`${path}/rotate`);
    const rotated = await ada.send(form, `${path}/rotate`, {});
    expect(rotated.text).toContain('The previous secret signs as well until 2026-03-02 09:00 UTC.');
    const again = await assertUnchanged(harness(), () => ada.send(form, `${path}/rotate`, {}));
    expect([again.status, secretIn(again)]).toEqual([409, '']);
    await ada.send(await ada.get(path), `${path}/ping`, {});
    expect(receiver.verified(secretIn(rotated))).toHaveLength(1);
    expect(receiver.verified(secret)).toHaveLength(1);
    expect((await ada.get(path)).html).not.toContain('whsec_');
  });

  test('are deleted after a question', async () => {
    const { path } = await create(ada, 'To be deleted');
    const form = await ada.get(`${path}/delete`);
    expect(form.text).toContain('Delete To be deleted?');
    expect(await ada.send(form, `${path}/delete`, {})).toMatchObject({ status: 303, location: '/webhooks' });
    expect((await ada.get('/webhooks')).text).not.toContain('To be deleted');
    expect((await ada.get(path)).status).toBe(404);
    expect((await ada.send(form, `${path}/delete`, {})).status).toBe(404);
  });

  test('are unknown to another company', async () => {
    const { path } = await create(ada, 'Ours alone');
    const own = await create(eve);
    expect((await eve.get('/webhooks')).text).not.toContain('Ours alone');
    for (const page of ['', '/rotate', '/delete']) {
      const shown = await eve.get(path + page);
      expect([shown.status, shown.text.includes('Ours alone')]).toEqual([404, false]);
    }
    const { form_token = '' } =
      /name="form_token" value="(?<form_token>[^"]+)"/.exec((await eve.get(own.path)).html)?.groups ?? {};
    for (const action of ['enable', 'disable', 'ping', 'rotate', 'delete']) {
      const body = `${new URLSearchParams({ form_token, rotated_at: '' })}`;
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      };
      const refused = await assertUnchanged(harness(), () => eve.post(`${path}/${action}`, body, headers));
      expect([action, refused.status]).toEqual([action, 404]);
    }
    expect(receiver.received).toEqual([]);
  });
});
