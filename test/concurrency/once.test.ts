// What is asked many times at one moment happens once.
import { afterEach, describe, expect, test } from 'vitest';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  fieldFor,
  refusalOf,
  startTransaction,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness, WAYS } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const TIMES = SLOW ? 32 : 8;

const many = <T>(call: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: TIMES }, (_, number) => call(number)));

const settled = <T>(call: Promise<T>): Promise<T | string> =>
  call.catch(() => refusalOf(call).then(({ code }) => code));

describe.each(sampleOf(WAYS, 2))(`${TIMES} requests at one moment, %s`, (way) => {
  let harness: Harness;
  afterEach(async () => {
    expect(harness.errors).toEqual([]);
    await harness.close();
  });

  const eventsOf = async (id: string) => {
    const { items } = await harness.client['sandbox.events']({ query: { transaction_id: id } });
    return items.map(({ type }) => type);
  };

  test('submit for one recipient once, and ask the next one once', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const { id, token } = await startTransaction(harness, [ADA, BOB]);
    const { fields } = await client['signing.view']({ query: { token } });
    const values = fields.map((field) => ({ field_id: field.id, value: 'Ada' }));
    const answers = await many(() =>
      settled(client['signing.submit']({ query: { token }, body: { values } })),
    );
    expect(answers.filter((answer) => typeof answer === 'object')).toMatchObject([{ status: 'started' }]);
    // While the first one is taken, and after it.
    const refused = ['submission_under_way', 'signing_link_invalid'];
    expect(answers.filter((answer) => refused.includes(answer as string))).toHaveLength(TIMES - 1);
    expect(await eventsOf(id)).toEqual(['transaction_created', 'transaction_started', 'recipient_submitted']);
    expect((await client['sandbox.mail']({ query: { transaction_id: id } })).items).toHaveLength(2);
    expect(await currentToken(harness, id)).not.toBe('');
  });

  test('end a transaction in one way: signed, rejected or cancelled', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const { id, token } = await startTransaction(harness);
    const params = { transactionId: id };
    const ways = [
      () => client['sandbox.sign']({ params, body: {} }),
      () => client['transaction.cancel']({ params, body: { cancelled_reason: 'Wrong' } }),
      () => client['signing.reject']({ query: { token }, body: { reason: 'Too dear' } }),
    ];
    const answers = await many((number) => settled<unknown>((ways[number % 3] as () => Promise<unknown>)()));
    expect(answers.filter((answer) => typeof answer === 'object')).toHaveLength(1);
    const ends = ['transaction_completed', 'transaction_cancelled', 'transaction_rejected'];
    expect((await eventsOf(id)).filter((type) => ends.includes(type))).toHaveLength(1);
  });

  test('with one Idempotency-Key create one transaction, and hear the same', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const create = () =>
      client['transaction.create']({ body: { name: 'Once' } }, { idempotencyKey: 'the-key' });
    const answers = await many(create);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect((await client['sandbox.status']({})).transactions.draft).toBe(1);
    expect(await eventsOf(answers[0]?.id ?? '')).toEqual(['transaction_created']);
  });

  test('with one Idempotency-Key attach one document, start once, and hear the same', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const draft = await createDraft(harness, [ADA]);
    const params = { transactionId: draft.id };
    const token = await uploadContract(harness);
    const attach = () =>
      client['transaction.add_document']({ params, body: { token } }, { idempotencyKey: 'attach' });
    expect(new Set((await many(attach)).map(({ document_id }) => document_id)).size).toBe(1);
    await client['transaction.fields']({ params, body: { fields: [fieldFor(draft, ADA.email)] } });
    const start = () => client['transaction.start']({ params }, { idempotencyKey: 'start' });
    expect(new Set((await many(start)).map(({ url }) => url)).size).toBe(1);
    const detail = await client['transaction.detail']({ params });
    expect(detail.template.documents).toHaveLength(2);
    expect(await eventsOf(draft.id)).toEqual(['transaction_created', 'transaction_started']);
  });

  test('with one Idempotency-Key and other content are refused, all but those that are the same', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const create = (number: number) =>
      client['transaction.create']({ body: { name: `Number ${number % 4}` } }, { idempotencyKey: 'the-key' });
    const answers = await many((number) => settled(create(number)));
    const created = answers.filter((answer) => typeof answer === 'object');
    expect(created).toHaveLength(TIMES / 4);
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter((answer) => answer === 'idempotency_key_reused')).toHaveLength((TIMES * 3) / 4);
  });

  test('without a key happen as often as they are asked', async () => {
    harness = await openHarness(way);
    const { client } = harness;
    const made = await many((number) => client['transaction.create']({ body: { name: `Number ${number}` } }));
    expect(new Set(made.map(({ id }) => id)).size).toBe(TIMES);
    expect((await client['sandbox.status']({})).transactions.draft).toBe(TIMES);
  });
});
