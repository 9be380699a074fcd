// The list of a company's transactions: what is on which page, and that an index leads to it.
import { CompiledQuery } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Status, Transaction } from '../../../src/service/domain/transaction.ts';
import type { Store } from '../../../src/service/store/store.ts';
import {
  listOverviews,
  type OverviewQuery,
  pageRows,
  searchOverviews,
} from '../../../src/service/store/transactions/overviews.ts';
import { saveTransaction } from '../../../src/service/store/transactions/save-transaction.ts';
import {
  fullContent,
  fullField,
  fullRecipient,
  fullTransaction,
} from '../../support/fixtures/stored-transactions.ts';
import type { TestStores } from '../../support/stores/databases.ts';

const idAt = (number: number) => `0198${String(number).padStart(4, '0')}-0000-7000-8000-000000000000`;

const save = ({ database, keys }: Store, ...all: Transaction[]) =>
  database.write(async (db) => {
    for (const one of all) await saveTransaction(db, keys, undefined, one);
  });

const bare = (company_id: string, more: Partial<Transaction>): Transaction =>
  fullTransaction(company_id, {
    content: fullContent(company_id, { documents: [], recipients: [], fields: [] }),
    ...more,
  });

export function overviewsSuite(stores: TestStores): void {
  describe('the list of transactions', () => {
    test('shows the company its own, newest first, a page at a time in both directions', async () => {
      const store = await stores.store();
      const status = (n: number): Status => (n % 2 === 0 ? 'started' : 'completed');
      await save(
        store,
        ...[3, 1, 5, 2, 4, 6].map((n) => bare('c1', { id: idAt(n), status: status(n) })),
        bare('c2', { id: idAt(7) }),
      );
      const page = async (query: Partial<OverviewQuery>) => {
        const found = await store.database.read((db) => listOverviews(db, 'c1', { limit: 2, ...query }));
        const { items, hasNewer, hasOlder } = found;
        return [items.map(({ id }) => Number(id.slice(4, 8))), hasNewer, hasOlder];
      };
      const older = (n: number) => ({ from: { direction: 'older', id: idAt(n) } as const });
      const newer = (n: number) => ({ from: { direction: 'newer', id: idAt(n) } as const });
      expect(await page({})).toEqual([[6, 5], false, true]);
      expect(await page(older(5))).toEqual([[4, 3], true, true]);
      expect(await page(older(3))).toEqual([[2, 1], true, false]);
      expect(await page(older(1))).toEqual([[], true, false]);
      expect(await page(newer(2))).toEqual([[4, 3], true, true]);
      expect(await page(newer(4))).toEqual([[6, 5], false, true]);
      expect(await page({ status: 'started' })).toEqual([[6, 4], false, true]);
      expect(await page({ status: 'started', ...older(4) })).toEqual([[2], true, false]);
      expect(await page({ status: 'draft' })).toEqual([[], false, false]);
      expect(await page({ limit: 6 })).toEqual([[6, 5, 4, 3, 2, 1], false, false]);
    });

    test('is searched by words in names, recipients and ids, page by page in both directions', async () => {
      const store = await stores.store();
      const people = (name: string) =>
        fullContent('c1', { documents: [], fields: [], recipients: [fullRecipient(0, { name })] });
      const even = (n: number) => (n % 2 === 0 ? 'ΟΔΥΣΣΕΥΣ' : 'Penelope');
      await save(
        store,
        ...[1, 2, 3, 4, 5, 6].map((n) => fullTransaction('c1', { id: idAt(n), content: people(even(n)) })),
        fullTransaction('c2', { id: idAt(8), content: people('Οδυσσευς') }),
      );
      const search = async (text: string, query: Partial<OverviewQuery> = {}) => {
        const found = await searchOverviews(store.database, 'c1', text, { limit: 2, ...query });
        const { items, hasNewer, hasOlder, stoppedAt } = found;
        expect(stoppedAt).toBeUndefined();
        return [items.map(({ id }) => Number(id.slice(4, 8))), hasNewer, hasOlder];
      };
      const from = (direction: 'older' | 'newer', n: number) => ({ from: { direction, id: idAt(n) } });
      expect(await search('οδυσσευς')).toEqual([[6, 4], false, true]);
      expect(await search('οδυσσευς', from('older', 4))).toEqual([[2], true, false]);
      expect(await search('οδυσσευς', from('newer', 1))).toEqual([[4, 2], true, true]);
      expect(await search('οδυσσευς', from('newer', 2))).toEqual([[6, 4], false, true]);
      expect(await search('penelope 01980003')).toEqual([[3], false, false]);
      expect(await search('penelope 01980004')).toEqual([[], false, false]);
      expect(await search(idAt(5))).toEqual([[5], false, false]);
      expect(await search(idAt(8))).toEqual([[], false, false]);
    });

    test('stops a search that looked at many, and continues from there', async () => {
      const store = await stores.store();
      const named = (n: number) =>
        fullContent('c1', { documents: [], recipients: [], fields: [], name: `No. ${n}.` });
      const all = Array.from({ length: 300 }, (_, n) => n + 1);
      await save(store, ...all.map((n) => fullTransaction('c1', { id: idAt(n), content: named(n) })));
      const search = (query: Partial<OverviewQuery>) =>
        searchOverviews(store.database, 'c1', '7.', { limit: 50, ...query }, 100);
      const first = await search({});
      expect(first.stoppedAt).toBe(idAt(51));
      expect([first.items.length, first.hasOlder]).toEqual([25, true]);
      const rest = await search({ from: { direction: 'older', id: first.stoppedAt ?? '' } });
      expect(rest.items.map(({ name }) => name)).toEqual([
        'No. 47.',
        'No. 37.',
        'No. 27.',
        'No. 17.',
        'No. 7.',
      ]);
      expect([rest.stoppedAt, rest.hasOlder]).toEqual([undefined, false]);
    });

    test('knows the recipients in order, and who of them acts', async () => {
      const store = await stores.store();
      const signer = fullRecipient(1, { name: 'Signer', opened_at: '2026-03-02T10:00:00.000Z' });
      const proxy = fullRecipient(2, { name: 'Proxy', role: 'proxy', is_current: true });
      const sender = fullRecipient(0, { name: 'Sender' });
      const recipients = [proxy, sender, signer];
      const content = fullContent('c1', { recipients, fields: [] });
      const [document] = content.documents;
      if (!document) throw new Error('The content has no document.');
      await save(store, fullTransaction('c1', { id: idAt(1), content }));
      const list = async () =>
        (await store.database.read((db) => listOverviews(db, 'c1', { limit: 9 }))).items;
      const [found] = await list();
      expect(found).toMatchObject({ name: content.name, ended_at: '2026-03-02T10:11:12.345Z' });
      const shown = (one: typeof found) =>
        one?.recipients.map(({ name, acts, is_current }) => [name, acts, is_current]);
      expect(shown(found)).toEqual([
        ['Sender', false, false],
        ['Signer', true, false],
        ['Proxy', true, true],
      ]);
      expect(found?.recipients[1]?.opened_at).toBe('2026-03-02T10:00:00.000Z');
      const asked = fullContent('c1', { recipients: [fullRecipient(0, { name: 'Signing sender' })] });
      const fields = asked.recipients.map((one) => fullField(asked.documents[0] ?? document, one));
      await save(store, fullTransaction('c1', { id: idAt(2), content: { ...asked, fields } }));
      expect(shown((await list())[0])).toEqual([['Signing sender', true, false]]);
    });

    test.runIf(stores.dialect === 'sqlite')('is found by an index, whatever is asked for', async () => {
      const { database } = await stores.store();
      const from = { direction: 'older', id: idAt(1) } as const;
      const queries: Partial<OverviewQuery>[] = [
        {},
        { status: 'started' },
        { from },
        { status: 'started', from },
      ];
      const steps = await database.read(async (db) => {
        const found: string[] = [];
        for (const query of queries) {
          const { sql, parameters } = pageRows(db, 'c1', { limit: 25, ...query }).compile();
          const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
          found.push(
            ...(await db.executeQuery<{ detail: string }>(explain)).rows.map(({ detail }) => detail),
          );
        }
        return found;
      });
      expect(steps.join('\n')).not.toMatch(/SCAN|TEMP B-TREE/);
      const ofState = steps.filter((step) =>
        /transaction_by_status \(company_id=\? AND status=\?/.test(step),
      );
      expect(ofState).toHaveLength(2);
    });
  });
}
