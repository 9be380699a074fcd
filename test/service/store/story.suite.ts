// The whole service on this database, from the first request to the last signature.
import { describe, expect, test } from 'vitest';
import { withBearer } from '../../../src/api/transport.ts';
import { createService } from '../../../src/service/service.ts';
import {
  ADA,
  BOB,
  currentToken,
  refusalOf,
  signWith,
  startTransaction,
} from '../../support/fixtures/transactions.ts';
import { START } from '../../support/harness.ts';
import type { TestStores } from '../../support/stores/databases.ts';
import { createStrictClient } from '../../support/strict-client.ts';

async function serviceOn(stores: TestStores) {
  const errors: unknown[] = [];
  const clock = { now: START };
  const service = await createService({
    store: await stores.store(),
    clock: () => clock.now,
    validateResponses: true,
    onError: (error) => errors.push(error),
  });
  const transport = withBearer(service.transport, { token: () => service.ownToken });
  const client = createStrictClient({
    baseUrl: service.origin,
    transport,
    controlSecret: service.controlSecret,
  });
  return { service, client, clock, errors };
}

export function storySuite(stores: TestStores): void {
  describe('the whole service', () => {
    test('takes a transaction from its draft to its completion', async () => {
      const { client, errors } = await serviceOn(stores);
      const { id, token } = await startTransaction({ client }, [ADA, BOB]);
      await signWith({ client }, token);
      await signWith({ client }, await currentToken({ client }, id));
      const params = { transactionId: id };
      const detail = await client['transaction.detail']({ params });
      expect(detail).toMatchObject({
        status: 'completed',
        template: { fields: [{ width: 120 }, { width: 120 }] },
      });
      const { items } = await client['sandbox.events']({ query: { transaction_id: id } });
      expect(items.map(({ type }) => type)).toEqual([
        'transaction_created',
        'transaction_started',
        'recipient_submitted',
        'recipient_submitted',
        'transaction_completed',
      ]);
      const mail = await client['sandbox.mail']({ query: { transaction_id: id } });
      expect(mail.items.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
        'completed Bob <bob@example.com>',
        'completed Ada <ada@example.com>',
        'completed Sandbox Sender <sender@esign.test>',
        'invitation Bob <bob@example.com>',
        'invitation Ada <ada@example.com>',
      ]);
      const saved = await client['sandbox.save_template']({ params, body: { name: 'Lease' } });
      expect(
        (await client['template.list']({ query: { search: 'lea', limit: '10', page: '1' } })).items,
      ).toEqual([{ id: saved.id, name: 'Lease' }]);
      expect(await client['sandbox.status']({})).toMatchObject({
        transactions: { completed: 1 },
        templates: 1,
        events: 5,
      });
      expect(errors).toEqual([]);
    });

    test('repeats its answer to a key, exchanges a code once, and lets time run out', async () => {
      const { service, client, clock, errors } = await serviceOn(stores);
      const create = () => client['transaction.create']({ body: { name: 'Once' } }, { idempotencyKey: 'k' });
      const made = await Promise.all([create(), create(), create()]);
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);

      const app = await client['sandbox.add_client']({
        body: { name: 'App', callback_url: 'http://127.0.0.1:1/cb' },
      });
      const { client_id, client_secret } = app;
      const { code = '' } = await client['sandbox.token']({ body: { kind: 'code', client_id } });
      const exchange = () => client['oauth.exchange_code']({ body: { client_id, client_secret, code } });
      const answers = await Promise.allSettled([exchange(), exchange(), exchange(), exchange()]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);

      const { id, detail } = await startTransaction({ client });
      expect(detail.expires_at).toBeNull();
      await client['transaction.cancel']({
        params: { transactionId: id },
        body: { cancelled_reason: 'Wrong' },
      });
      expect(await refusalOf(client['transaction.start']({ params: { transactionId: id } }))).toMatchObject({
        code: 'transaction_not_draft',
      });
      clock.now += 25 * 3600 * 1000;
      await service.work();
      expect((await create()).id).not.toBe(made[0]?.id);
      expect(errors).toEqual([]);
    });
  });
}
