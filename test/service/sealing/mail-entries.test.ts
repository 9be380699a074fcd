// What the evidence and the certificate say about the emails that asked a person to sign, and about the link that they signed with: what a mail
// server answered, what stayed in a mailbox, and whether the link came from an email or from elsewhere.
import { afterEach, describe, expect, test } from 'vitest';
import type { Evidence } from '../../../src/pdf/certificate/evidence.ts';
import { signersIn } from '../../../src/pdf/certificate/evidence.ts';
import { wordsOnPage } from '../../support/documents/certificate.ts';
import { readEvidence, sealedPdfOf } from '../../support/documents/evidence-in.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import { signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type MailServer, smtpError, startPlainMailServer } from '../../support/servers/mail-server.ts';
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

/** What follows `token=` in the link of the invitation. */
async function linkInMail({ client }: Harness, id: string): Promise<string> {
  const { items } = await client['sandbox.mail']({ query: { transaction_id: id } });
  const { body } = await client['sandbox.mail_detail']({ params: { mailId: items[0]?.id ?? '' } });
  return /\/sign\?token=(\S+)/.exec(body)?.[1] ?? '';
}

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
    const pdf = await signOnPages(harness, await linkInMail(harness, started.id), started);
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
    const pdf = await signOnPages(harness, await linkInMail(harness, started.id), started);
    const evidence = readEvidence(pdf);
    expect(entriesOf(evidence)).toEqual([
      ['email_kept', 'invitation', SIGNER.email, 'the mailbox of the sandbox'],
      ['link_opened', 'email'],
      ['signed', 'email'],
    ]);
    expect(signersIn(evidence)[0]?.identified_by).toBe('mailbox_link');
    expect(await certificateOf(pdf)).toContain('kept in the mailbox of the');
  });

  test('takes no mark of a link that this service did not make for it', async () => {
    const harness = await harnessWith();
    const [one, other] = [await startTransaction(harness), await startTransaction(harness)];
    const [, mark = ''] = (await linkInMail(harness, other.id)).split('&by=');
    expect(mark).toMatch(/^email\.[\w-]{22}$/);
    for (const forged of [
      mark,
      'email',
      `email.${'A'.repeat(22)}`,
      `dashboard.x.${'A'.repeat(22)}`,
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
    expect(entriesOf(evidence).filter(([, ...details]) => details.includes('email'))).toEqual([]);
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
