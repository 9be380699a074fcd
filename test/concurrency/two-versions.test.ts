// Two versions of a team server side by side: a newer one changes the tables while two nodes of the older one are under load. What they
// acknowledged is there, they refuse what comes after with an answer that clients repeat, and they end by themselves.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, type Transport, transportOver, withBearer } from '../../src/api/transport.ts';
import type { Database, Migration } from '../../src/database/database.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { connectPostgres } from '../../src/database/postgres-connections.ts';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { createBlobs } from '../../src/service/store/blobs/blobs.ts';
import { createDatabaseBlobs } from '../../src/service/store/blobs/database-blobs.ts';
import { createKeys } from '../../src/service/store/keys.ts';
import { migrations } from '../../src/service/store/migrations.ts';
import { timeOrderedIds } from '../../src/service/store/rows.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import { startTransaction } from '../support/fixtures/transactions.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../support/servers/team-nodes.ts';
import { createStrictClient } from '../support/strict-client.ts';

const { skip, why } = needsPostgres();

const CLIENTS = 8;
const EACH = 6;

/** The tables are changed when so many transactions were made. */
const BEFORE = 12;

/** What a next version could do: it changes each row of the tables that are written most, and rejects what the older version inserts. */
const NEXT: Migration = {
  name: '9999-next',
  async up(db) {
    await sql`alter table "transaction" add column mood text not null default 'calm'`.execute(db);
    await sql`create index transaction_mood on "transaction" (mood, id)`.execute(db);
    await sql`alter table event alter column data type text using data || ''`.execute(db);
  },
};

describe.skipIf(skip)(`two versions on one database${why}`, () => {
  let team: TeamDatabase;
  let older: TeamNode[];
  let newer: { service: Service; database: Database<Tables> } | undefined;

  beforeAll(async () => {
    team = await prepareTeamDatabase();
    older = [await startTeamNode(team.env), await startTeamNode(team.env)];
  });
  afterAll(async () => {
    for (const node of older ?? []) await node.kill();
    await newer?.service.close();
    await team?.close();
  });

  /** Opens the database as the next version would, and serves it in this process. */
  async function upgrade() {
    const database = await openPostgres<Tables>({
      ...connectPostgres({ url: `${team.env.ESIGN_SERVE_DATABASE}` }),
      migrations: [...migrations('postgres'), NEXT],
    });
    const key = Buffer.from(await readFile(join(team.folder, 'key'), 'utf8'), 'hex');
    const store = {
      database,
      keys: createKeys(key, randomBytes),
      blobs: createDatabaseBlobs(database, createBlobs(join(team.folder, 'newer'), randomUUID)),
      port: 0,
      deliveries: { isWritten: false, wake: () => undefined, undeliveredMails: 0 },
      folder: undefined,
    };
    const ids = timeOrderedIds(Date.now);
    const service = await createService({
      store,
      ids,
      random: randomBytes,
      documents: createInProcessEngine(),
      origin: 'http://team.invalid',
      isSandbox: false,
    });
    newer = { service, database };
  }

  test('lose nothing and make nothing twice while the tables are changed under load', async () => {
    const answers: Reply[] = [];
    let refusals = 0;
    const overHttp = transportOver((request) => fetch(request));
    /** Asks the nodes in turn, and the newer version when it is there. */
    const transport: Transport = async (call) => {
      const headers = { 'idempotency-key': randomUUID(), ...call.headers };
      for (let tried = 0; ; tried += 1) {
        const { url } = older[tried % older.length] as TeamNode;
        const reply = await overHttp({
          ...call,
          headers,
          url: call.url.replace('http://team.invalid', url),
        }).catch(() => undefined);
        if (reply && reply.status < 500) return reply;
        if (reply) answers.push(reply);
        refusals += 1;
        if (newer) return newer.service.transport({ ...call, headers });
        await pause(20);
      }
    };
    const client = createStrictClient({
      baseUrl: 'http://team.invalid',
      transport: withBearer(transport, { token: () => team.token }),
    });
    const made: string[] = [];
    let upgrading: Promise<void> | undefined;
    const makeSome = async () => {
      for (let count = 0; count < EACH; count += 1) {
        const { id } = await startTransaction({ client });
        made.push(id);
        if (made.length >= BEFORE) upgrading ??= upgrade();
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, makeSome));
    await upgrading;
    expect(refusals).toBeGreaterThan(0);
    for (const { status, headers, body } of answers)
      expect({ status, isRetryable: headers['retry-after'] !== undefined, body }).toMatchObject({
        status: 503,
        isRetryable: true,
      });
    const rows = await newer?.database.read((db) =>
      sql<{ id: string; types: string[] }>`
        select t.id, (select array_agg(e.type order by e.type) from event e where e.transaction_id = t.id) as types
        from "transaction" t order by t.id`.execute(db),
    );
    const types = ['transaction_created', 'transaction_started'];
    expect(rows?.rows).toEqual([...made].sort().map((id) => ({ id, types })));
    for (const node of older) {
      await expect.poll(() => node.log(), { timeout: 60_000 }).toContain('store_newer');
      expect(await node.stop()).toBe(1);
    }
  });
});
