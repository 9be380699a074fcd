// spec §5, Client application credentials: a form with the Callback URL gives a client id and a client secret.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { type HtmlPage, openBrowserClient, registerUser } from '../../support/browser-client.ts';
import {
  authorizationLink,
  CALLBACK_URL,
  createApplication,
  describeDashboard,
  linkAccount,
} from '../../support/describe-dashboard.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/servers/webhook-receiver.ts';
import type { StrictClient } from '../../support/strict-client.ts';
import { sampleOf } from '../../support/tier.ts';

describeDashboard('applications', (harness) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    ada = await registerUser(harness());
    eve = await registerUser(harness());
  });

  test('are made with a form: name and Callback URL give a client id, and a secret that is shown once', async () => {
    const made = await createApplication(ada);
    expect(made.client_secret).toMatch(/^[\w-]{43}$/);
    const page = await ada.get('/applications');
    for (const words of ['Orders', CALLBACK_URL, made.client_id]) expect(page.text).toContain(words);
    expect(page.html).not.toContain(made.client_secret);
    const rows = await harness().store.database.read((db) => db.selectFrom('client').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(made.client_secret);
    expect((await linkAccount(harness(), ada, made)).expires_in).toBe(3600);
  });

  describe('sign notifications', () => {
    let receiver: WebhookReceiver;
    beforeEach(async () => {
      receiver = await startWebhookReceiver();
    });
    afterEach(() => receiver.close());

    const CREATES = 'scopes=transaction:create';

    const secretIn = (page: HtmlPage): string =>
      /id="notification-secret">(whsec_[^<]+)</.exec(page.html)?.[1] ?? '';

    /** A transaction of an application that was registered on the page, so that the receiver gets a notification. */
    async function notify(client: StrictClient): Promise<void> {
      const body = { name: 'Agreement', notification_endpoint: receiver.url };
      await client['transaction.create']({ body });
      await harness().service.deliver();
    }

    test('with the secret that the page shows once, beside the client secret', async () => {
      const grace = await registerUser(harness());
      const entry = { name: 'Orders', callback_url: CALLBACK_URL };
      const made = await grace.send(await grace.get('/applications'), '/applications', entry);
      const [client_id = '', client_secret = ''] = ['client-id', 'client-secret'].map(
        (id) => new RegExp(`id="${id}">([^<]+)<`).exec(made.html)?.[1],
      );
      const { access_token } = await linkAccount(
        harness(),
        grace,
        { client_id, client_secret },
        authorizationLink(client_id, CREATES),
      );
      await notify(harness().clientWith(access_token));
      expect(receiver.verified(secretIn(made))).toMatchObject([{ type: 'transaction_created' }]);
      expect((await grace.get('/applications')).html).not.toContain('whsec_');
    });

    test('with a new secret once it is replaced, and for a day with the one before', async () => {
      const grace = await registerUser(harness());
      const application = await createApplication(grace);
      const { access_token } = await linkAccount(
        harness(),
        grace,
        application,
        authorizationLink(application.client_id, CREATES),
      );
      const client = harness().clientWith(access_token);
      const at = `/applications/rotate?client_id=${application.client_id}`;
      const form = await grace.get(at);
      expect(form.text).toContain('Replace the notification secret of Orders?');
      const first = await grace.send(form, '/applications/rotate', {});
      // The page that asks is out of date by now: a second click or a reload replaces nothing.
      const again = await assertUnchanged(harness(), () => grace.send(form, '/applications/rotate', {}));
      expect([again.status, secretIn(again)]).toEqual([409, '']);
      const second = await grace.send(await grace.get(at), '/applications/rotate', {});
      expect(second.text).toContain('The previous secret signs as well until 2026-03-02 09:00 UTC.');
      await notify(client);
      expect(receiver.verified(secretIn(first))).toHaveLength(1);
      expect(receiver.verified(secretIn(second))).toHaveLength(1);
      const third = secretIn(await grace.send(await grace.get(at), '/applications/rotate', {}));
      await notify(client);
      expect(receiver.received).toHaveLength(2);
      const [, latest] = receiver.received;
      receiver.received.splice(0, 2, ...(latest ? [latest] : []));
      expect(() => receiver.verified(secretIn(first))).toThrow();
      expect(receiver.verified(third)).toHaveLength(1);
      expect((await grace.get(at)).html).not.toContain('whsec_');
    });

    test('and have their secret replaced by their company alone, with a form of ours', async () => {
      const made = await createApplication(ada, CALLBACK_URL, 'Hers to replace');
      const at = `/applications/rotate?client_id=${made.client_id}`;
      const theirs = await eve.get(at);
      expect([theirs.status, theirs.text.includes('Hers to replace')]).toEqual([404, false]);
      const own = await createApplication(eve);
      const form = await eve.get(`/applications/rotate?client_id=${own.client_id}`);
      const hidden = { client_id: made.client_id };
      const refused = await assertUnchanged(harness(), () =>
        eve.send(form, '/applications/rotate', {}, { hidden }),
      );
      expect(refused.status).toBe(404);
      const page = await ada.get(at);
      const foreign = { headers: { 'sec-fetch-site': 'cross-site' } };
      const forged = await assertUnchanged(harness(), () =>
        ada.send(page, '/applications/rotate', {}, foreign),
      );
      expect([forged.status, secretIn(forged)]).toEqual([403, '']);
    });
  });

  test('are listed for the company they belong to, and can be deleted by no other', async () => {
    const made = await createApplication(ada, CALLBACK_URL, 'Hers alone');
    expect((await eve.get('/applications')).text).not.toContain('Hers alone');
    const stranger = await registerUser(harness());
    expect((await stranger.get('/applications')).text).toContain('Your company has no applications');
    const at = `/applications/delete?client_id=${made.client_id}`;
    expect((await eve.get(at)).status).toBe(404);
    expect((await eve.get(at)).text).not.toContain('Hers alone');
    const own = await createApplication(eve);
    const form = await eve.get(`/applications/delete?client_id=${own.client_id}`);
    const hidden = { client_id: made.client_id };
    const refused = await assertUnchanged(harness(), () =>
      eve.send(form, '/applications/delete', {}, { hidden }),
    );
    expect(refused.status).toBe(404);
    // But any user may give it their consent.
    expect((await eve.get(authorizationLink(made.client_id))).status).toBe(200);
    const page = await ada.get(at);
    expect(page.text).toContain('Delete Hers alone?');
    expect(await ada.send(page, '/applications/delete', {})).toMatchObject({
      status: 303,
      location: '/applications',
    });
    expect((await ada.get('/applications')).text).not.toContain('Hers alone');
    expect((await ada.send(page, '/applications/delete', {})).status).toBe(404);
  });

  test("leave the sandbox's own one alone", async () => {
    const { email, password = '' } = await harness().client['sandbox.set_password']({ body: {} });
    const own = openBrowserClient(harness());
    await own.send(await own.get('/sign-in'), '/sign-in', { email, password });
    expect((await own.get('/applications')).text).toContain('esign-sandbox');
    expect((await own.get('/applications/delete?client_id=esign-sandbox')).status).toBe(404);
  });

  test.each(
    sampleOf(
      [
        ['name', '', 'Enter a name for the application'],
        ['name', 'x'.repeat(256), 'Enter a name for the application'],
        ['name', 'Orders\u202egnp', 'Enter a name for the application'],
        ['callback_url', '', 'The Callback URL must not be empty'],
        ['callback_url', 'orders.example.com', 'must be an http or https URL'],
        ['callback_url', 'javascript:alert(1)', 'must be an http or https URL'],
        ['callback_url', 'data:text/html,x', 'must be an http or https URL'],
        ['callback_url', 'myapp://callback', 'must be an http or https URL'],
        ['callback_url', 'https://', 'must be an http or https URL'],
        ['callback_url', 'https://ada:secret@orders.example.com/', 'without a user name, a password or #'],
        ['callback_url', 'https://orders.example.com/#done', 'without a user name, a password or #'],
        ['callback_url', "http://a;script-src'unsafe-inline'.example/", 'must be an http or https URL'],
        ['callback_url', 'https://*/', 'must be an http or https URL'],
        ['callback_url', 'https://a,b.example/', 'must be an http or https URL'],
        ['callback_url', 'https://orders.example.com/a b', 'must be an http or https URL'],
        ['callback_url', 'https://orders.example.com/\u0000', 'must not contain control characters'],
        [
          'callback_url',
          `https://orders.example.com/${'x'.repeat(2048)}`,
          'must have at most 2048 characters',
        ],
      ],
      5,
    ),
  )('refuse %s %j and say why, and keep what was typed', async (field, value, words) => {
    const page = await ada.get('/applications');
    const entry = { name: 'Kept', callback_url: 'https://kept.example/', [field]: value };
    const refused = await assertUnchanged(harness(), () => ada.send(page, '/applications', entry));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(words);
    expect(refused.html).toContain(`value="${field === 'name' ? 'https://kept.example/' : 'Kept'}"`);
  });
});
