// Copies between a folder and a real PostgreSQL, in both directions and through a file.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openBulkPostgres } from '../../../src/database/bulk-postgres.ts';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import {
  COPIED_TABLES,
  copiedColumns,
  isCopied,
  TABLES_OMITTED,
} from '../../../src/service/copies/database-rows.ts';
import { backUp, copyBetween, restore } from '../../../src/service/copies/stores.ts';
import { openTeamStore } from '../../../src/service/serve/team-store.ts';
import { numberEvents } from '../../../src/service/store/delivery/events.ts';
import { UNFINISHED } from '../../../src/service/store/state/folder.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { needsPostgres, type PostgresAccess } from '../../support/servers/postgres-server.ts';
import { sharedPostgres } from '../../support/servers/shared-postgres.ts';
import { copyOptions } from '../../support/stores/copy-options.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`a copy of a store${why}`, () => {
  let postgres: PostgresAccess;
  let store: string;
  let folder: string;
  let key: Uint8Array;
  const databases: string[] = [];

  const emptyDatabase = async () => {
    const url = await postgres.createDatabase();
    databases.push(url);
    return url;
  };
  const openTeam = (url: string, installation?: string) =>
    openTeamStore({ url, key, folder: join(folder, 'copies'), installation, migrates: true }, FACTS);

  beforeAll(async () => {
    postgres = sharedPostgres();
    [{ folder: store }, folder] = await Promise.all([fillStore(), temporaryFolder()]);
    key = await readFile(join(store, 'key'));
    await mkdir(join(folder, 'copies'));
  });
  afterEach(async () => {
    for (const url of databases.splice(0)) await postgres.dropDatabase(url);
  });
  afterAll(async () => {
    for (const one of [store, folder]) if (one) await rm(one, { recursive: true, force: true });
  });

  test('has every table of PostgreSQL with the columns of SQLite, or names it as omitted', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const [there, here] = [
      await openBulkPostgres(url),
      openBulkSqlite(join(store, 'store.db'), { isReadOnly: true }),
    ];
    const shapes = async (connection: typeof here) =>
      Object.fromEntries(
        (await connection.tables())
          .filter(({ name }) => isCopied(name))
          .map((table) => [table.name, copiedColumns(table)]),
      );
    expect(await shapes(there)).toEqual(await shapes(here));
    const names = (await there.tables()).map(({ name }) => name);
    expect(names).toEqual([...COPIED_TABLES, ...Object.keys(TABLES_OMITTED)].sort());
    await Promise.all([there.close(), here.close()]);
  });

  test('has the same contents on PostgreSQL, in a file, and in a folder again', async () => {
    const [url, other] = [await emptyDatabase(), await emptyDatabase()];
    const made = await copyBetween({ folder: store }, { database: url }, copyOptions());
    expect(made.installation).toMatch(/^[0-9a-f-]{36}$/);
    const file = join(folder, 'team.zip');
    const saved = await backUp({ database: url }, file, copyOptions());
    // The identity of the installation is new.
    const besides = ({ contents }: typeof made) => contents.tables.filter(({ name }) => name !== 'meta');
    expect(besides(saved)).toEqual(besides(made));
    expect(saved.contents.blobs).toEqual(made.contents.blobs);
    const restored = await restore(file, { database: other }, copyOptions(key));
    expect(restored).toMatchObject({ contents: saved.contents, installation: made.installation });
    const back = join(folder, 'back');
    const returned = await copyBetween({ database: other }, { folder: back }, copyOptions(key));
    expect(returned.contents).toEqual(saved.contents);
    const again = join(folder, 'again.zip');
    await backUp({ folder: back }, again, copyOptions());
    expect((await readFile(again)).equals(await readFile(file))).toBe(true);
    const [before, after] = [await openStore(store, FACTS), await openStore(back, FACTS)];
    expect(after.port).toBe(before.port);
    await Promise.all([before, after].map(({ database }) => database.close()));
  });

  test('is the installation that it was copied from, with its key only', async () => {
    const url = await emptyDatabase();
    const { installation } = await copyBetween({ folder: store }, { database: url }, copyOptions());
    const team = await openTeam(url, installation);
    const file = await team.database.read((db) =>
      db.selectFrom('file').selectAll().executeTakeFirstOrThrow(),
    );
    expect((await team.blobs.get(file.pdf_sha256)).length).toBeGreaterThan(0);
    await team.database.close();
    const other = openTeamStore(
      {
        url,
        key: new Uint8Array(32),
        folder: join(folder, 'copies'),
        installation: undefined,
        migrates: true,
      },
      FACTS,
    );
    await expect(other).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('numbers what is inserted later after what was copied', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const { database } = await openTeam(url);
    const greatest = await database.read((db) =>
      db.selectFrom('audit').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    );
    // A commit that meets a number again is run again with the next one, which would hide a sequence that begins at 1.
    const [sequence] = await postgres.run('select last_value::int, is_called from audit_seq_seq', url);
    expect(sequence).toEqual({ last_value: greatest.seq, is_called: true });
    const row = {
      id: 'new',
      company_id: '1',
      transaction_id: '1',
      recipient_id: '1',
      type: 'opened',
      subject: '',
      created: FACTS.now(),
      details: '{}',
    };
    const event = {
      id: 'new',
      company_id: '1',
      transaction_id: '1',
      type: 'x',
      created: FACTS.now(),
      data: '{}',
    };
    const before = await database.read((db) =>
      db.selectFrom('event').select('seq').orderBy('seq', 'desc').executeTakeFirstOrThrow(),
    );
    await database.write(async (db) => {
      await db.insertInto('audit').values(row).execute();
      await db.insertInto('event').values(event).execute();
    });
    await numberEvents({ database });
    const added = await database.read((db) =>
      db.selectFrom('audit').select('seq').where('id', '=', 'new').executeTakeFirstOrThrow(),
    );
    const numbered = await database.read((db) =>
      db.selectFrom('event').select('seq').where('id', '=', 'new').executeTakeFirstOrThrow(),
    );
    expect([added.seq - greatest.seq, numbered.seq - before.seq]).toEqual([1, 1]);
    await database.close();
  });

  test('has the order of events that have no number yet', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const { database } = await openTeam(url);
    for (const id of ['b', 'a', 'c']) {
      const event = { id, company_id: '1', transaction_id: id, type: 'x', created: FACTS.now(), data: '{}' };
      await database.write((db) => db.insertInto('event').values(event).execute());
    }
    await database.close();
    const to = join(folder, 'numbered');
    await copyBetween({ database: url }, { folder: to }, copyOptions(key));
    const copied = openBulkSqlite(join(to, 'store.db'), { isReadOnly: true });
    const rows = await copied.run('select id, seq from event order by seq desc limit 3');
    expect(rows.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    await copied.close();
    const [row] = await postgres.run<{ count: string }>('select count(*) from event where seq is null', url);
    expect(row?.count).toBe('3');
  });

  test('has one state of a store that is changed meanwhile', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const { database } = await openTeam(url);
    let isOver = false;
    let made = 0;
    // Each commit has a row in two tables that are copied far apart.
    const writing = (async () => {
      for (; !isOver; made += 1)
        await database.write(async (db) => {
          await db
            .insertInto('company')
            .values({ id: `c${made}`, name: `c${made}`, created_at: FACTS.now() })
            .execute();
          await db
            .insertInto('verified_user')
            .values({ user_id: `c${made}`, verified_at: FACTS.now() })
            .execute();
        });
    })();
    const results = [];
    for (let round = 0; round < 5; round += 1) {
      const file = join(folder, `state-${round}.zip`);
      results.push((await backUp({ database: url }, file, copyOptions())).contents.tables);
    }
    isOver = true;
    await writing;
    expect(made).toBeGreaterThan(5);
    const counts = results.map((tables) => {
      const rows = (name: string) => tables.find((table) => table.name === name)?.rows ?? 0;
      return rows('company') - rows('verified_user');
    });
    expect(new Set(counts).size).toBe(1);
    await database.close();
  });

  test('is refused where anything else is, and by a node until it is finished', async () => {
    const url = await emptyDatabase();
    const to = { database: url };
    await copyBetween({ folder: store }, to, copyOptions());
    await expect(copyBetween({ folder: store }, to, copyOptions())).rejects.toMatchObject({
      code: 'store_not_empty',
    });
    const begun = await emptyDatabase();
    await openTeam(begun).then(({ database }) => database.close());
    await expect(copyBetween({ folder: store }, { database: begun }, copyOptions())).rejects.toMatchObject({
      code: 'store_not_empty',
    });
    await postgres.run(`delete from meta; insert into meta values ('${UNFINISHED}', 'another')`, begun);
    await expect(openTeam(begun)).rejects.toMatchObject({ code: 'copy_unfinished' });
    await expect(
      copyBetween({ database: begun }, { folder: join(folder, 'none') }, copyOptions(key)),
    ).rejects.toMatchObject({ code: 'copy_unfinished' });
    await expect(copyBetween({ folder: store }, { database: begun }, copyOptions())).rejects.toThrow(
      'another store',
    );
    const wrong = copyBetween(
      { folder: store },
      { database: await emptyDatabase() },
      copyOptions(new Uint8Array(32)),
    );
    await expect(wrong).rejects.toMatchObject({ code: 'key_mismatch' });
  });

  test('is refused for tables of another version, with what to do', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const to = { folder: join(folder, 'other-version') };
    await postgres.run(`delete from schema_migration where name = '0004-comparisons'`, url);
    await expect(copyBetween({ database: url }, to, copyOptions(key))).rejects.toMatchObject({
      code: 'migrations_missing',
      hint: expect.stringContaining('esign serve migrate'),
    });
    await postgres.run(`insert into schema_migration values ('0004-comparisons'), ('9999-later')`, url);
    await expect(copyBetween({ database: url }, to, copyOptions(key))).rejects.toMatchObject({
      code: 'store_newer',
    });
    await expect(
      copyBetween({ database: await emptyDatabase() }, to, copyOptions(key)),
    ).rejects.toMatchObject({ code: 'storage_unusable' });
  });

  test('of a damaged blob is refused, and can be finished when the blob is there again', async () => {
    const url = await emptyDatabase();
    await copyBetween({ folder: store }, { database: url }, copyOptions());
    const [blob] = await postgres.run<{ sha256: string; bytes: Buffer }>(
      'select sha256, bytes from blob_chunk where index = 0 order by sha256 desc limit 1',
      url,
    );
    await postgres.run(
      `update blob_chunk set bytes = set_byte(bytes, 5, 0) where sha256 = '${blob?.sha256}' and index = 0`,
      url,
    );
    const to = { folder: join(folder, 'damaged') };
    await expect(copyBetween({ database: url }, to, copyOptions(key))).rejects.toMatchObject({
      code: 'storage_damaged',
    });
    await expect(openStore(to.folder, FACTS)).rejects.toMatchObject({ code: 'copy_unfinished' });
    await postgres.run(
      `update blob_chunk set bytes = decode('${blob?.bytes.toString('hex')}', 'hex') where sha256 = '${blob?.sha256}' and index = 0`,
      url,
    );
    await copyBetween({ database: url }, to, copyOptions(key));
    await (await openStore(to.folder, FACTS)).database.close();
  });

  test('of a team server that was never a sandbox opens as one', async () => {
    const url = await emptyDatabase();
    await openTeam(url).then(({ database }) => database.close());
    const to = join(folder, 'laptop');
    await copyBetween({ database: url }, { folder: to }, copyOptions(key));
    const opened = await openStore(to, FACTS);
    expect(opened.port).toBeGreaterThan(0);
    const users = await opened.database.read((db) => db.selectFrom('user').select('email').execute());
    expect(users).toEqual([{ email: 'sender@esign.test' }]);
    await opened.database.close();
    await writeFile(join(to, 'note'), '');
    await expect(copyBetween({ database: url }, { folder: to }, copyOptions(key))).rejects.toMatchObject({
      code: 'store_not_empty',
    });
  });
});
