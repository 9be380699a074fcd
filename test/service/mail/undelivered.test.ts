// Emails that do not arrive, or are kept in the mailbox because the service does not vouch for their sender: the sender sees
// it, and a reminder tries again.
import { afterEach, describe, expect, test } from 'vitest';
import { checkMailDelivery } from '../../../src/service/mail/check.ts';
import { openBrowserClient, registerUser } from '../../support/browser-client.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  refusalOf,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type MailServer, smtpError, startPlainMailServer } from '../../support/servers/mail-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server that refuses recipients with these codes, one after the other, and takes them where there is none. */
async function serverWith(
  codes: (number | undefined)[],
  more: { hideSMTPUTF8?: boolean } = {},
): Promise<MailServer> {
  const server = await startPlainMailServer({
    ...more,
    onRcptTo(_, __, done) {
      const code = codes.shift();
      done(code === undefined ? null : smtpError(code, `5.1.1 No such user.\u001b[31m`));
    },
  });
  closing.push(() => server.close());
  return server;
}

async function openHarnessWith(server: MailServer): Promise<Harness> {
  const mail = { from: 'no-reply@example.com', language: 'en' as const, smtp: server.settings() };
  const harness = await openHarness('in process', { mail: () => mail });
  closing.push(async () => {
    expect(harness.errors).toEqual([]);
    expect(harness.contractViolations).toEqual([]);
    await harness.close();
  });
  return harness;
}

const undeliveredTo = async (
  { client }: Pick<Harness, 'client'>,
  transactionId: string,
  email = ADA.email,
) => {
  const { template } = await client['transaction.detail']({ params: { transactionId } });
  return template.recipients.find((one) => one.email === email)?.undelivered_email;
};

describe('an email that the mail server refuses', () => {
  test('is shown at its recipient, in the mailbox, on the page and by doctor, with what the server said', async () => {
    const server = await serverWith([550]);
    const fixture = await openHarnessWith(server);
    const { id } = await startTransaction(fixture);
    expect(await undeliveredTo(fixture, id)).toBeNull();
    await fixture.service.deliver();
    const reason = 'the mail server responded with status 550: 5.1.1 No such user. [31m';
    expect(await undeliveredTo(fixture, id)).toEqual({ kind: 'invitation', reason, at: expect.any(String) });
    expect(fixture.service.undeliveredMails()).toBe(1);
    const { items } = await fixture.client['sandbox.mail']({ query: {} });
    expect(items[0]?.delivery).toEqual({ state: 'undelivered', reason });
    const link = await fixture.client['sandbox.sign_in_link']({ body: {} });
    const visitor = openBrowserClient(fixture);
    const { sign_in_url } = link;
    const entered = await fixture.service.transport({
      method: 'GET',
      url: sign_in_url,
      headers: {},
      from: '127.0.0.1',
    });
    const [name = '', value = ''] = (entered.headers['set-cookie'] ?? '').split(';')[0]?.split('=') ?? [];
    visitor.jar.set(name, value);
    expect((await visitor.get(`/transactions/${id}`)).text).toContain(
      'The email (invitation) could not be delivered: the mail server responded with status 550',
    );
    for (const path of ['/mailbox', `/mailbox/${items[0]?.id}`])
      expect((await visitor.get(path)).text).toContain(
        'Not delivered: the mail server responded with status 550',
      );
    expect(await fixture.service.checkMail()).toMatchObject({
      state: 'warn',
      says: expect.stringContaining('1 email of the last 7 days could not be delivered.'),
    });
  });

  test('is tried anew by a reminder, at once after one that did not arrive, and not after one that did', async () => {
    const server = await serverWith([550, 550]);
    const fixture = await openHarnessWith(server);
    const { id } = await startTransaction(fixture);
    const remind = () => fixture.client['transaction.remind']({ params: { transactionId: id } });
    await fixture.service.deliver();
    await remind();
    await fixture.service.deliver();
    expect(await undeliveredTo(fixture, id)).toMatchObject({ kind: 'reminder' });
    await remind();
    await fixture.service.deliver();
    expect(server.taken.map(({ to }) => to)).toEqual([[ADA.email]]);
    expect(await undeliveredTo(fixture, id)).toBeNull();
    expect(await refusalOf(remind())).toMatchObject({ code: 'reminded_recently' });
  });

  test('is not shown while it waits for another attempt, nor after a week by doctor', async () => {
    const server = await serverWith([451, 550]);
    const fixture = await openHarnessWith(server);
    const { id } = await startTransaction(fixture);
    await fixture.service.deliver();
    expect(await undeliveredTo(fixture, id)).toBeNull();
    fixture.clock.advance(3600 * 1000);
    await fixture.service.deliver();
    expect(await undeliveredTo(fixture, id)).not.toBeNull();
    const settings = { from: 'a@example.com', language: 'en' as const, smtp: server.settings() };
    const after = new Date(fixture.clock.now + 8 * 24 * 3600 * 1000).toISOString();
    expect(await checkMailDelivery(settings, fixture.store, after, true)).toMatchObject({ state: 'ok' });
  });
});

describe('an address that is not ASCII before the @', () => {
  const UMLAUT = { name: 'Jörg', email: 'jörg@example.com' };

  test('is refused by name before anything is sent, where the server lacks SMTPUTF8', async () => {
    const server = await serverWith([], { hideSMTPUTF8: true });
    const fixture = await openHarnessWith(server);
    const { id } = await startTransaction(fixture, [UMLAUT]);
    await fixture.service.deliver();
    expect(server.taken).toEqual([]);
    expect(await undeliveredTo(fixture, id, UMLAUT.email)).toMatchObject({
      reason:
        'the mail server does not support email addresses with characters other than ASCII before the @ (SMTPUTF8)',
    });
  });

  test('is sent as it is where the server supports it', async () => {
    const server = await serverWith([], { hideSMTPUTF8: false });
    const fixture = await openHarnessWith(server);
    const { id } = await startTransaction(fixture, [UMLAUT]);
    await fixture.service.deliver();
    expect(server.taken.map(({ to }) => to)).toEqual([[UMLAUT.email]]);
    expect(await undeliveredTo(fixture, id, UMLAUT.email)).toBeNull();
  });
});

describe('email of an unverified user', () => {
  /** A user of the dashboard with a token, in whose name a transaction is started. */
  async function startedByStranger(fixture: Harness) {
    const stranger = await registerUser(fixture);
    const { access_token } = await fixture.client['sandbox.token']({ body: { user: stranger.email } });
    const client = fixture.clientWith(access_token);
    const { items } = await fixture.client['sandbox.list_users']();
    const { name = '' } = items.find(({ email }) => email === stranger.email) ?? {};
    const update: Harness['client']['transaction.update'] = ({ params, body }) =>
      client['transaction.update']({
        params,
        body: {
          ...body,
          recipients: (body.recipients ?? []).map((one) =>
            one.role === 'sender' ? { ...one, name, email: stranger.email } : one,
          ),
        },
      });
    const own = { client: { ...client, 'transaction.update': update } };
    const draft = await createDraft(own);
    const params = { transactionId: draft.id };
    await client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
    await client['transaction.start']({ params });
    return { client, id: draft.id, email: stranger.email };
  }

  test('stays in the mailbox, and the sender sees why, until the owner verifies the user', async () => {
    const server = await serverWith([]);
    const fixture = await openHarnessWith(server);
    const stranger = await startedByStranger(fixture);
    await fixture.service.deliver();
    expect(server.taken).toEqual([]);
    expect(await undeliveredTo(stranger, stranger.id)).toMatchObject({
      kind: 'invitation',
      reason: expect.stringMatching(
        /^the sender has not been verified\. .*`esign sandbox users verify EMAIL`, .*`esign serve user password EMAIL`$/,
      ),
    });
    expect(fixture.service.undeliveredMails()).toBe(1);
    const { items } = await fixture.client['sandbox.mail']({ query: { transaction_id: stranger.id } });
    expect(items.map(({ to, delivery }) => [to.includes(ADA.email), delivery?.state])).toEqual([
      [true, 'undelivered'],
    ]);
    const params = { transactionId: stranger.id };
    const verify = () =>
      fixture.client['sandbox.verify_user']({ body: { email: stranger.email.toUpperCase() } });
    const { verified_at } = await verify();
    fixture.clock.advance(1000);
    expect((await verify()).verified_at).toBe(verified_at);
    await stranger.client['transaction.remind']({ params });
    await fixture.service.deliver();
    expect(server.taken.map(({ to }) => to)).toEqual([[ADA.email]]);
    expect(await undeliveredTo(stranger, stranger.id)).toBeNull();
    expect(
      await refusalOf(fixture.client['sandbox.verify_user']({ body: { email: 'nobody@example.com' } })),
    ).toMatchObject({ code: 'user_not_found' });
  });

  test('of which the owner says so by adding the user leaves, and so does that of the default user', async () => {
    const server = await serverWith([]);
    const fixture = await openHarnessWith(server);
    await fixture.client['sandbox.add_user']({ body: { name: 'Grace', email: 'grace@example.com' } });
    const { items } = await fixture.client['sandbox.list_users']();
    expect(items.map(({ verified_at }) => typeof verified_at)).toEqual(['string', 'string']);
    await startTransaction(fixture);
    await fixture.service.deliver();
    expect(server.taken).toHaveLength(1);
  });

  test('is limited for each company in an hour', async () => {
    const server = await serverWith([]);
    const fixture = await openHarnessWith(server);
    const first = await startTransaction(fixture);
    await fixture.store.database.write(async (db) => {
      const mail = await db.selectFrom('mail').selectAll().executeTakeFirstOrThrow();
      const { seq, ...row } = mail;
      for (let count = 0; count < 10; count += 1)
        await db
          .insertInto('mail')
          .values(Array.from({ length: 100 }, (_, index) => ({ ...row, id: `copy-${count}-${index}` })))
          .execute();
    });
    const second = await startTransaction(fixture);
    expect(await undeliveredTo(fixture, second.id)).toMatchObject({
      reason: 'the company of the sender has reached the limit of 1000 emails an hour. Send a reminder later',
    });
    fixture.clock.advance(3600 * 1000);
    await fixture.client['transaction.remind']({ params: { transactionId: second.id } });
    expect(await undeliveredTo(fixture, second.id)).toBeNull();
    expect(first.id).not.toBe(second.id);
  });
});
