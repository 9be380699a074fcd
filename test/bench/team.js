// Measures two nodes of a team server on one PostgreSQL, compared with the sandbox on SQLite in one process. Needs PostgreSQL.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadSource } from '../../scripts/load-source.js';
import { withReceiver } from './deliveries.js';
import { median } from './median.js';
import {
  createCaller,
  FEW,
  latencyRatio,
  load,
  MANY,
  ratioOf,
  startTransaction,
  withFolder,
  withService,
} from './service.js';

const POSTGRES = '/usr/lib/postgresql';

export const hasPostgres = existsSync(POSTGRES);

const CLIENTS = 32;
const SECONDS = 3;

/** Runs nodes on a fresh database. `use` gets the address of each, a token, the database, and a way to run a statement in it. */
async function withTeam(use, count = 2) {
  const { startPostgresServer, addTeamToken, startTeamNode } = await loadSource('test/bench/team-parts.ts');
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-team-'));
  const postgres = await startPostgresServer();
  const nodes = [];
  try {
    const [url, key] = [await postgres.createDatabase(), randomBytes(32)];
    writeFileSync(join(folder, 'key'), key.toString('hex'));
    const token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true });
    const env = {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
      ESIGN_SERVE_LOCAL_RECEIVERS: '1',
    };
    while (nodes.length < count) nodes.push(await startTeamNode(env, ['--quiet']));
    return await use({
      urls: nodes.map((node) => node.url),
      token,
      database: url,
      run: (text) => postgres.run(text, url),
    });
  } finally {
    for (const node of nodes) await node.kill();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param measure gets the addresses and a token. @returns the figure of the team ÷ that of the sandbox */
const teamRatio = (measure) =>
  withFolder((folder) =>
    withService(folder, (service) =>
      withTeam((team) =>
        ratioOf(
          () => measure(team),
          () => measure({ urls: [service.url], token: service.token }),
        ),
      ),
    ),
  );

const headersOf = (token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

/** Sends the same load to each address, the connections shared among them. @returns requests a second */
async function loadAll({ urls, token }, path, more = {}) {
  const connections = CLIENTS / urls.length;
  const figures = await Promise.all(
    urls.map((url) =>
      load({ url: `${url}${path}`, headers: headersOf(token), connections, seconds: SECONDS, ...more }),
    ),
  );
  return figures.reduce((sum, one) => sum + one, 0);
}

export const teamCreates = () =>
  teamRatio((target) => loadAll(target, '/v1/transaction', { method: 'POST', body: '{"name":"Agreement"}' }));

export const teamDetails = () => {
  const made = new Map();
  return teamRatio(async (target) => {
    const call = createCaller({ url: target.urls[0], token: target.token });
    if (!made.has(target.urls[0]))
      made.set(target.urls[0], (await call('POST', '/v1/transaction', { name: 'Agreement' })).id);
    return loadAll(target, `/v1/transaction/${made.get(target.urls[0])}`);
  });
};

/** Stories from the upload to the signature and the seal, by clients that each take the next one. @returns stories a second */
export const teamStories = () =>
  teamRatio(async ({ urls, token }) => {
    const startedAt = performance.now();
    let done = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        const url = urls[client % urls.length];
        const call = createCaller({ url, token });
        const id = await startTransaction(call);
        const { template } = await call('GET', `/v1/transaction/${id}`);
        const { token: link } = template.recipients.find((recipient) => recipient.is_current);
        const { fields } = await call('GET', `/sign?token=${link}`);
        const values = fields.map((field) => ({ field_id: field.id, value: 'Ada' }));
        await call('POST', `/sign/submit?token=${link}`, { values });
        done += 1;
      }),
    );
    return done / ((performance.now() - startedAt) / 1000);
  });

/** Inserts rows of 300 bytes, each in a durable commit of its own, by `pgbench`. @returns rows a second */
async function insertsBy(pgbench, run, { host, port, database }) {
  await run('create table if not exists bench_row (id bigserial primary key, data text)');
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-pgbench-'));
  const script = join(folder, 'insert.sql');
  writeFileSync(script, "insert into bench_row (data) values (repeat('x', 300));\n");
  const args = ['-n', '-M', 'prepared', '-c', `${CLIENTS}`, '-j', '2', '-T', `${SECONDS}`, '-f', script];
  const { stdout } = await promisify(execFile)(pgbench, [
    ...args,
    ...['-h', host, '-p', port, '-U', 'postgres', database],
  ]);
  rmSync(folder, { recursive: true, force: true });
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Creates by two nodes ÷ the inserts that the same PostgreSQL can make. */
export const teamLimit = () =>
  withTeam(({ urls, token, run, database }) => {
    const pgbench = readdirSync(POSTGRES)
      .map((version) => join(POSTGRES, version, 'bin', 'pgbench'))
      .find((path) => existsSync(path));
    if (pgbench === undefined) return 'needs pgbench';
    const { hostname: host, port, pathname } = new URL(database);
    return ratioOf(
      () => loadAll({ urls, token }, '/v1/transaction', { method: 'POST', body: '{"name":"Agreement"}' }),
      () => insertsBy(pgbench, run, { host, port, database: pathname.slice(1) }),
    );
  });

/** Copies one row of each table so many times. @param copies which row, and the columns of the copies that differ, with their number as `n` */
async function copyRows(run, copies, count) {
  for (const [table, { where, ...changed }] of Object.entries(copies)) {
    const columns = await run(
      `select column_name as name from information_schema.columns where table_name = '${table}' and column_name <> 'inserted'`,
    );
    const quoted = columns.map(({ name }) => `"${name}"`);
    const values = columns.map(({ name }) => changed[name] ?? `"${name}"`);
    await run(
      `insert into "${table}" (${quoted}) select ${values} from "${table}", generate_series(1, ${count}) as n where ${where}`,
    );
  }
  await run('vacuum analyze');
}

/** Copies a transaction with its template and its events so many times, by statements of the database. @returns some of the IDs */
async function fillTeam({ urls: [url], token, run }, count) {
  const { id } = await createCaller({ url, token })('POST', '/v1/transaction', { name: 'Agreement' });
  const idOf = (kind) => `'019caf0${kind}-0000-7000-8000-' || lpad(to_hex(n), 12, '0')`;
  const copies = {
    template: { where: `id = (select template_id from transaction where id = '${id}')`, id: idOf(1) },
    transaction: { where: `id = '${id}'`, id: idOf(2), template_id: idOf(1) },
    event: { where: `transaction_id = '${id}'`, id: idOf(3), transaction_id: idOf(2), seq: 'n + 1000' },
  };
  await copyRows(run, copies, count);
  const ids = await run(
    `select id from transaction where id <> '${id}' order by md5(id) limit ${Math.min(count, FEW)}`,
  );
  return ids.map((row) => row.id);
}

const DELIVERIES = Number(process.env.ESIGN_BENCH_DUE_DELIVERIES ?? 10_000);
const ROUNDS = 3;
const FAR = '2999-01-01T00:00:00.000Z';

/** @returns deliveries a second, of events that are all due at the same moment */
async function deliveriesOf({ urls: [url], token, run }, receiver, path) {
  const { id } = await createCaller({ url, token })('POST', '/v1/transaction', {
    name: 'Agreement',
    notification_endpoint: `${receiver.url}${path}`,
  });
  await receiver.until(path, 1);
  const idOf = (kind) => `'${id.slice(-8)}-000${kind}-7000-8000-' || lpad(to_hex(n), 12, '0')`;
  const where = `transaction_id = '${id}'`;
  await copyRows(
    run,
    {
      event: {
        where,
        id: idOf(1),
        transaction_id: idOf(2),
        seq: '(select max(seq) from event) + n',
      },
      delivery: {
        where,
        id: idOf(3),
        transaction_id: idOf(2),
        subject_id: idOf(1),
        seq: `nextval(pg_get_serial_sequence('delivery', 'seq'))`,
        state: `'waiting'`,
        attempts: '0',
        due_at: `'${FAR}'`,
        lease: 'null',
        leased_until: 'null',
        done_at: 'null',
      },
    },
    DELIVERIES,
  );
  await run(`update delivery set due_at = '${new Date().toISOString()}' where due_at = '${FAR}'`);
  const { firstMs, lastMs } = await receiver.until(path, DELIVERIES);
  return (DELIVERIES / (lastMs - firstMs)) * 1000;
}

/** Three nodes ÷ one, for a receiver that answers after 50 ms, and for one that answers at once. */
export const teamDeliveries = () =>
  withReceiver((receiver) =>
    withTeam(
      (one) =>
        withTeam(async (three) => {
          const ratios = [];
          for (const [name, folder] of [
            ['after 50 ms', 'slow'],
            ['at once', 'hook'],
          ]) {
            const pairs = [];
            for (let round = 0; round < ROUNDS; round += 1)
              pairs.push([
                await deliveriesOf(three, receiver, `/${folder}/three-${round}`),
                await deliveriesOf(one, receiver, `/${folder}/one-${round}`),
              ]);
            const shown = pairs.map(([a, b]) => `${a.toFixed(0)} ÷ ${b.toFixed(0)}`).join(', ');
            ratios.push(`${name} ${median(pairs.map(([a, b]) => a / b)).toFixed(2)} (${shown} a second)`);
          }
          return ratios.join(', ');
        }, 3),
      1,
    ),
  );

/** One node, with few and with many transactions, asked in turn. */
export const teamSize = () =>
  withTeam(
    (few) =>
      withTeam(async (many) => {
        const filled = async (team, count) => ({
          ...team,
          url: team.urls[0],
          ids: await fillTeam(team, count),
        });
        const targets = [await filled(few, FEW), await filled(many, MANY)];
        const requests = {
          detail: (id) => `/v1/transaction/${id}`,
          list: () => '/v1/template?limit=20&page=1',
          events: () => '/v1/event?limit=20',
        };
        const ratios = [];
        for (const [name, path] of Object.entries(requests))
          ratios.push(`${name} ${await latencyRatio(...targets, path)}`);
        return ratios.join(', ');
      }, 1),
    1,
  );
