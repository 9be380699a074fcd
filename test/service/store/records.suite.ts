// What is written beside a change: events in the order in which they happened, kept answers; and files.
import { describe, expect, test } from 'vitest';
import type { EventOf } from '../../../src/api/contract/events.ts';
import { numberEvents } from '../../../src/service/store/delivery/events.ts';
import {
  findAnswer,
  forgetAnswers,
  insertEvents,
  listRecordedEvents,
  storeAnswer,
} from '../../../src/service/store/delivery/records.ts';
import {
  findFile,
  findUploaded,
  insertFile,
  markLinked,
} from '../../../src/service/store/documents/files.ts';
import { AWKWARD_TEXT } from '../../support/fixtures/stored-transactions.ts';
import { FACTS, NOW, type TestStores } from '../../support/stores/databases.ts';

const origin = (transaction_id: string) => ({
  company_id: 'c1',
  transaction_id,
  now: NOW,
  newId: FACTS.newId,
});

const cancelled = (id: string, cancelled_reason = AWKWARD_TEXT): EventOf => ({
  type: 'transaction_cancelled',
  data: { id, status: 'expired', cancelled_reason, cancelled_at: NOW },
});

const created = (id: string): EventOf => ({
  type: 'transaction_created',
  data: { id, status: 'draft', created_by: { id: 'u1', email: 'ada@example.com' } },
});

export function recordsSuite(stores: TestStores): void {
  describe('events', () => {
    test('come back in the order in which they happened, whatever their ids and times', async () => {
      const { database } = await stores.store();
      for (const id of ['t1', 't2'])
        await database.write((db) =>
          insertEvents(db, [created(id), cancelled(id)], origin(id), database.dialect),
        );
      const list = async (query: object) => {
        await numberEvents({ database });
        return database.read((db) => listRecordedEvents(db, { limit: 100, ...query }));
      };
      const all = await list({});
      expect(all.map(({ type, data }) => [type, data.id])).toEqual([
        ['transaction_created', 't1'],
        ['transaction_cancelled', 't1'],
        ['transaction_created', 't2'],
        ['transaction_cancelled', 't2'],
      ]);
      expect(all[1]).toEqual({ id: all[1]?.id, created: NOW, ...cancelled('t1') });
      expect(await list({ transaction_id: 't2' })).toEqual(all.slice(2));
      expect(await list({ type: 'transaction_created' })).toEqual([all[0], all[2]]);
      expect(await list({ after: all[1]?.id })).toEqual(all.slice(2));
      expect(await list({ after: all[1]?.id, limit: 1 })).toEqual([all[2]]);
    });

    test('of many writers at once are all there, those of one commit together', async () => {
      const { database } = await stores.store();
      const ids = Array.from({ length: 50 }, (_, index) => `t${index}`);
      await Promise.all(
        ids.map((id) =>
          database.write((db) =>
            insertEvents(db, [created(id), cancelled(id)], origin(id), database.dialect),
          ),
        ),
      );
      await numberEvents({ database });
      const all = await database.read((db) => listRecordedEvents(db, { limit: 1000 }));
      const pairs = all.flatMap((event, index) =>
        index % 2 === 0 ? [[event.data.id, all[index + 1]?.data.id]] : [],
      );
      expect(pairs.every(([first, second]) => first === second)).toBe(true);
      expect(pairs.map(([first]) => first).sort()).toEqual([...ids].sort());
    });
  });

  describe('kept answers', () => {
    const kept = { holder: 'app:u1', key: 'k1', fingerprint: 'f'.repeat(64), status: 201 };

    test('are returned to the same caller, for the key, for a while', async () => {
      const { database, keys } = await stores.store();
      const output = { url: 'https://example.com/sign?token=secret' };
      await database.write((db) => storeAnswer(db, keys, { ...kept, output }, NOW));
      const find = (holder: string, key: string, since: string) =>
        database.read((db) => findAnswer(db, keys, holder, key, since));
      const before = '2026-02-28T09:00:00.000Z';
      expect(await find('app:u1', 'k1', before)).toEqual({ fingerprint: kept.fingerprint, output });
      expect(await find('app:u2', 'k1', before)).toBeUndefined();
      expect(await find('app:u1', 'K1', before)).toBeUndefined();
      expect(await find('app:u1', 'k1', NOW)).toBeUndefined();
      const rows = await database.read((db) => db.selectFrom('idempotency').selectAll().execute());
      expect(JSON.stringify(rows)).not.toContain('secret');
    });

    test('are replaced by a later one and forgotten in time', async () => {
      const { database, keys } = await stores.store();
      const later = '2026-03-03T09:00:00.000Z';
      const keep = (key: string, output: unknown, now: string) =>
        database.write((db) => storeAnswer(db, keys, { ...kept, key, output }, now));
      await keep('k1', 1, NOW);
      await keep('k1', 2, later);
      await keep('k2', 3, NOW);
      await database.write((db) => forgetAnswers(db, NOW));
      const find = (key: string) => database.read((db) => findAnswer(db, keys, kept.holder, key, '2000'));
      expect(await find('k1')).toMatchObject({ output: 2 });
      expect(await find('k2')).toBeUndefined();
    });
  });

  describe('uploaded files', () => {
    const file = {
      id: 'f1',
      company_id: 'c1',
      original_name: AWKWARD_TEXT,
      media_type: 'application/pdf',
      size_bytes: 10 * 1024 * 1024,
      original_sha256: 'a'.repeat(64),
      pdf_sha256: 'b'.repeat(64),
      pages: '[]',
      created_at: NOW,
      linked_at: null,
      is_plain: 1,
      remarks: '[]',
    };

    test('are found by their token, by their own company, for a day while nothing uses them', async () => {
      const { database } = await stores.store();
      await database.write((db) => insertFile(db, file, 'token'));
      const find = (token: string, company: string, now: string) =>
        database.read((db) => findUploaded(db, token, company, now));
      expect(await find('token', 'c1', NOW)).toMatchObject(file);
      expect(await find('nekot', 'c1', NOW)).toBeUndefined();
      expect(await find('token', 'c2', NOW)).toBeUndefined();
      expect(await find('token', 'c1', '2026-03-02T08:59:59.999Z')).toMatchObject(file);
      expect(await find('token', 'c1', '2026-03-02T09:00:00.000Z')).toBeUndefined();
    });

    test('once linked stay, and keep the moment of the first link', async () => {
      const { database } = await stores.store();
      await database.write(async (db) => {
        await insertFile(db, file, 'token');
        await markLinked(db, 'f1', NOW);
        await markLinked(db, 'f1', '2026-03-02T09:00:00.000Z');
      });
      const found = await database.read((db) => findUploaded(db, 'token', 'c1', '2030-01-01T00:00:00.000Z'));
      expect(found?.linked_at).toBe(NOW);
      expect(await database.read((db) => findFile(db, 'f1'))).toMatchObject({
        id: 'f1',
        size_bytes: 10 * 1024 * 1024,
      });
    });
  });
}
