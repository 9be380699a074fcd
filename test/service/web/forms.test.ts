// A form is carried out only when it was sent from a page of ours, in the browser it was shown in.
import { beforeAll, describe, expect, test } from 'vitest';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import {
  type BrowserClient,
  formsOf,
  openBrowserClient,
  PASSWORD,
  registerUser,
} from '../../support/browser-client.ts';
import {
  answerConsent,
  authorizationLink,
  createApplication,
  describeDashboard,
} from '../../support/describe-dashboard.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const WEBHOOK = {
  name: 'Orders',
  endpoint: 'https://hooks.example.com/esign',
  events: 'transaction_created',
};

type Sent = { path: string; action: string; fields: Record<string, string> };

describeDashboard('a form', (harness) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let forms: Record<string, () => { visitor: BrowserClient; sent: Sent }>;
  beforeAll(async () => {
    ada = await registerUser(harness());
    const { client_id } = await createApplication(ada);
    const link = authorizationLink(client_id);
    await answerConsent(ada, link, 'allow');
    await ada.send(await ada.get('/webhooks/new'), '/webhooks/new', WEBHOOK);
    const webhook = /href="(\/webhooks\/[0-9a-f-]{36})"/.exec((await ada.get('/webhooks')).html)?.[1] ?? '';
    const { access_token } = await harness().client['sandbox.token']({ body: { user: ada.email } });
    await harness()
      .clientWith(access_token)
      ['transaction.create']({ body: { name: 'Agreement' } });
    // What waits when a webhook is disabled is undelivered.
    for (const action of ['disable', 'enable'])
      await ada.send(await ada.get(webhook), `${webhook}/${action}`, {});
    const entry = { name: 'Eve', company: 'Eves', email: 'eve@example.com', password: PASSWORD };
    const of = (
      visitor: () => BrowserClient,
      path: string,
      fields = {},
      action = path.split('?')[0] ?? '',
    ) => {
      return () => ({ visitor: visitor(), sent: { path, action, fields } });
    };
    const stranger = () => openBrowserClient(harness());
    forms = {
      '/sign-in': of(stranger, '/sign-in', { email: ada.email, password: PASSWORD }),
      '/register': of(stranger, '/register', entry),
      '/applications': of(() => ada, '/applications', { name: 'X', callback_url: 'https://x.example/' }),
      '/applications/delete': of(() => ada, `/applications/delete?client_id=${client_id}`),
      '/applications/rotate': of(() => ada, `/applications/rotate?client_id=${client_id}`),
      '/consents': of(() => ada, '/consents'),
      '/webhooks/new': of(() => ada, '/webhooks/new', { ...WEBHOOK, name: 'Another' }),
      'disabling a webhook': of(() => ada, webhook, {}, `${webhook}/disable`),
      'pinging a webhook': of(() => ada, webhook, {}, `${webhook}/ping`),
      'sending an event again': of(() => ada, webhook, {}, `${webhook}/resend`),
      "replacing a webhook's secret": of(() => ada, `${webhook}/rotate`),
      'deleting a webhook': of(() => ada, `${webhook}/delete`),
      '/oauth/authorize': of(() => ada, link, { answer: 'allow' }),
      'a refusal of consent': of(() => ada, link, { answer: 'deny' }),
      '/sign-out': of(() => ada, '/', {}, '/sign-out'),
    };
  });

  const PAGES = [
    '/sign-in',
    '/register',
    '/applications',
    '/applications/delete',
    '/applications/rotate',
    '/consents',
    '/webhooks/new',
    'disabling a webhook',
    'pinging a webhook',
    'sending an event again',
    "replacing a webhook's secret",
    'deleting a webhook',
    '/oauth/authorize',
    'a refusal of consent',
    '/sign-out',
  ];

  const ATTACKS: [string, number, Parameters<BrowserClient['send']>[3]][] = [
    ['without its token', 403, { hidden: { form_token: undefined } }],
    ['with a wrong token', 403, { hidden: { form_token: 'x'.repeat(43) } }],
    ['from another site', 403, { headers: { origin: 'https://evil.example' } }],
    ['from another port', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    [
      'from a page that hides where it is',
      403,
      { headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
    ],
    ['from another site, as only the browser says', 403, { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from another subdomain', 403, { headers: { 'sec-fetch-site': 'same-site' } }],
    ['from no site', 403, { headers: { 'sec-fetch-site': 'none' } }],
    ['by something that is no browser', 403, { headers: { origin: undefined, 'sec-fetch-site': undefined } }],
    ['as plain text', 415, { headers: { 'content-type': 'text/plain' } }],
    ['as JSON', 415, { headers: { 'content-type': 'application/json' } }],
    ['with more than 64 KB', 413, { hidden: { more: 'x'.repeat(65 * 1024) } }],
  ];

  describe.each(PAGES)('%s', (name) => {
    // All of them in the slow tier; otherwise four by turns, so that each is tried on five pages.
    const turn = PAGES.indexOf(name) % 3;
    const attacks = ATTACKS.filter((_, index) => SLOW || index % 3 === turn);

    test.each(sampleOf(attacks, 20))('is not carried out %s', async (_, status, changed) => {
      const made = forms[name];
      if (!made) throw new Error(`No form ${name}`);
      const { visitor, sent } = made();
      const page = await visitor.get(sent.path);
      const refused = await assertUnchanged(harness(), () =>
        visitor.send(page, sent.action, sent.fields, changed),
      );
      expect([refused.status, refused.location]).toEqual([status, null]);
      expect(refused.headers.getSetCookie()).toEqual([]);
    });

    test("is not carried out with the token of another browser's page, or without the cookie", async () => {
      const made = forms[name];
      if (!made) throw new Error(`No form ${name}`);
      const { visitor, sent } = made();
      const page = await visitor.get(sent.path);
      const stranger = openBrowserClient(harness());
      const theirs = formsOf(await stranger.get('/sign-in'))[0]?.hidden.form_token ?? '';
      expect(theirs).toMatch(/^[\w-]{43}$/);
      const hidden = { form_token: theirs };
      const refused = await assertUnchanged(harness(), () =>
        visitor.send(page, sent.action, sent.fields, { hidden }),
      );
      expect(refused.status).toBe(403);
      const without = await assertUnchanged(harness(), () =>
        openBrowserClient(harness()).send(page, sent.action, sent.fields),
      );
      // A user who is not signed in is asked to, whatever they send.
      expect([303, 403]).toContain(without.status);
      if (without.status === 303) expect(without.location).toMatch(/^\/sign-in\?next=/);
    });
  });

  test('is carried out where the browser says its origin alone, or only that it is the same', async () => {
    for (const headers of [
      { 'sec-fetch-site': undefined },
      { origin: undefined },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ]) {
      const visitor = openBrowserClient(harness());
      const page = await visitor.get('/sign-in');
      const fields = { email: ada.email, password: PASSWORD };
      expect((await visitor.send(page, '/sign-in', fields, { headers })).status).toBe(303);
    }
  });

  test('of a page that was shown under another name of this machine is carried out there', async () => {
    const there = new URL(harness().baseUrl);
    there.hostname = 'localhost';
    const visitor = openBrowserClient(harness(), there.href);
    const page = await visitor.get('/sign-in');
    const fields = { email: ada.email, password: PASSWORD };
    const elsewhere = { headers: { origin: harness().baseUrl } };
    expect((await visitor.send(page, '/sign-in', fields, elsewhere)).status).toBe(403);
    expect((await visitor.send(page, '/sign-in', fields)).status).toBe(303);
  });

  test('that is truncated or is no text is answered', async () => {
    const visitor = openBrowserClient(harness());
    await visitor.get('/sign-in');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      origin: harness().baseUrl,
    };
    expect((await visitor.post('/sign-in', undefined, headers)).status).toBe(403);
    const body = new Uint8Array([0x61, 0x3d, 0xff]) as unknown as string;
    expect((await visitor.post('/sign-in', body, headers)).status).toBe(400);
  });
});
