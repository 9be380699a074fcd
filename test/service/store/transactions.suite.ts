// A transaction is loaded whole and saved as the difference; another company's id finds nothing.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Content, Transaction } from '../../../src/service/domain/transaction.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { saveContent, saveTransaction } from '../../../src/service/store/transactions/save-transaction.ts';
import {
  findDueTransactions,
  loadByToken,
  loadTemplate,
  loadTransaction,
  loadTransactions,
} from '../../../src/service/store/transactions/transactions.ts';
import {
  fullContent,
  fullDocument,
  fullField,
  fullRecipient,
  fullTransaction,
} from '../../support/fixtures/stored-transactions.ts';
import type { TestStores } from '../../support/stores/databases.ts';
import { SLOW } from '../../support/tier.ts';

const save = ({ database, keys }: Store, before: Transaction | undefined, after: Transaction) =>
  database.write((db) => saveTransaction(db, keys, before, after));

const load = ({ database, keys }: Store, id: string, company_id?: string) =>
  database.read((db) => loadTransaction(db, keys, company_id === undefined ? { id } : { id, company_id }));

const withContent = (transaction: Transaction, content: Partial<Content>): Transaction => ({
  ...transaction,
  content: { ...transaction.content, ...content },
});

/** Saves `before`, then the step from it to `after`, with a second transaction beside them that must not change. */
async function afterStep(stores: TestStores, before: Transaction, after: Transaction): Promise<void> {
  const store = await stores.store();
  const bystander = fullTransaction('c1');
  await save(store, undefined, bystander);
  await save(store, undefined, before);
  const loaded = await load(store, before.id);
  expect(loaded).toEqual(before);
  await save(store, loaded, after);
  expect(await load(store, before.id)).toEqual(after);
  expect(await load(store, bystander.id)).toEqual(bystander);
}

export function transactionsSuite(stores: TestStores): void {
  describe('transactions', () => {
    test('gives back everything it was given', async () => {
      const store = await stores.store();
      const transaction = fullTransaction('c1');
      await save(store, undefined, transaction);
      expect(await load(store, transaction.id)).toEqual(transaction);
    });

    test('gives back many at once as it gives them back one by one', async () => {
      const store = await stores.store();
      const all = [1, 2, 3, 4, 5].map(() => fullTransaction('c1'));
      for (const transaction of all) await save(store, undefined, transaction);
      const bare = fullTransaction('c1', { content: fullContent('c1', { documents: [], fields: [] }) });
      await save(store, undefined, bare);
      const ids = [...all, bare].map(({ id }) => id);
      const loaded = await store.database.read((db) => loadTransactions(db, store.keys, [...ids, 'nobody']));
      const byId = new Map(loaded.map((one) => [one.id, one]));
      expect(loaded).toHaveLength(ids.length);
      for (const id of ids) expect(byId.get(id)).toEqual(await load(store, id));
      expect(await store.database.read((db) => loadTransactions(db, store.keys, []))).toEqual([]);
    });

    test('keeps nulls, empty texts and empty lists apart', async () => {
      const store = await stores.store();
      const empty = fullTransaction('c1', {
        status: 'draft',
        notification_endpoint: null,
        expiration_days: null,
        sent_at: null,
        expires_at: null,
        rejected_reason: '',
        cancelled_reason: null,
        content: fullContent('c1', {
          description: '',
          documents: [],
          recipients: [],
          fields: [],
          edit_navigation: false,
        }),
      });
      await save(store, undefined, empty);
      expect(await load(store, empty.id)).toEqual(empty);
    });

    test('saves what was added, removed, moved and changed, and leaves the rest alone', async () => {
      const before = fullTransaction('c1');
      const { documents, recipients, fields } = before.content;
      const [sender, ada, bob] = recipients;
      const [first, second] = documents;
      if (!sender || !ada || !bob || !first || !second) throw new Error('The full transaction is not full.');
      const newcomer = fullRecipient(1, { email: 'new@example.com', is_current: true, token: 'fresh token' });
      const third = fullDocument(1);
      const kept = fields.filter((field) => field.document_id === first.id && field.recipient_id !== ada.id);
      const after = withContent(
        { ...before, status: 'completed', completed_at: before.created_at },
        {
          name: 'Renamed',
          documents: [{ ...second, index: 0 }, third, { ...first, index: 2 }],
          recipients: [
            { ...bob, index: 0, is_current: false, token: null },
            newcomer,
            { ...sender, index: 2, name: 'S' },
          ],
          fields: [
            fullField(third, newcomer),
            ...kept.reverse().map((field) => ({ ...field, value: null, options: [] })),
          ],
        },
      );
      await afterStep(stores, before, after);
    });

    test('can be emptied', async () => {
      const before = fullTransaction('c1');
      await afterStep(stores, before, withContent(before, { documents: [], recipients: [], fields: [] }));
    });

    test.skipIf(!SLOW)('takes more fields and pages than one statement holds', async () => {
      const store = await stores.store();
      const document = fullDocument(0, 1000);
      const recipient = fullRecipient(0);
      const fields = Array.from({ length: 2000 }, (_, label) =>
        fullField(document, recipient, { label: String(label) }),
      );
      const before = fullTransaction('c1', {
        content: fullContent('c1', { documents: [document], recipients: [recipient], fields }),
      });
      await save(store, undefined, before);
      expect(await load(store, before.id)).toEqual(before);
      const after = withContent(before, { fields: [] });
      await save(store, before, after);
      expect(await load(store, before.id)).toEqual(after);
    });

    test('keeps signing tokens sealed: neither the token nor the same cipher text twice', async () => {
      const store = await stores.store();
      const token = 'a very secret token';
      const one = fullTransaction('c1');
      const holder = fullRecipient(0, { token, is_current: true });
      await save(store, undefined, withContent(one, { recipients: [holder], fields: [] }));
      const sealed = () =>
        store.database.read((db) =>
          db.selectFrom('recipient').selectAll().where('id', '=', holder.id).executeTakeFirst(),
        );
      const first = await sealed();
      expect(JSON.stringify(first)).not.toContain(token);
      const known = await load(store, one.id);
      await save(
        store,
        known,
        withContent(one, { recipients: [{ ...holder, name: 'Renamed' }], fields: [] }),
      );
      expect((await sealed())?.token_sealed).not.toBe(first?.token_sealed);
    });
  });

  describe('finding a transaction', () => {
    test("by another company's id finds nothing", async () => {
      const store = await stores.store();
      const transaction = fullTransaction('c1');
      await save(store, undefined, transaction);
      expect(await load(store, transaction.id, 'c1')).toEqual(transaction);
      expect(await load(store, transaction.id, 'c2')).toBeUndefined();
      expect(await load(store, randomUUID())).toBeUndefined();
    });

    test('by the token of a recipient, as long as they hold it', async () => {
      const store = await stores.store();
      const { database, keys } = store;
      const transaction = fullTransaction('c1');
      await save(store, undefined, transaction);
      const holder = transaction.content.recipients.find((recipient) => recipient.token !== null);
      const token = holder?.token ?? '';
      const byToken = (text: string) => database.read((db) => loadByToken(db, keys, text));
      expect(await byToken(token)).toEqual({ transaction, recipientId: holder?.id });
      expect(await byToken(`${token} `)).toBeUndefined();
      const recipients = transaction.content.recipients.map((recipient) => ({ ...recipient, token: null }));
      await save(store, transaction, withContent(transaction, { recipients }));
      expect(await byToken(token)).toBeUndefined();
    });

    test('as a template needs one that is reusable, of the company', async () => {
      const { database, keys } = await stores.store();
      const reusable = fullContent('c1', { reusable: true });
      const private_ = fullContent('c1');
      await database.write(async (db) => {
        await saveContent(db, keys, undefined, reusable);
        await saveContent(db, keys, undefined, private_);
      });
      const find = (id: string, company_id: string) =>
        database.read((db) => loadTemplate(db, keys, { id, company_id }));
      expect(await find(reusable.id, 'c1')).toEqual(reusable);
      expect(await find(reusable.id, 'c2')).toBeUndefined();
      expect(await find(private_.id, 'c1')).toBeUndefined();
    });

    test('as due: started, its moment come, the oldest first, no more than asked for', async () => {
      const store = await stores.store();
      const made: Record<string, string> = {};
      const make = async (
        name: string,
        expires_at: string | null,
        status: Transaction['status'] = 'started',
      ) => {
        const transaction = fullTransaction('c1', { expires_at, status });
        made[transaction.id] = name;
        await save(store, undefined, transaction);
      };
      await make('second', '2026-03-02T00:00:00.000Z');
      await make('first', '2026-03-01T00:00:00.000Z');
      await make('on the moment', '2026-03-03T00:00:00.000Z');
      await make('not yet', '2026-03-03T00:00:00.001Z');
      await make('never', null);
      await make('ended', '2026-03-01T00:00:00.000Z', 'cancelled');
      const due = async (limit: number) => {
        const ids = await store.database.read((db) =>
          findDueTransactions(db, '2026-03-03T00:00:00.000Z', limit),
        );
        return ids.map((id) => made[id]);
      };
      expect(await due(10)).toEqual(['first', 'second', 'on the moment']);
      expect(await due(2)).toEqual(['first', 'second']);
    });
  });
}
