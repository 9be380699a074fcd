import { expect, test } from 'vitest';
import { EVENTS, type EventType } from '../../src/api/contract/events.ts';
import { describeService } from '../support/describe-service.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  endTransaction,
  readDetail,
  refusalOf,
  SENDER,
  signWith,
  startTransaction,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { SLOW } from '../support/tier.ts';

describeService('events', (harness) => {
  const of = async (id: string, type: EventType) => {
    const { items } = await harness().client['sandbox.events']({ query: { transaction_id: id, type } });
    for (const event of items) EVENTS[type].parse(event.data);
    return items;
  };
  const now = () => new Date(harness().clock.now).toISOString();

  test('come in an envelope with the moment, an id of their own, the type and the data', async () => {
    const { id } = await startTransaction(harness());
    const { items } = await harness().client['sandbox.events']({ query: {} });
    for (const event of items) {
      expect(Object.keys(event).sort()).toEqual(['created', 'data', 'id', 'type']);
      expect(event).toMatchObject({ created: now(), data: { id } });
    }
    expect(new Set(items.map((event) => event.id)).size).toBe(items.length);
    expect(items.map((event) => event.type)).toEqual(['transaction_created', 'transaction_started']);
  });

  test('transaction_created: id, status and who created it', async () => {
    const { id, detail } = await createDraft(harness());
    const [event] = await of(id, 'transaction_created');
    expect(event?.data).toEqual({
      id,
      status: 'draft',
      created_by: { email: SENDER.email, id: detail.created_by_id },
    });
  });

  test('transaction_started: id, status and who started it', async () => {
    const { id, detail } = await startTransaction(harness());
    const [event] = await of(id, 'transaction_started');
    expect(event?.data).toEqual({
      id,
      status: 'started',
      started_by: { email: SENDER.email, id: detail.sender_id },
    });
  });

  test('recipient_submitted: id, status and the recipient with the moment', async () => {
    const { id, token, detail } = await startTransaction(harness(), [ADA, BOB]);
    harness().clock.advance(5000);
    await signWith(harness(), token);
    const [event, ...others] = await of(id, 'recipient_submitted');
    const ada = detail.template.recipients[1];
    const recipient = {
      email: ADA.email,
      id: ada?.id,
      name: ADA.name,
      role: 'signer',
      submitted_at: now(),
    };
    expect(event).toMatchObject({ created: now(), data: { id, status: 'started', recipient } });
    expect(event?.data).toEqual({ id, status: 'started', recipient });
    expect(others).toEqual([]);
  });

  test('transaction_completed: id, status, every recipient in order and the sealed documents', async () => {
    const { id, token, detail } = await startTransaction(harness(), [ADA, { ...BOB, role: 'proxy' }]);
    await signWith(harness(), token);
    harness().clock.advance(1000);
    await signWith(harness(), await currentToken(harness(), id));
    const [event] = await of(id, 'transaction_completed');
    const earlier = new Date(harness().clock.now - 1000).toISOString();
    const [sender, ada, bob] = detail.template.recipients;
    expect(event?.data).toEqual({
      id,
      status: 'completed',
      recipients: [
        { email: SENDER.email, id: sender?.id, name: SENDER.name, role: 'sender', submitted_at: null },
        { email: ADA.email, id: ada?.id, name: ADA.name, role: 'signer', submitted_at: earlier },
        { email: BOB.email, id: bob?.id, name: BOB.name, role: 'proxy', submitted_at: now() },
      ],
      sealed_documents: [
        {
          created_at: now(),
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'contract.sealed.pdf',
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          document: { id: detail.template.documents[0]?.id, name: 'contract.pdf' },
        },
      ],
    });
  });

  test('transaction_expired: id, status, the days and the moment', async () => {
    const { id } = await endTransaction(harness(), 'expired');
    await readDetail(harness(), id);
    const [event] = await of(id, 'transaction_expired');
    expect(event?.data).toEqual({ id, status: 'expired', expiration_days: 1, expired_at: now() });
  });

  test.skipIf(!SLOW)('of a rejection have the ID, the status and who rejected', async () => {
    const { id } = await endTransaction(harness(), 'rejected');
    const [event] = await of(id, 'transaction_rejected');
    const ada = (await readDetail(harness(), id)).template.recipients[1];
    expect(event?.data).toEqual({
      id,
      status: 'rejected',
      rejected_by: { email: ADA.email, id: ada?.id, name: ADA.name, role: 'signer' },
    });
  });

  test('transaction_cancelled: id, the status of the sample, the reason and the moment', async () => {
    const { id } = await endTransaction(harness(), 'cancelled');
    const [event] = await of(id, 'transaction_cancelled');
    expect(event?.data).toEqual({
      id,
      status: 'expired',
      cancelled_reason: 'Wrong contract',
      cancelled_at: now(),
    });
  });

  test('are not written by edits, nor by what is refused', async () => {
    const { id, detail } = await createDraft(harness());
    await harness().client['transaction.update']({
      params: { transactionId: id },
      body: updateBodyOf(detail),
    });
    await refusalOf(
      harness().client['transaction.cancel']({
        params: { transactionId: id },
        body: { cancelled_reason: 'x' },
      }),
    );
    const { items } = await harness().client['sandbox.events']({ query: {} });
    expect(items.map((event) => event.type)).toEqual(['transaction_created']);
  });

  test.skipIf(!SLOW)('can be read from one of them on, by type, and a few at a time', async () => {
    const { id, token } = await startTransaction(harness());
    await signWith(harness(), token);
    const { client } = harness();
    const all = (await client['sandbox.events']({ query: {} })).items;
    expect(all.map((event) => event.type)).toEqual([
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'transaction_completed',
    ]);
    expect((await client['sandbox.events']({ query: { after: all[1]?.id } })).items).toEqual(all.slice(2));
    expect((await client['sandbox.events']({ query: { limit: '2' } })).items).toEqual(all.slice(0, 2));
    expect(
      (await client['sandbox.events']({ query: { transaction_id: id, type: 'transaction_started' } })).items,
    ).toEqual([all[1]]);
    expect((await client['sandbox.events']({ query: { transaction_id: 'other' } })).items).toEqual([]);
  });
});
