// Files that nobody linked in time, and the blobs that rows name.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { later } from '../../src/api/contract/instant.ts';
import { insertFile, markLinked } from '../../src/service/store/files.ts';
import { keepPicture } from '../../src/service/store/pictures.ts';
import { namesIn, sweepStore } from '../../src/service/store/sweep.ts';
import { type Ground, NOW } from '../support/stores.ts';

const HOUR = 3600 * 1000;
const FILES = 600;

export function sweepSuite(ground: Ground): void {
  describe('sweeping', () => {
    it('removes files whose token lapsed, however many, and keeps those that were linked', async () => {
      const store = await ground.store();
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
        is_plain: 1 as const,
      });
      await store.database.write(async (db) => {
        for (let count = 0; count < FILES; count += 1)
          await insertFile(db, file(randomUUID(), later(NOW, -26 * HOUR)), randomUUID());
        for (const id of ['fresh', 'linked']) await insertFile(db, file(id, NOW), randomUUID());
        await db.updateTable('file').set({ created_at: '2020' }).where('id', '=', 'linked').execute();
        await markLinked(db, 'linked', NOW);
        await insertFile(db, { ...file('gone', '2020'), pdf_sha256: 'f'.repeat(64) }, randomUUID());
      });
      const picture = await store.blobs.put(new TextEncoder().encode('a picture'));
      await store.database.write(async (db) => {
        for (const page of [0, 1, 2])
          for (const pdf_sha256 of [sha256, 'f'.repeat(64)])
            await keepPicture(db, { pdf_sha256, page }, { sha256: picture, exceeded: null }, NOW);
      });
      const pictures: string[] = [];
      for await (const some of namesIn(store.database, 'picture')) pictures.push(...some);
      expect(pictures).toEqual(Array.from({ length: 6 }, () => picture));
      const names: string[] = [];
      for await (const some of namesIn(store.database, 'file')) names.push(...some);
      expect(names).toHaveLength(2 * (FILES + 3));
      await sweepStore(store, NOW);
      const left = await store.database.read((db) => db.selectFrom('file').select('id').execute());
      expect(left.map(({ id }) => id).sort()).toEqual(['fresh', 'linked']);
      expect(await store.blobs.get(sha256)).toBeDefined();
      const kept = await store.database.read((db) => db.selectFrom('picture').select('pdf_sha256').execute());
      expect(kept.map(({ pdf_sha256 }) => pdf_sha256)).toEqual([sha256, sha256, sha256]);
    });
  });
}
