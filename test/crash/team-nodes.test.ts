// Three nodes of a team server under load, while nodes are killed, connections are cut and PostgreSQL crashes: nothing that was
// acknowledged is lost, and nothing happens twice.
import { randomBytes, randomInt } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServerAuthority, type ServerAuthority } from '../support/certificates/server-certificates.ts';
import { currentToken, refusalOf, signWith, startTransaction } from '../support/fixtures/transactions.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../support/servers/postgres-server.ts';
import { createRetryingClient, type RetryingClient } from '../support/servers/retrying-client.ts';
import { addTeamToken } from '../support/servers/team-access.ts';
import { startTeamNode, type TeamNode } from '../support/servers/team-nodes.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhook-receiver.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FULL } from '../support/tier.ts';
import { needsCommand, unmet } from '../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsCommand('openssl'));

const ROUNDS = FULL ? 60 : 2;
const CLIENTS = 5;
const TIMEOUT_MS = FULL ? 3_000_000 : 600_000;
const EVENTS = [
  'transaction_created',
  'transaction_started',
  'recipient_submitted',
  'transaction_completed',
] as const;

describe.skipIf(skip)(`three nodes of a team server${why}`, () => {
  let postgres: PostgresServer;
  let authority: ServerAuthority;
  let receiver: WebhookReceiver;
  let nodes: TeamNode[];
  let folder: string;
  let token: string;
  let env: Record<string, string>;
  let client: RetryingClient['client'];
  let unexpected: RetryingClient['unexpected'];

  beforeAll(async () => {
    [postgres, folder] = await Promise.all([startPostgresServer(), temporaryFolder()]);
    authority = createServerAuthority();
    receiver = await startWebhookReceiver({ tls: authority.certificateFor('localhost') });
    const [url, key] = [await postgres.createDatabase(), randomBytes(32)];
    await writeFile(join(folder, 'key'), key.toString('hex'), { mode: 0o600 });
    token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true });
    env = {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ORIGIN: 'https://localhost',
      ESIGN_SERVE_ALLOW: 'mail',
      ESIGN_SERVE_LOCAL_RECEIVERS: '1',
      NODE_EXTRA_CA_CERTS: authority.file,
    };
    nodes = await Promise.all([startTeamNode(env), startTeamNode(env), startTeamNode(env)]);
    ({ client, unexpected } = createRetryingClient(() => nodes, token));
  });
  afterAll(async () => {
    for (const node of nodes ?? []) await node.kill();
    await receiver?.close();
    await postgres?.close();
    authority?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const completed: string[] = [];

  async function completeOne(): Promise<void> {
    const { id, token: link } = await startTransaction({ client });
    const signing = signWith({ client }, link);
    const outcome = await signing.catch(() => refusalOf(signing));
    // A submission whose answer was lost may have succeeded: then the link is not valid any more.
    if ('code' in outcome) expect(['signing_link_invalid', 'submission_under_way']).toContain(outcome.code);
    completed.push(id);
  }

  const FAULTS = [
    async () => {
      const at = randomInt(nodes.length);
      const { port } = nodes[at] as TeamNode;
      await nodes[at]?.kill();
      nodes[at] = await startTeamNode(env, [], port);
    },
    () => postgres.crash(),
    () => postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'esign'`),
  ];

  test(
    `lose nothing in ${ROUNDS} rounds, and do nothing twice`,
    async () => {
      await client['webhook.create']({
        body: { name: 'All', endpoint: `https://localhost:${receiver.port}/`, events: [...EVENTS] },
      });
      for (let round = 0; round < ROUNDS; round += 1) {
        let isOver = false;
        const working = Array.from({ length: CLIENTS }, async () => {
          do await completeOne();
          while (!isOver);
        });
        await pause(randomInt(300, 1500));
        await FAULTS[round % FAULTS.length]?.();
        // The service is back without help when a client completes a transaction.
        await completeOne();
        isOver = true;
        await Promise.all(working);
      }
      expect(unexpected).toEqual([]);
      for (const id of completed) {
        const params = { transactionId: id };
        await expect
          .poll(async () => (await client['transaction.detail']({ params })).status)
          .toBe('completed');
        const { items } = await client['event.list']({
          query: { transaction_id: id, limit: '100', page: '1' },
        });
        expect(items.map(({ type }) => type).reverse()).toEqual(EVENTS);
        expect(await currentToken({ client }, id)).toBe('');
      }
      const sealed = await postgres.run<{ count: string }>(
        'select count(*) from sealed_document group by transaction_id having count(*) <> 1',
        env.ESIGN_SERVE_DATABASE,
      );
      expect(sealed).toEqual([]);
      const events = await postgres.run<{ id: string }>('select id from event', env.ESIGN_SERVE_DATABASE);
      await expect
        .poll(() => {
          const received = new Set(receiver.received.map(({ id }) => id));
          return events.filter(({ id }) => !received.has(id)).length;
        })
        .toBe(0);
      expect(completed.length).toBeGreaterThan(ROUNDS);
    },
    TIMEOUT_MS,
  );
});
