// Every table is copied, and a small store has the same bytes in a backup after it was restored.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import { COPIED_TABLES, TABLES_OMITTED } from '../../../src/service/copies/database-rows.ts';
import { backUp, restore } from '../../../src/service/copies/stores.ts';
import { copyOptions } from '../../support/stores/copy-options.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { emptyStoreFolder } from '../../support/stores/empty-store.ts';

test('has every table of SQLite, or names it as omitted with a reason', async () => {
  const store = await emptyStoreFolder(FACTS);
  const connection = openBulkSqlite(join(store, 'store.db'), { isReadOnly: true });
  const tables = (await connection.tables()).map(({ name }) => name);
  await connection.close();
  const omitted = Object.keys(TABLES_OMITTED);
  expect(tables.filter((name) => !omitted.includes(name)).sort()).toEqual(COPIED_TABLES);
  expect(Object.values(TABLES_OMITTED).every((reason) => reason.length > 20)).toBe(true);
  await rm(store, { recursive: true });
});

test('gives the same bytes again, and nothing from a file that was changed', async () => {
  const store = await emptyStoreFolder(FACTS);
  const file = join(store, 'backup.zip');
  const key = await readFile(join(store, 'key'));
  await backUp({ folder: store }, file, copyOptions());
  const restored = join(store, 'restored');
  await restore(file, { folder: restored }, copyOptions(key));
  const again = join(store, 'again.zip');
  await backUp({ folder: restored }, again, copyOptions());
  const bytes = await readFile(file);
  expect((await readFile(again)).equals(bytes)).toBe(true);
  // Within a row.
  const at = bytes.indexOf('sender@esign.test');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
  const refused = restore(file, { folder: join(store, 'refused') }, copyOptions(key));
  await expect(refused).rejects.toMatchObject({ code: 'backup_damaged' });
  expect(await readdir(store)).not.toContain('refused');
  await rm(store, { recursive: true });
});
