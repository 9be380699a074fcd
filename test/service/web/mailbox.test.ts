// The mailbox of the dashboard: a company's own mail, shown where nothing in it can act; and reminding from the page of a
// transaction.
import { beforeAll, describe, expect, test } from 'vitest';
import {
  type BrowserClient,
  formsOf,
  openBrowserClient,
  registerUser,
} from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import {
  ADA,
  addAccount,
  BOB,
  endTransaction,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { SLOW } from '../../support/tier.ts';

const senderIn = (harness: Harness): Promise<BrowserClient> => signedIn(harness, {});

async function signedIn(harness: Harness, body: { email?: string }): Promise<BrowserClient> {
  const { email, password = '' } = await harness.client['sandbox.set_password']({ body });
  const visitor = openBrowserClient(harness);
  await visitor.send(await visitor.get('/sign-in'), '/sign-in', { email, password });
  return visitor;
}

async function mailOf({ client }: Harness, transaction_id: string, kind = 'invitation') {
  const { items } = await client['sandbox.mail']({ query: { transaction_id } });
  const mail = items.find((one) => one.kind === kind);
  if (!mail) throw new Error(`There is no ${kind}.`);
  return mail;
}

describeDashboard('the mailbox', (harness) => {
  let sender: BrowserClient;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    sender = await senderIn(harness());
    eve = await registerUser(harness());
  });

  test('lists the mail of the company, newest first, all or about one transaction', async () => {
    const { id } = await endTransaction(harness(), 'cancelled');
    const { id: other } = await startTransaction(harness(), [BOB]);
    const page = await sender.get('/mailbox');
    expect(page.text).toContain('They are not delivered, because no mail server is configured.');
    const subjects = [...page.html.matchAll(/<a href="\/mailbox\/[^"]*"><bdi>([^<]*)/g)].map(
      ([, one]) => one,
    );
    expect(subjects.slice(0, 4)).toEqual([
      'Please sign: Agreement',
      'Cancelled: Agreement',
      'Please sign: Agreement',
    ]);
    expect(page.text).toContain('To Bob <bob@example.com>');
    const one = await sender.get(`/mailbox?transaction=${other}`);
    expect(one.html.match(/href="\/mailbox\/[0-9a-f-]{36}"/g)).toHaveLength(1);
    expect((await sender.get(`/mailbox?transaction=${id}`)).text).not.toContain('bob@example.com');
    expect((await eve.get('/mailbox')).text).toContain('There are no emails');
  });

  test.runIf(SLOW)('continues at older ones', async () => {
    const { id } = await startTransaction(harness());
    for (let count = 0; count < 55; count += 1) {
      await harness().client['transaction.remind']({ params: { transactionId: id } });
      harness().clock.advance(3600 * 1000);
    }
    // Sessions end meanwhile.
    sender = await senderIn(harness());
    const count = (html: string) => html.match(/<li>/g)?.length ?? 0;
    const first = await sender.get(`/mailbox?transaction=${id}`);
    expect(count(first.html)).toBe(50);
    const older = /href="([^"]*)">Older</.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await sender.get(older);
    expect(count(second.html)).toBe(6);
    expect(second.html).not.toContain('>Older<');
    eve = await registerUser(harness());
  });

  test('shows a mail as text, with its link, and as HTML in a frame that can do nothing', async () => {
    const { id, token } = await startTransaction(harness());
    const mail = await mailOf(harness(), id);
    const page = await sender.get(`/mailbox/${mail.id}`);
    expect(page.html).toContain(`<iframe sandbox="" src="/mailbox/${mail.id}/html"`);
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
    expect(page.text).toContain('Sandbox Sender asks you to sign “Agreement”.');
    const marked = `${harness().baseUrl}/sign?token=${token}&amp;by=mailbox.`;
    expect(page.html).toContain(`href="${marked}`);
    const framed = await sender.get(`/mailbox/${mail.id}/html`);
    expect(framed.html).toContain(`href="${marked}`);
    expect(page.html + framed.html).not.toContain('by=email');
    expect(framed.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = framed.headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        'sandbox',
      ]),
    );
    expect(policy).not.toContain('script-src');
    expect(framed.html).toContain('Review and sign');
    // No other page may be framed, or frames anything.
    const other = await sender.get('/mailbox');
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(other.headers.get('content-security-policy')).not.toContain('frame-src');
  });

  test.runIf(SLOW)('offers the documents that are attached', async () => {
    const { id } = await endTransaction(harness(), 'completed');
    const mail = await mailOf(harness(), id, 'completed');
    const { html } = await sender.get(`/mailbox/${mail.id}`);
    const at = /href="(\/transactions\/[^"]*\.pdf)"/.exec(html)?.[1] ?? '';
    expect((await sender.get(at)).headers.get('content-type')).toBe('application/pdf');
  });

  test.skipIf(!SLOW)('is for users of the company', async () => {
    const { id } = await startTransaction(harness());
    const mail = await mailOf(harness(), id);
    for (const path of [`/mailbox/${mail.id}`, `/mailbox/${mail.id}/html`]) {
      const page = await eve.get(path);
      expect([path, page.status]).toEqual([path, 404]);
      expect(page.text).toContain('Email not found');
      expect(page.html).not.toContain('token=');
    }
  });

  test.skipIf(!SLOW)('reminds from the page of a transaction, once an hour', async () => {
    const { id } = await startTransaction(harness());
    const page = await sender.get(`/transactions/${id}`);
    const sent = await sender.send(page, `/transactions/${id}/remind`, {});
    expect([sent.status, sent.location]).toEqual([303, `/transactions/${id}?reminded`]);
    expect((await sender.get(sent.location ?? '')).text).toContain('Ada was reminded.');
    expect((await mailOf(harness(), id, 'reminder')).to).toBe(`Ada <${ADA.email}>`);
    const again = await sender.send(page, `/transactions/${id}/remind`, {});
    expect(again.status).toBe(429);
    expect(again.text).toContain('ada@example.com was reminded less than an hour ago.');
    const { id: over } = await endTransaction(harness(), 'cancelled');
    const ended = await sender.get(`/transactions/${over}`);
    expect(formsOf(ended).some(({ action }) => action.endsWith('/remind'))).toBe(false);
  });
});

describe('a mailbox beside a mail server', () => {
  test('shows a link to sign to its recipient alone, and the page of the transaction shows it to the creator as well', async () => {
    // Nothing is sent in this test: nothing listens there.
    const smtp = { host: '127.0.0.1', port: 9, tls: 'none' as const };
    const mail = () => ({ from: 'no-reply@example.com', language: 'en' as const, smtp });
    const harness = await openHarness('over HTTP', { mail });
    try {
      const sender = await senderIn(harness);
      const { email } = await addAccount(harness);
      await addAccount(harness, undefined, 'colleague@example.com');
      const [grace, colleague] = [
        await signedIn(harness, { email }),
        await signedIn(harness, { email: 'colleague@example.com' }),
      ];
      const outside = await startTransaction(harness);
      const inside = await startTransaction(harness, [{ name: 'Grace', email }]);
      const hidden = await mailOf(harness, outside.id);
      const page = await sender.get(`/mailbox/${hidden.id}`);
      expect(page.text).toContain('The link is not shown here, because anyone who has it can sign as Ada.');
      const framed = await sender.get(`/mailbox/${hidden.id}/html`);
      for (const { html } of [page, framed]) expect(html).not.toContain(outside.token);
      const theirs = `/mailbox/${(await mailOf(harness, inside.id)).id}`;
      const sees = async (visitor: BrowserClient, path: string) =>
        (await visitor.get(path)).html.includes(inside.token);
      expect([await sees(grace, theirs), await sees(sender, theirs), await sees(colleague, theirs)]).toEqual([
        true,
        false,
        false,
      ]);
      const transaction = `/transactions/${inside.id}`;
      expect([
        await sees(grace, transaction),
        await sees(sender, transaction),
        await sees(colleague, transaction),
      ]).toEqual([true, true, false]);
      expect(harness.errors).toEqual([]);
    } finally {
      await harness.close();
    }
  });
});
