// Mail that leaves the service: written with its delivery, sent by the outbox, and what the mail server said kept as attempts.
import { afterEach, describe, expect, test } from 'vitest';
import type { SmtpSettings } from '../../../src/service/mail/settings.ts';
import { findInconsistencies } from '../../support/assert-consistent.ts';
import { ADA, BOB, endTransaction, startTransaction } from '../../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../../support/harness.ts';
import { type MailServer, smtpError, startMailServer } from '../../support/servers/mail-server.ts';
import { refusingPort } from '../../support/servers/ports.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const openssl = needsCommand('openssl');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The whole message without the mark of its link, which says whether it was sent or shown. */
const withoutMark = (message: Uint8Array): string =>
  Buffer.from(message)
    .toString('latin1')
    .trimEnd()
    .replaceAll('=\r\n', '')
    .replace(/&(amp;)?by=3D(email|mailbox)\.[\w-]{22}/g, '');

async function openHarnessWith(smtp: SmtpSettings): Promise<Harness> {
  const mail = { from: 'no-reply@example.com', language: 'fr' as const, smtp };
  const harness = await openHarness('in process', { mail: () => mail });
  closing.push(() => harness.close());
  return harness;
}

async function serverWith(...codes: (number | undefined)[]): Promise<MailServer> {
  const server = await startMailServer({
    onRcptTo(_, __, done) {
      const code = codes.shift();
      done(code === undefined ? null : smtpError(code, 'no'));
    },
  });
  closing.push(() => server.close());
  return server;
}

async function deliveryOf({ client }: Harness, id: string, kind = 'invitation') {
  const { items } = await client['sandbox.mail']({ query: { transaction_id: id } });
  const mailId = items.find((one) => one.kind === kind)?.id ?? '';
  return (await client['sandbox.mail_detail']({ params: { mailId } })).delivery;
}

describe.runIf(SLOW)(`mail that leaves the service${openssl.why}`, { skip: openssl.skip }, () => {
  test('is sent once to each recipient, as the mailbox shows it, in the language that is set', async () => {
    const server = await serverWith();
    const fixture = await openHarnessWith(server.settings());
    const { id } = await endTransaction(fixture, 'completed');
    expect((await deliveryOf(fixture, id))?.state).toBe('waiting');
    await fixture.service.deliver();
    await fixture.service.deliver();
    expect(server.taken.map(({ to }) => to[0]).sort()).toEqual([ADA.email, ADA.email, 'sender@esign.test']);
    expect(server.taken.map(({ from }) => from)).toEqual(Array(3).fill('no-reply@example.com'));
    const { items } = await fixture.client['sandbox.mail']({ query: { transaction_id: id } });
    expect(items.map(({ language }) => language)).toEqual(['fr', 'fr', 'fr']);
    for (const { id: mailId } of items) {
      const { bytes } = await fixture.client['sandbox.mail_message']({ params: { mailId } });
      const shown = withoutMark(bytes);
      expect(server.taken.filter(({ message }) => withoutMark(message) === shown)).toHaveLength(1);
    }
    expect(await deliveryOf(fixture, id)).toMatchObject({
      state: 'delivered',
      attempts: [{ ok: true, status: 250, why: null }],
    });
    expect(await findInconsistencies(fixture.store)).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  test('is tried again after a 4xx, and given up after a 5xx; the transaction continues', async () => {
    const server = await serverWith(451, undefined, 550);
    const fixture = await openHarnessWith(server.settings());
    const first = await startTransaction(fixture);
    await fixture.service.deliver();
    expect(await deliveryOf(fixture, first.id)).toMatchObject({
      state: 'waiting',
      attempts: [{ ok: false, status: 451, why: 'the mail server responded with status 451: no' }],
    });
    fixture.clock.advance(3600 * 1000);
    await fixture.service.deliver();
    expect(await deliveryOf(fixture, first.id)).toMatchObject({
      state: 'delivered',
      attempts: [{}, { ok: true }],
    });
    const second = await startTransaction(fixture, [BOB]);
    await fixture.service.deliver();
    expect(await deliveryOf(fixture, second.id)).toMatchObject({
      state: 'undelivered',
      attempts: [{ ok: false, status: 550 }],
    });
    expect(server.taken).toHaveLength(1);
    expect(fixture.errors).toEqual([]);
  });

  test('waits while the mail server is away, and shows the reason', async () => {
    const server = await startMailServer();
    closing.push(() => server.close());
    const settings = server.settings({ port: await refusingPort() });
    const fixture = await openHarnessWith(settings);
    const { id } = await startTransaction(fixture);
    await fixture.client['transaction.remind']({ params: { transactionId: id } });
    await fixture.service.deliver();
    const delivery = await deliveryOf(fixture, id, 'reminder');
    expect(delivery?.state).toBe('waiting');
    expect(delivery?.attempts[0]?.why).toContain('ECONNREFUSED');
  });
});

test('mail that is only kept has no delivery', async () => {
  const fixture = await openHarness('in process');
  closing.push(() => fixture.close());
  const { id } = await startTransaction(fixture);
  expect(await deliveryOf(fixture, id)).toBeNull();
});
