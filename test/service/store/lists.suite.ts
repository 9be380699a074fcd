// Lists of a company, newest first, a page at a time; a search is text and no pattern.
import { describe, expect, test } from 'vitest';
import {
  deleteWebhookRow,
  insertWebhook,
  listWebhooks,
} from '../../../src/service/store/delivery/webhooks.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { listTemplates } from '../../../src/service/store/transactions/overviews.ts';
import { saveContent } from '../../../src/service/store/transactions/save-transaction.ts';
import { fullContent } from '../../support/fixtures/stored-transactions.ts';
import { NOW, type TestStores } from '../../support/stores/databases.ts';

type Made = { id: string; name: string; created_at?: string; company_id?: string; reusable?: boolean };

const EMPTY = { documents: [], recipients: [], fields: [] };

const make = ({ database, keys }: Store, templates: Made[]) =>
  database.write(async (db) => {
    for (const { company_id = 'c1', ...made } of templates)
      await saveContent(
        db,
        keys,
        undefined,
        fullContent(company_id, { ...EMPTY, reusable: true, created_at: NOW, ...made }),
      );
  });

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

export function listsSuite(stores: TestStores): void {
  describe('lists of templates', () => {
    test('are newest first, ids break ties, and know the pages around them', async () => {
      const store = await stores.store();
      await make(store, [
        { id: 'old', name: 'Old', created_at: day(1) },
        { id: 'tie-b', name: 'B', created_at: day(2) },
        { id: 'tie-a', name: 'A', created_at: day(2) },
        { id: 'new', name: 'New', created_at: day(3) },
      ]);
      const page = (limit: number, number: number) =>
        store.database.read((db) => listTemplates(db, 'c1', { limit, page: number }));
      expect((await page(10, 1)).items.map(({ id }) => id)).toEqual(['new', 'tie-a', 'tie-b', 'old']);
      expect(await page(3, 2)).toEqual({
        items: [{ id: 'old', name: 'Old', description: expect.any(String), created_at: day(1) }],
        meta: {
          limit: 3,
          is_first_page: false,
          is_last_page: true,
          current_page: 2,
          previous_page: 1,
          next_page: null,
          page_count: 2,
        },
      });
      expect(await page(3, 7)).toMatchObject({
        items: [],
        meta: { is_last_page: true, page_count: 2, current_page: 7 },
      });
    });

    test('hold what is reusable, of the company', async () => {
      const store = await stores.store();
      await make(store, [
        { id: 'ours', name: 'Ours' },
        { id: 'theirs', name: 'Theirs', company_id: 'c2' },
        { id: 'a transaction', name: 'Draft', reusable: false },
      ]);
      const { items, meta } = await store.database.read((db) =>
        listTemplates(db, 'c1', { limit: 10, page: 1 }),
      );
      expect(items.map(({ id }) => id)).toEqual(['ours']);
      expect(meta.page_count).toBe(1);
    });

    test.each([
      ['part of a name, whatever its case', 'LEASE', ['lease', 'lease-2']],
      ['% as itself', '100%', ['percent']],
      ['_ as itself', 'a_b', ['underscore']],
      ['\\ as itself', 'c:\\x', ['backslash']],
      ['% and _ alone', '%_', []],
      ['a quote', "o'b", ['quote']],
      ['letters beyond ASCII, in any case and form', 'STRA\u0308', ['umlaut']],
      ['a full-width letter as the plain one', 'ｌｅａｓｅ', ['lease', 'lease-2']],
      ['nothing', '', ['backslash', 'lease', 'lease-2', 'percent', 'plain', 'quote', 'umlaut', 'underscore']],
    ])('search takes %s', async (_, search, expected) => {
      const store = await stores.store();
      await make(store, [
        { id: 'lease', name: 'A Lease' },
        { id: 'lease-2', name: 'Release form' },
        { id: 'percent', name: 'Deposit 100% paid' },
        { id: 'plain', name: 'Deposit 1000 paid axb' },
        { id: 'underscore', name: 'A_B form' },
        { id: 'backslash', name: 'C:\\X\\y' },
        { id: 'quote', name: "O'Brien" },
        { id: 'umlaut', name: 'Sträße' },
      ]);
      const found = await store.database.read((db) =>
        listTemplates(db, 'c1', { search, limit: 100, page: 1 }),
      );
      expect(found.items.map(({ id }) => id).sort()).toEqual(expected);
    });
  });

  describe('lists of webhooks', () => {
    const webhook = (id: string, company_id: string, created_at: string) => ({
      id,
      company_id,
      created_by_id: 'u1',
      name: `Hook ${id}`,
      endpoint: 'https://example.com/hook',
      events: JSON.stringify(['transaction_completed']),
      enabled: 1,
      disabled_at: null,
      disabled_reason: null,
      secret_sealed: 'sealed',
      previous_secret_sealed: null,
      rotated_at: null,
      created_at,
    });

    test('show the company its own, newest first, and never a secret', async () => {
      const { database } = await stores.store();
      await database.write(async (db) => {
        await insertWebhook(db, webhook('w1', 'c1', day(1)));
        await insertWebhook(db, { ...webhook('w2', 'c1', day(2)), enabled: 0 });
        await insertWebhook(db, webhook('w3', 'c2', day(3)));
      });
      const { items, meta } = await database.read((db) => listWebhooks(db, 'c1', { limit: 10, page: 1 }));
      const shown = { endpoint: 'https://example.com/hook', events: ['transaction_completed'] };
      expect(items).toEqual([
        { id: 'w2', name: 'Hook w2', ...shown, enabled: false },
        { id: 'w1', name: 'Hook w1', ...shown, enabled: true },
      ]);
      expect(meta.page_count).toBe(1);
    });

    test('lose one only by the company that has it', async () => {
      const { database } = await stores.store();
      await database.write((db) => insertWebhook(db, webhook('w1', 'c1', NOW)));
      const remove = (company: string) => database.write((db) => deleteWebhookRow(db, company, 'w1', NOW));
      expect(await remove('c2')).toBe(false);
      expect(await remove('c1')).toBe(true);
      expect(await remove('c1')).toBe(false);
    });
  });
}
