// Removes files that were not linked in time, and finds the blobs that rows name.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addMs } from '../../../src/common/instant.ts';
import { readNamedBlobs, sweepStore } from '../../../src/service/store/blobs/sweep.ts';
import { insertFile, markLinked } from '../../../src/service/store/documents/files.ts';
import { isCompared, storeComparison } from '../../../src/service/store/documents/pictures.ts';
import { NOW, type TestStores } from '../../support/stores/databases.ts';
import { SLOW } from '../../support/tier.ts';

const HOUR = 3600 * 1000;
const FILES = SLOW ? 600 : 150;

export function sweepSuite(stores: TestStores): void {
  describe('sweeping', () => {
    test('removes files whose token lapsed, however many, and keeps those that were linked', async () => {
      const store = await stores.store();
      const sha256 = await store.blobs.put(new TextEncoder().encode('a document'));
      const file = (id: string, created_at: string) => ({
        id,
        company_id: 'c1',
        original_name: 'a.pdf',
        media_type: 'application/pdf',
        size_bytes: 10,
        original_sha256: sha256,
        pdf_sha256: sha256,
        pages: '[]',
        created_at,
        linked_at: null,
        is_plain: 1,
        remarks: '[]',
      });
      await store.database.write(async (db) => {
        for (let count = 0; count < FILES; count += 1)
          await insertFile(db, file(randomUUID(), addMs(NOW, -26 * HOUR)), randomUUID());
        for (const id of ['fresh', 'linked']) await insertFile(db, file(id, NOW), randomUUID());
        await db.updateTable('file').set({ created_at: '2020' }).where('id', '=', 'linked').execute();
        await markLinked(db, 'linked', NOW);
      });
      const names: string[] = [];
      for await (const some of readNamedBlobs(store.database)) names.push(...some);
      expect(names).toHaveLength(2 * (FILES + 2));
      await sweepStore(store, NOW);
      const left = await store.database.read((db) => db.selectFrom('file').select('id').execute());
      expect(left.map(({ id }) => id).sort()).toEqual(['fresh', 'linked']);
      expect(await store.blobs.get(sha256)).toBeDefined();
    });

    test('keeps that a document shows the same when a later comparison had no time', async () => {
      const { database } = await stores.store();
      const places = { pdf_sha256: 'c'.repeat(64), places_sha256: 'd'.repeat(64) };
      const later = addMs(NOW, 24 * HOUR);
      for (const exceeded of ['time', null, 'time'])
        await database.write((db) => storeComparison(db, places, exceeded, NOW));
      expect(await database.read((db) => isCompared(db, places, later))).toBe(true);
    });

    test('removes what was found out about a document that is gone', async () => {
      const store = await stores.store();
      const gone = { pdf_sha256: 'a'.repeat(64), tried_at: NOW };
      await store.database.write(async (db) => {
        await db
          .insertInto('picture')
          .values({ ...gone, page: 0, dpi: 110, sha256: null, exceeded: 'time' })
          .execute();
        await db
          .insertInto('page_text')
          .values({ ...gone, page: 0, runs: '[]', is_cut: 0, exceeded: null })
          .execute();
        await storeComparison(db, { pdf_sha256: gone.pdf_sha256, places_sha256: 'b'.repeat(64) }, null, NOW);
      });
      await sweepStore(store, NOW);
      for (const table of ['picture', 'page_text', 'stamped_comparison'] as const)
        expect(await store.database.read((db) => db.selectFrom(table).selectAll().execute())).toEqual([]);
    });
  });
}
