// Gives tests access to a team server without a browser: a user with an access token, written into its database.
import { randomBytes } from 'node:crypto';
import { ALL_SCOPES } from '../../../src/api/contract/operation.ts';
import { instantOf } from '../../../src/common/instant.ts';
import { openTeamStore, type TeamStoreOptions } from '../../../src/service/serve/team-store.ts';
import { findUser, insertClient, insertToken } from '../../../src/service/store/accounts/accounts.ts';
import { addVerifiedUser } from '../../../src/service/store/accounts/sessions.ts';
import { timeOrderedIds } from '../../../src/service/store/rows.ts';
import { SENDER } from '../fixtures/transactions.ts';

/** @returns an access token with every scope of the user {@link SENDER}, who is added */
export async function addTeamToken(options: TeamStoreOptions): Promise<string> {
  const newId = timeOrderedIds(Date.now);
  const now = instantOf(Date.now());
  const { database } = await openTeamStore(options, { now: () => now, newId, random: randomBytes });
  const token = randomBytes(32).toString('base64url');
  await database.write(async (db) => {
    await addVerifiedUser(db, { ...SENDER, company: 'Engines', passwordHash: undefined }, { now, newId });
    const user = await findUser(db, SENDER.email);
    if (!user) throw new Error('The user was not added.');
    const client = { id: newId(), company_id: user.company_id, name: 'Tests', is_public: 0, created_at: now };
    await insertClient(db, { ...client, callback_url: 'http://127.0.0.1:1/callback' }, 'secret');
    const grant = { client_id: client.id, user_id: user.id, scopes: ALL_SCOPES.join(' ') };
    await insertToken(db, token, { ...grant, kind: 'access', code_hash: null, expires_at: null }, now);
  });
  await database.close();
  return token;
}
