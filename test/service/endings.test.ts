import { expect, test } from 'vitest';
import { assertUnchanged } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import {
  ADA,
  addAccount,
  BOB,
  createDraft,
  currentToken,
  endTransaction,
  eventTypesOf,
  readDetail,
  refusalOf,
  startTransaction,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { sampleOf } from '../support/tier.ts';

const DAY_MS = 24 * 3600 * 1000;

describeSharedService('cancelling', (harness) => {
  test('ends a started transaction: the wire shows expired, with the reason and the moment', async () => {
    const { id, token } = await startTransaction(harness());
    const cancelled = await harness().client['transaction.cancel']({
      params: { transactionId: id },
      body: { cancelled_reason: 'Wrong\ncontract' },
    });
    expect(cancelled).toEqual({ cancelled: true });
    const detail = await readDetail(harness(), id);
    const now = new Date(harness().clock.now).toISOString();
    expect(detail).toMatchObject({
      status: 'expired',
      cancelled_at: now,
      cancelled_reason: 'Wrong\ncontract',
      expired_at: null,
    });
    expect(detail.template.recipients.map((one) => [one.is_current, one.token])).toEqual([
      [false, null],
      [false, null],
    ]);
    expect(await refusalOf(harness().client['signing.view']({ query: { token } }))).toMatchObject({
      status: 404,
    });
    expect(await eventTypesOf(harness(), id)).toEqual([
      'transaction_created',
      'transaction_started',
      'transaction_cancelled',
    ]);
    const { transactions } = await harness().client['sandbox.status']();
    expect(transactions.cancelled).toBe(1);
  });

  test('is open to another user of the company', async () => {
    const colleague = await addAccount(harness());
    const { id } = await startTransaction(harness());
    await colleague.client['transaction.cancel']({
      params: { transactionId: id },
      body: { cancelled_reason: 'No longer needed' },
    });
    expect((await readDetail(harness(), id)).cancelled_reason).toBe('No longer needed');
  });

  test.each(
    sampleOf(
      [
        ['no reason', {}, 'cancelled_reason is required'],
        ['an empty reason', { cancelled_reason: '' }, 'cancelled_reason must not be empty'],
        ['a reason that is no text', { cancelled_reason: ['x'] }, 'cancelled_reason must be a string'],
        [
          'a reason with an escape sequence',
          { cancelled_reason: '\u001b[1m' },
          'cancelled_reason must not contain control characters',
        ],
        ['a reason of 2001 characters', { cancelled_reason: 'x'.repeat(2001) }, 'but has 2001'],
      ],
      4,
    ),
  )('refuses %s', async (_, json, sentence) => {
    const { id } = await startTransaction(harness());
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `PUT /v1/transaction/${id}/cancel`, { json }),
    );
    expect(problem).toMatchObject({
      status: 422,
      code: 'validation_failed',
      errors: [{ path: 'cancelled_reason' }],
    });
    expect(problem.detail).toContain(sentence);
  });

  test('refuses a draft', async () => {
    const { id } = await createDraft(harness());
    const call = () =>
      refusalOf(
        harness().client['transaction.cancel']({
          params: { transactionId: id },
          body: { cancelled_reason: 'x' },
        }),
      );
    const no = await assertUnchanged(harness(), call);
    expect(no).toMatchObject({ status: 409, code: 'transaction_not_started' });
    expect(no.message).toContain(`Transaction ${id} is a draft;`);
  });
});

describeSharedService('rejecting', (harness) => {
  test('ends the transaction with the reason, the moment and who it was', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    const rejected_at = new Date(harness().clock.now).toISOString();
    const answered = await harness().client['signing.reject']({
      query: { token },
      body: { reason: 'The amount is wrong' },
    });
    expect(answered).toEqual({ status: 'rejected', rejected_at });
    const detail = await readDetail(harness(), id);
    const [, ada] = detail.template.recipients;
    expect(detail).toMatchObject({
      status: 'rejected',
      rejected_at,
      rejected_reason: 'The amount is wrong',
      rejected_by_id: ada?.id,
    });
    expect(
      detail.template.recipients.every(
        (one) => !one.is_current && one.token === null && one.submitted_at === null,
      ),
    ).toBe(true);
    expect(await eventTypesOf(harness(), id)).toEqual([
      'transaction_created',
      'transaction_started',
      'transaction_rejected',
    ]);
  });

  test.each([
    ['no reason', {}],
    ['an empty reason', { reason: '' }],
  ])('refuses %s', async (_, json) => {
    const { token } = await startTransaction(harness());
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), `POST /sign/reject?token=${token}`, { json, token: null }),
    );
    expect(problem).toMatchObject({ status: 422, errors: [{ path: 'reason' }] });
  });
});

describeSharedService('expiring', (harness) => {
  /** Started, with a day to live. */
  async function mortal(): Promise<{ id: string; token: string }> {
    const { id, detail } = await createDraft(harness());
    const params = { transactionId: id };
    await harness().client['transaction.update']({
      params,
      body: updateBodyOf(detail, { expiration_days: 1 }),
    });
    await harness().client['transaction.start']({ params });
    return { id, token: await currentToken(harness(), id) };
  }

  const expired = async (id: string, at: number) => {
    const detail = await readDetail(harness(), id);
    expect(detail).toMatchObject({
      status: 'expired',
      expired_at: new Date(at).toISOString(),
      cancelled_at: null,
    });
    expect(detail.expires_at).toBe(detail.expired_at);
    expect(await eventTypesOf(harness(), id)).toEqual([
      'transaction_created',
      'transaction_started',
      'transaction_expired',
    ]);
    expect(detail.template.recipients.every((one) => one.token === null && !one.is_current)).toBe(true);
  };

  test('happens at its time, to the millisecond, and a read notices', async () => {
    const { id } = await mortal();
    harness().clock.advance(DAY_MS - 1);
    expect((await readDetail(harness(), id)).status).toBe('started');
    harness().clock.advance(1);
    await expired(id, harness().clock.now);
  });

  test('is noticed by work, for all that are due, with the moment at which they were', async () => {
    const first = await mortal();
    const at = harness().clock.now + DAY_MS;
    const second = await mortal();
    harness().clock.advance(3 * DAY_MS);
    await harness().service.work();
    expect(await eventTypesOf(harness(), first.id)).toContain('transaction_expired');
    await expired(first.id, at);
    await expired(second.id, at);
    await assertUnchanged(harness(), () => harness().service.work());
  });

  test('is noticed by a write, which is refused, and stays', async () => {
    const { id } = await mortal();
    const at = harness().clock.now + DAY_MS;
    harness().clock.advance(DAY_MS);
    const no = await refusalOf(
      harness().client['transaction.cancel']({
        params: { transactionId: id },
        body: { cancelled_reason: 'x' },
      }),
    );
    expect(no).toMatchObject({ status: 409, code: 'transaction_not_started' });
    expect(no.message).toContain('is expired');
    expect(await eventTypesOf(harness(), id)).toContain('transaction_expired');
    await expired(id, at);
  });

  test.each(['signing.view', 'signing.submit', 'signing.reject'] as const)(
    'kills the signing address for %s',
    async (operation) => {
      const { id, token } = await mortal();
      harness().clock.advance(DAY_MS);
      const { client } = harness();
      const query = { token };
      const calls = {
        'signing.view': () => client['signing.view']({ query }),
        'signing.submit': () => client['signing.submit']({ query, body: { values: [] } }),
        'signing.reject': () => client['signing.reject']({ query, body: { reason: 'x' } }),
      };
      expect(await refusalOf(calls[operation]())).toMatchObject({
        status: 404,
        code: 'signing_link_invalid',
      });
      await expired(id, harness().clock.now);
    },
  );

  test('never happens without expiration_days, nor to a draft, nor to one that has ended', async () => {
    const { id } = await startTransaction(harness());
    const draft = await createDraft(harness());
    await harness().client['transaction.update']({
      params: { transactionId: draft.id },
      body: updateBodyOf(draft.detail, { expiration_days: 1 }),
    });
    const done = await endTransaction(harness(), 'completed');
    harness().clock.advance(4000 * DAY_MS);
    await harness().service.work();
    expect((await readDetail(harness(), id)).status).toBe('started');
    expect((await readDetail(harness(), draft.id)).status).toBe('draft');
    expect(await readDetail(harness(), done.id)).toMatchObject({ status: 'completed', expired_at: null });
  });
});
