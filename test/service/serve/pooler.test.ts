// PgBouncer in front of PostgreSQL: a node starts where each connection keeps its connection of the server, and is refused by name elsewhere.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../support/servers/ports.ts';
import { accessPostgres, needsPostgres } from '../../support/servers/postgres-server.ts';
import {
  createTeamClient,
  prepareTeamDatabase,
  type TeamDatabase,
} from '../../support/servers/team-database.ts';
import { startTeamNode } from '../../support/servers/team-nodes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { needsCommand, unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsCommand('pgbouncer'));

/** As docs/self-hosting.md has it. */
const IGNORED =
  'ignore_startup_parameters = extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout';

describe.skipIf(skip)(`a node behind PgBouncer${why}`, () => {
  let team: TeamDatabase;
  let folder: string;
  const poolers: { child: ChildProcess; ended: Promise<unknown> }[] = [];

  beforeAll(async () => {
    [team, folder] = await Promise.all([prepareTeamDatabase(), temporaryFolder()]);
    await chmod(folder, 0o755);
  });
  afterAll(async () => {
    for (const { child, ended } of poolers) {
      child.kill('SIGKILL');
      await ended;
    }
    await team?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** @returns the variables of a node that reaches the database through it */
  async function startPooler(mode: string, more = ''): Promise<Record<string, string>> {
    const [port, server] = [await freePort(), new URL(team.url)];
    const place = join(folder, `${port}`);
    await mkdir(place);
    await writeFile(join(place, 'users'), `"${server.username}" ""\n`, { mode: 0o644 });
    const lines = [
      '[databases]',
      `* = host=127.0.0.1 port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(place, 'users')}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 40',
      more,
    ];
    const file = join(place, 'pgbouncer.ini');
    await writeFile(file, `${lines.join('\n')}\n`, { mode: 0o644 });
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
    poolers.push({ child, ended: once(child, 'exit') });
    await expect
      .poll(
        () =>
          accessPostgres(port)
            .run('select 1', `postgres://postgres@127.0.0.1:${port}/nosuch`)
            .then(String, String),
        { timeout: 60_000 },
      )
      .not.toContain('ECONNREFUSED');
    server.port = `${port}`;
    return { ...team.env, ESIGN_SERVE_DATABASE: server.href };
  }

  const refusal = (env: Record<string, string>) =>
    startTeamNode(env).then(
      async (node) => {
        await node.kill();
        return 'The node started.';
      },
      (error: Error) => error.message,
    );

  test('serves in session mode', async () => {
    const node = await startTeamNode(await startPooler('session', IGNORED));
    const client = createTeamClient(node.url, team.token);
    const made = Array.from({ length: 20 }, () =>
      client['transaction.create']({ body: { name: 'Agreement' } }),
    );
    expect(new Set((await Promise.all(made)).map(({ id }) => id)).size).toBe(20);
    await node.kill();
  });

  test('is refused in transaction mode, also when it has served there before', async () => {
    const env = await startPooler('transaction', IGNORED);
    for (let count = 0; count < 3; count += 1) {
      const refused = await refusal(env);
      expect(refused).toContain('"code":"storage_unusable"');
      expect(refused).toContain('A pooler in transaction mode');
      expect(refused).toContain('pool_mode = session');
    }
  });

  test('is refused with the reason that PgBouncer gives', async () => {
    expect(await refusal(await startPooler('session'))).toContain(
      'unsupported startup parameter: statement_timeout',
    );
  });
});
