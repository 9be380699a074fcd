// Mails as rows: encrypted, found by their recipient, and migrated from when they had neither names nor addresses.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createKeys } from '../../../src/service/store/keys.ts';
import { findLastMailed, insertMail, listMails } from '../../../src/service/store/mails.ts';
import { migrations } from '../../../src/service/store/migrations.ts';
import { AWKWARD_TEXT } from '../../support/fixtures/stored-transactions.ts';
import { FACTS, NOW, type TestStores } from '../../support/stores/databases.ts';

const origin = (transaction_id: string) => ({
  company_id: 'c1',
  transaction_id,
  now: NOW,
  newId: FACTS.newId,
});

export function mailsSuite(stores: TestStores): void {
  describe('mail', () => {
    test('is sealed on disk and readable here, the newest first', async () => {
      const { database, keys } = await stores.store();
      const mail = (text: string) => ({
        recipient_id: 'r1',
        kind: 'rejected' as const,
        language: 'pl' as const,
        from: { name: AWKWARD_TEXT, email: 'f@x' },
        replyTo: undefined,
        to: { name: 'A', email: 'Ada@x' },
        subject: AWKWARD_TEXT,
        letter: { text },
        attachments: ['s1', 's2'],
      });
      const first = await database.write((db) => insertMail(db, keys, mail('first address'), origin('t1')));
      await database.write((db) => insertMail(db, keys, mail('second address'), origin('t2')));
      const list = (query: object) => database.read((db) => listMails(db, keys, { limit: 10, ...query }));
      expect((await list({})).map(({ letter }) => letter)).toEqual([
        { text: 'second address' },
        { text: 'first address' },
      ]);
      expect(await list({ transaction_id: 't1' })).toEqual([
        {
          ...mail('first address'),
          id: first,
          company_id: 'c1',
          transaction_id: 't1',
          created: NOW,
        },
      ]);
      expect(await list({ company_id: 'other' })).toEqual([]);
      expect(await list({ before: first })).toEqual([]);
      expect(await list({ to: 'ADA@X' })).toHaveLength(2);
      expect(await list({ to: 'nobody@x' })).toEqual([]);
      const of = (transaction_id: string, kind: string) =>
        database.read((db) => findLastMailed(db, { transaction_id, recipient_id: 'r1', kind }));
      expect([await of('t1', 'rejected'), await of('t1', 'reminder'), await of('t3', 'rejected')]).toEqual([
        NOW,
        undefined,
        undefined,
      ]);
      const rows = await database.read((db) => db.selectFrom('mail').selectAll().execute());
      expect(JSON.stringify(rows)).not.toContain('address');
    });

    test('of an older store is carried over: who it was from and to, and its text as it was', async () => {
      const all = migrations(stores.dialect);
      const older = await stores.open(
        all.slice(
          0,
          all.findIndex(({ name }) => name === '0011-mail'),
        ),
      );
      const keys = createKeys(new Uint8Array(32), randomBytes);
      const row = (count: number, sender: string, recipient: string) => ({
        id: `m${count}`,
        company_id: 'c1',
        transaction_id: 't1',
        recipient_id: 'r1',
        created: NOW,
        sender,
        recipient,
        subject: AWKWARD_TEXT,
        body_sealed: keys.encrypt(`text ${count}`),
      });
      const rows = [
        row(0, 'Example <Ltd> <sender@example.com>', 'Ada <ada@example.com>'),
        row(1, 'nobody@example.com', ' <bob@example.com>'),
        ...Array.from({ length: 600 }, (_, index) => row(index + 2, 'S <s@x>', `P${index} <p@x>`)),
      ];
      await older.write(async (db) => {
        for (const one of rows)
          await db
            .insertInto('mail')
            .values(one as never)
            .execute();
      });
      await older.close();
      const { read } = await stores.open();
      const found = await read((db) => listMails(db, keys, { limit: 1000 }));
      expect(found).toHaveLength(602);
      expect(found.at(-1)).toEqual({
        id: 'm0',
        company_id: 'c1',
        transaction_id: 't1',
        recipient_id: 'r1',
        created: NOW,
        kind: 'invitation',
        language: 'en',
        from: { name: 'Example <Ltd>', email: 'sender@example.com' },
        replyTo: undefined,
        to: { name: 'Ada', email: 'ada@example.com' },
        subject: AWKWARD_TEXT,
        letter: 'text 0',
        attachments: [],
      });
      expect(found.at(-2)).toMatchObject({
        from: { name: '', email: 'nobody@example.com' },
        to: { name: '', email: 'bob@example.com' },
      });
      expect(found[0]).toMatchObject({ to: { name: 'P599', email: 'p@x' }, letter: 'text 601' });
    });
  });
}
