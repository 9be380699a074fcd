// Followers of events on PostgreSQL while many commits run beside each other: none is missed, and those of a transaction stay in order.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventOf } from '../../src/api/contract/events.ts';
import { instantOf } from '../../src/common/instant.ts';
import type { Database } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { connectPostgres } from '../../src/database/postgres-connections.ts';
import { findEvent, numberEvents, pageOfEvents } from '../../src/service/store/delivery/events.ts';
import { insertEvents } from '../../src/service/store/delivery/records.ts';
import { migrations } from '../../src/service/store/migrations.ts';
import { timeOrderedIds } from '../../src/service/store/rows.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import { START } from '../support/harness.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { FULL } from '../support/tier.ts';

const { skip, why } = needsPostgres();

const WRITERS = 16;
const COMMITS = FULL ? 31_250 : 150;
const PER_COMMIT = 2;
const COMPANY = 'c1';
const NOW = instantOf(START);

describe.skipIf(skip)(`followers of events${why}`, () => {
  let url: string;
  let nodes: Database<Tables>[];
  beforeAll(async () => {
    url = await sharedPostgres().createDatabase();
    const open = () =>
      openPostgres<Tables>({ ...connectPostgres({ url }), migrations: migrations('postgres') });
    nodes = [await open(), await open(), await open()];
  });
  afterAll(async () => {
    for (const node of nodes ?? []) await node.close();
    await sharedPostgres().dropDatabase(url);
  });
  const node = (index: number) => nodes[index % nodes.length] as Database<Tables>;

  /** One transaction that changes many times, as fast as its commits are durable. */
  async function writeAll(writer: number): Promise<void> {
    const newId = timeOrderedIds(() => START);
    const transaction_id = randomUUID();
    const event = (number: number): EventOf => ({
      type: 'transaction_cancelled',
      data: {
        id: transaction_id,
        status: 'expired',
        cancelled_reason: `${writer} ${number}`,
        cancelled_at: NOW,
      },
    });
    for (let commit = 0; commit < COMMITS; commit += 1) {
      const database = node(writer);
      await database.write(
        async (db) => {
          const events = Array.from({ length: PER_COMMIT }, (_, index) => event(commit * PER_COMMIT + index));
          // What was made first is often committed last.
          await insertEvents(
            db,
            events,
            { company_id: COMPANY, transaction_id, now: NOW, newId },
            'postgres',
          );
        },
        [],
        'locked',
      );
    }
  }

  /** Asks for what happened since the last event that it has seen, until nothing comes after the writers have ended. */
  async function follow(
    database: Database<Tables>,
    firstId: string,
    isOver: () => boolean,
  ): Promise<string[]> {
    const seen: string[] = [];
    let last = firstId;
    for (;;) {
      const wasOver = isOver();
      await numberEvents({ database });
      const rows = await database.read(async (db) => {
        const after = await findEvent(db, COMPANY, last);
        // Without it the page would be that of the newest events, and a slow follower would miss the oldest.
        if (!after) throw new Error(`The event ${last} is gone.`);
        return (await pageOfEvents(db, { company_id: COMPANY, after, limit: 200, page: 1 })).rows;
      });
      for (const { data } of rows) seen.push(JSON.parse(data).cancelled_reason);
      last = rows.at(-1)?.id ?? last;
      if (wasOver && rows.length === 0) return seen;
    }
  }

  test(
    `miss none of ${WRITERS * COMMITS * PER_COMMIT}, and get those of a transaction in order`,
    async () => {
      // Every follower begins after this event, which has a number before the writers start.
      const [first] = await node(0).write((db) =>
        insertEvents(
          db,
          [
            {
              type: 'transaction_cancelled',
              data: { id: 't', status: 'expired', cancelled_reason: 'first', cancelled_at: NOW },
            },
          ],
          { company_id: COMPANY, transaction_id: 't', now: NOW, newId: () => randomBytes(8).toString('hex') },
          'postgres',
        ),
      );
      if (!first) throw new Error('The first event was not recorded.');
      await numberEvents({ database: node(0) });
      let isOver = false;
      const following = nodes.map((database) => follow(database, first.id, () => isOver));
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => writeAll(writer)));
      isOver = true;
      const expected = Array.from({ length: WRITERS }, (_, writer) =>
        Array.from({ length: COMMITS * PER_COMMIT }, (__, number) => `${writer} ${number}`),
      );
      for (const seen of await Promise.all(following)) {
        expect(seen).toHaveLength(WRITERS * COMMITS * PER_COMMIT);
        const byWriter = expected.map((_, writer) =>
          seen.filter((reason) => reason.startsWith(`${writer} `)),
        );
        expect(byWriter).toEqual(expected);
      }
    },
    FULL ? 3_600_000 : 300_000,
  );
});
