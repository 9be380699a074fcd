// Links that sign in to the dashboard once, created with the control secret: used up by one visit, for two minutes, from this
// machine only, and nowhere to be read.
import { expect, test } from 'vitest';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { type HtmlPage, openBrowserClient } from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import { addAccount, startTransaction } from '../../support/fixtures/transactions.ts';
import type { Harness } from '../../support/harness.ts';

describeDashboard('a link that signs in', (harness) => {
  const linkTo = (body: Parameters<Harness['client']['sandbox.sign_in_link']>[0]['body']) =>
    harness().client['sandbox.sign_in_link']({ body });

  const pathOf = (url: string): string => url.slice(harness().baseUrl.length);

  test('leads to the page it is for, signed in as the user of the sandbox', async () => {
    await startTransaction(harness());
    const link = await linkTo({ page: 'mailbox' });
    expect(link.page_url).toBe(`${harness().baseUrl}/mailbox`);
    const visitor = openBrowserClient(harness());
    const arrived = await visitor.get(pathOf(link.sign_in_url));
    expect([arrived.status, arrived.location, arrived.html]).toEqual([303, '/mailbox', '']);
    expect((await visitor.get('/mailbox')).text).toContain('Please sign: Agreement');
    expect((await visitor.get('/')).text).toContain('You are signed in as Sandbox Sender, sender@esign.test');
  });

  test('leads to the home page where no page is named, and to no page but one of the dashboard', async () => {
    const { sign_in_url } = await linkTo({});
    expect((await openBrowserClient(harness()).get(pathOf(sign_in_url))).location).toBe('/');
    for (const page of ['', '/mailbox', '//evil.example', 'https://evil.example/', 'sign-out']) {
      const reply = await harness().transport(
        new Request(`${harness().baseUrl}/_sandbox/user/link`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-esign-control': harness().service.controlSecret,
          },
          body: JSON.stringify({ page }),
        }),
      );
      expect([page, reply.status]).toEqual([page, 422]);
    }
  });

  test('opens an email as the user who sent it, of whichever company', async () => {
    const grace = await addAccount(harness(), 'Navy', 'grace-links@example.com');
    const update: Harness['client']['transaction.update'] = ({ params, body }) => {
      const her = { name: 'Grace', email: grace.email };
      const recipients = body.recipients?.map((one) => (one.role === 'sender' ? { ...one, ...her } : one));
      return grace.client['transaction.update']({
        params,
        body: { ...body, ...(recipients && { recipients }) },
      });
    };
    const { id } = await startTransaction({ client: { ...grace.client, 'transaction.update': update } });
    const { items } = await harness().client['sandbox.mail']({ query: { transaction_id: id } });
    const mail_id = items[0]?.id ?? '';
    const visitor = openBrowserClient(harness());
    const { location } = await visitor.get(pathOf((await linkTo({ mail_id })).sign_in_url));
    expect(location).toBe(`/mailbox/${mail_id}`);
    expect((await visitor.get(location ?? '')).status).toBe(200);
    expect((await visitor.get('/')).text).toContain('grace-links@example.com');
    await expect(linkTo({ mail_id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({
      code: 'mail_not_found',
    });
  });

  const refusedTo = ({ status, location }: HtmlPage, headers: Headers) => [
    status,
    location,
    headers.getSetCookie(),
  ];

  test('works once: of ten visits at one moment one is signed in', async () => {
    const path = pathOf((await linkTo({})).sign_in_url);
    const pages = await Promise.all(Array.from({ length: 10 }, () => openBrowserClient(harness()).get(path)));
    expect(pages.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(410)]);
    const late = await assertUnchanged(harness(), () => openBrowserClient(harness()).get(path));
    expect(refusedTo(late, late.headers)).toEqual([410, null, []]);
    expect(late.text).toContain('esign sandbox open');
  });

  test('works for two minutes, to the millisecond', async () => {
    const [early, late] = [await linkTo({}), await linkTo({})];
    harness().clock.advance(2 * 60_000 - 1);
    expect((await openBrowserClient(harness()).get(pathOf(early.sign_in_url))).status).toBe(303);
    harness().clock.advance(1);
    expect((await openBrowserClient(harness()).get(pathOf(late.sign_in_url))).status).toBe(410);
  });

  test('is not used up by a browser that only fetches it in advance, nor by a HEAD request', async () => {
    const path = pathOf((await linkTo({})).sign_in_url);
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }]) {
      const page = await assertUnchanged(harness(), () => openBrowserClient(harness()).get(path, headers));
      expect([page.status, page.headers.getSetCookie()]).toEqual([400, []]);
    }
    await harness().transport(new Request(harness().baseUrl + path, { method: 'HEAD' }));
    expect((await openBrowserClient(harness()).get(path)).status).toBe(303);
  });

  test('works on this machine only, by the connection and by the name of the host', async () => {
    const { sign_in_url } = await linkTo({});
    const visit = (from: string | undefined) =>
      harness().service.transport({
        method: 'GET',
        url: sign_in_url,
        headers: { accept: 'text/html' },
        ...(from !== undefined && { from }),
      });
    for (const from of ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8::1', '127.0.0.1.example', undefined]) {
      const reply = await assertUnchanged(harness(), () => visit(from));
      expect([from, reply.status]).toEqual([from, 403]);
    }
    const origin = harness().service.origin;
    harness().service.relocate('https://esign.example.com');
    const proxied = await harness().service.transport({
      method: 'GET',
      url: sign_in_url.replace(origin, 'https://esign.example.com'),
      headers: {},
      from: '127.0.0.1',
    });
    harness().service.relocate(origin);
    expect(proxied.status).toBe(403);
    expect((await visit('::ffff:127.0.0.1')).status).toBe(303);
  });

  test('needs the control secret to be created, and is kept as a hash', async () => {
    const refused = await harness().transport(
      new Request(`${harness().baseUrl}/_sandbox/user/link`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${harness().service.ownToken}`,
        },
        body: '{}',
      }),
    );
    expect(refused.status).toBe(403);
    const { sign_in_url } = await linkTo({});
    const token = new URL(sign_in_url).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = await harness().store.database.read((db) =>
      db.selectFrom('sign_in_link').selectAll().execute(),
    );
    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is taken back by a new password', async () => {
    const { sign_in_url } = await linkTo({});
    await harness().client['sandbox.set_password']({ body: {} });
    expect((await openBrowserClient(harness()).get(pathOf(sign_in_url))).status).toBe(410);
  });
});
