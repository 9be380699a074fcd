// A sandbox with some of everything that a copy has to keep: a completed transaction with its sealed documents, a draft, a webhook whose
// secret is encrypted, and more rows of one kind than are read at a time.
import { randomBytes, randomUUID } from 'node:crypto';
import { createDraft, endTransaction } from '../fixtures/transactions.ts';
import { openHarness } from '../harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** More than two batches. */
export const ATTEMPTS = 450;

export type FilledStore = { folder: string; completed: string };

/** @returns the folder of the closed store, which the caller removes */
export async function fillStore(end: 'completed' | 'rejected' = 'completed'): Promise<FilledStore> {
  const folder = await temporaryFolder();
  const harness = await openHarness('in process', { folder });
  const { client, store } = harness;
  const { id } = await endTransaction(harness, end);
  await createDraft(harness);
  await client['webhook.create']({
    body: { name: 'Ümläute 𝄞', endpoint: 'https://hooks.example.com', events: ['transaction_completed'] },
  });
  await store.database.write(async (db) => {
    for (let made = 0; made < ATTEMPTS; made += 1) {
      const subject = randomBytes(32).toString('hex');
      await db
        .insertInto('sign_in_attempt')
        .values({ id: randomUUID(), subject, created_at: '2026-03-01T09:00:00.000Z' })
        .execute();
    }
  });
  await harness.service.close();
  return { folder, completed: id };
}
