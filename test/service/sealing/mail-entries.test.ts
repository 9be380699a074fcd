// What the evidence and the certificate say about the emails that asked a person to sign, and about the link that they signed with: what a mail
// server answered, what stayed in a mailbox, and whether the link came from an email or from elsewhere.
import { afterEach, describe, expect, test } from 'vitest';
import type { Evidence } from '../../../src/pdf/write/certificate/evidence.ts';
import { signersIn } from '../../../src/pdf/write/certificate/evidence.ts';
import { openBrowserClient } from '../../support/browser-client.ts';
import { wordsOnPage } from '../../support/documents/certificate.ts';
import { readEvidence, sealedPdfOf } from '../../support/documents/evidence-in.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import { addAccount, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import {
  type AcceptedMail,
  type MailServer,
  smtpError,
  startPlainMailServer,
} from '../../support/servers/mail-server.ts';
import { SLOW } from '../../support/tier.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** @param code with which the server refuses each recipient */
async function harnessWith(server?: MailServer): Promise<Harness> {
  const mail = { from: 'no-reply@example.com', language: 'en' as const, smtp: server?.settings() };
  const harness = await openHarness('in process', { mail: () => mail });
  closing.push(() => harness.close());
  return harness;
}

async function serverThatRefuses(code?: number): Promise<MailServer> {
  const server = await startPlainMailServer({
    onRcptTo: (_, __, done) => done(code === undefined ? null : smtpError(code, 'no such mailbox')),
  });
  closing.push(() => server.close());
  return server;
}

/** What follows `token=` in a signing link. */
const linkIn = (text: string): string => /\/sign\?token=([\w.&=-]+)/.exec(text)?.[1] ?? '';

async function mailIdOf({ client }: Harness, id: string): Promise<string> {
  const { items } = await client['sandbox.mail']({ query: { transaction_id: id } });
  return items[0]?.id ?? '';
}

/** What the mailbox of the sandbox shows to programs. */
async function linkInMailbox(harness: Harness, id: string): Promise<string> {
  const { body } = await harness.client['sandbox.mail_detail']({
    params: { mailId: await mailIdOf(harness, id) },
  });
  return linkIn(body);
}

/** The link in the email that a server took. */
const linkSent = ({ message }: AcceptedMail): string =>
  linkIn(message.toString('latin1').replaceAll('=\r\n', '').replaceAll('=3D', '='));

async function signOnPages(harness: Harness, link: string, transaction: { id: string; recipientId: string }) {
  const guest = await giveConsent(await openSigningPages(harness, link));
  await fillInEverything(harness, guest, transaction);
  await guest.submitForm('review', 'submit', {});
  return sealedPdfOf(harness, transaction.id);
}

const entriesOf = (evidence: Evidence) =>
  evidence.entries
    .filter(({ type }) => type.startsWith('email_') || type === 'link_opened' || type === 'signed')
    .map(({ type, details: { kind, to, server, answer, reason, kept_in, link } }) =>
      [type, kind, to, server, answer, reason, kept_in, link].filter((value) => value !== undefined),
    );

/** All pages of the certificate, which come after the three pages of the contract. */
async function certificateOf(pdf: Uint8Array): Promise<string> {
  const pages: string[] = [];
  for (let page = 3; page < 8; page += 1) pages.push(await wordsOnPage(pdf, page).catch(() => ''));
  return pages.join(' ');
}

describe('the evidence about emails and links', () => {
  test('has the address, the mail server and its answer, and that the emailed link was used', async () => {
    const server = await serverThatRefuses();
    const harness = await harnessWith(server);
    const started = await startWithEveryField(harness);
    await harness.service.deliver();
    harness.clock.advance(60_000);
    const [letter] = server.taken;
    const pdf = await signOnPages(harness, letter ? linkSent(letter) : '', started);
    const evidence = readEvidence(pdf);
    const host = `127.0.0.1:${server.port}`;
    expect(entriesOf(evidence)).toEqual([
      ['email_written', 'invitation', SIGNER.email],
      ['email_accepted', 'invitation', SIGNER.email, host, '250 kept'],
      ['link_opened', 'email'],
      ['signed', 'email'],
    ]);
    expect(signersIn(evidence)).toMatchObject([{ email: SIGNER.email, identified_by: 'emailed_link' }]);
    const words = await certificateOf(pdf);
    for (const part of [`Invitation to ${SIGNER.email}`, `Taken by ${host} at`, 'sent by email', '250 kept'])
      expect(words).toContain(part);
    expect(words).toContain(`the link sent by email to ${SIGNER.email}`);
    expect(words).toContain('Signing link opened');
  });

  test('says of a link that came otherwise that nothing shows how, and that the email failed', async () => {
    const harness = await harnessWith(await serverThatRefuses(550));
    const started = await startWithEveryField(harness);
    await harness.service.deliver();
    const pdf = await signOnPages(harness, started.token, started);
    const evidence = readEvidence(pdf);
    expect(entriesOf(evidence).map(([type]) => type)).toEqual([
      'email_written',
      'email_failed',
      'link_opened',
      'signed',
    ]);
    expect(evidence.entries.find(({ type }) => type === 'email_failed')?.details).toMatchObject({
      to: SIGNER.email,
      answer: expect.stringContaining('550 no such mailbox'),
      reason: expect.stringContaining('status 550'),
    });
    expect(signersIn(evidence)[0]?.identified_by).toBe('signing_link');
    const words = await certificateOf(pdf);
    expect(words).toMatch(/Invitation to ada@example\.com was .*not delivered/);
    expect(words).toContain('the mail server responded with status 550: no such mailbox');
    expect(words).toContain('without a record of how they got it');
  });

  test('says in a sandbox without a mail server that the email stayed in its mailbox', async () => {
    const harness = await harnessWith();
    const started = await startWithEveryField(harness);
    const pdf = await signOnPages(harness, await linkInMailbox(harness, started.id), started);
    const evidence = readEvidence(pdf);
    expect(entriesOf(evidence)).toEqual([
      ['email_kept', 'invitation', SIGNER.email, 'the mailbox of the sandbox'],
      ['link_opened', 'mailbox'],
      ['signed', 'mailbox'],
    ]);
    expect(signersIn(evidence)[0]?.identified_by).toBe('mailbox_link');
    expect(await certificateOf(pdf)).toContain('kept in the mailbox of the');
  });

  test('says that a link was opened from the mailbox, although a mail server took the email', async () => {
    const harness = await harnessWith(await serverThatRefuses());
    const grace = await addAccount(harness);
    const { password = '' } = await harness.client['sandbox.set_password']({ body: { email: grace.email } });
    const browser = openBrowserClient(harness);
    await browser.send(await browser.get('/sign-in'), '/sign-in', { email: grace.email, password });
    const started = await startWithEveryField(harness, [{ name: 'Grace', email: grace.email }]);
    await harness.service.deliver();
    harness.clock.advance(60_000);
    const mailId = await mailIdOf(harness, started.id);
    const page = await browser.get(`/mailbox/${mailId}`);
    const framed = await browser.get(`/mailbox/${mailId}/html`);
    const links = [...`${page.html}${framed.html}`.matchAll(/\/sign\?token=[\w.&=;-]+/g)].map(([url]) =>
      linkIn(url.replaceAll('&amp;', '&')),
    );
    expect(links.length).toBeGreaterThanOrEqual(4);
    expect(new Set(links).size).toBe(1);
    const { bytes } = await harness.client['sandbox.mail_message']({ params: { mailId } });
    const message = Buffer.from(bytes).toString('latin1').replaceAll('=\r\n', '');
    expect(message).toContain('by=3Dmailbox.');
    expect(message).not.toContain('by=3Demail');
    const evidence = readEvidence(await signOnPages(harness, links[0] ?? '', started));
    expect(entriesOf(evidence).map(([type, detail]) => [type, detail])).toEqual([
      ['email_written', 'invitation'],
      ['email_accepted', 'invitation'],
      ['link_opened', 'mailbox'],
      ['signed', 'mailbox'],
    ]);
    expect(evidence.entries.find(({ type }) => type === 'signed')?.details.user).toBe(
      `Grace <${grace.email}>`,
    );
    expect(signersIn(evidence)[0]?.identified_by).toBe('mailbox_link');
  });

  test('takes no mark of a link that this service did not make for it', async () => {
    const harness = await harnessWith();
    const [one, other] = [await startTransaction(harness), await startTransaction(harness)];
    const [, mark = ''] = (await linkInMailbox(harness, other.id)).split('&by=');
    expect(mark).toMatch(/^mailbox\.[\w-]{22}$/);
    for (const forged of [
      mark,
      'email',
      `email.${'A'.repeat(22)}`,
      `dashboard.x.${'A'.repeat(22)}`,
      `mailbox.x.${'A'.repeat(22)}`,
      mark.replace('mailbox', 'email'),
      `${mark}.x`,
    ]) {
      const guest = await openSigningPages(harness, `${one.token}&by=${forged}`);
      expect([...guest.jar.values()], forged).toEqual([one.token]);
      // A cookie that was changed by hand.
      for (const name of guest.jar.keys()) guest.jar.set(name, `${one.token}.${forged}`);
      expect((await guest.open()).status, forged).toBe(200);
    }
    await signWith(harness, one.token);
    const evidence = readEvidence(await sealedPdfOf(harness, one.id));
    const opened = evidence.entries.filter(({ type }) => type === 'link_opened' || type === 'signed');
    expect(opened.map(({ details }) => details.link ?? 'none')).toEqual(opened.map(() => 'none'));
    expect(signersIn(evidence)[0]?.identified_by).toBe('signing_link');
  });

  test.skipIf(!SLOW)('has no entry of what happened after the completion', async () => {
    const harness = await harnessWith(await serverThatRefuses());
    const started = await startWithEveryField(harness);
    const pdf = await signOnPages(harness, started.token, started);
    expect(entriesOf(readEvidence(pdf)).map(([type]) => type)).toEqual([
      'email_written',
      'link_opened',
      'signed',
    ]);
    expect(await certificateOf(pdf)).toContain('No mail server had taken it when');
  });
});
