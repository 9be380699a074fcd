// A team server is upgraded under load behind nginx: a newer version with a migration runs its checks before it changes the tables, and nodes
// of the older version go on reading until a node of the newer one serves. The newer version is a copy of the program with another migration.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createServerAuthority, type ServerAuthority } from '../support/certificates/server-certificates.ts';
import { makeNewerVersion, type NewerVersion } from '../support/servers/newer-version.ts';
import { freePort } from '../support/servers/ports.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { type ReverseProxy, startNginx } from '../support/servers/reverse-proxies.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../support/servers/team-nodes.ts';
import { codeBlocks } from '../support/stories/code-blocks.ts';
import { needsCommand, unmet } from '../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsCommand('nginx'), needsCommand('openssl'));

const NEXT = {
  name: '9999-next',
  up: `async(db)=>{await db.schema.alterTable('transaction').addColumn('mood','text',(column)=>column.notNull().defaultTo('calm')).execute()}`,
};

const CLIENTS = { reads: 4, changes: 4 };

type Failure = { status: number; isRetryable: boolean };
type Figures = { count: number; failed: Failure[] };

describe.skipIf(skip)(`a newer version of a team server${why}`, () => {
  let team: TeamDatabase;
  let authority: ServerAuthority;
  let newer: NewerVersion;
  let nodes: TeamNode[];
  let proxy: ReverseProxy | undefined;

  beforeAll(async () => {
    authority = createServerAuthority();
    newer = await makeNewerVersion({ ...NEXT, isAdditive: true });
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
    for (const node of nodes) await node.kill();
    await team.close();
  });
  afterAll(async () => {
    authority?.close();
    await newer?.close();
  });

  async function startOlder(count: number): Promise<void> {
    team = await prepareTeamDatabase();
    nodes = await Promise.all(Array.from({ length: count }, () => startTeamNode(team.env)));
  }

  const startNewer = (more: Record<string, string> = {}, args: readonly string[] = [], port?: number) =>
    startTeamNode({ ...team.env, ...more }, args, port, newer.program);

  const applied = async (): Promise<string[]> =>
    (await sharedPostgres().run<{ name: string }>('select name from schema_migration', team.url)).map(
      ({ name }) => name,
    );

  /** Resolves when the node has ended by itself, and its log says why. */
  async function untilReplaced(node: TeamNode): Promise<void> {
    expect(await node.ended).toBe(1);
    expect(node.log()).toContain('"code":"store_newer"');
  }

  const createOne = (url: string) =>
    fetch(`${url}/v1/transaction`, {
      method: 'POST',
      headers: { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' },
      body: '{"name":"Agreement"}',
    });
  const readOne = (url: string, id: string) =>
    fetch(`${url}/v1/transaction/${id}`, { headers: { authorization: `Bearer ${team.token}` } });

  test('changes no table where one of its checks fails, and the older nodes go on', async () => {
    await startOlder(1);
    const [node] = nodes as [TeamNode];
    const before = await applied();
    const down = {
      ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${await freePort()}`,
      ESIGN_SERVE_MAIL_TLS: 'none',
      ESIGN_SERVE_MAIL_FROM: 'no-reply@example.com',
    };
    const refused = await startNewer(down, ['--allow', 'fonts']).catch((error: Error) => error.message);
    expect(refused).toContain('serve_checks_failed');
    expect(await applied()).toEqual(before);
    expect((await createOne(node.url)).status).toBe(201);
    expect(runNewer('serve', '--check')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('The tables are those of an older version.'),
    });
    expect(await applied()).toEqual(before);
    const next = await startNewer();
    nodes.push(next);
    expect(await applied()).toEqual([...before, NEXT.name]);
    expect(next.log()).toContain(`The tables were updated (${NEXT.name}).`);
  });

  test('lets older nodes read after `serve migrate`, until a node of it serves', async () => {
    await startOlder(1);
    const [node] = nodes as [TeamNode];
    const { id } = (await (await createOne(node.url)).json()) as { id: string };
    expect(runNewer('serve', 'migrate')).toMatchObject({ status: 0, stderr: '' });
    await expect.poll(async () => (await createOne(node.url)).status).toBe(503);
    const refused = await createOne(node.url);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    await expect.poll(() => node.log().includes('still answers what only reads')).toBe(true);
    await pause(1500);
    expect((await readOne(node.url, id)).status).toBe(200);
    const ready = await fetch(`${node.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([200, { changes: 'refused' }]);
    nodes.push(await startNewer());
    const isReady = async () => (await fetch(`${node.url}/readyz`)).status;
    expect(await isReady()).toBe(200);
    await expect.poll(isReady, { timeout: 30_000 }).toBe(503);
    expect((await readOne(node.url, id)).status).toBe(200);
    await untilReplaced(node);
  });

  /** Runs a command of it, which ends by itself. */
  function runNewer(...words: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [newer.program, ...words, '--json'], {
      env: { PATH: process.env.PATH, HOME: team.folder, ESIGN_HOME: team.folder, ...team.env },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  test('takes over under load without a read that fails, and a change fails only with an answer to repeat it', async () => {
    await startOlder(2);
    const [first, second] = nodes as [TeamNode, TeamNode];
    const port = await freePort();
    proxy = await startDocumentedProxy(port, [first.port, second.port]);
    const load = await startLoad(port);
    await load.untilMore(200);
    expect(await first.stop()).toBe(143);
    nodes.push(await startNewer({}, [], first.port));
    await untilReplaced(second);
    nodes.push(await startNewer({}, [], second.port));
    await load.untilMore(200);
    const { reads, changes } = await load.stop();
    expect(reads.failed, summarize(reads)).toEqual([]);
    expect(
      changes.failed.filter(({ isRetryable }) => !isRetryable),
      summarize(changes),
    ).toEqual([]);
  });

  async function startDocumentedProxy(port: number, ports: [number, number]): Promise<ReverseProxy> {
    const page = await readFile(join(import.meta.dirname, '../../docs/self-hosting.md'), 'utf8');
    const [nginx] = codeBlocks(page, 'The proxy');
    const servers = (nginx?.code ?? '')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replace('sign.example.com', 'localhost')
      .replace('proxy_set_header Host $http_host', `proxy_set_header Host 127.0.0.1`)
      .replace('127.0.0.1:8081', `127.0.0.1:${ports[0]}`)
      .replace('127.0.0.1:8082', `127.0.0.1:${ports[1]}`);
    return startNginx(servers, authority.certificateFor('localhost'));
  }

  /** Clients that never repeat a request. */
  async function startLoad(port: number) {
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const headers = { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' };
    const ask = (method: string, path: string, body?: string) =>
      new Promise<Failure & { text: string }>((resolve) => {
        const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
          let text = '';
          response.on('data', (chunk) => (text += chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              isRetryable: response.headers['retry-after'] !== undefined,
              text,
            }),
          );
        });
        sent.on('error', (error) => resolve({ status: 0, isRetryable: false, text: error.message }));
        sent.end(body);
      });
    let id = '';
    await expect
      .poll(async () => {
        const { status, text } = await ask('POST', '/v1/transaction', '{"name":"Agreement"}');
        if (status === 201) id = JSON.parse(text).id;
        return status;
      })
      .toBe(201);
    const figures: Record<keyof typeof CLIENTS, Figures> = {
      reads: { count: 0, failed: [] },
      changes: { count: 0, failed: [] },
    };
    let isOver = false;
    const run = async (kind: keyof typeof CLIENTS) => {
      while (!isOver) {
        const { status, isRetryable } = await (kind === 'reads'
          ? ask('GET', `/v1/transaction/${id}`)
          : ask('POST', '/v1/transaction', '{"name":"Agreement"}'));
        figures[kind].count += 1;
        if (status === 0 || status >= 400) figures[kind].failed.push({ status, isRetryable });
      }
    };
    const running = (Object.keys(CLIENTS) as (keyof typeof CLIENTS)[]).flatMap((kind) =>
      Array.from({ length: CLIENTS[kind] }, () => run(kind)),
    );
    return {
      async untilMore(count: number) {
        const { reads, changes } = figures;
        const before = [reads.count, changes.count] as const;
        await expect
          .poll(() => Math.min(reads.count - before[0], changes.count - before[1]), { timeout: 60_000 })
          .toBeGreaterThan(count);
      },
      async stop() {
        isOver = true;
        await Promise.all(running);
        agent.destroy();
        return figures;
      },
    };
  }
});

function summarize({ count, failed }: Figures): string {
  const kinds = new Map<string, number>();
  for (const { status, isRetryable } of failed) {
    const kind = `${status}${isRetryable ? ' with Retry-After' : ''}`;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return `${count} requests, failed: ${[...kinds].map(([kind, times]) => `${times} × ${kind}`).join(', ') || 'none'}`;
}
