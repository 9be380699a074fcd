import { expect, test } from 'vitest';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  eventTypesOf,
  fieldFor,
  type Person,
  readDetail,
  SENDER,
  signWith,
  startTransaction,
  tokenOf,
} from '../support/fixtures/transactions.ts';
import type { Harness } from '../support/harness.ts';
import { SLOW } from '../support/tier.ts';

/** The recipients who are asked, one after the other, to the last: each submits when it is their turn. */
async function orderOf(harness: Harness, id: string): Promise<string[]> {
  const asked: string[] = [];
  for (;;) {
    const { status, template } = await readDetail(harness, id);
    const current = template.recipients.filter((recipient) => recipient.is_current);
    if (status !== 'started') return asked;
    expect(current).toHaveLength(1);
    asked.push(current[0]?.email ?? '');
    await signWith(harness, current[0]?.token ?? '');
  }
}

async function started(harness: Harness, people: Person[], signing: string[]): Promise<string> {
  const draft = await createDraft(harness, people);
  const params = { transactionId: draft.id };
  await harness.client['transaction.fields']({
    params,
    body: { fields: signing.map((email) => fieldFor(draft, email)) },
  });
  await harness.client['transaction.start']({ params });
  return draft.id;
}

describeSharedService('the order of signing', (harness) => {
  test('asks the recipients one after another and completes with the last', async () => {
    const { client, clock } = harness();
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    const before = await readDetail(harness(), id);
    expect(before.template.recipients.map((one) => [one.email, one.is_current, one.token !== null])).toEqual([
      [SENDER.email, false, false],
      [ADA.email, true, true],
      [BOB.email, false, false],
    ]);
    expect(await signWith(harness(), token)).toEqual({
      status: 'started',
      submitted_at: new Date(clock.now).toISOString(),
    });
    const second = await currentToken(harness(), id);
    expect(second).not.toBe(token);
    clock.advance(60_000);
    expect(await signWith(harness(), second)).toMatchObject({ status: 'completed' });
    const detail = await readDetail(harness(), id);
    const [, ada, bob] = detail.template.recipients;
    expect(detail).toMatchObject({
      status: 'completed',
      completed_at: bob?.submitted_at,
      is_sealed: true,
    });
    expect(bob?.submitted_at).toBe(new Date(clock.now).toISOString());
    expect(ada?.submitted_at).toBe(new Date(clock.now - 60_000).toISOString());
    const { items } = await client['sandbox.events']({ query: { transaction_id: id } });
    expect(items.map((event) => event.type)).toEqual([
      'transaction_created',
      'transaction_started',
      'recipient_submitted',
      'recipient_submitted',
      'transaction_completed',
    ]);
  });

  test('passes over a sender who has no fields', async () => {
    const id = await started(harness(), [ADA], [ADA.email]);
    expect(await orderOf(harness(), id)).toEqual([ADA.email]);
  });

  test.skipIf(!SLOW)('asks a sender who has fields at their index', async () => {
    const id = await started(harness(), [ADA], [SENDER.email, ADA.email]);
    expect(await orderOf(harness(), id)).toEqual([SENDER.email, ADA.email]);
  });

  test.skipIf(!SLOW)('asks a sender who comes last at the end', async () => {
    const draft = await createDraft(harness(), [ADA]);
    const params = { transactionId: draft.id };
    const documents = draft.detail.template.documents.map(({ id, index }) => ({ id, index }));
    const recipients = draft.detail.template.recipients.map(
      ({ token, created_at, updated_at, is_current, submitted_at, ...one }) => ({
        ...one,
        index: one.role === 'sender' ? 9 : 0,
      }),
    );
    const fields = [fieldFor(draft, SENDER.email), fieldFor(draft, ADA.email)];
    await harness().client['transaction.update']({
      params,
      body: { name: 'A', documents, recipients, fields },
    });
    await harness().client['transaction.start']({ params });
    expect(await orderOf(harness(), draft.id)).toEqual([ADA.email, SENDER.email]);
  });

  test.skipIf(!SLOW)('asks a proxy like a signer', async () => {
    const id = await started(harness(), [ADA, { ...BOB, role: 'proxy' }], [ADA.email, BOB.email]);
    expect(await orderOf(harness(), id)).toEqual([ADA.email, BOB.email]);
  });

  test('asks a signer or proxy without fields to approve', async () => {
    const id = await started(harness(), [ADA, { ...BOB, role: 'proxy' }], []);
    expect(await orderOf(harness(), id)).toEqual([ADA.email, BOB.email]);
    expect((await readDetail(harness(), id)).status).toBe('completed');
  });

  test('answers the start with the signing address of the pending recipient', async () => {
    const draft = await createDraft(harness());
    const params = { transactionId: draft.id };
    const { url } = await harness().client['transaction.start']({ params });
    expect(url.startsWith(`${harness().baseUrl}/sign?token=`)).toBe(true);
    expect(tokenOf(url)).toBe(await currentToken(harness(), draft.id));
    const view = await harness().client['signing.view']({ query: { token: tokenOf(url) } });
    expect(view.recipient).toMatchObject({ email: ADA.email, role: 'signer' });
  });

  test('records the moment of the start and no end when nothing expires', async () => {
    const { id } = await startTransaction(harness());
    const detail = await readDetail(harness(), id);
    const now = new Date(harness().clock.now).toISOString();
    expect(detail).toMatchObject({ status: 'started', sent_at: now, expires_at: null, completed_at: null });
    expect(await eventTypesOf(harness(), id)).toEqual(['transaction_created', 'transaction_started']);
  });

  test.skipIf(!SLOW)('never shows a transaction that all have signed as started', async () => {
    const id = await started(harness(), [ADA, BOB], [ADA.email, BOB.email]);
    const seen: boolean[] = [];
    await Promise.all([
      orderOf(harness(), id),
      ...Array.from({ length: 20 }, async () => {
        const { status, template } = await readDetail(harness(), id);
        const allDone = template.recipients.every(
          (one) => one.role === 'sender' || one.submitted_at !== null,
        );
        seen.push(allDone === (status === 'completed'));
      }),
    ]);
    expect(seen).not.toContain(false);
  });
});
