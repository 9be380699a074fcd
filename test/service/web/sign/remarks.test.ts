// The signing page shows remarks on a document beside its pages, in the language of the page.
import { expect, test } from 'vitest';
import {
  giveConsent,
  openSigningPages,
  SIGNER,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { openHarness } from '../../../support/harness.ts';

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
