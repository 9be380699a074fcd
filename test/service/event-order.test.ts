// The ids of events follow the order of commits, whichever process commits and whatever its clock says (assumed: A47).
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Envelope } from '../../src/api/contract/events.ts';
import { describeService } from '../support/describe-service.ts';
import {
  ADA,
  BOB,
  createDraft,
  currentToken,
  signWith,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW } from '../support/tier.ts';

const HOUR_MS = 3_600_000;

const eventsOf = async ({ client }: Pick<Harness, 'client'>, transaction_id?: string): Promise<Envelope[]> =>
  (
    await client['sandbox.events']({
      query: { ...(transaction_id !== undefined && { transaction_id }), limit: '100' },
    })
  ).items;

function expectInOrder(events: Envelope[]): void {
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
}

describeService('the order of events', (harness, way) => {
  test.skipIf(!SLOW)('is that of their ids, within one millisecond and one commit too', async () => {
    const count = SLOW ? 5 : 2;
    for (let made = 0; made < count; made += 1) {
      const { token } = await startTransaction(harness());
      await signWith(harness(), token);
    }
    const events = await eventsOf(harness());
    expect(events).toHaveLength(4 * count);
    expect(new Set(events.map(({ created }) => created)).size).toBe(1);
    expectInOrder(events);
  });

  test.skipIf(!SLOW)('is that of their ids when many are made at once', async () => {
    await Promise.all(Array.from({ length: 60 }, () => harness().client['transaction.create']({ body: {} })));
    const events = await eventsOf(harness());
    expect(new Set(events.map(({ id }) => id)).size).toBe(60);
    // Commits run beside each other on PostgreSQL; there only the events of one transaction are in the order of their IDs.
    if (way !== 'on PostgreSQL') expectInOrder(events);
  });

  test('stays when the clock is set back', async () => {
    const { id, token } = await startTransaction(harness(), [ADA, BOB]);
    harness().clock.advance(-HOUR_MS);
    await signWith(harness(), token);
    harness().clock.advance(2000);
    await signWith(harness(), await currentToken(harness(), id));
    const events = await eventsOf(harness(), id);
    expectInOrder(events);
    const created = events.map((event) => event.created);
    expect(created).toEqual([...created].sort());
  });
});

describe('the order of events of two processes whose clocks differ', () => {
  let folder: string;
  let ahead: Harness;
  let behind: Harness;
  beforeEach(async () => {
    folder = await temporaryFolder();
    ahead = await openHarness('in process', { folder });
    behind = await openHarness('in process', { folder });
    behind.clock.advance(-HOUR_MS);
  });
  afterEach(async () => {
    await ahead.close();
    await behind.close();
    await rm(folder, { recursive: true, force: true });
    expect([...ahead.errors, ...behind.errors]).toEqual([]);
  });

  test.skipIf(!SLOW)(
    'is that of their ids, and no moment of a transaction lies before an earlier one',
    async () => {
      const { id, token } = await startTransaction(ahead, [ADA, BOB]);
      await createDraft(behind);
      await signWith(behind, token);
      await createDraft(ahead);
      await signWith(behind, await currentToken(behind, id));
      const all = await eventsOf(ahead);
      expect(all).toHaveLength(7);
      expectInOrder(all);
      const created = (await eventsOf(ahead, id)).map((event) => event.created);
      expect(created).toEqual([...created].sort());
    },
  );
});
