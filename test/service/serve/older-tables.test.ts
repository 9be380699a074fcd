// The checks of a start run on the tables of the version before, which nodes of that version still use.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../../src/database/postgres.ts';
import { connectPostgres } from '../../../src/database/postgres-connections.ts';
import { createKeys } from '../../../src/service/store/keys.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { keyCheckOf } from '../../../src/service/store/store.ts';
import { runInProcess } from '../../support/command-line/in-process.ts';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { skip, why } = needsPostgres();

/** The first one with which a team server could store its files. */
const FIRST = '0016-blobs';

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
    await writeFile(join(folder, 'key'), key.toString('hex'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(OLDER)('pass on the tables as %s left them, and change none', async (last) => {
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
    const env = {
      HOME: folder,
      ESIGN_HOME: join(folder, 'home'),
      ESIGN_SERVE_DATABASE: url,
      ESIGN_SERVE_KEY_FILE: join(folder, 'key'),
      ESIGN_SERVE_ALLOW: 'mail',
    };
    const { code, out } = await runInProcess({ folder, env }, ['serve', '--check', '--json']);
    const { checks } = JSON.parse(out) as { checks: { name: string; state: string; message: string }[] };
    expect([code, checks.filter(({ state }) => state === 'fail')]).toEqual([0, []]);
    expect(checks).toContainEqual(
      expect.objectContaining({ name: 'migrations', message: expect.stringContaining('older version') }),
    );
    const names = await server.run('select name from schema_migration order by name desc limit 1', url);
    expect(names).toEqual([{ name: last }]);
    await server.dropDatabase(url);
  });
});
