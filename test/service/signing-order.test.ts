import { afterEach, describe, expect, it } from 'vitest';
import { ADA, BOB, currentToken, draftOf, fieldFor, refusalOf, SENDER, signWith, startedWith, tokenOf } from '../support/deal.ts';
import { type Harness, openHarness, WAYS } from '../support/harness.ts';

describe.each(WAYS)('order and life of a transaction, %s', (way) => {
  let harness: Harness;
  const open = async () => {
    harness = await openHarness(way);
    return harness;
  };
  afterEach(async () => {
    expect(harness?.errors).toEqual([]);
    await harness?.close();
  });

  it('asks the recipients one after another and completes with the last', async () => {
    const { client } = await open();
    const { id, token } = await startedWith(harness, [ADA, BOB]);
    expect(await signWith(harness, token)).toMatchObject({ status: 'started' });
    const second = await currentToken(harness, id);
    expect(second).not.toBe(token);
    expect(await signWith(harness, second)).toMatchObject({ status: 'completed' });
    const detail = await client['transaction.detail']({ params: { transactionId: id } });
    expect(detail.status).toBe('completed');
    expect(detail.completed_at).toBe(new Date(harness.clock.now).toISOString());
    expect(detail.is_sealed).toBe(false);
    const { items } = await client['sandbox.events']({ query: { transaction_id: id } });
    expect(items.map((event) => event.type)).toEqual([
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'recipient_submitted',
      'transaction_completed',
    ]);
  });
  void [draftOf, fieldFor, refusalOf, SENDER, tokenOf];
});
