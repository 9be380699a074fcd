// The way of a recipient through the signing pages, without a script: what they see, what is kept, and how it ends.
import { expect, it } from 'vitest';
import { currentToken, detailOf, draftOf, endedAs, eventsOf, tokenOf } from '../../support/deal.ts';
import {
  agreed,
  controlsOf,
  filledIn,
  GOOD_VALUES,
  guestAt,
  PROXY,
  SIGNER,
  signable,
} from '../../support/signing.ts';
import { sharedSuite } from '../../support/suite.ts';

sharedSuite(
  'the way through the signing pages',
  (world) => {
    it('leads from the address through consent, fields and review to "signed", and asks the next', async () => {
      const deal = await signable(world(), [SIGNER, PROXY]);
      const guest = await guestAt(world(), deal.token);
      const start = await guest.open();
      expect(start.text).toContain('Sandbox Sender asks you to sign');
      expect(start.text).toContain('please sign the agreement that we talked about');
      expect(start.text).toContain('March 15, 2026');
      expect((await guest.submitForm('', 'consent', { agree: 'yes' })).location).toBe(
        `${guest.base}/document`,
      );
      const document = await guest.open('document');
      expect(document.text).toContain('8 fields left');
      expect(document.html).toContain('value="Ada Lovelace"');
      await filledIn(world(), guest, deal);
      expect((await guest.open('document')).text).toContain('Ready to review');
      const review = await guest.open('review');
      expect(review.text).toContain('April 1, 2026');
      expect(review.text).toContain('1,200.50');
      expect(review.html).toContain('script');
      const signed = await guest.send(review, `${guest.base}/submit`, {});
      expect(signed.location).toBe(guest.base);
      expect((await guest.open()).text).toContain('You have signed');

      const detail = await detailOf(world(), deal.id);
      expect(detail.status).toBe('started');
      const next = await guestAt(world(), await currentToken(world(), deal.id));
      expect((await next.open()).text).toContain('on behalf of someone else');
      expect(await eventsOf(world(), deal.id)).toContain('recipient_submitted');
    });

    it('hands in what was filled in, and keeps nothing of it beside', async () => {
      const deal = await signable(world());
      const guest = await agreed(await guestAt(world(), deal.token));
      await filledIn(world(), guest, deal);
      await guest.submitForm('review', 'submit', {});
      const { store } = world();
      const fields = await store.database.read((db) =>
        db
          .selectFrom('field')
          .select(['label', 'value'])
          .where('recipient_id', '=', deal.recipientId)
          .execute(),
      );
      expect(Object.fromEntries(fields.map(({ label, value }) => [label, value]))).toMatchObject({
        ...GOOD_VALUES,
        'Daily rate': '1200.50',
        'I have read the annex': 'true',
        Signature: 'Ada Lovelace',
        'Signature of the annex': 'Ada Lovelace',
        Initials: 'AL',
        'Invoice by': null,
        Remarks: null,
      });
      const signing = await store.database.read((db) =>
        db.selectFrom('signing').selectAll().where('recipient_id', '=', deal.recipientId).executeTakeFirst(),
      );
      expect(signing).toMatchObject({ values_sealed: null, face: 'script', time_zone: 'Europe/Berlin' });
      expect((await guest.open()).text).toContain('Everyone has signed');
    });

    it('keeps what was typed, right or wrong, for this recipient on every device', async () => {
      const deal = await signable(world());
      const names = await controlsOf(world(), deal);
      const guest = await agreed(await guestAt(world(), deal.token));
      const typed = { [names['Tax number'] ?? '']: 'nonsense <b>', [names.Remarks ?? '']: 'two\r\nlines' };
      await guest.submitForm('document', 'values', typed);
      const elsewhere = await guestAt(world(), deal.token);
      const document = await elsewhere.open('document');
      expect(document.html).toContain('value="nonsense &lt;b&gt;"');
      expect(document.html).toContain('two\nlines');
      expect(document.text).toContain('is not in the required format');
      const kept = await world().store.database.read((db) => db.selectFrom('signing').selectAll().execute());
      expect(JSON.stringify(kept)).not.toContain('nonsense');
    });

    it('tells at the field and in a summary what is wrong, and does not get to the review', async () => {
      const deal = await signable(world());
      const guest = await agreed(await guestAt(world(), deal.token));
      const names = await controlsOf(world(), deal);
      await guest.submitForm('document', 'values', { [names['Daily rate'] ?? '']: '99' });
      expect((await guest.open('review')).location).toBe(`${guest.base}/document?check=1`);
      const page = await guest.open('document?check=1');
      expect(page.text).toContain('Correct the following to continue');
      expect(page.text).toContain('must be at least 100');
      for (const label of ['Start of work', 'Country', 'Tax number', 'Signature', 'Initials'])
        expect(page.text).toMatch(new RegExp(`(Fill in|Sign) “${label}”`));
      expect(page.text).not.toContain('“Remarks”');
      const first = /<a href="#(field-[\w-]+)">/.exec(page.html)?.[1];
      expect(page.html).toContain(`id="${first}"`);
      expect(page.html).toContain('aria-invalid="true"');
    });

    it('rejects with a reason, which the others are told', async () => {
      const deal = await signable(world(), [SIGNER, PROXY]);
      const guest = await guestAt(world(), deal.token);
      expect(await guest.submitForm('reject', 'reject', { reason: '  ' })).toMatchObject({ status: 422 });
      const done = await guest.submitForm('reject', 'reject', { reason: 'The <i>amount</i> is wrong' });
      expect(done.location).toBe(guest.base);
      const page = await guest.open();
      expect(page.text).toContain('You rejected it');
      expect(page.html).toContain('The &lt;i&gt;amount&lt;/i&gt; is wrong');
      expect(await detailOf(world(), deal.id)).toMatchObject({
        status: 'rejected',
        rejected_reason: 'The <i>amount</i> is wrong',
      });
    });

    it.each([
      ['completed', 'Everyone has signed'],
      ['rejected', 'This request was rejected'],
      ['expired', 'This request has expired'],
      ['cancelled', 'Wrong contract'],
    ] as const)('tells how things stand once it is %s', async (end, sentence) => {
      const { token } = await endedAs(world(), end);
      const guest = await guestAt(world(), token);
      expect((await guest.open()).text).toContain(sentence);
      expect((await guest.open('document')).location).toBe(guest.base);
    });

    it('asks whoever has no fields to approve the documents as they are', async () => {
      const draft = await draftOf(world(), [SIGNER]);
      const params = { transactionId: draft.id };
      const { url } = await world().client['transaction.start']({ params });
      const guest = await agreed(await guestAt(world(), tokenOf(url)));
      expect((await guest.open('document')).text).toContain('You have no fields to fill in');
      const signed = await guest.submitForm('review', 'submit', {});
      expect(signed.location).toBe(guest.base);
      expect(await detailOf(world(), draft.id)).toMatchObject({ status: 'completed' });
    });
  },
  'over HTTP in the slow tier',
);
