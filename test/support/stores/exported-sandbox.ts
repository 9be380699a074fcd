// Files of `esign sandbox export`: facts for the functions that write and read them, and files that are complete but have other rows.
import {
  type DescriptionOf,
  EXPORT,
  openBackup,
  writeBackup,
} from '../../../src/service/copies/backup-file.ts';
import { copyStore, type StoreReader } from '../../../src/service/copies/copy-store.ts';
import type { SandboxDeps } from '../../../src/service/copies/sandbox-files.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { FACTS } from './databases.ts';

export const SANDBOX_FACTS: SandboxDeps = { ...FACTS, signal: new AbortController().signal };

/** Of an import that takes the certificate authority of the file over. */
export const IMPORT_FACTS = { ...SANDBOX_FACTS, wantsAuthority: async () => true };

type Row = Record<string, unknown>;

export type ExportChanges = {
  description?: Partial<DescriptionOf<typeof EXPORT>>;
  tables?: (tables: readonly string[]) => readonly string[];
  rows?: (table: string, rows: readonly Row[]) => readonly Row[];
  blobs?: StoreReader['blobs'];
};

/** Writes a file that is a valid copy of another one but for what is changed: counts and hashes are right. */
export async function rewriteExport(from: string, path: string, changes: ExportChanges): Promise<void> {
  const { signal } = SANDBOX_FACTS;
  const { reader, description, close } = await openBackup(EXPORT, from, signal);
  const writer = await writeBackup({
    path,
    kind: EXPORT,
    description: { ...description, ...changes.description },
    newId: FACTS.newId,
  });
  const changed: StoreReader = {
    tables: changes.tables?.(reader.tables) ?? reader.tables,
    blobs: changes.blobs ?? (() => reader.blobs()),
    async *rows(table) {
      const rows: Row[] = [];
      if (reader.tables.includes(table)) for await (const batch of reader.rows(table)) rows.push(...batch);
      yield changes.rows?.(table, rows) ?? rows;
    },
  };
  await copyStore(changed, writer, signal);
  await Promise.all([writer.close(), close()]);
}

/** Adds so many rows to one table that replacing all rows of the sandbox takes a while. */
export async function addManyRows({ database }: Store): Promise<void> {
  const text = { pdf_sha256: 'a'.repeat(64), runs: 'x'.repeat(300), is_cut: 0, exceeded: null };
  const rows = Array.from({ length: MANY }, (_, page) => ({ ...text, page, tried_at: FACTS.now() }));
  await database.write(async (db) => {
    for (let start = 0; start < MANY; start += 1000)
      await db
        .insertInto('page_text')
        .values(rows.slice(start, start + 1000))
        .execute();
  });
}

const MANY = 15_000;
