// Of a transaction all documents are sealed, or none is kept: one that cannot be sealed leaves nothing of those before it in the store.
import { expect, test } from 'vitest';
import type { CertifyAnswer } from '../../../src/pdf/engine/engine.ts';
import { createInProcessEngine } from '../../../src/pdf/engine/in-process.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  readDetail,
  refusalOf,
  signWith,
  tokenOf,
  uploadContract,
} from '../../support/fixtures/transactions.ts';
import { openHarness } from '../../support/harness.ts';
import { unnamedBlobs } from '../../support/stores/blob-files.ts';
import { sampleOf } from '../../support/tier.ts';

const refuses = async (): Promise<CertifyAnswer> => ({ ok: false, reason: 'too_complex', limit: 'size' });
const breaks = async (): Promise<CertifyAnswer> => {
  throw new Error('The engine broke.');
};

test.each<[string, () => Promise<CertifyAnswer>, string]>(
  sampleOf(
    [
      ['is refused', refuses, 'document_too_complex'],
      ['meets an error', breaks, 'sealing_failed'],
    ],
    2,
  ),
)('the store keeps nothing of the first document when the second one %s', async (_, fails, code) => {
  const sound = createInProcessEngine();
  let certified = 0;
  let isBroken = true;
  const harness = await openHarness('in process', {
    documents: {
      ...sound,
      async certify(...given) {
        certified += 1;
        return isBroken && certified === 2 ? fails() : sound.certify(...given);
      },
    },
  });
  try {
    const draft = await createDraft(harness);
    const params = { transactionId: draft.id };
    const annex = await uploadContract(harness, 'annex.pdf');
    await harness.client['transaction.add_document']({ params, body: { token: annex } });
    const fields = [fieldFor(draft, ADA.email)];
    await harness.client['transaction.fields']({ params, body: { fields } });
    const token = tokenOf((await harness.client['transaction.start']({ params })).url);
    expect(await refusalOf(signWith(harness, token))).toMatchObject({ code });
    expect(certified).toBe(2);
    expect(await unnamedBlobs(harness)).toEqual([]);
    harness.errors.splice(0);
    isBroken = false;
    await signWith(harness, token);
    const { sealed_documents } = await readDetail(harness, draft.id);
    expect(sealed_documents).toHaveLength(2);
    expect(await unnamedBlobs(harness)).toEqual([]);
  } finally {
    await harness.close();
  }
});
