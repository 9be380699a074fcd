// The checks of a start run on the tables of the version before, which nodes of that version still use.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { createKeys } from '../../../src/service/store/keys.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { keyCheckOf } from '../../../src/service/store/store.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { freePort } from '../../support/servers/ports.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { skip, why } = needsPostgres();

/** The first one with which a team server could store its files. */
const FIRST = '0002-blobs';

const ALL = migrations('postgres');

const OLDER = ALL.slice(
  ALL.findIndex(({ name }) => name === FIRST),
  -1,
).map(({ name }) => name);

describe.skipIf(skip)(`the checks of a start${why}`, () => {
  let folder: string;
  const key = randomBytes(32);

  beforeAll(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder, 'key'), key.toString('hex'), { mode: 0o600 });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** A database whose newest migration is this one. */
  async function createOlder(last: string): Promise<string> {
    const server = sharedPostgres();
    const url = await server.createDatabase();
    const older = await openPostgres<Tables>({
      ...connectPostgres({ url }),
      migrations: ALL.slice(0, ALL.findIndex(({ name }) => name === last) + 1),
    });
    await older.close();
    const installation = '01a21de3-66f4-752d-b24f-298c9c049e9c';
    await server.run(
      `insert into meta values ('installation', '${installation}'), ('key_check', '${keyCheckOf(createKeys(key, randomBytes))}')`,
      url,
    );
    return url;
  }

  const run = (url: string, ...options: string[]) => {
    const env = {
      HOME: folder,
      ESIGN_HOME: join(folder, 'home'),
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail,fonts',
    };
    return runInProcess({ folder, env }, ['serve', '--json', ...options]);
  };

  const newestMigration = async (url: string) => {
    const query = 'select name from schema_migration order by name desc limit 1';
    return (await sharedPostgres().run<{ name: string }>(query, url))[0]?.name;
  };

  test.each(OLDER)('pass on the tables as %s left them, and change none', async (last) => {
    const url = await createOlder(last);
    const { code, out } = await run(url, '--check');
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string; message: string }[] };
    expect([code, checks.filter(({ state }) => state === 'fail')]).toEqual([0, []]);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'migrations', message: expect.stringContaining('older version') }),
    );
    expect(await newestMigration(url)).toBe(last);
    await sharedPostgres().dropDatabase(url);
  });

  test.each([
    ['listens', (busy: string) => ['--listen', busy]],
    ['serves metrics', (busy: string, free: string) => ['--listen', free, '--metrics', busy]],
    ['listens with workers', (busy: string) => ['--listen', busy, '--workers', '2']],
  ])('are followed by no change of the tables where a port is taken at which it %s', async (_, options) => {
    const last = OLDER.at(-1) ?? '';
    const url = await createOlder(last);
    const program = createServer();
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
    const { port } = program.address() as AddressInfo;
    try {
      const { code, err } = await run(url, ...options(`127.0.0.1:${port}`, '127.0.0.1:0'));
      expect([code, JSON.parse(err.trim().split('\n').at(-1) ?? '')]).toMatchObject([
        2,
        { error: { code: 'port_in_use' } },
      ]);
      expect(await newestMigration(url)).toBe(last);
    } finally {
      program.close();
      await sharedPostgres().dropDatabase(url);
    }
  });

  test('are followed by an end of the program where it cannot tell the older nodes that it serves', async () => {
    const url = await createOlder(ALL.at(-1)?.name ?? '');
    await sharedPostgres().run(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on meta for each row when (new.key = 'served_schema') execute function refuse()`,
      url,
    );
    const port = await freePort();
    const { code } = await run(url, '--listen', `127.0.0.1:${port}`);
    expect(code).not.toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    await sharedPostgres().dropDatabase(url);
  });
});
