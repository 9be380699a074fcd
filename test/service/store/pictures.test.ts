// Pictures belonged to the page of one transaction once: what was drawn then is found by the content of the document now.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqlite } from '../../../src/database/sqlite.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import { findPicture } from '../../../src/service/store/pictures.ts';
import type { Tables } from '../../../src/service/store/schema.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const NOW = '2026-03-01T09:00:00.000Z';
const [pdf, png] = ['a'.repeat(64), 'b'.repeat(64)];

test('pictures of an older store are kept, once for each page of a content', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'store.db');
  try {
    const old = await openSqlite<Tables>({ file, migrations: migrations('sqlite').slice(0, 2) });
    await old.write(async (db) => {
      const row = { original_name: 'a.pdf', media_type: 'application/pdf', size_bytes: 1, pages: '[]' };
      const uploaded = { company_id: 'c', token_hash: 'h', original_sha256: pdf, linked_at: null };
      await db
        .insertInto('file')
        .values({ id: 'f', ...row, ...uploaded, pdf_sha256: pdf, created_at: NOW } as never)
        .execute();
      for (const id of ['d1', 'd2']) {
        const document = {
          id,
          template_id: id,
          index: 0,
          file_id: 'f',
          original_name: 'a.pdf',
          stored_name: 'a',
        };
        await db
          .insertInto('document')
          .values(document as never)
          .execute();
        for (const index of [0, 1]) {
          const place = { id: `${id}-${index}`, file_id: `${id}-${index}`, document_id: id, template_id: id };
          const drawn = { index, width: 1, height: 1, picture_sha256: index === 0 ? png : null };
          await db
            .insertInto('page')
            .values({ ...place, ...drawn } as never)
            .execute();
        }
      }
    });
    await old.close();
    const store = await openSqlite<Tables>({ file, migrations: migrations('sqlite') });
    const found = await store.read(async (db) => ({
      all: await db.selectFrom('picture').selectAll().execute(),
      first: await findPicture(db, { pdf_sha256: pdf, page: 0 }),
      files: await db.selectFrom('file').select('is_plain').execute(),
    }));
    expect(found.all).toHaveLength(1);
    expect(found.first).toMatchObject({ sha256: png, exceeded: null, tried_at: NOW });
    // Not drawn yet: its pages are drawn before the next start.
    expect(found.files).toEqual([{ is_plain: 0 }]);
    await store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
