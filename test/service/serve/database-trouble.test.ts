// A node whose PostgreSQL has no space left, or is read-only after another server has taken over: refused changes are named, what can be
// read is read, and everything continues without a restart.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pdfOf } from '../../support/documents/pdf.ts';
import { refusalOf, signWith, startTransaction } from '../../support/fixtures/transactions.ts';
import {
  needsPostgres,
  type PostgresServer,
  startPostgresServer,
} from '../../support/servers/postgres-server.ts';
import {
  createTeamClient,
  prepareTeamDatabase,
  type TeamDatabase,
} from '../../support/servers/team-database.ts';
import { startTeamNode, type TeamNode } from '../../support/servers/team-nodes.ts';
import type { StrictClient } from '../../support/strict-client.ts';
import { needsMount, unmet } from '../../support/tools.ts';

const { skip, why } = unmet(needsPostgres(), needsMount());

const DISK_MB = 64;

describe.skipIf(skip)(`a node whose database server is in trouble${why}`, () => {
  let postgres: PostgresServer;
  let disk: string;
  let team: TeamDatabase;
  let node: TeamNode;
  let client: StrictClient;

  beforeEach(async () => {
    postgres = await startPostgresServer();
    disk = join(postgres.folder, 'small');
    await mkdir(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', disk]).status).toBe(0);
    // The log of PostgreSQL stays on the other disk, where there is space.
    const tables = join(disk, 'tables');
    await mkdir(tables);
    const { uid, gid } = statSync(join(postgres.folder, 'data'));
    chownSync(tables, uid, gid);
    await postgres.run(`create tablespace small location '${tables}'`);
    team = await prepareTeamDatabase({ server: postgres });
    const name = new URL(`${team.env.ESIGN_SERVE_DATABASE}`).pathname.slice(1);
    await postgres.run(`alter database ${name} set tablespace small`);
    node = await startTeamNode(team.env);
    client = createTeamClient(node.url, team.token);
  });
  afterEach(async () => {
    await node?.kill();
    await team?.close();
    spawnSync('umount', ['--lazy', disk]);
    await postgres?.close();
  });

  const upload = () => {
    const data = randomBytes(1_500_000).toString('base64');
    const stream = `<</Length ${data.length}>>stream\n${data}\nendstream`;
    const content = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 200]>>',
      stream,
    ]);
    return client['file.upload']({ form: {}, file: { name: 'large.pdf', content } });
  };
  const readiness = async () => {
    const response = await fetch(`${node.url}/readyz`);
    return { code: response.status, ...((await response.json()) as object) };
  };

  test('refuses by name what has no space, keeps what it acknowledged, and continues', async () => {
    const started = await startTransaction({ client });
    expect(await upload()).toMatchObject({ token: expect.any(String) });
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, new Uint8Array(spaceOf(disk).available - 64 * 1024));
    expect(await refusalOf(upload())).toMatchObject({ status: 507, code: 'storage_full' });
    const created: string[] = [];
    for (;;) {
      const creating = client['transaction.create']({ body: { name: 'x'.repeat(200) } });
      const made = await creating.catch(() => undefined);
      if (!made) {
        expect(await refusalOf(creating)).toMatchObject({ status: 507, code: 'storage_full' });
        break;
      }
      created.push(made.id);
    }
    const params = { transactionId: started.id };
    expect((await client['transaction.detail']({ params })).status).toBe('started');
    await rm(ballast);
    expect(await signWith({ client }, started.token)).toMatchObject({ status: 'completed' });
    for (const transactionId of created)
      expect((await client['transaction.detail']({ params: { transactionId } })).status).toBe('draft');
    expect(await readiness()).toMatchObject({ code: 200, status: 'ready' });
  });

  test('is not ready while the database is read-only, and returns to a server that is not', async () => {
    const name = new URL(`${team.env.ESIGN_SERVE_DATABASE}`).pathname.slice(1);
    const setReadOnly = async (value: 'on' | 'off') => {
      await postgres.run(`alter database ${name} set default_transaction_read_only = ${value}`);
    };
    expect(await readiness()).toMatchObject({ code: 200, status: 'ready' });
    await setReadOnly('on');
    await postgres.run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await expect.poll(readiness).toMatchObject({
      code: 503,
      status: 'database_unavailable',
      message: 'The database cannot be used now: its server is read-only.',
    });
    const create = () => client['transaction.create']({ body: { name: 'Agreement' } });
    await expect
      .poll(() => refusalOf(create()))
      .toMatchObject({
        status: 503,
        code: 'storage_unavailable',
        message: expect.stringContaining('read-only'),
      });
    // The connections that were opened meanwhile would stay read-only.
    await setReadOnly('off');
    await expect.poll(() => create().then(({ id }) => id.length, String)).toBe(36);
    await expect.poll(readiness).toMatchObject({ code: 200 });
  });
});

/** @returns bytes */
function spaceOf(folder: string): { available: number } {
  const { stdout } = spawnSync('df', ['--output=avail', '-B1', folder]);
  return { available: Number(stdout.toString().trim().split('\n').at(-1)) };
}
