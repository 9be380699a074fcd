import { expect, it } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import {
  detailOf,
  draftOf,
  ENDS,
  type End,
  endedAs,
  fieldFor,
  refusalOf,
  startedWith,
  templateOf,
  updateOf,
  upload,
} from '../support/deal.ts';
import type { Harness } from '../support/harness.ts';
import { expectNothingChanged } from '../support/look.ts';
import { sharedSuite } from '../support/suite.ts';

/** Every command that edits, each with a request that a draft would take. */
const EDITS: Record<string, (world: Harness, id: string) => Promise<(client: Client) => Promise<unknown>>> = {
  update: async (world, transactionId) => {
    const body = updateOf(await detailOf(world, transactionId), { name: 'Other' });
    return (client) => client['transaction.update']({ params: { transactionId }, body });
  },
  'add document': async (world, transactionId) => {
    const token = await upload(world);
    return (client) => client['transaction.add_document']({ params: { transactionId }, body: { token } });
  },
  'define fields': async (world, transactionId) => {
    const detail = await detailOf(world, transactionId);
    const fields = [fieldFor({ id: transactionId, detail }, 'ada@example.com')];
    return (client) => client['transaction.fields']({ params: { transactionId }, body: { fields } });
  },
  'define no fields': async (_, transactionId) => (client) =>
    client['transaction.fields']({ params: { transactionId }, body: { fields: [] } }),
  'use templates': async (world, transactionId) => {
    const { id } = await templateOf(world);
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

sharedSuite(
  'a transaction that has left draft',
  (world) => {
    it.each(Object.keys(EDITS))('could be given to %s while it was a draft', async (name) => {
      const { id } = await draftOf(world());
      const edit = await EDITS[name]!(world(), id);
      await edit(world().client);
    });

    for (const state of ['started', ...ENDS] as const)
      it.each(Object.keys(EDITS))(`refuses %s when it is ${state}`, async (name) => {
        const { id } = state === 'started' ? await startedWith(world()) : await endedAs(world(), state);
        const edit = await EDITS[name]!(world(), id);
        await detailOf(world(), id);
        const refused = await expectNothingChanged(world(), () => refusalOf(edit(world().client)));
        expect(refused).toMatchObject({ status: 409, code: 'transaction_not_draft' });
        expect(refused.message).toContain(id);
        expect(refused.message).toContain(`is ${shown[state]};`);
      });

    it('says that it cannot be edited before it says what is wrong with the file token', async () => {
      const { id } = await startedWith(world());
      const call = world().client['transaction.add_document']({
        params: { transactionId: id },
        body: { token: 'unknown' },
      });
      expect(await refusalOf(call)).toMatchObject({ status: 409, code: 'transaction_not_draft' });
    });

    it.each(ENDS)('never changes again when it is %s', async (end) => {
      const { id, token } = await endedAs(world(), end);
      const { client, clock, service } = world();
      await detailOf(world(), id);
      await expectNothingChanged(world(), async () => {
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
  },
  'over HTTP in the slow tier',
);
