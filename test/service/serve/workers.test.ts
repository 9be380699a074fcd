// Several processes that serve as one node: a worker that is killed under load is replaced, the metrics of all are added up, and SIGTERM ends
// the whole tree.
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Migration } from '../../../src/database/database.ts';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { parsePrometheusText } from '../../support/prometheus-text.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { prepareTeamDatabase, type TeamDatabase } from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

/** The processes of a tree are found in /proc. */
const { skip, why } = unmet(needsPostgres(), needsCommand('ps'));

const WORKERS = 2;

describe.skipIf(skip)(`a node with several workers${why}`, () => {
  let team: TeamDatabase;
  let node: TeamNode;
  let metricsUrl: string;

  beforeAll(async () => {
    team = await prepareTeamDatabase();
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    const args = ['--workers', `${WORKERS}`, '--metrics', `127.0.0.1:${port}`];
    node = await startTeamNode(team.env, args);
  });
  afterAll(async () => {
    await node?.kill();
    await team?.close();
  });

  const workers = () => childrenOf(node.pid);

  const logged = () =>
    node
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Uses a new connection, since one that is kept stays with its worker. Returns the status of the answer. */
  const createOne = () =>
    new Promise<number>((resolve, reject) => {
      const headers = { authorization: `Bearer ${team.token}`, 'content-type': 'application/json' };
      const sent = request(`${node.url}/v1/transaction`, { method: 'POST', headers, agent: false });
      sent.on('error', reject).on('response', (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      sent.end('{"name":"Agreement"}');
    });

  test('serves in each of them, prints one line, and names the worker in its log', async () => {
    expect(workers()).toHaveLength(WORKERS);
    expect(node.facts.listening).toBe(node.url);
    await vi.waitFor(async () => {
      await Promise.all(Array.from({ length: 8 }, createOne));
      const seen = logged().map(({ worker }) => worker);
      expect(new Set(seen.filter((worker) => worker !== undefined))).toEqual(new Set([1, 2]));
    }, 30_000);
  });

  test('adds up the metrics of all workers', async () => {
    const metrics = await vi.waitFor(async () => {
      const made = logged().filter(({ path, status }) => path === '/v1/transaction' && status === 201).length;
      const found = parsePrometheusText(await (await fetch(metricsUrl)).text());
      const labels = { operation: 'transaction.create', status: '2xx' };
      expect(found.value('esign_http_requests_total', labels)).toBe(made);
      return found;
    }, 30_000);
    expect(metrics.value('esign_build_info')).toBe(1);
    expect(metrics.value('esign_start_warnings', { check: 'mail' })).toBe(1);
    const ready = await fetch(`${node.url}/readyz`);
    expect(await ready.json()).toMatchObject({ warned_at_start: expect.arrayContaining(['mail']) });
    expect(metrics.value('esign_database_up')).toBe(1);
  });

  test('replaces a worker that is killed under load: clients see answers and lost connections only', async () => {
    const statuses = new Map<number | string, number>();
    let isOver = false;
    const clients = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const outcome = await createOne().catch(() => 'connection lost');
        statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1);
      }
    });
    const [victim = 0] = workers();
    process.kill(victim, 'SIGKILL');
    await vi.waitFor(() => {
      const left = workers();
      expect(left).toHaveLength(WORKERS);
      expect(left).not.toContain(victim);
    }, 30_000);
    await vi.waitFor(() => expect(logged().map(({ worker }) => worker)).toContain(3), 30_000);
    isOver = true;
    await Promise.all(clients);
    expect(
      [...statuses.keys()].filter((outcome) => ![201, 503, 'connection lost'].includes(outcome)),
    ).toEqual([]);
    expect(statuses.get(201)).toBeGreaterThan(0);
    const lost = logged().find(({ message }) => String(message).includes('SIGKILL'));
    expect(lost).toMatchObject({ level: 'error', message: expect.stringMatching(/^Worker [12] ended/) });
  });

  test('is not ready in any worker after SIGTERM, and ends as a whole', async () => {
    const tree = [node.pid, ...workers()];
    const stopping = node.stop();
    await vi.waitFor(async () => {
      const answers = await Promise.all([0, 1, 2, 3].map(() => fetch(`${node.url}/readyz`)));
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    }, 30_000);
    expect(await stopping).toBe(143);
    expect(tree.filter(isRunning)).toEqual([]);
    for (const line of node.log().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  test('leaves no worker when its first process is killed', async () => {
    const other = await startTeamNode(team.env, ['--workers', '2']);
    const tree = childrenOf(other.pid);
    expect(tree).toHaveLength(2);
    await other.kill();
    await vi.waitFor(() => expect(tree.filter(isRunning)).toEqual([]), 10_000);
  });

  test('is not started on a port that is taken, and says so once', async () => {
    const first = await startTeamNode(team.env);
    const refused = await startTeamNode(team.env, ['--workers', '2'], first.port).catch(String);
    expect(refused).toContain('"code":"port_in_use"');
    expect(String(refused).match(/port_in_use/g)).toHaveLength(1);
    await first.kill();
  });

  test('ends as a single process does when a newer version upgrades the tables', async () => {
    const upgraded = await prepareTeamDatabase();
    const served = await startTeamNode(upgraded.env, ['--workers', '2']);
    try {
      const connected = connectPostgres({ url: `${upgraded.env.ESIGN_SERVE_DATABASE}` });
      const newer: Migration = {
        name: '9999-newer',
        up: (db) => db.schema.alterTable('transaction').addColumn('mood', 'text').execute(),
      };
      const known = [...migrations('postgres'), newer];
      await (await openPostgres<Tables>({ ...connected, migrations: known })).close();
      // A commit of a worker is refused, at the latest when it does what is due.
      await expect.poll(() => isRunning(served.pid)).toBe(false);
      expect(await served.stop()).toBe(1);
      const last = JSON.parse(served.log().trim().split('\n').at(-1) ?? '{}');
      expect(last.error).toMatchObject({ code: 'store_newer' });
    } finally {
      await served.kill();
      await upgraded.close();
    }
  });
});

/** Reads /proc: the processes that this one has begun. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);

function parentOf(pid: number): number | undefined {
  try {
    const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state === 'Z' ? undefined : Number(parent);
  } catch {
    return undefined;
  }
}

const isRunning = (pid: number): boolean => parentOf(pid) !== undefined;
