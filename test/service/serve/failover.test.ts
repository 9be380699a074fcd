// A standby of PostgreSQL takes over while a node works: what was acknowledged is there, nothing happened twice, and the node continues without a
// restart. The standby is real, and copies each commit before it is acknowledged.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import { freePort } from '../../support/servers/ports.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
  startStandby,
} from '../../support/servers/postgres-server.ts';
import { createRetryingClient, type RetryingClient } from '../../support/servers/retrying-client.ts';
import { type RunningServer, startSocketServer } from '../../support/servers/scripted-service.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`a node whose PostgreSQL fails over${why}`, () => {
  let [primary, standby]: PostgresServer[] = [];
  let address: RunningServer;
  let team: TeamDatabase;
  let node: TeamNode;
  let client: RetryingClient['client'];
  let unexpected: RetryingClient['unexpected'];
  /** The server that the address of the database leads to, as a virtual address or a proxy does. */
  let port: number;
  const connections = new Set<Socket>();

  beforeAll(async () => {
    primary = await startPostgresServer();
    port = primary.port;
    address = await startSocketServer((socket) => {
      const other = connect(port, '127.0.0.1');
      for (const [one, to] of [
        [socket, other],
        [other, socket],
      ] as const) {
        connections.add(one);
        one.on('error', () => to.destroy()).on('close', () => to.destroy());
        one.pipe(to);
      }
    });
    team = await prepareTeamDatabase({ server: primary });
    standby = await startStandby(primary);
    await primary.run(`alter system set synchronous_standby_names = '*'`);
    await primary.run('select pg_reload_conf()');
    const database = new URL(team.url);
    database.port = `${address.port}`;
    node = await startTeamNode({ ...team.env, ESIGN_SERVE_DATABASE: database.href });
    ({ client, unexpected } = createRetryingClient(() => [node], team.token));
  });
  afterAll(async () => {
    await node?.kill();
    await address?.close();
    await standby?.close();
    await primary?.close();
  });

  const readiness = async () => {
    const response = await fetch(`${node.url}/readyz`);
    return { code: response.status, ...((await response.json()) as object) };
  };
  /** As a browser. @param form is sent, where there is one */
  const visit = (path: string, headers: Record<string, string> = {}, form?: string): Promise<Response> =>
    fetch(new URL(path, node.url), {
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...headers,
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { method: 'POST', body: form }),
    });
  const changeServer = (to: Pick<PostgresServer, 'port'>) => {
    port = to.port;
    for (const socket of connections) socket.destroy();
    connections.clear();
  };

  test('continues with the server that took over, and loses nothing that was acknowledged', async () => {
    const begun = await startTransaction({ client });
    const acknowledged: string[] = [];
    let isOver = false;
    const working = Array.from({ length: 4 }, async () => {
      while (!isOver)
        acknowledged.push((await client['transaction.create']({ body: { name: 'Agreement' } })).id);
    });
    const untilMore = (count: number) =>
      expect.poll(() => acknowledged.length).toBeGreaterThan(acknowledged.length + count);
    await untilMore(20);
    await primary?.close();
    // Connections are led to the standby before it is promoted, as by a name that was changed too early.
    changeServer(standby as PostgresServer);
    await expect.poll(readiness).toMatchObject({
      code: 503,
      message: 'The database cannot be used now: its server is read-only.',
    });
    await standby?.run('select pg_promote()');
    await untilMore(20);
    isOver = true;
    await Promise.all(working);
    await expect.poll(readiness).toMatchObject({ code: 200 });
    expect(unexpected).toEqual([]);
    const rows = await standby?.run<{ id: string }>(
      'select id from transaction',
      team.url.replace(`:${primary?.port}/`, `:${standby?.port}/`),
    );
    expect(rows?.map(({ id }) => id).sort()).toEqual([begun.id, ...acknowledged].sort());
    expect(await signWith({ client }, begun.token)).toMatchObject({ status: 'completed' });
  });

  test('shows pages that load themselves again while no server can be reached, and never a form', async () => {
    const { token } = await startTransaction({ client });
    const entered = await visit(`/sign?token=${token}`);
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? '';
    const page = new URL(entered.headers.get('location') ?? '', node.url).pathname;
    expect((await visit(page, { cookie })).status).toBe(200);
    const server = port;
    changeServer({ port: await freePort() });
    const unknown = 'x'.repeat(43);
    const cookies = ['__Host-esign', `esign-${new URL(node.facts.origin).port || '80'}`];
    const dashboard = { cookie: cookies.map((name) => `${name}=${unknown}`).join('; ') };
    for (const [path, headers, language] of [
      [page, { cookie, 'accept-language': 'de' }, 'Der Dienst ist gerade nicht verfügbar'],
      [`/sign?token=${token}`, { 'accept-language': 'fr' }, 'Le service n’est pas disponible'],
      ['/transactions', dashboard, 'The service is not available right now'],
    ] as const) {
      const answered = await visit(path, headers);
      const text = await answered.text();
      expect([path, answered.status, answered.headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect([path, answered.headers.get('refresh')]).toEqual([path, '5']);
      expect(text).toContain(language);
    }
    for (const [path, headers] of [
      [`${page}/consent`, { cookie }],
      ['/sign-in', dashboard],
    ] as const) {
      const answered = await visit(path, headers, 'email=a%40example.com&form_token=x');
      expect([path, answered.status, answered.headers.get('refresh')]).toEqual([path, 503, null]);
      expect(await answered.text()).toContain('Go back in your browser');
    }
    changeServer({ port: server });
    await expect.poll(async () => (await visit(page, { cookie })).status).toBe(200);
  });
});
