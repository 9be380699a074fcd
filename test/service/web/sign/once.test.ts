// Two tabs, a double click, the back button, a cancel in between: one effect, and one sentence that tells of it.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  controlNamesOf,
  fillInEverything,
  giveConsent,
  openSigningPages,
  PROXY,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { eventTypesOf, readDetail } from '../../../support/fixtures/transactions.ts';
import { sampleOf } from '../../../support/tier.ts';

describeSharedService('what is done twice, or too late', (harness) => {
  const ready = async (people = [SIGNER, PROXY]) => {
    const transaction = await startWithEveryField(harness(), people);
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    await fillInEverything(harness(), guest, transaction);
    return { transaction, guest, review: await guest.open('review') };
  };

  test('signs once, however often and from wherever it is sent', async () => {
    const { transaction, guest, review } = await ready();
    const sent = await Promise.all(
      Array.from({ length: 5 }, () => guest.send(review, `${guest.base}/submit`, {})),
    );
    for (const page of sent) {
      expect(page).toMatchObject({ status: 303 });
      // Those that arrive while the first one is processed wait for its result.
      expect([guest.base, `${guest.base}?waited=1`]).toContain(page.location);
    }
    await expect.poll(async () => (await guest.open()).text).toContain('You have signed');
    expect(
      (await eventTypesOf(harness(), transaction.id)).filter((type) => type === 'recipient_submitted'),
    ).toHaveLength(1);
  });

  test('signs what was shown for review, or nothing', async () => {
    const { transaction, guest, review } = await ready();
    const names = await controlNamesOf(harness(), transaction);
    await guest.submitForm('document', 'values', {
      [names['Daily rate'] ?? '']: '4,000',
      [names['I have read the annex'] ?? '']: 'true',
    });
    const late = await guest.send(review, `${guest.base}/submit`, {});
    expect(late.location).toBe(`${guest.base}/review?changed=1`);
    const again = await guest.open('review?changed=1');
    expect(again.text).toContain('Your entries have changed since you opened this page');
    expect(again.text).toContain('4000');
    expect((await readDetail(harness(), transaction.id)).template.recipients[1]?.submitted_at).toBeNull();
    expect((await guest.send(again, `${guest.base}/submit`, {})).location).toBe(guest.base);
  });

  test.each(sampleOf(['submit', 'reject', 'values', 'consent'], 4))(
    'does nothing by %s after a cancel',
    async (action) => {
      const { transaction, guest, review } = await ready();
      const pages = {
        submit: review,
        reject: await guest.open('reject'),
        values: await guest.open('document'),
      };
      const page =
        action === 'consent' ? { ...review, html: review.html.replaceAll('/submit', '/consent') } : undefined;
      const params = { transactionId: transaction.id };
      await harness().client['transaction.cancel']({
        params,
        body: { cancelled_reason: 'Wrong contract' },
      });
      const fields = { reason: 'No', agree: 'yes', go: 'review' };
      const form = page ?? pages[action as keyof typeof pages];
      const late = await guest.send(form, `${guest.base}/${action}`, fields);
      expect(late).toMatchObject({ status: 303, location: guest.base });
      expect((await guest.open()).text).toContain('This request was cancelled');
      expect(await readDetail(harness(), transaction.id)).toMatchObject({
        rejected_at: null,
        completed_at: null,
      });
    },
  );

  test('does nothing after the deadline, though it was not noticed yet', async () => {
    const { transaction, guest, review } = await ready();
    harness().clock.advance(15 * 24 * 3600 * 1000);
    expect((await guest.send(review, `${guest.base}/submit`, {})).location).toBe(guest.base);
    expect((await guest.open()).text).toContain('This request has expired');
    expect(await readDetail(harness(), transaction.id)).toMatchObject({
      status: 'expired',
      completed_at: null,
    });
  });

  test('fills in nothing before the consent, and nothing of another recipient', async () => {
    const transaction = await startWithEveryField(harness(), [SIGNER, PROXY]);
    const guest = await openSigningPages(harness(), transaction.token);
    const start = await guest.open();
    const forged = { ...start, html: start.html.replaceAll('/consent', '/values') };
    expect((await guest.send(forged, `${guest.base}/values`, { whole: 'yes' })).location).toBe(guest.base);
    await giveConsent(guest);
    const strange = transaction.detail.template.fields.find(
      ({ recipient_id, type }) => recipient_id !== transaction.recipientId && type === 'text',
    );
    await guest.submitForm('document', 'values', { [`value-${strange?.id}`]: 'mine now' });
    const { store } = harness();
    const rows = await store.database.read((db) => db.selectFrom('signing').selectAll().execute());
    const mine = rows.find(({ recipient_id }) => recipient_id === transaction.recipientId);
    expect(store.keys.decrypt(mine?.values_sealed ?? '')).not.toContain('mine now');
  });
});
