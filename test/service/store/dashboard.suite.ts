// Passwords, sessions, consents and attempts, on every database.
import { describe, expect, test } from 'vitest';
import { LIMITS } from '../../../src/api/contract/limits.ts';
import { addMs, type Instant } from '../../../src/common/instant.ts';
import {
  consumeCode,
  findBearer,
  findOrCreateCompany,
  insertClient,
  insertCode,
  insertToken,
  insertUser,
} from '../../../src/service/store/accounts/accounts.ts';
import { listConsents, revokeConsent, storeConsent } from '../../../src/service/store/accounts/consents.ts';
import {
  deleteSession,
  findSession,
  forgetAttempts,
  forgetOldAttempts,
  insertSession,
  setPassword,
  takeAttempt,
} from '../../../src/service/store/accounts/sessions.ts';
import { hashSecret } from '../../../src/service/store/keys.ts';
import { FACTS, NOW, type TestStores } from '../../support/stores/databases.ts';
import { FULL, SLOW } from '../../support/tier.ts';

export function dashboardSuite(stores: TestStores): void {
  /** A store with a user and an application. */
  async function seedStore() {
    const { database } = await stores.store();
    await database.write(async (db) => {
      const company_id = await findOrCreateCompany(db, 'Navy', { newId: FACTS.newId, now: NOW });
      await insertUser(db, { id: 'u1', company_id, name: 'Grace', email: 'grace@example.com' }, NOW);
      const client = {
        id: 'c1',
        company_id,
        name: 'Orders',
        callback_url: 'https://x.example/',
        is_public: 0,
        created_at: NOW,
      };
      await insertClient(db, client, 'secret');
    });
    return database;
  }

  describe('sessions', () => {
    test('are found until they expire or end, and end with a new password', async () => {
      const database = await seedStore();
      const found = (hash: string, now = NOW) => database.read((db) => findSession(db, hash, now));
      await database.write((db) => insertSession(db, 'h1', 'u1', NOW));
      await database.write((db) => insertSession(db, 'h2', 'u1', NOW));
      expect(await found('h1')).toMatchObject({ id: 'u1', name: 'Grace', company: 'Navy' });
      expect(await found('h1', addMs(NOW, LIMITS.sessionLifetimeMs - 1))).toBeDefined();
      expect(await found('h1', addMs(NOW, LIMITS.sessionLifetimeMs))).toBeUndefined();
      await database.write((db) => deleteSession(db, 'h1'));
      expect([await found('h1'), (await found('h2'))?.id]).toEqual([undefined, 'u1']);
      await database.write((db) => setPassword(db, 'u1', 'hash', NOW));
      expect(await found('h2')).toBeUndefined();
      await database.write((db) => insertSession(db, 'h3', 'u1', NOW));
      await database.write((db) => insertSession(db, 'h4', 'u1', addMs(NOW, LIMITS.sessionLifetimeMs)));
      const left = await database.read((db) => db.selectFrom('session').select('hash').execute());
      expect(left.map(({ hash }) => hash)).toEqual(['h4']);
    });
  });

  describe('attempts', () => {
    test('are taken up to the limit of each subject, however many come at once, and again later', async () => {
      const database = await seedStore();
      const subjects = [
        { hash: 'account', limit: 3 },
        { hash: 'address', limit: 5 },
      ];
      const take = (now = NOW, of = subjects) =>
        database.write((db) => takeAttempt(db, { subjects: of, newId: FACTS.newId }, now));
      const taken = await Promise.all(Array.from({ length: 8 }, () => take()));
      expect(taken.filter((one) => 'ids' in one)).toHaveLength(3);
      const until = addMs(NOW, LIMITS.signInWindowMs);
      expect(taken.filter((one) => 'until' in one)).toEqual(Array.from({ length: 5 }, () => ({ until })));
      const other = [{ hash: 'other', limit: 3 }, ...subjects.slice(1)];
      const first = await take(addMs(NOW, 1), other);
      expect('ids' in first && first.ids).toHaveLength(2);
      await take(addMs(NOW, 2), other);
      expect(await take(addMs(NOW, 3), other)).toEqual({ until });
      await database.write((db) => forgetAttempts(db, 'other', 'ids' in first ? first.ids : []));
      expect(await take(addMs(NOW, 4), other)).toHaveProperty('ids');
      expect(await take(until)).toHaveProperty('ids');
      const rows = await database.read((db) =>
        db.selectFrom('sign_in_attempt').select('created_at').execute(),
      );
      expect(rows.filter(({ created_at }) => created_at <= NOW)).toEqual([]);
    });

    test('of others change nothing, however many they are, and go with the sweep', async () => {
      const database = await seedStore();
      const take = (hash: string, now: Instant) =>
        database.write((db) => takeAttempt(db, { subjects: [{ hash, limit: 3 }], newId: FACTS.newId }, now));
      const others = Array.from({ length: FULL ? 100_000 : SLOW ? 20_000 : 300 }, (_, index) => ({
        id: `other-${index}`,
        subject: `subject ${index}`,
        created_at: NOW,
      }));
      while (others.length > 0)
        await database.write((db) =>
          db.insertInto('sign_in_attempt').values(others.splice(0, 300)).execute(),
        );
      expect(await take('a', addMs(NOW, 1))).toHaveProperty('ids');
      const later = addMs(NOW, LIMITS.signInWindowMs);
      expect(await take('a', later)).toHaveProperty('ids');
      await database.write((db) => forgetOldAttempts(db, later));
      const left = await database.read((db) => db.selectFrom('sign_in_attempt').select('subject').execute());
      expect(left).toEqual([{ subject: 'a' }, { subject: 'a' }]);
    });
  });

  describe('consents', () => {
    test('add up, and go with the codes and tokens that came of them', async () => {
      const database = await seedStore();
      const grant = { client_id: 'c1', user_id: 'u1' };
      await database.write(async (db) => {
        await storeConsent(db, { ...grant, scopes: 'webhook:read' }, NOW);
        await storeConsent(db, { ...grant, scopes: 'file:create webhook:read' }, addMs(NOW, 1));
        await insertCode(
          db,
          'code',
          { ...grant, scopes: 'file:create', code_challenge: null },
          NOW,
          addMs(NOW, 1000),
        );
        const token = { ...grant, scopes: 'file:create', kind: 'access' as const, expires_at: null };
        await insertToken(db, 'from a code', { ...token, code_hash: hashSecret('earlier') }, NOW);
        await insertToken(db, 'without one', { ...token, code_hash: null }, NOW);
      });
      expect(await database.read((db) => listConsents(db, 'u1'))).toMatchObject([
        { client_id: 'c1', name: 'Orders', company: 'Navy', scopes: 'webhook:read file:create' },
      ]);
      expect(await database.read((db) => listConsents(db, 'u2'))).toEqual([]);
      expect(await database.write((db) => revokeConsent(db, 'u2', 'c1', NOW))).toBe(false);
      expect(await database.write((db) => revokeConsent(db, 'u1', 'c1', NOW))).toBe(true);
      expect(await database.write((db) => revokeConsent(db, 'u1', 'c1', NOW))).toBe(false);
      const revokedAt = async (token: string) =>
        (await database.read((db) => findBearer(db, hashSecret(token))))?.revoked_at;
      expect([await revokedAt('from a code'), await revokedAt('without one')]).toEqual([NOW, null]);
      expect(await database.write((db) => consumeCode(db, 'code', 'c1', NOW))).toBeUndefined();
    });
  });
}
