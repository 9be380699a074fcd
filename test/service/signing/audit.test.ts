// What is written down of a recipient: who did what, when and from where, in the commit of what was done.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { listAudit } from '../../../src/service/store/transactions/signing.ts';
import { loadWords } from '../../../src/service/web/sign/words.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import { readDetail, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { SLOW } from '../../support/tier.ts';

const EN = await loadWords('en');

const BROWSER = { 'user-agent': 'Testing/1.0 (a phone)' };

describeSharedService('what is written down of a recipient', (harness, way) => {
  const trail = (id: string) => harness().store.database.read((db) => listAudit(db, id));

  test('tells what they did, in order, from where and with what', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), transaction.token, BROWSER);
    await guest.open();
    harness().clock.advance(60_000);
    await guest.open();
    expect((await readDetail(harness(), transaction.id)).template.recipients[1]).toMatchObject({
      email: SIGNER.email,
      opened_at: '2026-03-01T09:00:00.000Z',
    });
    await giveConsent(guest);
    const page = transaction.detail.template.documents[0]?.pages[1]?.id;
    await guest.open(`pages/${page}.png`);
    await guest.open(`pages/${page}.png`);
    await fillInEverything(harness(), guest, transaction);
    await guest.submitForm('review', 'submit', {});
    const entries = await trail(transaction.id);
    const types = entries.map(({ type }) => type);
    expect(types.slice(0, 3)).toEqual(['opened', 'consented', 'page_delivered']);
    expect(types.slice(3, -1).every((type) => type === 'filled')).toBe(true);
    expect(types.at(-1)).toBe('signed');
    expect(new Set(entries.map(({ recipient_id }) => recipient_id))).toEqual(
      new Set([transaction.recipientId]),
    );
    const address = way === 'over HTTP' ? '127.0.0.1' : null;
    for (const { details } of entries)
      expect(details).toMatchObject({ address, browser: BROWSER['user-agent'] });
    const consented = entries.find(({ type }) => type === 'consented');
    expect(consented?.details).toMatchObject({
      sha256: createHash('sha256').update(EN.consent).digest('hex'),
      language: 'en',
      time_zone: 'Europe/Berlin',
    });
    expect(entries.find(({ type }) => type === 'page_delivered')).toMatchObject({
      subject: expect.stringMatching(`^${page} [0-9a-f]{12}$`),
      created: '2026-03-01T09:01:00.000Z',
      details: { page: '2', document: 'contract.pdf', last_at: '2026-03-01T09:01:00.000Z' },
    });
    expect(entries.at(-1)).toMatchObject({ details: { time_zone: 'Europe/Berlin' } });
    expect(JSON.stringify(entries)).not.toContain('DE123456789');
  });

  test('tells the browsers apart in which a page was loaded', async () => {
    const transaction = await startWithEveryField(harness());
    const page = transaction.detail.template.documents[0]?.pages[1]?.id;
    for (const browser of ['One/1', 'Two/2']) {
      const guest = await openSigningPages(harness(), transaction.token, { 'user-agent': browser });
      if (browser === 'One/1') await giveConsent(guest);
      await guest.open(`pages/${page}.png`);
      harness().clock.advance(61_000);
    }
    const delivered = (await trail(transaction.id)).filter(({ type }) => type === 'page_delivered');
    expect(delivered.map(({ details }) => [details.browser, details.last_at])).toEqual([
      ['One/1', delivered[0]?.created],
      ['Two/2', delivered[1]?.created],
    ]);
  });

  test.skipIf(!SLOW)('is written once for each place and browser', async () => {
    const transaction = await startWithEveryField(harness());
    for (const browser of ['One/1', 'One/1', 'Two/2'])
      await (await openSigningPages(harness(), transaction.token, { 'user-agent': browser })).open();
    const entries = await trail(transaction.id);
    expect(entries.map(({ type, details }) => [type, details.browser])).toEqual([
      ['opened', 'One/1'],
      ['opened', 'Two/2'],
    ]);
  });

  test('is not written for a HEAD, which shows nothing', async () => {
    const { id, detail, recipientId, token } = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), token);
    const page = detail.template.documents[0]?.pages[1]?.id;
    const cookie = [...guest.jar].map((pair) => pair.join('=')).join('; ');
    for (const path of [guest.base, `${guest.base}/pages/${page}.png`]) {
      const request = new Request(new URL(path, harness().baseUrl), {
        method: 'HEAD',
        headers: { cookie },
      });
      expect((await harness().transport(request)).status, path).toBe(200);
    }
    expect(await trail(id)).toEqual([]);
    const { recipients } = (await readDetail(harness(), id)).template;
    expect(recipients.find((one) => one.id === recipientId)?.opened_at).toBeNull();
  });

  test('cuts what a browser says of itself', async () => {
    const transaction = await startWithEveryField(harness());
    await (await openSigningPages(harness(), transaction.token, { 'user-agent': 'x'.repeat(5000) })).open();
    expect((await trail(transaction.id))[0]?.details.browser).toHaveLength(300);
  });

  test.skipIf(!SLOW)('is written for a program as well', async () => {
    const { id, token } = await startTransaction(harness());
    await signWith(harness(), token);
    expect((await trail(id)).map(({ type }) => type)).toEqual(['signed']);
    const rejected = await startTransaction(harness());
    await harness().client['signing.reject']({ query: { token: rejected.token }, body: { reason: 'No' } });
    expect((await trail(rejected.id)).map(({ type }) => type)).toEqual(['rejected']);
  });

  test('a time zone that is none is not kept', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), transaction.token);
    await guest.submitForm('', 'consent', { agree: 'yes', time_zone: "Mars/Olympus'); drop" });
    expect((await trail(transaction.id)).at(-1)?.details).toMatchObject({ time_zone: null });
  });
});
