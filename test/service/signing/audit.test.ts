// What is written down of a recipient: who did what, when and from where, in the commit of what was done.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditOf } from '../../../src/service/store/signing.ts';
import { EN } from '../../../src/service/web/sign/words/en.ts';
import { describeSharedService } from '../../support/describe-service.ts';
import {
  fillInEverything,
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../support/fixtures/signing-pages.ts';
import { readDetail, signWith, startTransaction } from '../../support/fixtures/transactions.ts';

const BROWSER = { 'user-agent': 'Testing/1.0 (a phone)' };

describeSharedService(
  'what is written down of a recipient',
  (world, way) => {
    const trail = (id: string) => world().store.database.read((db) => auditOf(db, id));

    test('tells what they did, in order, from where and with what', async () => {
      const deal = await startWithEveryField(world());
      const guest = await openSigningPages(world(), deal.token, BROWSER);
      await guest.open();
      world().clock.advance(60_000);
      await guest.open();
      expect((await readDetail(world(), deal.id)).template.recipients[1]).toMatchObject({
        email: SIGNER.email,
        opened_at: '2026-03-01T09:00:00.000Z',
      });
      await giveConsent(guest);
      const page = deal.detail.template.documents[0]?.pages[1]?.id;
      await guest.open(`pages/${page}.png`);
      await guest.open(`pages/${page}.png`);
      await fillInEverything(world(), guest, deal);
      await guest.submitForm('review', 'submit', {});
      const entries = await trail(deal.id);
      const types = entries.map(({ type }) => type);
      expect(types.slice(0, 3)).toEqual(['opened', 'consented', 'viewed_page']);
      expect(types.slice(3, -1).every((type) => type === 'filled')).toBe(true);
      expect(types.at(-1)).toBe('signed');
      expect(new Set(entries.map(({ recipient_id }) => recipient_id))).toEqual(new Set([deal.recipientId]));
      const address = way === 'over HTTP' ? '127.0.0.1' : null;
      for (const { details } of entries)
        expect(details).toMatchObject({ address, browser: BROWSER['user-agent'] });
      const consented = entries.find(({ type }) => type === 'consented');
      expect(consented?.details).toMatchObject({
        sha256: createHash('sha256').update(EN.consent).digest('hex'),
        language: 'en',
        time_zone: 'Europe/Berlin',
      });
      expect(entries.find(({ type }) => type === 'viewed_page')).toMatchObject({
        subject: page,
        details: { page: '2', document: 'contract.pdf' },
      });
      expect(entries.at(-1)).toMatchObject({ details: { time_zone: 'Europe/Berlin' } });
      expect(JSON.stringify(entries)).not.toContain('DE123456789');
    });

    test('is written once for each place and browser', async () => {
      const deal = await startWithEveryField(world());
      for (const browser of ['One/1', 'One/1', 'Two/2'])
        await (await openSigningPages(world(), deal.token, { 'user-agent': browser })).open();
      const entries = await trail(deal.id);
      expect(entries.map(({ type, details }) => [type, details.browser])).toEqual([
        ['opened', 'One/1'],
        ['opened', 'Two/2'],
      ]);
    });

    test('is not written for a HEAD, which shows nothing to anybody', async () => {
      const { id, detail, recipientId, token } = await startWithEveryField(world());
      const guest = await openSigningPages(world(), token);
      const page = detail.template.documents[0]?.pages[1]?.id;
      const cookie = [...guest.jar].map((pair) => pair.join('=')).join('; ');
      for (const path of [guest.base, `${guest.base}/pages/${page}.png`]) {
        const request = new Request(new URL(path, world().baseUrl), { method: 'HEAD', headers: { cookie } });
        expect((await world().transport(request)).status, path).toBe(200);
      }
      expect(await trail(id)).toEqual([]);
      const { recipients } = (await readDetail(world(), id)).template;
      expect(recipients.find((one) => one.id === recipientId)?.opened_at).toBeNull();
    });

    test('cuts what a browser says of itself', async () => {
      const deal = await startWithEveryField(world());
      await (await openSigningPages(world(), deal.token, { 'user-agent': 'x'.repeat(5000) })).open();
      expect((await trail(deal.id))[0]?.details.browser).toHaveLength(300);
    });

    test('is written for a program as well', async () => {
      const { id, token } = await startTransaction(world());
      await signWith(world(), token);
      expect((await trail(id)).map(({ type }) => type)).toEqual(['signed']);
      const rejected = await startTransaction(world());
      await world().client['signing.reject']({ query: { token: rejected.token }, body: { reason: 'No' } });
      expect((await trail(rejected.id)).map(({ type }) => type)).toEqual(['rejected']);
    });

    test('a time zone that is none is not kept', async () => {
      const deal = await startWithEveryField(world());
      const guest = await openSigningPages(world(), deal.token);
      await guest.submitForm('', 'consent', { agree: 'yes', time_zone: "Mars/Olympus'); drop" });
      expect((await trail(deal.id)).at(-1)?.details).toMatchObject({ time_zone: null });
    });
  },
  'over HTTP in the slow tier',
);
