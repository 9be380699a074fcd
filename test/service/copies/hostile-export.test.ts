// Files that no export has written: damaged ones, ones of another kind or version, and ones whose counts and hashes are right while their rows are
// not. Each is refused by name, and the sandbox stays as it was.
import { createHash, randomUUID } from 'node:crypto';
import { copyFile, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import { openSqlite } from '../../../src/database/sqlite.ts';
import { EXPORT, writeBackup } from '../../../src/service/copies/backup-file.ts';
import { copyStore, type StoredBlob } from '../../../src/service/copies/copy-store.ts';
import { readDatabase } from '../../../src/service/copies/database-rows.ts';
import { portableReader } from '../../../src/service/copies/portable-export.ts';
import { exportSandbox, importSandbox } from '../../../src/service/copies/sandbox-files.ts';
import { backUp } from '../../../src/service/copies/stores.ts';
import { createKeys } from '../../../src/service/store/keys.ts';
import { COMMON_MIGRATIONS, migrationsOf } from '../../../src/service/store/migrations.ts';
import { openStore } from '../../../src/service/store/store.ts';
import { startTransaction } from '../../support/fixtures/transactions.ts';
import { openHarness } from '../../support/harness.ts';
import { copyOptions } from '../../support/stores/copy-options.ts';
import { FACTS } from '../../support/stores/databases.ts';
import {
  type ExportChanges,
  IMPORT_FACTS,
  rewriteExport,
  SANDBOX_FACTS,
} from '../../support/stores/exported-sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let place: string;
let folder: string;
/** Of the sandbox, with and without secrets. */
let file: string;
let open: string;

beforeAll(async () => {
  [place, folder] = await Promise.all([temporaryFolder(), temporaryFolder()]);
  [file, open] = [join(place, 'file.zip'), join(place, 'open.zip')];
  const harness = await openHarness('in process', { folder });
  await startTransaction(harness);
  const body = {
    name: 'W',
    endpoint: 'https://hooks.example.com',
    events: ['transaction_completed' as const],
  };
  await harness.client['webhook.create']({ body });
  await harness.client['sandbox.set_clock']({ body: { to: '2030-01-01T00:00:00.000Z' } });
  await harness.client['sandbox.add_fault']({ body: { operation: 'user.me', kind: 'slow-body' } });
  await harness.service.close();
  await exportSandbox(folder, file, { ...SANDBOX_FACTS, secrets: true });
  await exportSandbox(folder, open, { ...SANDBOX_FACTS, secrets: false });
});
afterAll(async () => {
  for (const one of [place, folder]) await rm(one, { recursive: true, force: true });
});

/** Tries to replace the sandbox by a file, and checks that nothing was changed. @returns the error */
async function refusalOfFile(path: string): Promise<Error & { code?: string }> {
  const blobs = await readdir(join(folder, 'blobs'), { recursive: true });
  const error = await importSandbox(path, folder, { ...IMPORT_FACTS, replaces: true }).then(
    () => new Error('The file was imported.'),
    (refused: Error) => refused,
  );
  expect(await readdir(join(folder, 'blobs'), { recursive: true })).toEqual(blobs);
  expect((await readdir(folder)).filter((name) => name.startsWith('incoming'))).toEqual([]);
  const after = join(place, 'after.zip');
  await exportSandbox(folder, after, { ...SANDBOX_FACTS, secrets: true });
  expect((await readFile(after)).equals(await readFile(file))).toBe(true);
  return error;
}

test('is refused where a byte of it was changed, and where it was cut or appended to', async () => {
  const bytes = await readFile(file);
  const changed = join(place, 'changed.zip');
  for (let part = 0; part < 40; part += 1) {
    const at = Math.floor((part / 40) * bytes.length) + (part % 7);
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ 0x10;
    await writeFile(changed, copy);
    expect(await refusalOfFile(changed), `byte ${at}`).toMatchObject({ code: 'export_damaged' });
  }
  for (const end of [0, 29, Math.floor(bytes.length / 2), bytes.length - 1]) {
    await copyFile(file, changed);
    await truncate(changed, end);
    expect(await refusalOfFile(changed), `${end} bytes`).toMatchObject({ code: 'export_damaged' });
  }
  await writeFile(changed, Buffer.concat([bytes, Buffer.from('\n')]));
  expect(await refusalOfFile(changed)).toMatchObject({ code: 'export_damaged' });
});

test('is refused by name where it is something else', async () => {
  const backup = join(place, 'backup.zip');
  await backUp({ folder }, backup, copyOptions());
  const other = await refusalOfFile(backup);
  expect(other).toMatchObject({ code: 'export_damaged' });
  expect(other.message).toContain('a backup of esign; restore it with `esign store restore`');
  for (const path of [place, join(place, 'missing.zip'), join(folder, 'key')])
    expect(await refusalOfFile(path)).toMatchObject({ code: 'export_damaged' });
});

test.each([
  ['the format', { ...EXPORT, version: EXPORT.version + 1 }, COMMON_MIGRATIONS, 'format 2 instead of 1'],
  ['the tables', EXPORT, [...COMMON_MIGRATIONS, '9999-later'], '"9999-later"'],
])('is refused by name where %s is of a newer version', async (_, kind, schema, words) => {
  const newer = join(place, 'newer.zip');
  const description = { schema, secrets: true };
  const writer = await writeBackup({ path: newer, kind, description, newId: FACTS.newId });
  await writer.finish();
  await writer.close();
  const refusal = await refusalOfFile(newer);
  expect(refusal).toMatchObject({ code: 'store_newer' });
  expect(refusal.message).toContain(words);
});

test('is refused by name where a clone from before the first release wrote it', async () => {
  const path = join(place, 'unreleased.zip');
  const description = { schema: ['0001-tables', '0002-dashboard'], secrets: true };
  const writer = await writeBackup({ path, kind: EXPORT, description, newId: FACTS.newId });
  await writer.finish();
  await writer.close();
  const refusal = await refusalOfFile(path);
  expect(refusal).toMatchObject({ code: 'store_unreleased' });
  expect(refusal.message).toContain('"0002-dashboard"');
});

/** Changes the rows of one table. */
const rowsOf = (
  name: string,
  change: (row: Record<string, unknown>, index: number) => Record<string, unknown>,
): ExportChanges => ({
  rows: (table, rows) => (table === name ? rows.map(change) : rows),
});

const withValue = (path: string, value: unknown): ExportChanges => {
  const [table = '', column = ''] = path.split('.');
  return rowsOf(table, (row) => ({ ...row, [column]: value }));
};

const without = (row: Record<string, unknown>, column: string) => {
  const { [column]: _, ...rest } = row;
  return rest;
};

const blob = (bytes: string): StoredBlob => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  sizeBytes: bytes.length,
  async *read() {
    yield Buffer.from(bytes);
  },
});

const setting = (key: string, value: unknown): ExportChanges => ({
  rows: (table, rows) => (table === 'meta' ? [{ key, value: JSON.stringify(value) }] : rows),
});

const HOSTILE: [string, ExportChanges][] = [
  ['a table that there is not', { tables: (tables) => [...tables, 'z'] }],
  ['a table of the database itself', { tables: (tables) => ['schema_migration', ...tables].sort() }],
  ['a table of processes', { tables: (tables) => [...tables, 'worker'].sort() }],
  ['a table less', { tables: (tables) => tables.filter((name) => name !== 'event') }],
  ['tables in another order', { tables: (tables) => [...tables].reverse() }],
  ['a column that there is not', rowsOf('user', (row) => ({ ...row, 'name" , "x': 1 }))],
  ['a column less', rowsOf('user', (row) => without(row, 'name'))],
  ['a column instead of another', rowsOf('user', (row) => ({ ...without(row, 'name'), z: 'x' }))],
  ['a number as text', withValue('user.name', 5)],
  ['a text as number', withValue('file.size_bytes', '5')],
  ['a number that is too large', withValue('event.seq', 2 ** 60)],
  ['half a number', withValue('recipient.index', 0.5)],
  ['nothing where a value is needed', withValue('user.email', null)],
  ['half a character', withValue('template.name', '\ud800')],
  ['an ID that is a path', withValue('transaction.template_id', '../../x')],
  ['an ID that is too long', withValue('document.file_id', 'x'.repeat(65))],
  ['a time that is none', withValue('transaction.created_at', 'yesterday')],
  ['the name of a blob that is a path', withValue('file.pdf_sha256', '../../../key')],
  ['the name of a blob that is not in it', withValue('file.pdf_sha256', 'a'.repeat(64))],
  [
    'a blob that no row names',
    {
      blobs: async function* () {
        yield blob('more');
      },
    },
  ],
  ['no blobs', { blobs: async function* () {} }],
  ['two rows with one ID', rowsOf('event', (row) => ({ ...row, id: 'one' }))],
  ['a port', setting('port', 1)],
  ['the key of another store', setting('key_check', 'x')],
  ['a clock that is none', setting('clock', { offset_ms: 'x', paused_at: null })],
  ['a clock beyond time', setting('clock', { offset_ms: 2 ** 53, paused_at: null })],
  ['a clock that stands nowhere', setting('clock', { offset_ms: 0, paused_at: 'x' })],
  ['a fault that is none', setting('faults', [{ kind: 'x' }])],
  ['settings that are not JSON', withValue('meta.value', '{')],
  ['a letter that is not JSON', withValue('mail.letter_sealed', '{')],
  [
    'a letter that leads elsewhere',
    withValue('mail.letter_sealed', '{"url":"https://elsewhere.example/sign?token=x"}'),
  ],
  ['no migrations', { description: { schema: [] } }],
];

describe('a file whose counts and hashes are right', () => {
  test.each(HOSTILE)('is refused with %s', async (_, changes) => {
    const changed = join(place, `${randomUUID()}.zip`);
    await rewriteExport(file, changed, changes);
    expect(await refusalOfFile(changed)).toMatchObject({ code: 'export_damaged' });
    await rm(changed);
  });

  test.each<[string, ExportChanges]>([
    ['a table of secrets', { tables: (tables) => [...tables, 'token'].sort() }],
    ['a secret of a webhook', withValue('webhook.secret_sealed', 'whsec_AAAA')],
    ['a signing token', withValue('recipient.token_sealed', 'token')],
    ['a hash of one', withValue('recipient.token_hash', 'a'.repeat(64))],
    ['a hash of a secret of an application', withValue('client.secret_hash', 'a'.repeat(64))],
    ['a letter with a signing link', withValue('mail.letter_sealed', '{"url":"/sign?token=x"}')],
  ])('and that says it has no secrets is refused with %s', async (_, changes) => {
    const changed = join(place, `${randomUUID()}.zip`);
    await rewriteExport(open, changed, changes);
    expect(await refusalOfFile(changed)).toMatchObject({ code: 'export_damaged' });
    await rm(changed);
  });

  test('is imported where nothing of it was changed', async () => {
    const same = join(place, 'same.zip');
    await rewriteExport(file, same, {});
    expect((await readFile(same)).equals(await readFile(file))).toBe(true);
    expect((await refusalOfFile(same)).message).toBe('The file was imported.');
  });
});

test('of an earlier version is imported, and its tables are updated', async () => {
  // Tables without the last common migration.
  const schema = COMMON_MIGRATIONS.slice(0, -1);
  const database = join(place, 'earlier.db');
  const made = await openSqlite<{ company: { id: string; name: string; created_at: string } }>({
    file: database,
    migrations: migrationsOf('sqlite', schema),
  });
  const company = { id: '1', name: 'Engines', created_at: FACTS.now() };
  await made.write((db) => db.insertInto('company').values(company).execute());
  await made.close();
  const connection = openBulkSqlite(database, { isReadOnly: true });
  await connection.begin('snapshot');
  const none = { sizeOf: async () => undefined, read: async function* () {} };
  const keys = createKeys(new Uint8Array(32), FACTS.random);
  const reader = portableReader(readDatabase(connection, await connection.tables(), none), {
    keys,
    secrets: true,
  });
  const earlier = join(place, 'earlier.zip');
  const description = { schema, secrets: true };
  const writer = await writeBackup({ path: earlier, kind: EXPORT, description, newId: FACTS.newId });
  await copyStore(reader, writer, SANDBOX_FACTS.signal);
  await Promise.all([writer.close(), connection.close()]);

  const to = join(place, 'updated');
  await importSandbox(earlier, to, { ...IMPORT_FACTS, replaces: false });
  const { database: updated } = await openStore(to, FACTS);
  const companies = await updated.read((db) =>
    db.selectFrom('company').select('name').orderBy('name').execute(),
  );
  expect(companies.map(({ name }) => name)).toEqual(['Engines', 'Sandbox']);
  await updated.close();
});

test('is imported by one process at a time', async () => {
  const results = await Promise.allSettled(
    [1, 2].map(() => importSandbox(file, folder, { ...IMPORT_FACTS, replaces: true })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.length).toBeLessThan(2);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'locked' });
  expect((await refusalOfFile(file)).message).toBe('The file was imported.');
});

test('leaves nothing where it is interrupted', async () => {
  const stop = new AbortController();
  stop.abort(new Error('interrupted'));
  const facts = { ...IMPORT_FACTS, signal: stop.signal };
  await expect(exportSandbox(folder, join(place, 'cut.zip'), { ...facts, secrets: true })).rejects.toThrow(
    'interrupted',
  );
  await expect(importSandbox(file, folder, { ...facts, replaces: true })).rejects.toThrow('interrupted');
  expect((await readdir(place)).filter((name) => name.startsWith('cut'))).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('incoming'))).toEqual([]);
});
