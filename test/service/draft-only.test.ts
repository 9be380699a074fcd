import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  createDraft,
  ENDS,
  type End,
  endTransaction,
  fieldFor,
  readDetail,
  refusalOf,
  saveTemplate,
  startTransaction,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import type { StrictClient as Client } from '../support/strict-client.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

/** Every command that edits, each with a request that a draft would take. */
const EDITS: Record<string, (harness: Harness, id: string) => Promise<(client: Client) => Promise<unknown>>> =
  {
    update: async (harness, transactionId) => {
      const body = updateBodyOf(await readDetail(harness, transactionId), { name: 'Other' });
      return (client) => client['transaction.update']({ params: { transactionId }, body });
    },
    'add document': async (harness, transactionId) => {
      const token = await uploadContract(harness);
      return (client) => client['transaction.add_document']({ params: { transactionId }, body: { token } });
    },
    'define fields': async (harness, transactionId) => {
      const detail = await readDetail(harness, transactionId);
      const fields = [fieldFor({ id: transactionId, detail }, 'ada@example.com')];
      return (client) => client['transaction.fields']({ params: { transactionId }, body: { fields } });
    },
    'define no fields': async (_, transactionId) => (client) =>
      client['transaction.fields']({ params: { transactionId }, body: { fields: [] } }),
    'use templates': async (harness, transactionId) => {
      const { id } = await saveTemplate(harness);
      return (client) =>
        client['transaction.use_templates']({ params: { transactionId }, body: { templates: [{ id }] } });
    },
    start: async (_, transactionId) => (client) => client['transaction.start']({ params: { transactionId } }),
  };

const shown: Record<End | 'started', string> = {
  started: 'started',
  completed: 'completed',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'cancelled',
};

describeSharedService('a transaction that has left draft', (harness) => {
  test.each(sampleOf(Object.keys(EDITS), 3))('could be given to %s while it was a draft', async (name) => {
    const { id } = await createDraft(harness());
    const edit = await EDITS[name]!(harness(), id);
    await edit(harness().client);
  });

  /** Every one in the slow tier; after an end every fourth one otherwise, not the same for each end. */
  const editsAt = (state: string, turn: number): string[] =>
    Object.keys(EDITS).filter((_, index) => SLOW || state === 'started' || (index + turn) % 4 === 0);

  for (const [turn, state] of (['started', ...ENDS] as const).entries())
    test.each(sampleOf(editsAt(state, turn), 6))(`refuses %s when it is ${state}`, async (name) => {
      const { id } =
        state === 'started' ? await startTransaction(harness()) : await endTransaction(harness(), state);
      const edit = await EDITS[name]!(harness(), id);
      await readDetail(harness(), id);
      const refused = await assertUnchanged(harness(), () => refusalOf(edit(harness().client)));
      expect(refused).toMatchObject({ status: 409, code: 'transaction_not_draft' });
      expect(refused.message).toContain(id);
      expect(refused.message).toContain(`is ${shown[state]};`);
    });

  test('says that it cannot be edited before it says what is wrong with the file token', async () => {
    const { id } = await startTransaction(harness());
    const call = harness().client['transaction.add_document']({
      params: { transactionId: id },
      body: { token: 'unknown' },
    });
    expect(await refusalOf(call)).toMatchObject({ status: 409, code: 'transaction_not_draft' });
  });

  test.each(sampleOf(ENDS, 4))('never changes again when it is %s', async (end) => {
    const { id, token } = await endTransaction(harness(), end);
    const { client, clock, service } = harness();
    await readDetail(harness(), id);
    await assertUnchanged(harness(), async () => {
      const params = { transactionId: id };
      const refusals = await Promise.all([
        refusalOf(client['transaction.cancel']({ params, body: { cancelled_reason: 'Again' } })),
        refusalOf(client['sandbox.sign']({ params, body: {} })),
        refusalOf(client['sandbox.reject']({ params, body: { reason: 'No' } })),
      ]);
      for (const refused of refusals) {
        expect(refused).toMatchObject({ status: 409, code: 'transaction_not_started' });
        expect(refused.message).toContain(`Transaction ${id} is ${shown[end]};`);
      }
      for (const call of [
        () => client['signing.view']({ query: { token } }),
        () => client['signing.submit']({ query: { token }, body: { values: [] } }),
        () => client['signing.reject']({ query: { token }, body: { reason: 'No' } }),
      ])
        expect(await refusalOf(call())).toMatchObject({ status: 404, code: 'signing_link_invalid' });
      clock.advance(400 * 24 * 3600 * 1000);
      await service.work();
    });
  });
});
