// What keeps a team server from starting, each said by name; and a node whose clock is wrong, which changes nothing.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { freePort } from '../../support/servers/ports.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../../support/servers/postgres-server.ts';
import { addTeamToken } from '../../support/servers/team-access.ts';
import { startTeamNode } from '../../support/servers/team-nodes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`the start of a team server${why}`, () => {
  let postgres: PostgresServer;
  let folder: string;
  let url: string;
  let env: Record<string, string>;
  const key = randomBytes(32);

  beforeAll(async () => {
    [postgres, folder] = await Promise.all([startPostgresServer(), temporaryFolder()]);
    await writeFile(join(folder, 'key'), key.toString('hex'), { mode: 0o600 });
    await writeFile(join(folder, 'other-key'), randomBytes(32).toString('hex'));
    url = await postgres.createDatabase();
    env = {
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
    };
    const node = await startTeamNode(env);
    await vi.waitFor(() => expect(node.log()).toContain('To add the first user: esign serve user add'));
    await node.kill();
  });
  afterAll(async () => {
    await postgres?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('a warning of Node is a line of the log', async () => {
    const emit = 'setInterval(()=>process.emitWarning(Date.now()+" is odd"),100).unref()';
    const node = await startTeamNode({
      ...env,
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(emit)}`,
    });
    const length = node.log().length;
    await vi.waitFor(
      () =>
        expect(
          node
            .log()
            .slice(length)
            .match(/is odd/g)?.length,
        ).toBeGreaterThan(3),
      {
        timeout: 60_000,
        interval: 100,
      },
    );
    const lines = node.log().slice(length).trim().split('\n').slice(1, -1);
    await node.kill();
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 'warn', message: expect.stringMatching(/^Warning: \d+ is odd$/) }),
    );
  });

  /** Starts a node that must not start. @returns its exit code and its error */
  async function refusal(more: Record<string, string>, args: readonly string[] = []) {
    const refused = await startTeamNode({ ...env, ...more }, args).then(
      async (node) => {
        await node.kill();
        throw new Error('The node started.');
      },
      (error: Error) => error.message,
    );
    const [, exit, json = '{}'] = /^The node ended with (\d+): (.*)/s.exec(refused) ?? [];
    const { code, message, hint } = JSON.parse(json.trim().split('\n').at(-1) ?? '{}').error ?? {};
    return { exit: Number(exit), code, message, hint };
  }

  test('is refused while the mail server is down, unless the installation has served before', async () => {
    const own = await postgres.createDatabase();
    const { ESIGN_SERVE_ALLOW: _, ...strict } = env;
    const down = {
      ESIGN_SERVE_DATABASE: own,
      ESIGN_SERVE_MAIL_SMTP: `127.0.0.1:${await freePort()}`,
      ESIGN_SERVE_MAIL_TLS: 'none',
      ESIGN_SERVE_MAIL_FROM: 'no-reply@example.com',
    };
    const first = await startTeamNode({ ...strict, ...down }).catch((error: Error) => error.message);
    expect(first).toContain('serve_checks_failed');
    const node = await startTeamNode({ ...env, ...down });
    const token = await addTeamToken({ url: own, key, folder: join(folder, 'token'), migrates: false });
    const created = await fetch(`${node.url}/v1/transaction`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"Agreement"}',
    });
    expect(created.status).toBe(201);
    await node.kill();
    const again = await startTeamNode({ ...strict, ...down });
    const ready = await fetch(`${again.url}/readyz`);
    expect([ready.status, await ready.json()]).toMatchObject([
      200,
      { warned_at_start: expect.arrayContaining(['mail']) },
    ]);
    expect(again.log()).toMatch(/"level":"warn","check":"mail"/);
    await again.kill();
    const required = await startTeamNode({ ...strict, ...down }, ['--require', 'mail']).catch(
      (error: Error) => error.message,
    );
    expect(required).toContain('serve_checks_failed');
    // What is wrong with the settings is refused as at the first start.
    const wrong = await startTeamNode({ ...strict, ESIGN_SERVE_DATABASE: own }).catch(
      (error: Error) => error.message,
    );
    expect(wrong).toContain('No mail server is set');
  });

  const databaseAt = (change: (address: URL) => void): Record<string, string> => {
    const address = new URL(url);
    change(address);
    return { ESIGN_SERVE_DATABASE: address.href };
  };

  test('is refused where nothing answers, without the password in the message', async () => {
    const more = databaseAt((address) => {
      address.port = '1';
      address.password = 'geheim';
    });
    const refused = await refusal(more);
    expect(refused).toMatchObject({ exit: 7, code: 'storage_unavailable' });
    expect(refused.message).toContain('127.0.0.1:1');
    expect(JSON.stringify(refused)).not.toContain('geheim');
  });

  test('is refused for a database that does not exist', async () => {
    const refused = await refusal(databaseAt((address) => (address.pathname = '/nosuch')));
    expect(refused).toMatchObject({ exit: 2, code: 'storage_unusable' });
    expect(refused.message).toContain('has no such database');
  });

  test('is refused with the key of another installation', async () => {
    const refused = await refusal({ ESIGN_SERVE_KEY_FILE: join(folder, 'other-key') });
    expect(refused).toMatchObject({ exit: 2, code: 'key_mismatch' });
  });

  test('is refused for another installation, and for an empty database, which stays empty', async () => {
    const other = { ESIGN_SERVE_INSTALLATION: '01a21de3-66f4-752d-b24f-298c9c049e9c' };
    expect(await refusal(other)).toMatchObject({ exit: 2, code: 'installation_foreign' });
    const empty = await postgres.createDatabase();
    const refused = await refusal({ ...other, ESIGN_SERVE_DATABASE: empty });
    expect(refused).toMatchObject({ exit: 2, code: 'installation_foreign' });
    expect(refused.message).toContain('empty');
    const tables = await postgres.run(`select 1 from pg_tables where schemaname = 'public'`, empty);
    expect(tables).toEqual([]);
  });

  test('is refused with --no-migrate where tables are missing', async () => {
    const refused = await refusal({ ESIGN_SERVE_DATABASE: await postgres.createDatabase() }, [
      '--no-migrate',
    ]);
    expect(refused).toMatchObject({ exit: 2, code: 'migrations_missing' });
    expect(refused.hint).toContain('esign serve migrate');
  });

  test('leaves tables of an older version to itself and to `serve migrate`: other commands change none', async () => {
    const older = await postgres.createDatabase(url);
    const applied = () => postgres.run('select name from schema_migration order by name', older);
    await postgres.run(
      'delete from schema_migration where name = (select max(name) from schema_migration)',
      older,
    );
    const before = await applied();
    const fixture = {
      folder,
      env: { ...env, HOME: folder, ESIGN_HOME: join(folder, 'home'), ESIGN_SERVE_DATABASE: older },
    };
    const words = ['serve', 'user', 'add', 'Ada <ada@example.com>', '--company', 'E', '--password-file', '-'];
    const email = 'ada@example.com';
    for (const command of [
      words,
      ['serve', 'user', 'list'],
      ['serve', 'user', 'password', email],
      ['serve', 'user', 'disable', email, '--yes'],
      ['serve', 'ca'],
    ]) {
      const { code, err } = await runInProcess(fixture, [...command, '--json'], { input: 'correct horse' });
      expect([command, code, JSON.parse(err).error.code]).toEqual([command, 2, 'migrations_missing']);
    }
    expect(await applied()).toEqual(before);
  });

  test('is refused for tables of a newer version, which stay as they are', async () => {
    const newer = await postgres.createDatabase(url);
    await postgres.run(`insert into schema_migration values ('9999-later')`, newer);
    const refused = await refusal({ ESIGN_SERVE_DATABASE: newer });
    expect(refused).toMatchObject({ exit: 1, code: 'store_newer' });
    expect(refused.message).toContain('9999-later');
  });

  test('is refused for a database that is read-only', async () => {
    const readOnly = await postgres.createDatabase(url);
    const name = new URL(readOnly).pathname.slice(1);
    await postgres.run(`alter database ${name} set default_transaction_read_only = on`);
    const refused = await refusal({ ESIGN_SERVE_DATABASE: readOnly });
    expect(refused).toMatchObject({ exit: 2, code: 'storage_unusable' });
    expect(refused.message).toContain('read-only');
  });

  test('is refused without a mail server, unless the check is allowed to fail', async () => {
    const refused = await refusal({ ESIGN_SERVE_ALLOW: 'fonts' });
    expect(refused).toMatchObject({ exit: 1, code: 'serve_checks_failed' });
    expect(refused.message).toContain('mail: No mail server');
    expect(refused.hint).toContain('--allow mail');
  });

  test('is refused for a variable that is not known', async () => {
    const refused = await refusal({ ESIGN_SERVE_MAIL_SMPT: 'mail.example.com' });
    expect(refused).toMatchObject({ exit: 2, code: 'variable_invalid' });
    expect(refused.hint).toContain('ESIGN_SERVE_MAIL_SMTP');
  });

  test('is ready, and not ready while the database is down', async () => {
    const node = await startTeamNode(env);
    const ready = async () => (await fetch(`${node.url}/readyz`)).status;
    expect(await ready()).toBe(200);
    await postgres.stop();
    await expect.poll(ready).toBe(503);
    const { status, headers } = await fetch(`${node.url}/v1/user/me`, {
      headers: { authorization: 'Bearer x' },
    });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await postgres.start();
    await expect.poll(ready).toBe(200);
    await node.kill();
  });

  const clock = unmet(needsCommand('faketime'));

  test.skipIf(clock.skip)(`by a clock that is five minutes ahead changes no time${clock.why}`, async () => {
    const token = await addTeamToken({ url, key, folder: join(folder, 'copies'), migrates: true });
    const node = await startTeamNode({
      ...env,
      LD_PRELOAD: '/usr/$LIB/faketime/libfaketime.so.1',
      FAKETIME: '+5m',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    });
    expect(node.log()).toMatch(/clock/);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const created = await fetch(`${node.url}/v1/transaction`, { method: 'POST', headers, body: '{}' });
    const { id } = (await created.json()) as { id: string };
    const detail = await fetch(`${node.url}/v1/transaction/${id}`, { headers });
    const { created_at } = (await detail.json()) as { created_at: string };
    const [row] = await postgres.run<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    expect(Math.abs(Date.parse(created_at) - (row?.ms ?? 0))).toBeLessThan(120_000);
    await node.kill();
  });
});

describe('a start that fails without a terminal', () => {
  test('is a line of the JSON log, with what to do', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'key'), randomBytes(32).toString('hex'), { mode: 0o600 });
    const words = ['serve', '--key-file', join(folder, 'key')];
    const database = `postgres://esign@127.0.0.1:${await freePort()}/esign`;
    const { code, out, err } = await runInProcess({ folder, env: { ESIGN_HOME: folder } }, [
      ...words,
      '--database',
      database,
    ]);
    expect([code, out]).toEqual([expect.any(Number), '']);
    expect(code).not.toBe(0);
    const last = JSON.parse(err.trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({
      time: expect.any(String),
      level: 'error',
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.any(String),
      hint: expect.any(String),
    });
  });
});
