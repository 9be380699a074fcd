// Backups of a sandbox: the same bytes again after a restore, and nothing at all from a file of which a byte was changed.
import { mkdir, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import { openSqlite } from '../../../src/database/sqlite.ts';
import { BACKUP, openBackup, writeBackup } from '../../../src/service/copies/backup-file.ts';
import { copyStore } from '../../../src/service/copies/copy-store.ts';
import { readDatabase } from '../../../src/service/copies/database-rows.ts';
import { backUp, copyBetween, restore } from '../../../src/service/copies/stores.ts';
import { COMMON_MIGRATIONS, migrations } from '../../../src/service/store/migrations.ts';
import { openStore, STATE_TABLES } from '../../../src/service/store/store.ts';
import { copyOptions } from '../../support/stores/copy-options.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { fillStore } from '../../support/stores/filled-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let store: string;
let folder: string;
let file: string;
let key: Uint8Array;

beforeAll(async () => {
  [{ folder: store }, folder] = await Promise.all([fillStore(), temporaryFolder()]);
  file = join(folder, 'backup.zip');
  key = await readFile(join(store, 'key'));
  await backUp({ folder: store }, file, copyOptions());
});
afterAll(async () => {
  for (const one of [store, folder]) await rm(one, { recursive: true, force: true });
});

const refusal = (code: string) => expect.objectContaining({ code });

/** Restores a file that must be refused, and checks that nothing was made. */
async function refuseRestore(path: string, given = key) {
  const to = join(folder, 'refused');
  const error: unknown = await restore(path, { folder: to }, copyOptions(given)).then(
    () => undefined,
    (refused: unknown) => refused,
  );
  expect(await readdir(folder)).not.toContain('refused');
  return error as Error & { code: string };
}

test('has the same bytes after it was restored, whatever was restored', async () => {
  const to = join(folder, 'restored');
  const restored = await restore(file, { folder: to }, copyOptions(key));
  const again = join(folder, 'again.zip');
  const made = await backUp({ folder: to }, again, copyOptions());
  expect(made.contents).toEqual(restored.contents);
  expect((await readFile(again)).equals(await readFile(file))).toBe(true);
  expect(made.contents.tables.find(({ name }) => name === 'sign_in_attempt')?.rows).toBe(450);
  expect(made.contents.blobs.count).toBeGreaterThan(0);
});

test('opens as the sandbox that was backed up', async () => {
  const to = join(folder, 'opened');
  await restore(file, { folder: to }, copyOptions(key));
  const [before, after] = [await openStore(store, FACTS), await openStore(to, FACTS)];
  const secrets = await Promise.all(
    [before, after].map(async ({ database, keys }) => {
      const webhook = await database.read((db) =>
        db.selectFrom('webhook').selectAll().executeTakeFirstOrThrow(),
      );
      return [webhook.name, keys.decrypt(webhook.secret_sealed)];
    }),
  );
  expect(secrets[1]).toEqual(secrets[0]);
  expect(after.port).toBe(before.port);
  await Promise.all([before, after].map(({ database }) => database.close()));
});

test('is a ZIP file that other programs read', async () => {
  const names = await new Promise<string[]>((resolve, reject) => {
    yauzl.open(file, (error, zip) => {
      if (error) return reject(error);
      const found: string[] = [];
      zip.on('entry', ({ fileName }) => found.push(fileName)).on('end', () => resolve(found));
      zip.on('error', reject);
    });
  });
  expect(names[0]).toBe('store.json');
  expect(names.at(-1)).toBe('contents.json');
  expect(names.filter((name) => name.startsWith('tables/')).length).toBe(STATE_TABLES.length);
});

test('contains neither the key nor a secret that was encrypted', async () => {
  const bytes = await readFile(file);
  for (const form of [
    Buffer.from(key),
    Buffer.from(key).toString('hex'),
    Buffer.from(key).toString('base64'),
  ])
    expect(bytes.includes(form)).toBe(false);
});

const POSITIONS = Array.from({ length: 120 }, (_, index) => index / 120);

test('is refused where a byte of it was changed, and nothing is written', async () => {
  const { length } = await readFile(file);
  const changed = join(folder, 'changed.zip');
  // The first and last bytes are headers, whose every byte counts.
  const edges = Array.from({ length: 200 }, (_, index) => [index * 4, length - 1 - index * 4]).flat();
  for (const at of [...POSITIONS.map((part) => Math.floor(part * length)), ...edges]) {
    const bytes = await readFile(file);
    bytes[at] = (bytes[at] ?? 0) ^ 0x10;
    await writeFile(changed, bytes);
    expect(await refuseRestore(changed), `byte ${at}`).toMatchObject({ code: 'backup_damaged' });
  }
});

test('is refused where it was cut or appended to, and nothing is written', async () => {
  const bytes = await readFile(file);
  const cut = join(folder, 'cut.zip');
  for (const end of [0, 1, 29, 400, Math.floor(bytes.length / 2), bytes.length - 22, bytes.length - 1]) {
    await writeFile(cut, bytes);
    await truncate(cut, end);
    expect(await refuseRestore(cut), `${end} bytes`).toMatchObject({ code: 'backup_damaged' });
  }
  await writeFile(cut, Buffer.concat([bytes, Buffer.from('\n')]));
  expect(await refuseRestore(cut)).toMatchObject({ code: 'backup_damaged' });
  expect(await refuseRestore(join(folder, 'nothing.zip'))).toMatchObject({ code: 'backup_damaged' });
  expect(await refuseRestore(folder)).toMatchObject({ code: 'backup_damaged' });
});

test('is refused by name where a newer version wrote it', async () => {
  const newer = join(folder, 'newer.zip');
  const description = { schema: [...COMMON_MIGRATIONS, '9999-later'], key: 'x' };
  const writer = await writeBackup({ path: newer, kind: BACKUP, description, newId: FACTS.newId });
  const empty = { tables: [], blobs: async function* () {}, rows: async function* () {} };
  await expect(copyStore(empty, writer, new AbortController().signal)).rejects.toThrow('9999-later');
  // What writes it reads it again, so the file of a newer version is made here by hand.
  await writer.close();
  const bytes = await readFile(file);
  const at = bytes.indexOf('"version": 1');
  bytes[at + '"version": '.length] = '2'.charCodeAt(0);
  await writeFile(newer, bytes);
  // A changed byte comes first.
  expect(await refuseRestore(newer)).toMatchObject({ code: 'backup_damaged' });
  await writeFile(newer, withChecksum(bytes));
  const refused = await refuseRestore(newer);
  expect(refused).toMatchObject({ code: 'store_newer' });
  expect(refused.message).toContain('format 2');
});

/** Corrects the checksum of the first entry. */
function withChecksum(bytes: Buffer): Buffer {
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  const size = Number(bytes.readBigUInt64LE(30 + bytes.readUInt16LE(26) + 4));
  bytes.writeUInt32LE(crc32(bytes.subarray(start, start + size)), 14);
  return bytes;
}

test('of an earlier version is restored, and its tables are updated', async () => {
  // Tables without the last common migration, and one row.
  const earlier = COMMON_MIGRATIONS.slice(0, -1);
  const steps = migrations('sqlite').filter(({ name }) => earlier.includes(name));
  const database = join(folder, 'earlier.db');
  const opened = await openSqlite<{ company: { id: string; name: string; created_at: string } }>({
    file: database,
    migrations: steps,
  });
  await opened.write((db) =>
    db.insertInto('company').values({ id: '1', name: 'Engines', created_at: FACTS.now() }).execute(),
  );
  await opened.close();
  const connection = openBulkSqlite(database, { isReadOnly: true });
  await connection.begin('snapshot');
  const none = { sizeOf: async () => undefined, read: async function* () {} };
  const reader = readDatabase(connection, await connection.tables(), none);
  const old = join(folder, 'earlier.zip');
  const { description, close } = await openBackup(BACKUP, file, new AbortController().signal);
  await close();
  const writer = await writeBackup({
    path: old,
    kind: BACKUP,
    description: { ...description, schema: earlier },
    newId: FACTS.newId,
  });
  await copyStore(reader, writer, new AbortController().signal);
  await Promise.all([writer.close(), connection.close()]);

  const to = join(folder, 'updated');
  const { contents } = await restore(old, { folder: to }, copyOptions(key));
  expect(contents.tables.find(({ name }) => name === 'company')?.rows).toBe(1);
  const updated = openBulkSqlite(join(to, 'store.db'), { isReadOnly: true });
  expect((await updated.run('select name from schema_migration')).length).toBe(COMMON_MIGRATIONS.length);
  expect(await updated.run('select name from company')).toEqual([{ name: 'Engines' }]);
  await updated.close();
});

test('needs its key, and no other', async () => {
  expect(await refuseRestore(file, new Uint8Array(32))).toMatchObject({ code: 'key_mismatch' });
  const missing = restore(file, { folder: join(folder, 'refused') }, copyOptions());
  await expect(missing).rejects.toEqual(refusal('key_missing'));
});

test('is restored with the key that is in the directory already', async () => {
  const to = await temporaryFolder();
  await writeFile(join(to, 'key'), key);
  await restore(file, { folder: to }, copyOptions());
  await expect(restore(file, { folder: to }, copyOptions())).rejects.toEqual(refusal('store_not_empty'));
  await rm(to, { recursive: true });
});

test('is restored into a directory in which a restore was killed before it wrote anything', async () => {
  const to = await temporaryFolder();
  await mkdir(join(to, 'blobs'));
  for (const name of ['unfinished-copy', 'unfinished-copy.lock']) await writeFile(join(to, name), '');
  await restore(file, { folder: to }, { ...copyOptions(), key });
  expect((await readdir(to)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
  await rm(to, { recursive: true });
});

test('is not restored into a directory that has files of something else', async () => {
  const to = await temporaryFolder();
  await mkdir(join(to, 'blobs'));
  await writeFile(join(to, 'blobs', 'mine'), '');
  const refused = restore(file, { folder: to }, { ...copyOptions(), key });
  await expect(refused).rejects.toEqual(refusal('store_not_empty'));
  await rm(to, { recursive: true });
});

test('leaves no file where it fails', async () => {
  const broken = await temporaryFolder();
  await copyBetween({ folder: store }, { folder: join(broken, 'store') }, copyOptions());
  const blobs = (
    await readdir(join(broken, 'store', 'blobs'), { recursive: true, withFileTypes: true })
  ).filter((entry) => entry.isFile());
  const blob = blobs[0];
  const path = join(blob?.parentPath ?? '', blob?.name ?? '');
  const handle = await open(path, 'r+');
  await handle.write(Buffer.from('x'), 0, 1, 10);
  await handle.close();
  const target = join(broken, 'backup.zip');
  await expect(backUp({ folder: join(broken, 'store') }, target, copyOptions())).rejects.toEqual(
    refusal('storage_damaged'),
  );
  await rm(path);
  await expect(backUp({ folder: join(broken, 'store') }, target, copyOptions())).rejects.toThrow(
    blob?.name ?? '-',
  );
  expect(await readdir(broken)).toEqual(['store']);
  await rm(broken, { recursive: true });
});
