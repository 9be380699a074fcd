import { describe, expect, test } from 'vitest';
import { findLastMailed, insertMail, listMails } from '../../../src/service/store/delivery/mails.ts';
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
  });
}
