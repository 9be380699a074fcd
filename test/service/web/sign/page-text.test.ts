// The text of a page: over its picture for a script, and as a page for browsers without one.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { openHarness } from '../../../support/harness.ts';

describeSharedService('the text of a page', (harness) => {
  test('is a drawing for a script and a page for other clients', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await openSigningPages(harness(), transaction.token);
    const pages = transaction.detail.template.documents[0]?.pages ?? [];
    const first = await guest.open(`text/${pages[0]?.id}`);
    expect(first.text).toContain('Software Maintenance Agreement');
    expect(first.html).toContain(`${guest.base}/text/${pages[1]?.id}`);
    expect(first.html).not.toContain(`${guest.base}/text/${pages[2]?.id}`);
    const drawing = await guest.get(`${guest.base}/text/${pages[0]?.id}`, { accept: 'image/svg+xml' });
    expect(drawing.headers.get('content-type')).toContain('image/svg+xml');
    expect(drawing.html).toMatch(/<text x="71" y="105.77\d*" font-size="24.97" textLength="337.24"/);
  });

  test("is that of the recipient's documents only", async () => {
    const [transaction, other] = [await startWithEveryField(harness()), await startWithEveryField(harness())];
    const guest = await openSigningPages(harness(), transaction.token);
    const page = other.detail.template.documents[0]?.pages[0]?.id;
    expect(await guest.open(`text/${page}`)).toMatchObject({ status: 404 });
  });
});

test('a recipient reads of tracked changes, and how the pages show them', async () => {
  const harness = await openHarness('in process');
  try {
    const { token } = await startWithEveryField(harness, [SIGNER]);
    await harness.store.database.write((db) =>
      db
        .updateTable('document')
        .set({ remarks: JSON.stringify([{ code: 'tracked_changes', what: '1 insertion' }]) })
        .execute(),
    );
    const guest = await giveConsent(await openSigningPages(harness, token));
    const { text } = await guest.open('document');
    expect(text).toContain('Inserted text is underlined, deleted text is struck through.');
  } finally {
    await harness.close();
  }
});
