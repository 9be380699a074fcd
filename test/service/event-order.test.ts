// The ids of events follow the order of commits, whoever commits and whatever their clock says (assumed: A47).
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/api/contract/events.ts';
import { ADA, BOB, currentToken, draftOf, signWith, startedWith } from '../support/deal.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { scratchFolder } from '../support/stores.ts';
import { suite } from '../support/suite.ts';

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

suite(
  'the order of events',
  (world) => {
    it('is that of their ids, within one millisecond and one commit too', async () => {
      for (const _ of [1, 2, 3, 4, 5]) {
        const { token } = await startedWith(world());
        await signWith(world(), token);
      }
      const events = await eventsOf(world());
      expect(events).toHaveLength(20);
      expect(new Set(events.map(({ created }) => created)).size).toBe(1);
      expectInOrder(events);
    });

    it('is that of their ids when many are made at once', async () => {
      await Promise.all(Array.from({ length: 60 }, () => world().client['transaction.create']({ body: {} })));
      expectInOrder(await eventsOf(world()));
    });

    it('stays when the clock is set back', async () => {
      const { id, token } = await startedWith(world(), [ADA, BOB]);
      world().clock.advance(-HOUR_MS);
      await signWith(world(), token);
      world().clock.advance(2000);
      await signWith(world(), await currentToken(world(), id));
      const events = await eventsOf(world(), id);
      expectInOrder(events);
      const created = events.map((event) => event.created);
      expect(created).toEqual([...created].sort());
    });
  },
  'over HTTP in the slow tier',
);

describe('the order of events of two processes whose clocks differ', () => {
  let folder: string;
  let ahead: Harness;
  let behind: Harness;
  beforeEach(async () => {
    folder = await scratchFolder();
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

  it('is that of their ids, and no moment of a transaction lies before an earlier one', async () => {
    const { id, token } = await startedWith(ahead, [ADA, BOB]);
    await draftOf(behind);
    await signWith(behind, token);
    await draftOf(ahead);
    await signWith(behind, await currentToken(behind, id));
    const all = await eventsOf(ahead);
    expect(all).toHaveLength(7);
    expectInOrder(all);
    const created = (await eventsOf(ahead, id)).map((event) => event.created);
    expect(created).toEqual([...created].sort());
  });
});
