// A change and everything that belongs to it are one commit. Ids come in as an argument, so a test can make the n-th
// one fail, for every n: whatever row is being written then, nothing of the change may stay.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assertUnchanged, snapshotOf } from '../support/assert-unchanged.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  endTransaction,
  eventTypesOf,
  fieldFor,
  readDetail,
  refusalOf,
  saveTemplate,
  startTransaction,
  tokenOf,
  updateBodyOf,
  uploadContract,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness, WAYS } from '../support/harness.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

/** Prepares, and gives back the request whose commit is to fail. */
const CHANGES: Record<string, (harness: Harness) => Promise<() => Promise<unknown>>> = {
  create:
    async ({ client }) =>
    () =>
      client['transaction.create']({ body: { name: 'A' } }),
  'add document': async (harness) => {
    const { id } = await createDraft(harness);
    const token = await uploadContract(harness);
    return () =>
      harness.client['transaction.add_document']({ params: { transactionId: id }, body: { token } });
  },
  update: async (harness) => {
    const { id, detail } = await createDraft(harness);
    const recipients = [...updateBodyOf(detail).recipients, { role: 'signer' as const, index: 2, ...BOB }];
    const fields = [fieldFor({ id, detail }, ADA.email)];
    return () =>
      harness.client['transaction.update']({
        params: { transactionId: id },
        body: updateBodyOf(detail, { recipients, fields }),
      });
  },
  'use templates': async (harness) => {
    const { id: template } = await saveTemplate(harness);
    const { id } = await harness.client['transaction.create']({ body: {} });
    return () =>
      harness.client['transaction.use_templates']({
        params: { transactionId: id },
        body: { templates: [{ id: template }] },
      });
  },
  start: async (harness) => {
    const { id } = await createDraft(harness);
    return () => harness.client['transaction.start']({ params: { transactionId: id } });
  },
  'first submit': async (harness) => {
    const { id } = await startTransaction(harness, [ADA, BOB]);
    return () => harness.client['sandbox.sign']({ params: { transactionId: id }, body: {} });
  },
  'last submit': async (harness) => {
    const { id } = await startTransaction(harness);
    return () => harness.client['sandbox.sign']({ params: { transactionId: id }, body: {} });
  },
  reject: async (harness) => {
    const { token } = await startTransaction(harness);
    return () => harness.client['signing.reject']({ query: { token }, body: { reason: 'No' } });
  },
  cancel: async (harness) => {
    const { id } = await startTransaction(harness);
    return () =>
      harness.client['transaction.cancel']({
        params: { transactionId: id },
        body: { cancelled_reason: 'x' },
      });
  },
  expire: async (harness) => {
    const { id } = await endTransaction(harness, 'expired');
    return () => readDetail(harness, id);
  },
  'create webhook':
    async ({ client }) =>
    () =>
      client['webhook.create']({
        body: { name: 'A', endpoint: 'https://example.com', events: ['transaction_created'] },
      }),
};

/** Each request is asked once for each of its ids: those with the most, and the one that seals, in the slow tier. */
const LONG = ['update', 'use templates', 'last submit', 'expire'];

/**
 * What a request that failed leaves as it was. A blob that no row names is swept later: it was sealed before the commit failed. That sealing failed is
 * recorded for the sender in a commit of its own.
 */
const comparable = (snapshot: Awaited<ReturnType<typeof snapshotOf>>) => ({
  ...snapshot,
  blobs: [],
  transaction: (snapshot.transaction ?? []).map((row) =>
    `${row}`.replace(/"sealing_failed_(at|reason)":(?:null|"[^"]*")/g, '"sealing_failed_$1":null'),
  ),
});

describe.each(SLOW ? WAYS : WAYS.slice(0, 1))('a change is one commit, %s', (way) => {
  let harness: Harness;
  /** How many ids are still given out; the first of each request is the request's own. */
  let left = Number.POSITIVE_INFINITY;
  let used = 0;
  /** Every third id is one that was given out before: that of the event, when nothing else takes one. */
  let repeated = false;

  beforeEach(async () => {
    left = Number.POSITIVE_INFINITY;
    harness = await openHarness(way, {
      ids: () => {
        used += 1;
        if (repeated && used % 3 === 0) return 'the-same-id';
        left -= 1;
        if (left < 0) throw new Error('no more ids');
        return randomUUID();
      },
    });
  });
  afterEach(() => harness.close());

  test.each(
    sampleOf(
      Object.keys(CHANGES).filter((name) => SLOW || !LONG.includes(name)),
      3,
    ),
  )('%s', async (name) => {
    const attempt = await CHANGES[name]!(harness);
    for (let given = 1; ; given += 1) {
      left = given;
      const refused = await expectNothingChangedUnlessDone(attempt);
      if (refused === 'done') break;
      expect(refused.status).toBe(500);
      expect(['internal_error', 'sealing_failed']).toContain(refused.code);
      expect(harness.errors.splice(0)).toMatchObject([{ message: 'no more ids' }]);
      expect(given).toBeLessThan(60);
    }
    expect(harness.errors).toEqual([]);
    expect(harness.contractViolations).toEqual([]);
  });

  /** Either all of it happened, or none. */
  async function expectNothingChangedUnlessDone(attempt: () => Promise<unknown>) {
    const before = await snapshotOf(harness);
    const outcome = await attempt().then(
      () => 'done' as const,
      (error: { status: number; code: string }) => ({ status: error.status, code: error.code }),
    );
    left = Number.POSITIVE_INFINITY;
    const after = await snapshotOf(harness);
    if (outcome === 'done') expect(after).not.toEqual(before);
    else expect(comparable(after)).toEqual(comparable(before));
    return outcome;
  }

  test('leaves others alone that are committed together with one that fails', async () => {
    used = 0;
    repeated = true;
    const creates = Array.from({ length: 12 }, (_, index) =>
      harness.client['transaction.create']({ body: { name: `N${index}` } }),
    );
    const outcomes = await Promise.allSettled(creates);
    repeated = false;
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
    expect(made.length).toBeGreaterThan(0);
    expect(made.length).toBeLessThan(12);
    const rows = await harness.store.database.read((db) =>
      db.selectFrom('transaction').select('id').execute(),
    );
    expect(rows.map((row) => row.id).sort()).toEqual(made.sort());
    for (const id of made) expect(await eventTypesOf(harness, id)).toEqual(['transaction_created']);
    expect(harness.errors.splice(0)).toHaveLength(12 - made.length);
  });

  test('reveals no signing address that was not committed', async () => {
    const { id } = await createDraft(harness);
    left = 1;
    const call = () => refusalOf(harness.client['transaction.start']({ params: { transactionId: id } }));
    await assertUnchanged(harness, call).finally(() => {
      left = Number.POSITIVE_INFINITY;
    });
    expect(await currentToken(harness, id)).toBe('');
    const { url } = await harness.client['transaction.start']({ params: { transactionId: id } });
    expect(tokenOf(url)).toBe(await currentToken(harness, id));
    harness.errors.length = 0;
  });
});
