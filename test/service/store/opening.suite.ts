// A store is created once, whichever process is first, and never opened by a program older than it.
import type { Kysely } from 'kysely';
import { describe, expect, test } from 'vitest';
import { type Migration, NewerStoreError } from '../../../src/database/database.ts';
import { refuseUnknown } from '../../../src/database/migrate.ts';
import {
  findBearer,
  findClient,
  insertUser,
  listUsers,
} from '../../../src/service/store/accounts/accounts.ts';
import { insertEvents } from '../../../src/service/store/delivery/records.ts';
import { hashSecret } from '../../../src/service/store/keys.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import { OWN_CLIENT, OWN_USER, ownTokenOf, resetStore, seedStore } from '../../../src/service/store/store.ts';
import { saveTransaction } from '../../../src/service/store/transactions/save-transaction.ts';
import { fullTransaction } from '../../support/fixtures/stored-transactions.ts';
import { FACTS, NOW, type TestStores } from '../../support/stores/databases.ts';

export function openingSuite(testStores: TestStores): void {
  describe('opening', () => {
    test('makes the tables once, however many open it at the same moment', async () => {
      let made = 0;
      const counted = migrations(testStores.dialect).map(
        ({ name, up }): Migration => ({
          name,
          async up(db) {
            made += 1;
            await up(db);
          },
        }),
      );
      await Promise.all([testStores.open(counted), testStores.open(counted), testStores.open(counted)]);
      expect(made).toBe(counted.length);
      await testStores.open(counted);
      expect(made).toBe(counted.length);
    });

    test('gives the store one address, one company, one user and one application of its own', async () => {
      const stores = await Promise.all([testStores.store(), testStores.store(), testStores.store()]);
      const [first] = stores;
      expect(new Set(stores.map((store) => store.port)).size).toBe(1);
      expect(first?.port).toBeGreaterThanOrEqual(20_000);
      const users = await first?.database.read(listUsers);
      expect(users).toMatchObject([{ ...OWN_USER, company: 'Sandbox' }]);
      expect((await testStores.store()).port).toBe(first?.port);
    });

    test('refuses the key of another store', async () => {
      const { database, blobs } = await testStores.store();
      const other = new Uint8Array(32).fill(8);
      await expect(seedStore(database, other, blobs, FACTS)).rejects.toThrow('does not match');
      await testStores.store();
    });

    test('runs a later migration on what is there, and nothing when it fails half way', async () => {
      const { database } = await testStores.store();
      await database.close();
      const step = (fails: boolean): Migration => ({
        name: '9998-color',
        async up(db) {
          const some = db as unknown as Kysely<{ company: { id: string; color: string } }>;
          await some.schema.alterTable('company').addColumn('color', 'text').execute();
          if (fails) throw new Error('The power went.');
          await some.updateTable('company').set({ color: 'blue' }).execute();
        },
      });
      const all = (fails: boolean) => [...migrations(testStores.dialect), step(fails)];
      await expect(testStores.open(all(true))).rejects.toThrow('The power went.');
      const opened = await testStores.open(all(false));
      const rows = await opened.read((db) => db.selectFrom('company').selectAll().execute());
      expect(rows).toMatchObject([{ name: 'Sandbox', color: 'blue' }]);
    });

    test('refuses a store that a newer version wrote, and leaves it as it is', async () => {
      const newer: Migration = { name: '9999-newer', up: async () => undefined };
      await testStores.open([...migrations(testStores.dialect), newer]);
      await expect(testStores.open()).rejects.toThrow(NewerStoreError);
      await testStores.open([...migrations(testStores.dialect), newer]);
    });

    test('calls a store of a later release on a branch newer', () => {
      expect(() => refuseUnknown(['0001-tables', '0005-branch'], ['0001-tables', '0006-main'])).toThrow(
        NewerStoreError,
      );
    });

    test('refuses a store of a clone from before the first release, and leaves it as it is', async () => {
      const [first, ...later] = migrations(testStores.dialect);
      const unreleased: Migration = { name: '0002-dashboard', up: async () => undefined };
      for (const steps of [[unreleased], [unreleased, ...later]]) {
        await testStores.open([first!, ...steps]);
        await expect(testStores.open()).rejects.toMatchObject({
          code: 'store_unreleased',
          message: expect.stringContaining('(it contains "0002-dashboard"), and cannot be read.'),
        });
        await testStores.open([first!, ...steps]);
      }
    });
  });

  describe('reset', () => {
    test("empties every table; address, keys and the store's own account stay usable", async () => {
      const store = await testStores.store();
      const { database, keys } = store;
      const transaction = fullTransaction('c1');
      const origin = { company_id: 'c1', transaction_id: transaction.id, now: NOW, newId: FACTS.newId };
      await database.write(async (db) => {
        await insertUser(db, { id: 'u1', company_id: 'c1', name: 'Grace', email: 'grace@example.com' }, NOW);
        await saveTransaction(db, keys, undefined, transaction);
        const created_by = { id: 'u1', email: 'grace@example.com' };
        await insertEvents(
          db,
          [{ type: 'transaction_created', data: { id: 't', status: 'draft', created_by } }],
          origin,
          database.dialect,
        );
      });
      await database.write((db) => resetStore(db, keys, FACTS));
      const left = await database.read(async (db) => ({
        transactions: await db.selectFrom('transaction').selectAll().execute(),
        fields: await db.selectFrom('field').selectAll().execute(),
        pages: await db.selectFrom('page').selectAll().execute(),
        events: await db.selectFrom('event').selectAll().execute(),
        users: await listUsers(db),
        client: await findClient(db, OWN_CLIENT.id),
        bearer: await findBearer(db, hashSecret(ownTokenOf(keys))),
      }));
      expect(left).toMatchObject({ transactions: [], fields: [], pages: [], events: [], users: [OWN_USER] });
      expect(left.client?.name).toBe(OWN_CLIENT.name);
      expect(left.bearer?.user.email).toBe(OWN_USER.email);
      expect((await testStores.store()).port).toBe(store.port);
    });
  });
}
