// Users, applications, codes and tokens: a secret is found by its hash, a code is used once.
import { describe, expect, test } from 'vitest';
import {
  consumeCode,
  deleteClient,
  findBearer,
  findClient,
  findCode,
  findOrCreateCompany,
  findRefreshToken,
  findUser,
  insertClient,
  insertCode,
  insertToken,
  insertUser,
  revokeIssuedFrom,
} from '../../../src/service/store/accounts/accounts.ts';
import { hashSecret } from '../../../src/service/store/keys.ts';
import type { Db } from '../../../src/service/store/schema.ts';
import type { Store } from '../../../src/service/store/store.ts';
import { FACTS, NOW, type TestStores } from '../../support/stores/databases.ts';

const GRANT = { client_id: 'app', user_id: 'u1', scopes: 'transaction:read file:create' };
const CODE_GRANT = { ...GRANT, code_challenge: null };
const SOON = '2026-03-01T09:10:00.000Z';

async function withAccount(store: Store): Promise<Store> {
  await store.database.write(async (db) => {
    const company_id = await findOrCreateCompany(db, 'Acme', { newId: FACTS.newId, now: NOW });
    await insertUser(db, { id: 'u1', company_id, name: 'Ada', email: 'Ada@Example.com' }, NOW);
    const client = {
      id: 'app',
      company_id,
      name: 'App',
      callback_url: 'https://example.com',
      is_public: 0,
      created_at: NOW,
    };
    await insertClient(db, client, 'client secret');
  });
  return store;
}

const issue = (db: Db, kind: 'access' | 'refresh', token: string, code_hash: string | null = null) =>
  insertToken(db, token, { ...GRANT, kind, code_hash, expires_at: kind === 'access' ? SOON : null }, NOW);

export function accountsSuite(stores: TestStores): void {
  const open = async () => withAccount(await stores.store());

  describe('accounts', () => {
    test('finds a user by email, in any case, and accepts each email once', async () => {
      const { database } = await open();
      const find = (email: string) => database.read((db) => findUser(db, email));
      expect(await find('ADA@example.COM')).toMatchObject({ id: 'u1', email: 'Ada@Example.com' });
      expect(await find('ada@example.co')).toBeUndefined();
      const twin = { id: 'u2', company_id: 'c', name: 'A', email: 'ada@EXAMPLE.com' };
      await expect(database.write((db) => insertUser(db, twin, NOW))).rejects.toThrow();
    });

    test('makes a company once', async () => {
      const { database } = await open();
      const facts = { newId: FACTS.newId, now: NOW };
      const ids = await Promise.all(
        ['Zeta', 'Zeta', 'Acme', 'Zeta'].map((name) =>
          database.write((db) => findOrCreateCompany(db, name, facts)),
        ),
      );
      expect(ids[0]).toBe(ids[1]);
      expect(ids[0]).toBe(ids[3]);
      expect(ids[0]).not.toBe(ids[2]);
    });

    test('keeps no secret that could be read', async () => {
      const { database } = await open();
      await database.write(async (db) => {
        await issue(db, 'access', 'access secret');
        await insertCode(db, 'code secret', CODE_GRANT, NOW, SOON);
      });
      const rows = await database.read(async (db) => [
        await db.selectFrom('token').selectAll().execute(),
        await db.selectFrom('client').selectAll().execute(),
        await db.selectFrom('authorization_code').selectAll().execute(),
      ]);
      expect(JSON.stringify(rows)).not.toMatch(/(access|client|code) secret/);
    });
  });

  describe('tokens', () => {
    test('stand for a user, some scopes and a time; a refresh token is no access token', async () => {
      const { database } = await open();
      await database.write(async (db) => {
        await issue(db, 'access', 'a1');
        await issue(db, 'refresh', 'r1');
      });
      const bearer = (token: string) => database.read((db) => findBearer(db, hashSecret(token)));
      expect(await bearer('a1')).toEqual({
        user: { id: 'u1', company_id: expect.any(String), name: 'Ada', email: 'Ada@Example.com' },
        scopes: ['transaction:read', 'file:create'],
        client_id: 'app',
        expires_at: SOON,
        revoked_at: null,
      });
      expect(await bearer('r1')).toBeUndefined();
      const refresh = (token: string, client: string) =>
        database.read((db) => findRefreshToken(db, token, client));
      expect(await refresh('r1', 'app')).toMatchObject({ user_id: 'u1', revoked_at: null });
      expect(await refresh('r1', 'other')).toBeUndefined();
      expect(await refresh('a1', 'app')).toBeUndefined();
    });

    test('are revoked with the code they came from, the others not, and the first time counts', async () => {
      const { database } = await open();
      await database.write(async (db) => {
        await issue(db, 'access', 'from the code', hashSecret('code'));
        await issue(db, 'access', 'from elsewhere');
        await revokeIssuedFrom(db, hashSecret('code'), NOW);
        await revokeIssuedFrom(db, hashSecret('code'), SOON);
      });
      const revokedAt = async (token: string) =>
        (await database.read((db) => findBearer(db, hashSecret(token))))?.revoked_at;
      expect(await revokedAt('from the code')).toBe(NOW);
      expect(await revokedAt('from elsewhere')).toBeNull();
    });

    test('go with their application, and only that one', async () => {
      const { database } = await open();
      await database.write(async (db) => {
        await issue(db, 'access', 'a1');
        await insertCode(db, 'code', CODE_GRANT, NOW, SOON);
        await insertToken(
          db,
          'a2',
          { ...GRANT, client_id: 'other', kind: 'access', code_hash: null, expires_at: SOON },
          NOW,
        );
      });
      expect(await database.write((db) => deleteClient(db, 'app'))).toBe(true);
      expect(await database.write((db) => deleteClient(db, 'app'))).toBe(false);
      const left = await database.read(async (db) => ({
        client: await findClient(db, 'app'),
        code: await findCode(db, 'code'),
        a1: await findBearer(db, hashSecret('a1')),
        a2: (await findBearer(db, hashSecret('a2')))?.client_id,
      }));
      expect(left).toEqual({ client: undefined, code: undefined, a1: undefined, a2: 'other' });
    });
  });

  describe('codes', () => {
    test('are consumed once, by their own application, before their time is up', async () => {
      const { database } = await open();
      await database.write((db) => insertCode(db, 'code', CODE_GRANT, NOW, SOON));
      const consume = (code: string, client: string, now: string) =>
        database.write((db) => consumeCode(db, code, client, now));
      expect(await consume('edoc', 'app', NOW)).toBeUndefined();
      expect(await consume('code', 'other', NOW)).toBeUndefined();
      expect(await consume('code', 'app', SOON)).toBeUndefined();
      expect(await consume('code', 'app', NOW)).toMatchObject({ ...GRANT, used_at: NOW });
      expect(await consume('code', 'app', NOW)).toBeUndefined();
      expect(await database.read((db) => findCode(db, 'code'))).toMatchObject({ used_at: NOW });
    });

    test('are consumed by one of many at the same moment', async () => {
      const { database } = await open();
      await database.write((db) => insertCode(db, 'code', CODE_GRANT, NOW, SOON));
      const asked = Array.from({ length: 64 }, () =>
        database.write((db) => consumeCode(db, 'code', 'app', NOW)),
      );
      const winners = (await Promise.all(asked)).filter((grant) => grant !== undefined);
      expect(winners).toHaveLength(1);
    });
  });
}
