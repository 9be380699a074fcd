// Who is sent which mail, in which language, with which way on; and what the mailbox shows of it.
import { randomFillSync } from 'node:crypto';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { composeStored } from '../../../src/service/mail/compose.ts';
import { openBrowserClient } from '../../support/browser-client.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  currentToken,
  endTransaction,
  fieldFor,
  refusalOf,
  SENDER,
  signWith,
  startTransaction,
  tokenOf,
  updateBodyOf,
} from '../../support/fixtures/transactions.ts';
import type { Harness } from '../../support/harness.ts';
import { sendRequest } from '../../support/http-client.ts';
import { SLOW } from '../../support/tier.ts';

const HOUR = 3600 * 1000;

/** `completed ada@example.com`, in the order in which they were written. */
async function mailsOf({ client }: Harness, id: string) {
  const { items } = await client['sandbox.mail']({ query: { transaction_id: id } });
  return items.reverse();
}

const addressed = (items: Awaited<ReturnType<typeof mailsOf>>) =>
  items.map(({ kind, to }) => `${kind} ${/<(.*)>$/.exec(to)?.[1]}`);

describeSharedService('mail', (harness) => {
  const reject = (token: string) =>
    harness().client['signing.reject']({ query: { token }, body: { reason: 'The amount\nis wrong' } });

  test('invites one after another, and notifies each person once when all have signed', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    await signWith(harness(), token);
    await signWith(harness(), await currentToken(harness(), id));
    const mails = await mailsOf(harness(), id);
    expect(addressed(mails)).toEqual([
      'invitation ada@example.com',
      'invitation bob@example.com',
      'completed sender@esign.test',
      'completed ada@example.com',
      'completed bob@example.com',
    ]);
    const [sender, ada] = mails.slice(2);
    expect(sender?.body).toContain(`View in the dashboard:\n${harness().baseUrl}/transactions/${id}\n`);
    expect(sender?.reply_to).toBeNull();
    expect(ada?.reply_to).toBe(`${SENDER.name} <${SENDER.email}>`);
    expect(ada?.subject).toBe('Signed by everyone: Agreement');
    expect(ada?.body).toContain('Everyone has signed “Agreement”.');
    expect(ada?.body).toContain('The signed documents are attached.');
    expect(ada?.body).not.toContain('/sign?token=');
    const detail = await harness().client['transaction.detail']({ params: { transactionId: id } });
    const shown = await harness().client['sandbox.mail_detail']({ params: { mailId: ada?.id ?? '' } });
    expect(shown.attachments.map(({ id: sealed }) => sealed)).toEqual(
      detail.sealed_documents.map(({ id: sealed }) => sealed),
    );
  });

  test('notifies the recipients who were asked and the sender of a rejection, with the reason', async () => {
    const { id, token } = await startTransaction(harness(), [
      ADA,
      BOB,
      { name: 'Eve', email: 'eve@example.com' },
    ]);
    await signWith(harness(), token);
    await reject(await currentToken(harness(), id));
    const mails = (await mailsOf(harness(), id)).filter(({ kind }) => kind !== 'invitation');
    expect(addressed(mails)).toEqual([
      'rejected sender@esign.test',
      'rejected ada@example.com',
      'rejected bob@example.com',
    ]);
    expect(mails[1]?.body).toContain('Bob has rejected “Agreement”.');
    expect(mails[2]?.body).toContain('You have rejected “Agreement”.');
    expect(mails[1]?.body).toContain('Reason: The amount\nis wrong\n');
    expect(mails[1]?.body).not.toContain('http');
  });

  test('notifies the recipients who were asked of a cancellation, and not the sender', async () => {
    const { id } = await endTransaction(harness(), 'cancelled');
    const mails = await mailsOf(harness(), id);
    expect(addressed(mails)).toEqual(['invitation ada@example.com', 'cancelled ada@example.com']);
    expect(mails[1]?.body).toContain('Reason: Wrong contract');
  });

  test.each([
    ['the sender', false, 'You have cancelled “Agreement”.'],
    ['a colleague of the sender', true, 'Grace has cancelled “Agreement”.'],
  ])('says who has cancelled to a sender who signs: %s', async (_, isColleague, sentence) => {
    const { id } = await startTransaction(harness(), [{ name: SENDER.name, email: SENDER.email }]);
    const email = `colleague-${id.slice(-6)}@example.com`;
    const { client } = isColleague ? await addAccount(harness(), undefined, email) : harness();
    await client['transaction.cancel']({
      params: { transactionId: id },
      body: { cancelled_reason: 'Wrong contract' },
    });
    expect((await mailsOf(harness(), id)).at(-1)?.body).toContain(sentence);
  });

  test('notifies the recipients who were asked and the sender of an expiry, whichever request notices it', async () => {
    const { id } = await endTransaction(harness(), 'expired');
    await harness().client['transaction.detail']({ params: { transactionId: id } });
    const mails = await mailsOf(harness(), id);
    expect(addressed(mails)).toEqual([
      'invitation ada@example.com',
      'expired sender@esign.test',
      'expired ada@example.com',
    ]);
    expect(mails[0]?.body).toMatch(/Sign by: \w+ \d+, 2026/);
    expect(mails[2]?.body).toMatch(/Expired: \w+ \d+, 2026/);
  });

  test.runIf(SLOW)(
    'sends one mail to a sender who signs under another role, and two to people who share a mailbox',
    async () => {
      const { id, token } = await startTransaction(harness(), [
        { name: 'Me', email: SENDER.email.toUpperCase() },
        { name: 'One', email: 'shared@example.com' },
        { name: 'Two', email: 'shared@example.com' },
      ]);
      await signWith(harness(), token);
      await signWith(harness(), await currentToken(harness(), id));
      await signWith(harness(), await currentToken(harness(), id));
      const mails = (await mailsOf(harness(), id)).filter(({ kind }) => kind === 'completed');
      expect(mails.map(({ to }) => to)).toEqual([
        `Me <${SENDER.email.toUpperCase()}>`,
        'One <shared@example.com>',
        'Two <shared@example.com>',
      ]);
    },
  );

  test('is in the language that the recipient chose, and otherwise in English', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    await harness().store.database.write(async (db) => {
      const { template } = await harness().client['transaction.detail']({ params: { transactionId: id } });
      await db
        .insertInto('signing')
        .values({
          recipient_id: template.recipients.find(({ email }) => email === ADA.email)?.id ?? '',
          consented_at: null,
          consent_hash: null,
          consent_version: null,
          language: 'de',
          time_zone: 'Europe/Berlin',
          values_sealed: null,
          updated_at: '2026-03-01T09:00:00.000Z',
        })
        .execute();
    });
    await reject(token);
    const mails = (await mailsOf(harness(), id)).slice(1);
    expect(mails.map(({ language, subject }) => [language, subject])).toEqual([
      ['en', 'Rejected: Agreement'],
      ['de', 'Abgelehnt: Agreement'],
    ]);
    expect(mails[1]?.body).toContain('Sie haben „Agreement“ abgelehnt.');
  });

  test('shows each mail as HTML in which nothing of the sender is markup or a link', async () => {
    const { id, detail } = await createDraft(harness());
    const params = { transactionId: id };
    const texts = {
      name: '<b>"A" & Co</b>',
      email_alias: '<i>Alias</i>',
      email_subject: '<u>Subject</u>',
      email_body: 'Pay at https://evil.example/\n<a href="https://evil.example">here</a>',
    };
    await harness().client['transaction.update']({ params, body: updateBodyOf(detail, texts) });
    const { url } = await harness().client['transaction.start']({ params });
    const [mail] = await mailsOf(harness(), id);
    const { html } = await harness().client['sandbox.mail_detail']({ params: { mailId: mail?.id ?? '' } });
    expect(html).toContain('<html lang="en" dir="ltr">');
    expect(html).not.toMatch(/<(b|i|u|img|script|link)\b/);
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.split('&amp;by=mailbox.')[0]);
    expect(links).toEqual([url, url]);
    expect(html).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;here&lt;/a&gt;');
  });

  test.skipIf(!SLOW)('is the same message, byte for byte, whenever it is asked for', async () => {
    const { id } = await endTransaction(harness(), 'completed');
    const last = (await mailsOf(harness(), id)).at(-1);
    const params = { mailId: last?.id ?? '' };
    const { bytes, mediaType } = await harness().client['sandbox.mail_message']({ params });
    expect(mediaType).toBe('message/rfc822');
    harness().clock.advance(HOUR);
    const again = await composeStored(harness().store, params.mailId);
    expect(Buffer.from(bytes).equals(Buffer.from(again?.message ?? []))).toBe(true);
    expect(again?.envelope).toEqual({ from: 'no-reply@esign.test', to: ADA.email });
    const head = Buffer.from(bytes).toString('latin1').split('\r\n\r\n')[0]?.split('\r\n') ?? [];
    expect(head).toContain(`Message-ID: <${params.mailId}@esign.test>`);
    expect(head).toContain(`References: <transaction.${id}@esign.test>`);
    expect(head).toContain('Auto-Submitted: auto-generated');
    expect(head.filter((line) => /^List-/i.test(line))).toEqual([]);
    expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/[^\r]\n|[^\n]\r[^\n]/);
    const none = { mailId: 'none' };
    expect(await refusalOf(harness().client['sandbox.mail_message']({ params: none }))).toMatchObject({
      status: 404,
      code: 'mail_not_found',
    });
    expect(await composeStored(harness().store, 'none')).toBeUndefined();
  });

  test.runIf(SLOW)(
    'links to the documents that are too large for a mail, by an address that only shows them',
    async () => {
      const png = new PNG({ width: 1500, height: 1500 });
      randomFillSync(png.data);
      const content = new Blob([new Uint8Array(PNG.sync.write(png))]);
      const { client } = harness();
      const { token: file } = await client['file.upload']({
        form: { name: 'noise.png' },
        file: { name: 'noise.png', content },
      });
      const draft = await createDraft(harness());
      const params = { transactionId: draft.id };
      await client['transaction.add_document']({ params, body: { token: file } });
      await client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
      await signWith(harness(), tokenOf((await client['transaction.start']({ params })).url));
      const mails = await mailsOf(harness(), draft.id);
      const ada = mails.find(({ kind, to }) => kind === 'completed' && to.includes(ADA.email));
      const { attachments } = await client['sandbox.mail_detail']({ params: { mailId: ada?.id ?? '' } });
      expect(attachments).toEqual([]);
      expect(ada?.body).toContain('View and download the documents:');
      const token = tokenOf(/http\S+/.exec(ada?.body ?? '')?.[0] ?? '');
      const visitor = openBrowserClient(harness());
      const page = await visitor.get((await visitor.get(`/sign?token=${token}`)).location ?? '');
      expect(page.html).toContain('.sealed.pdf');
      expect((await refusalOf(client['signing.view']({ query: { token } }))).code).toBe(
        'signing_link_invalid',
      );
      expect(mails.find(({ to }) => to.includes(SENDER.email))?.body).toContain(`/transactions/${draft.id}`);
    },
  );

  test('is found by the address of a recipient', async () => {
    const { id } = await startTransaction(harness(), [{ name: 'Only', email: 'Only@example.com' }]);
    const find = (to: string) => harness().client['sandbox.mail']({ query: { to } });
    expect((await find('only@EXAMPLE.com')).items.map((one) => one.transaction_id)).toEqual([id]);
    expect((await find('nobody@example.com')).items).toEqual([]);
  });
});

describeSharedService('a reminder', (harness) => {
  const remind = (id: string, client = harness().client) =>
    client['transaction.remind']({ params: { transactionId: id } });

  test('sends the current link to the current recipient, once an hour', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    expect(await remind(id)).toMatchObject({
      reminded: true,
      recipient: { name: 'Ada', email: ADA.email },
    });
    const [, mail] = await mailsOf(harness(), id);
    expect(mail).toMatchObject({ kind: 'reminder', subject: 'Reminder: Please sign: Agreement' });
    expect(tokenOf(/http\S+/.exec(mail?.body ?? '')?.[0] ?? '')).toBe(token);
    harness().clock.advance(HOUR - 1000);
    const refused = await sendRequest(harness(), `POST /v1/transaction/${id}/remind`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.body).toMatchObject({ code: 'reminded_recently' });
    // The next one is another recipient.
    await signWith(harness(), token);
    expect((await remind(id)).recipient.email).toBe(BOB.email);
    harness().clock.advance(HOUR);
    await remind(id);
    expect(addressed(await mailsOf(harness(), id)).filter((one) => one.startsWith('reminder'))).toEqual([
      'reminder ada@example.com',
      'reminder bob@example.com',
      'reminder bob@example.com',
    ]);
  });

  test('cannot be sent again by a process that read the clock a moment before', async () => {
    const { id } = await startTransaction(harness());
    await remind(id);
    harness().clock.advance(-5);
    expect(await refusalOf(remind(id))).toMatchObject({ code: 'reminded_recently' });
    harness().clock.advance(5);
  });

  test('can be sent again at once when the clock was set back', async () => {
    const { id } = await startTransaction(harness());
    await remind(id);
    harness().clock.advance(-24 * HOUR);
    await remind(id);
    harness().clock.advance(24 * HOUR);
  });

  test('is for started transactions of the company only', async () => {
    const { id: draft } = await createDraft(harness());
    expect(await refusalOf(remind(draft))).toMatchObject({ status: 409, code: 'transaction_not_started' });
    const { id: over } = await endTransaction(harness(), 'cancelled');
    expect(await refusalOf(remind(over))).toMatchObject({ code: 'transaction_not_started' });
    const { id } = await startTransaction(harness());
    const eve = await addAccount(harness(), 'Other company');
    expect(await refusalOf(remind(id, eve.client))).toMatchObject({ code: 'transaction_not_found' });
    expect(addressed(await mailsOf(harness(), id))).toEqual(['invitation ada@example.com']);
  });

  test('expires what is due instead', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const body = updateBodyOf(draft.detail, { expiration_days: 1, fields: [fieldFor(draft, ADA.email)] });
    await harness().client['transaction.update']({ params, body });
    await harness().client['transaction.start']({ params });
    harness().clock.advance(24 * HOUR);
    expect(await refusalOf(remind(draft.id))).toMatchObject({ code: 'transaction_not_started' });
    const detail = await harness().client['transaction.detail']({ params });
    expect(detail.status).toBe('expired');
  });
});
