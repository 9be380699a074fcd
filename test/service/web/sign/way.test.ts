// The way of a recipient through the signing pages, without a script: what they see, what is kept, and how it ends.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  controlNamesOf,
  fillInEverything,
  GOOD_VALUES,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import {
  createDraft,
  currentToken,
  endTransaction,
  eventTypesOf,
  readDetail,
  tokenOf,
} from '../../../support/fixtures/transactions.ts';
import { SLOW, sampleOf } from '../../../support/tier.ts';

describeSharedService('the way through the signing pages', (harness) => {
  test('leads from the address through consent, fields and review to "signed", and asks the next', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const guest = await openSigningPages(harness(), transaction.token);
    const start = await guest.open();
    expect(start.text).toContain('Sandbox Sender asks you to sign');
    expect(start.text).toContain('please sign the agreement that we talked about');
    expect(start.text).toContain('March 15, 2026');
    expect((await guest.submitForm('', 'consent', { agree: 'yes' })).location).toBe(`${guest.base}/document`);
    const document = await guest.open('document');
    expect(document.text).toContain('8 fields left');
    expect(document.html).toContain('value="Ada Lovelace"');
    await fillInEverything(harness(), guest, transaction);
    expect((await guest.open('document')).text).toContain('Ready to review');
    const review = await guest.open('review');
    expect(review.text).toContain('2026-04-01');
    expect(review.text).toContain('1200.50');
    expect(review.html).toContain('script');
    const signed = await guest.send(review, `${guest.base}/submit`, {});
    expect(signed.location).toBe(guest.base);
    expect((await guest.open()).text).toContain('You have signed');

    const detail = await readDetail(harness(), transaction.id);
    expect(detail.status).toBe('started');
    const next = await openSigningPages(harness(), await currentToken(harness(), transaction.id));
    expect((await next.open()).text).toContain('on behalf of someone else');
    expect(await eventTypesOf(harness(), transaction.id)).toContain('recipient_submitted');
  });

  test.skipIf(!SLOW)('hands in what was filled in, and keeps nothing of it beside', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), guest, transaction);
    await guest.submitForm('review', 'submit', {});
    const { store } = harness();
    const fields = await store.database.read((db) =>
      db
        .selectFrom('field')
        .select(['label', 'value'])
        .where('recipient_id', '=', transaction.recipientId)
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
      db
        .selectFrom('signing')
        .selectAll()
        .where('recipient_id', '=', transaction.recipientId)
        .executeTakeFirst(),
    );
    expect(signing).toMatchObject({ values_sealed: null, time_zone: 'Europe/Berlin' });
    expect((await guest.open()).text).toContain('Everyone has signed');
  });

  test('keeps what was typed, right or wrong, for this recipient on every device', async () => {
    const transaction = await startWithEveryField(harness());
    const names = await controlNamesOf(harness(), transaction);
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const typed = { [names['Tax number'] ?? '']: 'nonsense <b>', [names.Remarks ?? '']: 'two\r\nlines' };
    await guest.submitForm('document', 'values', typed);
    const elsewhere = await openSigningPages(harness(), transaction.token);
    const document = await elsewhere.open('document');
    expect(document.html).toContain('value="nonsense &lt;b&gt;"');
    expect(document.html).toContain('two\nlines');
    expect(document.text).toContain('is not in the required format');
    const kept = await harness().store.database.read((db) => db.selectFrom('signing').selectAll().execute());
    expect(JSON.stringify(kept)).not.toContain('nonsense');
  });

  test('tells at the field and in a summary what is wrong, and does not get to the review', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const names = await controlNamesOf(harness(), transaction);
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

  test('rejects with a reason, which the others see', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const guest = await openSigningPages(harness(), transaction.token);
    expect(await guest.submitForm('reject', 'reject', { reason: '  ' })).toMatchObject({ status: 422 });
    const done = await guest.submitForm('reject', 'reject', { reason: 'The <i>amount</i> is wrong' });
    expect(done.location).toBe(guest.base);
    const page = await guest.open();
    expect(page.text).toContain('You rejected it');
    expect(page.html).toContain('The &lt;i&gt;amount&lt;/i&gt; is wrong');
    expect(await readDetail(harness(), transaction.id)).toMatchObject({
      status: 'rejected',
      rejected_reason: 'The <i>amount</i> is wrong',
    });
  });

  test.each(
    sampleOf(
      [
        ['completed', 'Everyone has signed'],
        ['rejected', 'This request was rejected'],
        ['expired', 'This request has expired'],
        ['cancelled', 'Wrong contract'],
      ] as const,
      2,
    ),
  )('tells how things stand once it is %s', async (end, sentence) => {
    const { token } = await endTransaction(harness(), end);
    const guest = await openSigningPages(harness(), token);
    expect((await guest.open()).text).toContain(sentence);
    expect((await guest.open('document')).location).toBe(guest.base);
  });

  test.skipIf(!SLOW)('asks a recipient without fields to approve the documents as they are', async () => {
    const draft = await createDraft(harness(), [SIGNER]);
    const params = { transactionId: draft.id };
    const { url } = await harness().client['transaction.start']({ params });
    const guest = await giveConsent(await openSigningPages(harness(), tokenOf(url)));
    expect((await guest.open('document')).text).toContain('You have no fields to fill in');
    const signed = await guest.submitForm('review', 'submit', {});
    expect(signed.location).toBe(guest.base);
    expect(await readDetail(harness(), draft.id)).toMatchObject({ status: 'completed' });
  });
});
